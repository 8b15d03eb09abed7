import type pg from 'pg';
import type { SessionHash } from '#server/db/scope.ts';
import { TRUST_DAYS } from '#features/account/device/device.contract.ts';

/**
 * Trusted devices, read by the database role that sees accounts and no tenant data. A trust is valid for 30 days, while the institution
 * allows it, and until the password changes. A browser is known by the cookie of its last sign-in.
 */
const VALID = `d.createtime between now() - interval '${TRUST_DAYS} days' and now() + interval '5 minutes'
  and d.createtime >= a.pwdtime and t.trustdevice = 1`;
const FROM = `from auth.trusteddevice d
  join auth.account a on a.accountid = d.accountid
  join auth.tenant t on t.musercode = a.musercode`;

/** Whether the account need not give its second factor in the browser of this cookie. */
export const isTrusted = async (
  authn: Pick<pg.Pool, 'query'>,
  accountid: string,
  cookieHash: SessionHash | undefined,
): Promise<boolean> =>
  cookieHash !== undefined &&
  (await authn.query(`select ${FROM} where d.accountid = $1 and d.cookiehash = $2 and ${VALID}`, [accountid, cookieHash])).rows
    .length > 0;

/** Trusts the browser of a cookie for an account. Returns false when the institution does not allow it. */
export const trustDevice = async (
  authn: Pick<pg.Pool, 'query'>,
  row: { accountid: string; cookieHash: SessionHash; ip: string; useragent: string },
): Promise<boolean> =>
  (
    await authn.query(
      `insert into auth.trusteddevice (accountid, cookiehash, ip, useragent)
       select a.accountid, $2, $3, $4
       from auth.account a join auth.tenant t on t.musercode = a.musercode
       where a.accountid = $1 and t.trustdevice = 1
       on conflict (accountid, cookiehash) do update
         set ip = excluded.ip, useragent = excluded.useragent, createtime = now(), lasttime = now()`,
      [row.accountid, row.cookieHash, row.ip, row.useragent.slice(0, 300)],
    )
  ).rowCount === 1;

/**
 * Follows the trusted browser of an account to the cookie of a new sign-in there. Other accounts do not follow: with a copied cookie and
 * an account of their own, somebody could take over the trust of another.
 */
export const followCookie = (
  authn: Pick<pg.Pool, 'query'>,
  to: { accountid: string; cookieHash: SessionHash; newCookieHash: SessionHash; ip: string; useragent: string },
) =>
  authn.query(
    `update auth.trusteddevice set cookiehash = $3, lasttime = now(), ip = $4, useragent = $5
     where accountid = $1 and cookiehash = $2`,
    [to.accountid, to.cookieHash, to.newCookieHash, to.ip, to.useragent.slice(0, 300)],
  );

export interface TrustedDevice {
  deviceid: string;
  cookiehash: string;
  ip: string | null;
  useragent: string | null;
  createtime: Date;
  lasttime: Date;
  until: Date;
}

/** Returns the devices that an account trusts now, the last used first. */
export const findTrustedDevices = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<TrustedDevice[]> =>
  (
    await authn.query<TrustedDevice>(
      `select d.deviceid, d.cookiehash, d.ip, d.useragent, d.createtime, d.lasttime,
         d.createtime + interval '${TRUST_DAYS} days' as until
       ${FROM} where d.accountid = $1 and ${VALID} order by d.lasttime desc`,
      [accountid],
    )
  ).rows;

/** Whether the institution of an account allows trusted devices. */
export const mayTrust = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<boolean> =>
  (
    await authn.query(
      `select from auth.account a join auth.tenant t on t.musercode = a.musercode
       where a.accountid = $1 and t.trustdevice = 1`,
      [accountid],
    )
  ).rows.length > 0;

/** Ends the trust of an account in one device, or in all. Returns in how many. */
export const distrust = async (authn: Pick<pg.Pool, 'query'>, accountid: string, deviceid: string | undefined): Promise<number> =>
  (
    await authn.query('delete from auth.trusteddevice where accountid = $1 and ($2::text is null or deviceid = $2)', [
      accountid,
      deviceid ?? null,
    ])
  ).rowCount ?? 0;

/** Deletes trusts that are over. */
export const deleteOldDevices = (authn: Pick<pg.Pool, 'query'>) =>
  authn.query(`delete from auth.trusteddevice where createtime < now() - interval '${TRUST_DAYS} days'`);
