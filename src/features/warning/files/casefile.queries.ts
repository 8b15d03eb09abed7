import type { Insertable } from 'kysely';
import type { CasefileTable, ReturnassessTable } from '#db/generated/tables.ts';
import type { Scope } from '#server/db/scope.ts';

/** Adds attachments. */
export const addCaseFiles = (scope: Scope, rows: Insertable<CasefileTable>[]) =>
  scope.db.insertInto('casefile').values(rows).execute();

/** The attachments of a case with their file names, the newest first. They carry no link: `openCaseFile` gives it. */
export const findCaseFiles = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('casefile as c')
    .innerJoin('fileobj as f', 'f.fileid', 'c.fileid')
    .select(['c.fileid', 'c.kind', 'c.createby', 'c.createbyname', 'c.createtime', 'f.filename', 'f.mime', 'f.size'])
    .where('c.warningcode', '=', warningcode)
    .where('c.isdeleted', '=', 0)
    .where('f.isdeleted', '=', 0)
    .orderBy('c.createtime', 'desc')
    .orderBy('c.fileid')
    .execute();

/** One attachment of a case; undefined when it is deleted or belongs to another case. */
export const findCaseFile = (scope: Scope, warningcode: string, fileid: string) =>
  scope.db
    .selectFrom('casefile')
    .selectAll()
    .where('warningcode', '=', warningcode)
    .where('fileid', '=', fileid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Marks an attachment as deleted, with the reason. */
export const markCaseFileDeleted = (scope: Scope, fileid: string, deletereason: string) =>
  scope.db.updateTable('casefile').set({ isdeleted: 1, deletereason }).where('fileid', '=', fileid).execute();

/** Adds a return assessment and returns its id. */
export const addReturn = (scope: Scope, row: Insertable<ReturnassessTable>) =>
  scope.db.insertInto('returnassess').values(row).returning('returnid').executeTakeFirstOrThrow();
/** The return assessments of a case, the newest first. */
export const findReturns = (scope: Scope, warningcode: string) =>
  scope.db.selectFrom('returnassess').selectAll().where('warningcode', '=', warningcode).orderBy('returnid', 'desc').execute();
/** Says whether a return assessment of the case names this attachment. */
export const isUsedByReturn = async (scope: Scope, warningcode: string, fileid: string): Promise<boolean> =>
  (await findReturns(scope, warningcode)).some((row) => row.fileids.includes(fileid));
