import { sql } from 'kysely';
import type { ImportKind } from '#contract/workbook/importSheet.ts';
import type { Scope } from '#server/db/scope.ts';

/** An import is one row of `job`: status 0 staged, 2 done. Its rows and its undo data are stored encrypted. */
export interface ImportRequest {
  kind: ImportKind;
  filename: string;
  /** the encrypted rows; the server removes them after a week */
  body?: string;
}

const KIND_PREFIX = 'import.';
const jobKindOf = (kind: ImportKind) => `${KIND_PREFIX}${kind}`;
/** Returns the import kind of a job's `kind`. */
export const importKindOf = (kind: string) => kind.slice(KIND_PREFIX.length) as ImportKind;

/** Stores a staged import and returns its row. */
export const addJob = (
  scope: Scope,
  job: { musercode: string; accountid: string; request: ImportRequest; total: number; createtime: Date },
) =>
  scope.db
    .insertInto('job')
    .values({
      musercode: job.musercode,
      accountid: job.accountid,
      kind: jobKindOf(job.request.kind),
      title: `导入 ${job.request.filename}`.slice(0, 200),
      total: job.total,
      request: JSON.stringify(job.request),
      createtime: job.createtime,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export type JobRow = Awaited<ReturnType<typeof addJob>>;

/** Returns an import of this account and of one of these kinds. `lock` locks it until the transaction ends. */
export function findJob(
  scope: Scope,
  jobid: string,
  accountid: string,
  kinds: readonly ImportKind[],
  shouldLock = false,
): Promise<JobRow | undefined> {
  const query = scope.db
    .selectFrom('job')
    .selectAll()
    .where('jobid', '=', jobid)
    .where('accountid', '=', accountid)
    .where('kind', 'in', kinds.map(jobKindOf));
  return (shouldLock ? query.forUpdate() : query).executeTakeFirst();
}

/** Replaces the stored request and the number of rows of an import. */
export const changeJob = (scope: Scope, jobid: string, request: ImportRequest, total: number) =>
  scope.db
    .updateTable('job')
    .set({ request: JSON.stringify(request), total })
    .where('jobid', '=', jobid)
    .execute();

/** Stores that an import was carried out. */
export const finishJob = (
  scope: Scope,
  jobid: string,
  outcome: { result: object; progress: number; finishtime: Date; undountil: Date },
) =>
  scope.db
    .updateTable('job')
    .set({
      status: 2,
      progress: outcome.progress,
      result: JSON.stringify(outcome.result),
      finishtime: outcome.finishtime,
      undountil: outcome.undountil,
    })
    .where('jobid', '=', jobid)
    .execute();

/** Stores that an import was undone. */
export const markUndone = (scope: Scope, jobid: string, time: Date) =>
  scope.db.updateTable('job').set({ undonetime: time }).where('jobid', '=', jobid).where('undonetime', 'is', null).execute();

/** Returns the last twenty imports of an account, the newest first. */
export const listJobs = (scope: Scope, accountid: string, kinds: readonly ImportKind[], since: Date) =>
  scope.db
    .selectFrom('job')
    .select([
      'jobid',
      'kind',
      'status',
      'total',
      'progress',
      'createtime',
      'undountil',
      'undonetime',
      sql<string>`request->>'filename'`.as('filename'),
    ])
    .where('accountid', '=', accountid)
    .where('kind', 'in', kinds.map(jobKindOf))
    .where('createtime', '>', since)
    .orderBy('createtime', 'desc')
    .limit(20)
    .execute();

/** Removes the rows and the undo data of older imports: personal data is not stored longer than needed. */
export const deleteOldBodies = (scope: Scope, accountid: string, before: Date) =>
  scope.db
    .updateTable('job')
    .set({ request: sql`request - 'body'`, result: sql`result - 'undo'` })
    .where('accountid', '=', accountid)
    .where('kind', 'like', `${KIND_PREFIX}%`)
    .where('createtime', '<', before)
    .where(sql<boolean>`request ? 'body'`)
    .execute();

/** Locks the imports of an institution until the transaction ends: two imports of one file then add everybody once. */
export const lockImports = (scope: Scope, musercode: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`import ${musercode}`}, 0))`.execute(scope.db);
