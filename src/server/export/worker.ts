import { randomUUID } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { ExportStatus, exportRetentionHours } from '#domain/files/exportJob.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Answer, Call } from '#server/dispatch/dispatch.ts';
import { heartbeat, claimNext, endJobSession, dequeue, openJobSession, requeue, type Claim } from '#server/export/queue.ts';
import type { Services } from '#server/dispatch/services.ts';
import { newKey } from '#server/storage/storage.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import * as queries from '#features/job/job.queries.ts';

/** After this many interrupted attempts a job fails. */
const maxAttempts = 3;

/** The options of an export worker; tests change the times. */
export interface WorkerOptions {
  dispatch: (call: Call) => Promise<Answer>;
  clock: () => Date;
  log: (line: Record<string, unknown>) => void;
  /** The number of exports that one server runs at once. */
  concurrency?: number;
  /** Milliseconds between two reads of the queue. */
  pollInterval?: number;
  /** Milliseconds between two heartbeats. */
  beatEvery?: number;
}

/** A job ends without a file; the message tells the account why. */
class JobFailed extends Error {}
/** This worker has lost the job: it was cancelled or taken over, or the server stops. The worker writes nothing about it. */
class JobAbandoned extends Error {}

/**
 * Runs exports in the background. A job is the same call as a direct one: the same dispatcher runs it in a session of its account.
 * So rights, range and audit are the same. A job ends when its account is disabled. Several servers may share one queue.
 */
export function exportWorker(services: Services, options: WorkerOptions) {
  const { pools, storage, cipher } = services;
  const { dispatch, clock, log, concurrency = 2, pollInterval = 1000, beatEvery = 3000 } = options;
  const worker = randomUUID();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const change = (jobid: string, to: Parameters<typeof queries.changeExport>[2]) =>
    runAsSystem(pools, platformCode, (scope) => queries.changeExport(scope, jobid, to));

  async function runJob(claim: Claim) {
    const { jobid } = claim;
    const token = await openJobSession(pools.authn, claim.accountid);
    const ending = new AbortController();
    const onStop = () => ending.abort(new JobAbandoned());
    stopping.signal.addEventListener('abort', onStop);
    if (stopping.signal.aborted) onStop();
    let progress = { done: 0, total: 0 };
    let savedProgress = progress;
    const checkClaim = async () => {
      const state = await heartbeat(pools.authn, jobid, worker, hashToken(token ?? ''));
      if (state === 'gone') ending.abort(new JobAbandoned());
      if (state === 'closed') ending.abort(new JobFailed('账号已停用或已退出，导出已停止'));
      if (
        progress !== savedProgress &&
        !(await change(jobid, { progress: (savedProgress = progress).done, total: progress.total }))
      )
        ending.abort(new JobAbandoned());
    };
    const heart = setInterval(() => void checkClaim().catch((error: unknown) => logFault(jobid, error)), beatEvery);
    try {
      if (!token) throw new JobFailed('账号已停用，导出已停止');
      if (claim.attempts > maxAttempts) throw new JobFailed('导出多次中断，请缩小范围后再试');
      await produce(claim, token, {
        signal: ending.signal,
        checkClaim,
        progress: (doneCount, total) => {
          progress = { done: doneCount, total };
        },
      });
      await dequeue(pools.authn, jobid, worker);
    } catch (error) {
      const reason = ending.signal.aborted ? ending.signal.reason : error;
      if (stopping.signal.aborted) await requeue(pools.authn, jobid, worker);
      else if (reason instanceof JobAbandoned) await dequeue(pools.authn, jobid, worker);
      else {
        if (!(reason instanceof JobFailed)) logFault(jobid, reason);
        const message = reason instanceof JobFailed ? reason.message : '系统错误，请稍后重新导出';
        await change(jobid, { status: ExportStatus.failed, error: message, finishtime: clock() });
        await dequeue(pools.authn, jobid, worker);
      }
    } finally {
      clearInterval(heart);
      stopping.signal.removeEventListener('abort', onStop);
      if (token) await endJobSession(pools.authn, token);
    }
  }

  async function produce(
    { jobid }: Claim,
    token: string,
    run: { signal: AbortSignal; checkClaim: () => Promise<void>; progress: (doneCount: number, total: number) => void },
  ) {
    const { signal, checkClaim, progress } = run;
    const job = await runAsSystem(pools, platformCode, (scope) => queries.findExport(scope, jobid));
    if (!job || !(await change(jobid, { status: ExportStatus.running }))) throw new JobAbandoned();
    const { action, body } = job.request as queries.ExportRequest;
    const answer = await dispatch({
      name: action,
      token,
      body: JSON.parse(cipher.decrypt(job.musercode, 'job.body', body)),
      requestId: jobid,
      ip: '',
      useragent: '后台导出',
      progress,
      job: { jobid, signal },
    });
    // When the account was disabled during the export, later pages came back empty and the file is incomplete.
    await checkClaim();
    signal.throwIfAborted();
    if (answer.errorCode !== 0)
      throw new JobFailed(answer.errorCode === 110000 ? '账号已停用或已退出，导出已停止' : answer.errorMsg);
    const file = answer.data as { filename: string; mime: string; body: Readable | Uint8Array };
    const filekey = newKey('export');
    try {
      const content = addAbortSignal(signal, file.body instanceof Readable ? file.body : Readable.from([file.body]));
      const bytes = await storage.put(filekey, content);
      await checkClaim();
      signal.throwIfAborted();
      const finishtime = clock();
      const expiretime = new Date(finishtime.getTime() + exportRetentionHours * 3_600_000);
      const { filename, mime } = file;
      if (!(await change(jobid, { status: ExportStatus.done, filename, mime, bytes, filekey, finishtime, expiretime })))
        throw new JobAbandoned();
    } catch (error) {
      await storage.delete(filekey);
      throw error;
    }
  }

  const logFault = (jobid: string, error: unknown) =>
    log({ level: 'error', job: jobid, error: error instanceof Error ? error.stack : String(error) });

  /** Starts waiting jobs until `concurrency` of them run. */
  async function poll() {
    while (running.size < concurrency && !stopping.signal.aborted) {
      const claim = await claimNext(pools.authn, worker);
      if (!claim) return;
      const work: Promise<void> = runJob(claim)
        .catch((error: unknown) => logFault(claim.jobid, error))
        .finally(() => running.delete(work));
      running.add(work);
    }
  }

  return {
    /** Runs all waiting jobs; for tests. */
    async drain() {
      do {
        await poll();
        await Promise.all(running);
      } while (await poll().then(() => running.size > 0));
    },
    /** Reads the queue every `pollInterval` until `stop`. */
    start() {
      let busy = false;
      const timer = setInterval(() => {
        if (busy) return;
        busy = true;
        poll()
          .catch((error: unknown) => log({ level: 'error', job: 'exports', error: String(error) }))
          .finally(() => (busy = false));
      }, pollInterval);
      stopping.signal.addEventListener('abort', () => clearInterval(timer));
    },
    /** Returns the running jobs to the queue and waits for their end. */
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
