import { sql } from 'kysely';
import type pg from 'pg';
import type { Scope, SessionHash } from '#server/db/scope.ts';

/** Passwords and sessions, read by the database role that sees accounts and no tenant data. */

/** Returns the password hash of an account. */
export async function findCredentials(
  authn: Pick<pg.Pool, 'query'>,
  accountid: string,
): Promise<{ pwdhash: string } | undefined> {
  return (await authn.query<{ pwdhash: string }>('select pwdhash from auth.account where accountid = $1', [accountid])).rows[0];
}

/** Sets a new password and ends every session. The calling session ends after ten seconds: it still shows its message and signs out. */
export async function changePassword(authn: Pick<pg.Pool, 'query'>, accountid: string, pwdhash: string, current: SessionHash) {
  await authn.query(
    'update auth.account set pwdhash = $2, mustchangepwd = 0, pwdtime = now(), pwdexpire = null where accountid = $1',
    [accountid, pwdhash],
  );
  await authn.query(
    `update auth.session set
       revoked = case when tokenhash = $2 then null else now() end,
       expiretime = case when tokenhash = $2 then now() + interval '10 seconds' else expiretime end
     where accountid = $1 and revoked is null`,
    [accountid, current],
  );
}

/**
 * Moves a session and its acting sessions to a new token after a step-up; the old token becomes invalid. The transaction of the scope
 * continues under the new token. Returns false when the session has ended or another call has moved it.
 */
export async function moveSession(
  authn: Pick<pg.Pool, 'query'>,
  scope: Scope,
  from: SessionHash,
  to: SessionHash,
): Promise<boolean> {
  const { rowCount } = await authn.query(
    `with moved as (update auth.session set tokenhash = $2, stepuptime = now()
         where tokenhash = $1 and revoked is null and expiretime > now() returning tokenhash),
       children as (update auth.session set parenthash = $2 where parenthash = $1 and exists (select from moved))
     select from moved`,
    [from, to],
  );
  if (rowCount !== 1) return false;
  await sql`select set_config('app.session', ${to}, true)`.execute(scope.db);
  return true;
}

export interface SessionRow {
  /** stays the same when the session moves to another token */
  sessionid: string;
  tokenhash: string;
  ip: string | null;
  useragent: string | null;
  createtime: Date;
  lastseen: Date;
  loginasby: string | null;
}

/** Returns the valid sessions of an account without its screens, the last used first. */
export const findActiveSessions = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<SessionRow[]> =>
  (
    await authn.query<SessionRow>(
      `select sessionid, tokenhash, ip, useragent, createtime, lastseen, loginasby
       from auth.session
       where accountid = $1 and kind = 'staff' and revoked is null and expiretime > now() and lastseen + idle > now()
       order by lastseen desc`,
      [accountid],
    )
  ).rows;

/**
 * Ends one session of an account by its number, or all; acting sessions in the account count, too. The trust in their browsers ends, too.
 * Returns how many sessions it ended.
 */
export const endSessions = async (
  authn: Pick<pg.Pool, 'query'>,
  accountid: string,
  sessionid: string | undefined,
): Promise<number> =>
  (
    await authn.query(
      `with ended as (update auth.session set revoked = now()
           where accountid = $1 and revoked is null and ($2::text is null or sessionid = $2) returning boundhash),
         distrusted as (delete from auth.trusteddevice
           where accountid = $1 and ($2::text is null or cookiehash in (select boundhash from ended)))
       select from ended`,
      [accountid, sessionid ?? null],
    )
  ).rowCount ?? 0;
