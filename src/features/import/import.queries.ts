import { sql } from 'kysely';
import type { ImportKind } from '#contract/workbook/importSheet.ts';
import type { Scope } from '#server/db/scope.ts';

/** An import is one row of `job`: status 0 staged, 2 done; its rows and what is needed to undo it are sealed texts. */
export interface ImportRequest {
  kind: ImportKind;
  filename: string;
  /** sealed; removed some days after */
  body?: string;
}

const prefix = 'import.';
const kindOf = (kind: ImportKind) => `${prefix}${kind}`;
/** Which import a job of such a `kind` is. */
export const importKindOf = (kind: string) => kind.slice(prefix.length) as ImportKind;

export const addJob = (
  scope: Scope,
  job: { musercode: string; accountid: string; request: ImportRequest; total: number; createtime: Date },
) =>
  scope.db
    .insertInto('job')
    .values({
      musercode: job.musercode,
      accountid: job.accountid,
      kind: kindOf(job.request.kind),
      title: `导入 ${job.request.filename}`.slice(0, 200),
      total: job.total,
      request: JSON.stringify(job.request),
      createtime: job.createtime,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export type JobRow = Awaited<ReturnType<typeof addJob>>;

/** An import of this account and of one of these kinds; `lock` holds it until the transaction ends. */
export function findJob(
  scope: Scope,
  jobid: string,
  accountid: string,
  kinds: readonly ImportKind[],
  lock = false,
): Promise<JobRow | undefined> {
  const query = scope.db
    .selectFrom('job')
    .selectAll()
    .where('jobid', '=', jobid)
    .where('accountid', '=', accountid)
    .where('kind', 'in', kinds.map(kindOf));
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export const changeJob = (scope: Scope, jobid: string, request: ImportRequest, total: number) =>
  scope.db
    .updateTable('job')
    .set({ request: JSON.stringify(request), total })
    .where('jobid', '=', jobid)
    .execute();

export const finishJob = (
  scope: Scope,
  jobid: string,
  done: { result: object; progress: number; finishtime: Date; undountil: Date },
) =>
  scope.db
    .updateTable('job')
    .set({
      status: 2,
      progress: done.progress,
      result: JSON.stringify(done.result),
      finishtime: done.finishtime,
      undountil: done.undountil,
    })
    .where('jobid', '=', jobid)
    .execute();

export const markUndone = (scope: Scope, jobid: string, time: Date) =>
  scope.db.updateTable('job').set({ undonetime: time }).where('jobid', '=', jobid).where('undonetime', 'is', null).execute();

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
    .where('kind', 'in', kinds.map(kindOf))
    .where('createtime', '>', since)
    .orderBy('createtime', 'desc')
    .limit(20)
    .execute();

/** Rows of people are not kept longer than they are needed. */
export const forgetBodies = (scope: Scope, accountid: string, before: Date) =>
  scope.db
    .updateTable('job')
    .set({ request: sql`request - 'body'`, result: sql`result - 'undo'` })
    .where('accountid', '=', accountid)
    .where('kind', 'like', `${prefix}%`)
    .where('createtime', '<', before)
    .where(sql<boolean>`request ? 'body'`)
    .execute();

/** Imports of one institution follow one another, so that two of the same file add everybody once. Ends with the transaction. */
export const oneAtATime = (scope: Scope, musercode: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`import ${musercode}`}, 0))`.execute(scope.db);
