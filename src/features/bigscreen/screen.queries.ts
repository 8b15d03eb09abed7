import type pg from 'pg';
import type { SessionHash } from '#server/db/scope.ts';
import { SCREEN_CODE_MINUTES, SCREEN_DAYS } from '#features/bigscreen/screen.contract.ts';

/** Codes and sessions of screens, under the database role that reads accounts and no tenant data. */

/** Adds a code. Earlier codes of the account that nobody used are no longer valid, and neither are old ones of others. */
export async function insertCode(
  authn: Pick<pg.Pool, 'query'>,
  row: { codehash: string; accountid: string; screenname: string },
): Promise<void> {
  await authn.query('delete from auth.screencode where accountid = $1 or expiretime < now()', [row.accountid]);
  await authn.query(
    `insert into auth.screencode (codehash, accountid, screenname, expiretime)
     values ($1, $2, $3, now() + make_interval(mins => $4))`,
    [row.codehash, row.accountid, row.screenname, SCREEN_CODE_MINUTES],
  );
}

export interface UsedCode {
  accountid: string;
  musercode: string;
  screenname: string;
}

/** Uses a code up and returns whose it was; undefined when it is unknown or too old, or the password has changed since. */
export const consumeCode = async (authn: Pick<pg.Pool, 'query'>, codehashes: readonly string[]): Promise<UsedCode | undefined> =>
  (
    await authn.query<UsedCode>(
      `with used as (delete from auth.screencode where codehash = any ($1::text[]) returning *)
       select a.accountid, a.musercode, u.screenname
       from used u join auth.account a using (accountid)
       where u.expiretime > now() and a.enabled = 1 and a.pwdtime <= u.createtime`,
      [codehashes],
    )
  ).rows[0];

/** Opens the session of a screen. It ends after 30 days; a pause does not end it. */
export const openScreenSession = (
  authn: Pick<pg.Pool, 'query'>,
  session: UsedCode & { tokenhash: SessionHash; ip: string; useragent: string; newCookieHash: SessionHash | undefined },
) =>
  authn.query(
    `insert into auth.session (tokenhash, kind, musercode, accountid, screenname, ip, useragent, expiretime, idle, boundhash)
     values ($1, 'screen', $2, $3, $4, $5, $6, now() + make_interval(days => $7), make_interval(days => $7 + 1), $8)`,
    [
      session.tokenhash,
      session.musercode,
      session.accountid,
      session.screenname,
      session.ip,
      session.useragent.slice(0, 300),
      SCREEN_DAYS,
      session.newCookieHash ?? null,
    ],
  );

export interface ScreenRow {
  sessionid: string;
  screenname: string;
  ip: string | null;
  useragent: string | null;
  createtime: Date;
  lastseen: Date;
  expiretime: Date;
}

/** Returns the open screens of an account, the last opened first. */
export const findScreens = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<ScreenRow[]> =>
  (
    await authn.query<ScreenRow>(
      `select sessionid, screenname, ip, useragent, createtime, lastseen, expiretime
       from auth.session
       where accountid = $1 and kind = 'screen' and revoked is null and expiretime > now()
       order by createtime desc`,
      [accountid],
    )
  ).rows;
