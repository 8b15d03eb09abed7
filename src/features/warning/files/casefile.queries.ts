import type { Insertable } from 'kysely';
import type { CasefileTable, ReturnassessTable } from '#db/generated/tables.ts';
import type { Scope } from '#server/db/scope.ts';

export const addCaseFiles = (scope: Scope, rows: Insertable<CasefileTable>[]) =>
  scope.db.insertInto('casefile').values(rows).execute();

/** Papers of a case with their names, the newest first. Where they lie is not among it: a link is a call of its own. */
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

export const findCaseFile = (scope: Scope, warningcode: string, fileid: string) =>
  scope.db
    .selectFrom('casefile')
    .selectAll()
    .where('warningcode', '=', warningcode)
    .where('fileid', '=', fileid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

export const markCaseFileDeleted = (scope: Scope, fileid: string, deletereason: string) =>
  scope.db.updateTable('casefile').set({ isdeleted: 1, deletereason }).where('fileid', '=', fileid).execute();

export const addReturn = (scope: Scope, row: Insertable<ReturnassessTable>) =>
  scope.db.insertInto('returnassess').values(row).returning('returnid').executeTakeFirstOrThrow();
export const findReturns = (scope: Scope, warningcode: string) =>
  scope.db.selectFrom('returnassess').selectAll().where('warningcode', '=', warningcode).orderBy('returnid', 'desc').execute();
/** Whether a return assessment rests on this paper. */
export const isUsedByReturn = async (scope: Scope, warningcode: string, fileid: string): Promise<boolean> =>
  (await findReturns(scope, warningcode)).some((row) => row.fileids.includes(fileid));
