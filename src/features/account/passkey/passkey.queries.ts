import type pg from 'pg';
import { withAccount } from '#features/account/factor.queries.ts';

/** Passkeys and their challenges, read by the database role that sees accounts and no tenant data. */

export type Purpose = 'add' | 'signin' | 'second' | 'stepup';

export interface Passkey {
  passkeyid: string;
  accountid: string;
  musercode: string;
  userid: string | null;
  loginname: string;
  /** as in `AccountRow` (features/session) */
  pwdversion: string;
  passkeyname: string;
  credentialid: string;
  publickey: string;
  userhandle: string;
  rpid: string;
  transports: string[];
  isbackedup: number;
  createtime: Date;
  lasttime: Date | null;
}

const SELECT = `select p.passkeyid, p.accountid, a.musercode, a.userid, a.loginname, a.pwdtime::text as pwdversion,
    p.passkeyname, p.credentialid, p.publickey, p.userhandle, p.rpid, p.transports, p.isbackedup, p.createtime, p.lasttime
  from auth.passkey p join auth.account a on a.accountid = p.accountid`;

/** Returns the passkeys of an account, the oldest first. */
export const findPasskeys = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<Passkey[]> =>
  (await authn.query<Passkey>(`${SELECT} where p.accountid = $1 order by p.createtime, p.passkeyid`, [accountid])).rows;

/** Returns the passkey with this identifier of its device. */
export const findCredential = async (authn: Pick<pg.Pool, 'query'>, credentialid: string): Promise<Passkey | undefined> =>
  (await authn.query<Passkey>(`${SELECT} where p.credentialid = $1`, [credentialid])).rows[0];

/** Stores a challenge. A sign-in without a name has no account. */
export const addChallenge = (authn: Pick<pg.Pool, 'query'>, challengehash: string, purpose: Purpose, accountid: string | null) =>
  authn.query('insert into auth.passkeychallenge (challengehash, purpose, accountid) values ($1, $2, $3)', [
    challengehash,
    purpose,
    accountid,
  ]);

/** Uses up a challenge. Returns false when it is unknown, older than three minutes, or meant for something else. */
export const consumeChallenge = async (
  authn: Pick<pg.Pool, 'query'>,
  challengehash: string,
  purpose: Purpose,
  accountid: string | null,
): Promise<boolean> =>
  (
    await authn.query(
      `delete from auth.passkeychallenge
       where challengehash = $1 and purpose = $2 and accountid is not distinct from $3
         and createtime between now() - interval '3 minutes' and now() + interval '1 minute'`,
      [challengehash, purpose, accountid],
    )
  ).rowCount === 1;

/** Deletes challenges that no device has signed in time. */
export const deleteOldPasskeyChallenges = (authn: Pick<pg.Pool, 'query'>) =>
  authn.query("delete from auth.passkeychallenge where createtime < now() - interval '10 minutes'");

/** Stores a passkey and returns its number; undefined when a passkey with this identifier exists or the account has `most`. */
export async function addPasskey(
  authn: Pick<pg.Pool, 'connect'>,
  row: Omit<Passkey, 'passkeyid' | 'musercode' | 'userid' | 'loginname' | 'pwdversion' | 'createtime' | 'lasttime'> & {
    counter: number;
  },
  most: number,
): Promise<string | undefined> {
  return withAccount(authn, row.accountid, async (client) => {
    const { rows } = await client.query<{ passkeyid: string }>(
      `insert into auth.passkey
         (accountid, passkeyname, credentialid, publickey, userhandle, rpid, counter, transports, isbackedup)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9
       where (select count(*) from auth.passkey where accountid = $1) < $10
       on conflict (credentialid) do nothing
       returning passkeyid`,
      [
        row.accountid,
        row.passkeyname,
        row.credentialid,
        row.publickey,
        row.userhandle,
        row.rpid,
        row.counter,
        row.transports,
        row.isbackedup,
        most,
      ],
    );
    return rows[0]?.passkeyid;
  });
}

/**
 * Stores a use of a passkey. Returns false when the counter of the device did not rise: then two devices have the key. Of two concurrent
 * uses with one counter, one is refused. Devices that do not count send 0.
 */
export const recordUse = async (
  authn: Pick<pg.Pool, 'query'>,
  passkeyid: string,
  counter: number,
  isbackedup: number,
): Promise<boolean> =>
  (
    await authn.query(
      `update auth.passkey set counter = $2, isbackedup = $3, lasttime = now()
       where passkeyid = $1 and ($2 > counter or ($2 = 0 and counter = 0))`,
      [passkeyid, counter, isbackedup],
    )
  ).rowCount === 1;

/**
 * Removes a passkey and the trusted devices of an account, and the recovery codes with the last factor. Returns its name; 'last' when it is
 * the last factor and one is required; undefined when there is none.
 */
export async function removePasskey(
  authn: Pick<pg.Pool, 'connect'>,
  accountid: string,
  passkeyid: string,
  isRequired: boolean,
): Promise<{ passkeyname: string } | 'last' | undefined> {
  return withAccount(authn, accountid, async (client) => {
    const { rows } = await client.query<{ passkeyname: string; others: boolean }>(
      `select p.passkeyname,
         exists (select from auth.passkey o where o.accountid = $1 and o.passkeyid <> $2)
           or exists (select from auth.totp f where f.accountid = $1 and f.confirmed is not null) as others
       from auth.passkey p where p.accountid = $1 and p.passkeyid = $2`,
      [accountid, passkeyid],
    );
    const row = rows[0];
    if (!row) return undefined;
    if (isRequired && !row.others) return 'last';
    await client.query('delete from auth.passkey where accountid = $1 and passkeyid = $2', [accountid, passkeyid]);
    await client.query('delete from auth.trusteddevice where accountid = $1', [accountid]);
    if (!row.others) await client.query('delete from auth.recovery where accountid = $1', [accountid]);
    return { passkeyname: row.passkeyname };
  });
}

/** Whether the passkey still exists. It waits for a reset that runs now, so a sign-in that began before the reset learns of it. */
export const keepsPasskey = (authn: Pick<pg.Pool, 'connect'>, accountid: string, passkeyid: string): Promise<boolean> =>
  withAccount(
    authn,
    accountid,
    async (client) => (await client.query('select from auth.passkey where passkeyid = $1', [passkeyid])).rowCount === 1,
  );

/** Returns the number of recovery codes that were not used. */
export const countRecoveryCodes = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<number> =>
  (
    await authn.query<{ count: number }>(
      'select count(*)::int as count from auth.recovery where accountid = $1 and used is null',
      [accountid],
    )
  ).rows[0]?.count ?? 0;
