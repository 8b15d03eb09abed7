import { sql } from 'kysely';
import { ExportStatus } from '#domain/files/exportJob.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** What a background export will call; `body` is its request, sealed, because filters can name people. */
export interface ExportRequest {
  action: string;
  body: string;
  /** what the account saw when it asked: every person of its institution, and names in full */
  whole: boolean;
  names: boolean;
}

export const addJob = (
  scope: Scope,
  job: { musercode: string; accountid: string; title: string; request: ExportRequest; createtime: Date },
) =>
  scope.db
    .insertInto('job')
    .values({ ...job, kind: 'export', request: JSON.stringify(job.request) })
    .returning('jobid')
    .executeTakeFirstOrThrow();

/** Puts the job into the workers' queue; false when the account has `most` there already. */
export async function queueJob(scope: Scope, jobid: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ queued: boolean }>`select auth.queue_job(${jobid}::uuid, ${most}) as queued`.execute(scope.db);
  return rows[0]?.queued === true;
}
export const unqueueJob = (scope: Scope, jobid: string) => sql`select auth.unqueue_job(${jobid}::uuid)`.execute(scope.db);

const exportsOf = (scope: Scope, accountid: string) =>
  scope.db.selectFrom('job').where('kind', '=', 'export').where('accountid', '=', accountid);

export const findJob = (scope: Scope, jobid: string, accountid: string) =>
  exportsOf(scope, accountid).selectAll().where('jobid', '=', jobid).executeTakeFirst();

export async function listJobs(scope: Scope, accountid: string, options: { since: Date; page: number; pageSize: number }) {
  const mine = exportsOf(scope, accountid).where('createtime', '>', options.since);
  const counts = await mine
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(sql<number>`count(*) filter (where status in (0, 1))`.as('unfinished'))
    .executeTakeFirstOrThrow();
  const rows = await mine
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

/** Ends a job that has not ended; false when it has. */
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

/** For the worker: an export by its number alone, within the reach of whoever asks. */
export const findExport = (scope: Scope, jobid: string) =>
  scope.db
    .selectFrom('job')
    .select(['jobid', 'musercode', 'status', 'request'])
    .where('jobid', '=', jobid)
    .where('kind', '=', 'export')
    .executeTakeFirst();

/** Changes an export that has not ended; false when it has (cancelled, or finished by another worker). */
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

/** Exports whose time is over lose their file; answers the places of the files. Their rows go after 30 days. */
export async function expireExports(scope: Scope, now: Date): Promise<string[]> {
  const over = await scope.db
    .selectFrom('job')
    .select(['jobid', 'filekey'])
    .where('kind', '=', 'export')
    .where('filekey', 'is not', null)
    .where('expiretime', '<', now)
    .execute();
  if (over.length > 0)
    await scope.db
      .updateTable('job')
      .set({ filekey: null, status: ExportStatus.expired })
      .where(
        'jobid',
        'in',
        over.map((row) => row.jobid),
      )
      .execute();
  await scope.db
    .deleteFrom('job')
    .where('kind', '=', 'export')
    .where('filekey', 'is', null)
    .where('status', '>=', ExportStatus.done)
    .where('createtime', '<', new Date(now.getTime() - 30 * 86_400_000))
    .execute();
  return over.map((row) => row.filekey ?? '');
}
