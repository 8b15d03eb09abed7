import type { FieldRule } from '#contract/fieldAccess.ts';
import { sql } from 'kysely';
import { ExportStatus } from '#domain/files/exportJob.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** The call of a background export. `body` is its encrypted request, because filters can contain names of persons. */
export interface ExportRequest {
  action: string;
  body: string;
  /** the account's visibility at the request: every person of its institution, and the fields */
  whole: boolean;
  fields?: readonly FieldRule[];
}

/** Stores a waiting export and returns its number. */
export const addJob = (
  scope: Scope,
  job: { musercode: string; accountid: string; title: string; request: ExportRequest; createtime: Date },
) =>
  scope.db
    .insertInto('job')
    .values({ ...job, kind: 'export', request: JSON.stringify(job.request) })
    .returning('jobid')
    .executeTakeFirstOrThrow();

/** Adds the job to the workers' queue. Returns false when the account already has `limit` jobs in it. */
export async function queueJob(scope: Scope, jobid: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ queued: boolean }>`select auth.queue_job(${jobid}::uuid, ${limit}) as queued`.execute(scope.db);
  return rows[0]?.queued === true;
}

/** Removes the job from the workers' queue. */
export const unqueueJob = (scope: Scope, jobid: string) => sql`select auth.unqueue_job(${jobid}::uuid)`.execute(scope.db);

const exportsOf = (scope: Scope, accountid: string) =>
  scope.db.selectFrom('job').where('kind', '=', 'export').where('accountid', '=', accountid);

/** Returns an export of the account. */
export const findJob = (scope: Scope, jobid: string, accountid: string) =>
  exportsOf(scope, accountid).selectAll().where('jobid', '=', jobid).executeTakeFirst();

/** Returns a page of the account's exports since a time, the newest first. It also counts all and the unfinished ones. */
export async function listJobs(scope: Scope, accountid: string, options: { since: Date; page: number; pageSize: number }) {
  const exports = exportsOf(scope, accountid).where('createtime', '>', options.since);
  const counts = await exports
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(sql<number>`count(*) filter (where status in (0, 1))`.as('unfinished'))
    .executeTakeFirstOrThrow();
  const rows = await exports
    .select([
      'jobid',
      'title',
      'status',
      'progress',
      'total',
      'filename',
      'bytes',
      'error',
      'createtime',
      'finishtime',
      'expiretime',
    ])
    .orderBy('createtime', 'desc')
    .orderBy('jobid')
    .$call(paginate(options))
    .execute();
  return { ...counts, rows };
}

/** Cancels an export. Returns false when it has already ended. */
export async function cancelJob(scope: Scope, jobid: string, accountid: string, time: Date): Promise<boolean> {
  const { numUpdatedRows } = await scope.db
    .updateTable('job')
    .set({ status: ExportStatus.cancelled, finishtime: time })
    .where('jobid', '=', jobid)
    .where('accountid', '=', accountid)
    .where('kind', '=', 'export')
    .where('status', 'in', [ExportStatus.waiting, ExportStatus.running])
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Returns an export by its number, if the worker's session may see it. */
export const findExport = (scope: Scope, jobid: string) =>
  scope.db
    .selectFrom('job')
    .select(['jobid', 'musercode', 'status', 'request'])
    .where('jobid', '=', jobid)
    .where('kind', '=', 'export')
    .executeTakeFirst();

/** Changes an export. Returns false when it has ended: it was cancelled, or another worker finished it. */
export async function changeExport(
  scope: Scope,
  jobid: string,
  change: Partial<{
    status: number;
    progress: number;
    total: number;
    error: string;
    filename: string;
    mime: string;
    bytes: number;
    filekey: string;
    finishtime: Date;
    expiretime: Date;
  }>,
): Promise<boolean> {
  const { numUpdatedRows } = await scope.db
    .updateTable('job')
    .set(change)
    .where('jobid', '=', jobid)
    .where('status', 'in', [ExportStatus.waiting, ExportStatus.running])
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Marks exports as expired and returns the storage keys of their files. It deletes the rows of exports after 30 days. */
export async function expireExports(scope: Scope, now: Date): Promise<string[]> {
  const expired = await scope.db
    .selectFrom('job')
    .select(['jobid', 'filekey'])
    .where('kind', '=', 'export')
    .where('filekey', 'is not', null)
    .where('expiretime', '<', now)
    .execute();
  if (expired.length > 0)
    await scope.db
      .updateTable('job')
      .set({ filekey: null, status: ExportStatus.expired })
      .where(
        'jobid',
        'in',
        expired.map((row) => row.jobid),
      )
      .execute();
  await scope.db
    .deleteFrom('job')
    .where('kind', '=', 'export')
    .where('filekey', 'is', null)
    .where('status', '>=', ExportStatus.done)
    .where('createtime', '<', new Date(now.getTime() - 30 * 86_400_000))
    .execute();
  return expired.map((row) => row.filekey ?? '');
}
