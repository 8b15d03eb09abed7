import { randomUUID } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { ExportStatus, exportKeptHours } from '#domain/files/exportJob.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { hashOf } from '#server/dispatch/caller.ts';
import type { Answer, Call } from '#server/dispatch/dispatch.ts';
import { beat, claimNext, endJobSession, leaveQueue, openJobSession, putBack, type Claim } from '#server/export/queue.ts';
import type { Services } from '#server/dispatch/services.ts';
import { newKey } from '#server/storage/storage.ts';
import { asInstitution } from '#server/db/systemSession.ts';
import * as queries from '#features/job/job.queries.ts';

/** A job that ends its worker this often is given up. */
const mostAttempts = 3;

export interface WorkerOptions {
  dispatch: (call: Call) => Promise<Answer>;
  clock: () => Date;
  log: (line: Record<string, unknown>) => void;
  /** How many exports one server carries out at once. */
  atOnce?: number;
  /** Milliseconds between two looks into the queue, and between two heartbeats. */
  lookEvery?: number;
  beatEvery?: number;
}

/** Why a job ends without a file, in words for its account. */
class Ended extends Error {}
/** The job is no longer ours: cancelled, taken over, or the server stops. Nothing is written about it. */
class Left extends Error {}

/**
 * Carries out exports in the background: the same call as a direct one, by the same dispatcher, within a session of the account that
 * asked for it. Rights, reach and audit are therefore the same; a job whose account is closed ends. Any number of servers may work on
 * one queue.
 */
export function exportWorker(services: Services, options: WorkerOptions) {
  const { pools, storage, vault } = services;
  const { dispatch, clock, log, atOnce = 2, lookEvery = 1000, beatEvery = 3000 } = options;
  const worker = randomUUID();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const change = (jobid: string, to: Parameters<typeof queries.changeExport>[2]) =>
    asInstitution(pools, platformCode, (scope) => queries.changeExport(scope, jobid, to));

  async function carryOut(claim: Claim) {
    const { jobid } = claim;
    const token = await openJobSession(pools.authn, claim.accountid);
    const ending = new AbortController();
    const onStop = () => ending.abort(new Left());
    stopping.signal.addEventListener('abort', onStop);
    if (stopping.signal.aborted) onStop();
    let told = { done: 0, total: 0 };
    let shown = told;
    const look = async () => {
      const state = await beat(pools.authn, jobid, worker, hashOf(token ?? ''));
      if (state === 'gone') ending.abort(new Left());
      if (state === 'closed') ending.abort(new Ended('账号已停用或已退出，导出已停止'));
      if (told !== shown && !(await change(jobid, { progress: (shown = told).done, total: told.total })))
        ending.abort(new Left());
    };
    const heart = setInterval(() => void look().catch((error: unknown) => fault(jobid, error)), beatEvery);
    try {
      if (!token) throw new Ended('账号已停用，导出已停止');
      if (claim.attempts > mostAttempts) throw new Ended('导出多次中断，请缩小范围后再试');
      await produce(claim, token, {
        signal: ending.signal,
        look,
        progress: (done, total) => {
          told = { done, total };
        },
      });
      await leaveQueue(pools.authn, jobid, worker);
    } catch (error) {
      const why = ending.signal.aborted ? ending.signal.reason : error;
      if (stopping.signal.aborted) await putBack(pools.authn, jobid, worker);
      else if (why instanceof Left) await leaveQueue(pools.authn, jobid, worker);
      else {
        if (!(why instanceof Ended)) fault(jobid, why);
        const words = why instanceof Ended ? why.message : '系统错误，请稍后重新导出';
        await change(jobid, { status: ExportStatus.failed, error: words, finishtime: clock() });
        await leaveQueue(pools.authn, jobid, worker);
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
      look,
      progress,
    }: { signal: AbortSignal; look: () => Promise<void>; progress: (done: number, total: number) => void },
  ) {
    const job = await asInstitution(pools, platformCode, (scope) => queries.findExport(scope, jobid));
    if (!job || !(await change(jobid, { status: ExportStatus.running }))) throw new Left();
    const { action, body } = job.request as queries.ExportRequest;
    const answer = await dispatch({
      name: action,
      token,
      body: JSON.parse(vault.open(job.musercode, 'job.body', body)),
      requestId: jobid,
      ip: '',
      useragent: '后台导出',
      progress,
    });
    // An account closed during the reading has made it read nothing more: what came is not the whole.
    await look();
    signal.throwIfAborted();
    if (answer.errorCode !== 0) throw new Ended(answer.errorCode === 110000 ? '账号已停用或已退出，导出已停止' : answer.errorMsg);
    const file = answer.data as { filename: string; mime: string; body: Readable | Uint8Array };
    const filekey = newKey('export');
    try {
      const content = addAbortSignal(signal, file.body instanceof Readable ? file.body : Readable.from([file.body]));
      const bytes = await storage.put(filekey, content);
      await look();
      signal.throwIfAborted();
      const finishtime = clock();
      const expiretime = new Date(finishtime.getTime() + exportKeptHours * 3_600_000);
      const { filename, mime } = file;
      if (!(await change(jobid, { status: ExportStatus.done, filename, mime, bytes, filekey, finishtime, expiretime })))
        throw new Left();
    } catch (error) {
      await storage.delete(filekey);
      throw error;
    }
  }

  const fault = (jobid: string, error: unknown) =>
    log({ level: 'error', job: jobid, error: error instanceof Error ? error.stack : String(error) });

  /** Takes what waits, as far as there is room. */
  async function takeUp() {
    while (running.size < atOnce && !stopping.signal.aborted) {
      const claim = await claimNext(pools.authn, worker);
      if (!claim) return;
      const work: Promise<void> = carryOut(claim)
        .catch((error: unknown) => fault(claim.jobid, error))
        .finally(() => running.delete(work));
      running.add(work);
    }
  }

  return {
    /** Carries out everything that waits; for tests. */
    async drain() {
      do {
        await takeUp();
        await Promise.all(running);
      } while (await takeUp().then(() => running.size > 0));
    },
    /** Looks into the queue until `stop`. */
    start() {
      let busy = false;
      const timer = setInterval(() => {
        if (busy) return;
        busy = true;
        takeUp()
          .catch((error: unknown) => log({ level: 'error', job: 'exports', error: String(error) }))
          .finally(() => (busy = false));
      }, lookEvery);
      stopping.signal.addEventListener('abort', () => clearInterval(timer));
    },
    /** Puts what is under way back into the queue and waits until nothing of it runs. */
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
