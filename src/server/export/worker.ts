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

/** A job that ends its worker this often is given up. */
const maxAttempts = 3;

export interface WorkerOptions {
  dispatch: (call: Call) => Promise<Answer>;
  clock: () => Date;
  log: (line: Record<string, unknown>) => void;
  /** How many exports one server carries out at once. */
  concurrency?: number;
  /** Milliseconds between two looks into the queue, and between two heartbeats. */
  pollInterval?: number;
  beatEvery?: number;
}

/** Why a job ends without a file, in words for its account. */
class JobFailed extends Error {}
/** The job is no longer ours: cancelled, taken over, or the server stops. Nothing is written about it. */
class JobAbandoned extends Error {}

/**
 * Carries out exports in the background: the same call as a direct one, by the same dispatcher, within a session of the account that
 * asked for it. Rights, reach and audit are therefore the same; a job whose account is closed ends. Any number of servers may work on
 * one queue.
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
    let reported = { done: 0, total: 0 };
    let shown = reported;
    const checkClaim = async () => {
      const state = await heartbeat(pools.authn, jobid, worker, hashToken(token ?? ''));
      if (state === 'gone') ending.abort(new JobAbandoned());
      if (state === 'closed') ending.abort(new JobFailed('账号已停用或已退出，导出已停止'));
      if (reported !== shown && !(await change(jobid, { progress: (shown = reported).done, total: reported.total })))
        ending.abort(new JobAbandoned());
    };
    const heart = setInterval(() => void checkClaim().catch((error: unknown) => fault(jobid, error)), beatEvery);
    try {
      if (!token) throw new JobFailed('账号已停用，导出已停止');
      if (claim.attempts > maxAttempts) throw new JobFailed('导出多次中断，请缩小范围后再试');
      await produce(claim, token, {
        signal: ending.signal,
        look: checkClaim,
        progress: (doneCount, total) => {
          reported = { done: doneCount, total };
        },
      });
      await dequeue(pools.authn, jobid, worker);
    } catch (error) {
      const why = ending.signal.aborted ? ending.signal.reason : error;
      if (stopping.signal.aborted) await requeue(pools.authn, jobid, worker);
      else if (why instanceof JobAbandoned) await dequeue(pools.authn, jobid, worker);
      else {
        if (!(why instanceof JobFailed)) fault(jobid, why);
        const words = why instanceof JobFailed ? why.message : '系统错误，请稍后重新导出';
        await change(jobid, { status: ExportStatus.failed, error: words, finishtime: clock() });
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
    {
      signal,
      look: checkClaim,
      progress,
    }: { signal: AbortSignal; look: () => Promise<void>; progress: (doneCount: number, total: number) => void },
  ) {
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
    });
    // An account closed during the reading has made it read nothing more: what came is not the whole.
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

  const fault = (jobid: string, error: unknown) =>
    log({ level: 'error', job: jobid, error: error instanceof Error ? error.stack : String(error) });

  /** Takes what waits, as far as there is room. */
  async function poll() {
    while (running.size < concurrency && !stopping.signal.aborted) {
      const claim = await claimNext(pools.authn, worker);
      if (!claim) return;
      const work: Promise<void> = runJob(claim)
        .catch((error: unknown) => fault(claim.jobid, error))
        .finally(() => running.delete(work));
      running.add(work);
    }
  }

  return {
    /** Carries out everything that waits; for tests. */
    async drain() {
      do {
        await poll();
        await Promise.all(running);
      } while (await poll().then(() => running.size > 0));
    },
    /** Looks into the queue until `stop`. */
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
    /** Puts what is under way back into the queue and waits until nothing of it runs. */
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
