import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { hashToken } from '#server/dispatch/caller.ts';
import type { SessionHash } from '#server/db/scope.ts';

/** A job that a worker has claimed: its account and the number of attempts. */
export interface Claim {
  jobid: string;
  musercode: string;
  accountid: string;
  attempts: number;
}

/** After this time without a heartbeat another worker takes over the job. */
const HEARTBEAT_TIMEOUT = '30 seconds';

/**
 * Claims the oldest free job; undefined when there is none. Two workers never claim the same job.
 * Accounts with fewer running jobs come first, so no account can block the queue.
 */
export async function claimNext(authn: pg.Pool, worker: string): Promise<Claim | undefined> {
  const { rows } = await authn.query<Claim>(
    `update auth.jobqueue set heartbeat = now(), worker = $1, attempts = attempts + 1
     where jobid = (
       select q.jobid from auth.jobqueue q where q.heartbeat is null or q.heartbeat < now() - interval '${HEARTBEAT_TIMEOUT}'
       order by (select count(*) from auth.jobqueue o
       where o.accountid = q.accountid and o.heartbeat >= now() - interval '${HEARTBEAT_TIMEOUT}'), q.createtime
       limit 1 for update skip locked)
     returning jobid, musercode, accountid, attempts`,
    [worker],
  );
  return rows[0];
}

/** Renews a claim. Returns 'gone' when the job was cancelled or taken over, 'closed' when its account's session has ended. */
export async function heartbeat(
  authn: pg.Pool,
  jobid: string,
  worker: string,
  session: SessionHash,
): Promise<'claimed' | 'gone' | 'closed'> {
  const { rows } = await authn.query<{ alive: boolean }>(
    `update auth.jobqueue set heartbeat = now() where jobid = $1 and worker = $2
     returning exists (
       select from auth.session s join auth.account a on a.accountid = s.accountid join auth.tenant t on t.musercode = s.musercode
       where s.tokenhash = $3 and s.revoked is null and a.enabled = 1 and t.enabled = 1) as alive`,
    [jobid, worker, session],
  );
  return rows[0] ? (rows[0].alive ? 'claimed' : 'closed') : 'gone';
}

/** Deletes a finished job from the queue. */
export const dequeue = (authn: pg.Pool, jobid: string, worker: string) =>
  authn.query('delete from auth.jobqueue where jobid = $1 and worker = $2', [jobid, worker]);

/** Returns a job to the queue when its server stops. */
export const requeue = (authn: pg.Pool, jobid: string, worker: string) =>
  authn.query(
    'update auth.jobqueue set heartbeat = null, worker = null, attempts = attempts - 1 where jobid = $1 and worker = $2',
    [jobid, worker],
  );

/**
 * Creates a session of the account for one job and returns its token; undefined when the account is disabled.
 * The job sees the rows of the account. The session counts as stepped up, because requesting the export needed a step-up.
 */
export async function openJobSession(authn: pg.Pool, accountid: string): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url');
  const { rowCount } = await authn.query(
    `insert into auth.session (tokenhash, kind, musercode, accountid, useragent, expiretime, idle, stepuptime)
     select $1, 'staff', a.musercode, a.accountid, '后台导出', now() + interval '1 hour', '1 hour', now()
     from auth.account a join auth.tenant t on t.musercode = a.musercode where a.accountid = $2 and a.enabled = 1 and t.enabled = 1`,
    [hashToken(token), accountid],
  );
  return rowCount === 1 ? token : undefined;
}
/** Deletes the session of a job. */
export const endJobSession = (authn: pg.Pool, token: string) =>
  authn.query('delete from auth.session where tokenhash = $1', [hashToken(token)]);
