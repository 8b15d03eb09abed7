import { sql } from 'kysely';
import type pg from 'pg';
import type { Scope } from '#server/db/scope.ts';

/** Seeds, recovery codes and challenges, read by the database role that sees accounts and no tenant data. */

export interface Factor {
  /** the encrypted seed */
  sealed: string;
  confirmed: Date | null;
  recoveryleft: number;
}

/** Returns the second factor of an account, confirmed or not. */
export const findFactor = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<Factor | undefined> =>
  (
    await authn.query<Factor>(
      `select sealed, confirmed,
         (select count(*)::int from auth.recovery r where r.accountid = f.accountid and r.used is null) as recoveryleft
       from auth.totp f
       where accountid = $1`,
      [accountid],
    )
  ).rows[0];

/** Stores a seed that waits for its first code. Returns false when the account has a confirmed seed, which must be removed first. */
export const startFactor = async (authn: Pick<pg.Pool, 'query'>, accountid: string, sealed: string): Promise<boolean> =>
  (
    await authn.query(
      `insert into auth.totp as f (accountid, sealed) values ($1, $2)
       on conflict (accountid) do update set sealed = excluded.sealed, createtime = now(), laststep = 0
         where f.confirmed is null`,
      [accountid, sealed],
    )
  ).rowCount === 1;

/** Uses up the code of a 30-second step. Returns true once for each step that is later than all used steps. */
export const consumeStep = async (authn: Pick<pg.Pool, 'query'>, accountid: string, step: number): Promise<boolean> =>
  (
    await authn.query('update auth.totp set laststep = $2 where accountid = $1 and laststep < $2 and confirmed is not null', [
      accountid,
      step,
    ])
  ).rowCount === 1;

/** Uses up the first code, which confirms the seed. Returns false when the seed has changed or is confirmed. */
export const confirmFactor = async (
  authn: Pick<pg.Pool, 'query'>,
  accountid: string,
  sealed: string,
  step: number,
): Promise<boolean> =>
  (
    await authn.query(
      'update auth.totp set confirmed = now(), laststep = $3 where accountid = $1 and sealed = $2 and confirmed is null',
      [accountid, sealed, step],
    )
  ).rowCount === 1;

/** Runs statements that belong together in one transaction. */
async function inTransaction<T>(authn: Pick<pg.Pool, 'connect'>, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await authn.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Runs statements in one transaction that has the account for itself. */
export const withAccount = <T>(
  authn: Pick<pg.Pool, 'connect'>,
  accountid: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  inTransaction(authn, async (client) => {
    await client.query('select from auth.account where accountid = $1 for no key update', [accountid]);
    return work(client);
  });

/**
 * Deletes the seed and the trusted devices of an account, and its recovery codes unless it has passkeys. Returns whether it has passkeys;
 * 'last' when it has none and a second factor is required. The account is locked, so that a passkey cannot go meanwhile.
 */
export const removeFactor = (
  authn: Pick<pg.Pool, 'connect'>,
  accountid: string,
  isRequired: boolean,
): Promise<{ byPasskey: boolean } | 'last'> =>
  withAccount(authn, accountid, async (client) => {
    const passkeys = await client.query('select from auth.passkey where accountid = $1', [accountid]);
    const byPasskey = passkeys.rows.length > 0;
    if (isRequired && !byPasskey) return 'last';
    await client.query('delete from auth.totp where accountid = $1', [accountid]);
    await client.query('delete from auth.trusteddevice where accountid = $1', [accountid]);
    if (!byPasskey) await client.query('delete from auth.recovery where accountid = $1', [accountid]);
    return { byPasskey };
  });

/**
 * Replaces the recovery codes of an account; other calls never see two sets or none. The account is locked: otherwise two
 * concurrent calls would each delete the old set and leave two new sets.
 */
export const replaceRecoveryCodes = (
  authn: Pick<pg.Pool, 'connect'>,
  accountid: string,
  hashes: readonly string[],
): Promise<void> =>
  withAccount(authn, accountid, async (client) => {
    await client.query('delete from auth.recovery where accountid = $1', [accountid]);
    await client.query('insert into auth.recovery (accountid, codehash) select $1, unnest($2::text[])', [accountid, hashes]);
  });

/** Uses up a recovery code. Returns false when it is unknown or used. */
export const consumeRecoveryCode = async (
  authn: Pick<pg.Pool, 'query'>,
  accountid: string,
  codehashes: readonly string[],
): Promise<boolean> =>
  (
    await authn.query(
      'update auth.recovery set used = now() where accountid = $1 and codehash = any ($2::text[]) and used is null',
      [accountid, codehashes],
    )
  ).rowCount === 1;

/** Stores a new challenge. */
export const openChallenge = (
  authn: Pick<pg.Pool, 'query'>,
  row: { challengehash: string; accountid: string; ip: string; useragent: string },
) =>
  authn.query('insert into auth.challenge (challengehash, accountid, ip, useragent) values ($1, $2, $3, $4)', [
    row.challengehash,
    row.accountid,
    row.ip,
    row.useragent.slice(0, 300),
  ]);

export interface ChallengeAccount {
  accountid: string;
  musercode: string;
  userid: string | null;
  loginname: string;
  /** as in `AccountRow` (features/session) */
  pwdversion: string;
}

/** Returns the account of an open challenge. A challenge is open for three minutes, until its use or a change of the password. */
export const findChallenge = async (
  authn: Pick<pg.Pool, 'query'>,
  challengehash: string,
): Promise<ChallengeAccount | undefined> =>
  (
    await authn.query<ChallengeAccount>(
      `select a.accountid, a.musercode, a.userid, a.loginname, a.pwdtime::text as pwdversion
       from auth.challenge c
         join auth.account a on a.accountid = c.accountid
         join auth.tenant t on t.musercode = a.musercode
       where c.challengehash = $1 and c.done is null
         and c.createtime between now() - interval '3 minutes' and now() + interval '1 minute'
         -- A password that was changed while the clock was ahead must not lock its owner out.
         and (c.createtime >= a.pwdtime or a.pwdtime > now() + interval '5 minutes')
         and a.enabled = 1 and t.enabled = 1
         and (t.expiredate is null or t.expiredate + 30 >= (now() at time zone 'Asia/Shanghai')::date)`,
      [challengehash],
    )
  ).rows[0];

/** Uses up a challenge. Returns false when another call has used it. */
export const finishChallenge = async (authn: Pick<pg.Pool, 'query'>, challengehash: string): Promise<boolean> =>
  (await authn.query('update auth.challenge set done = now() where challengehash = $1 and done is null', [challengehash]))
    .rowCount === 1;

export interface LapsedChallenge extends Omit<ChallengeAccount, 'loginname' | 'pwdversion'> {
  challengehash: string;
  createtime: Date;
  ip: string | null;
  useragent: string | null;
}

/** Returns expired challenges without a code whose account was not notified yet. Disabled and expired accounts are left out. */
export const findLapsedChallenges = async (authn: Pick<pg.Pool, 'query'>): Promise<LapsedChallenge[]> =>
  (
    await authn.query<LapsedChallenge>(
      `select c.challengehash, c.createtime, c.ip, c.useragent, a.accountid, a.musercode, a.userid
       from auth.challenge c
         join auth.account a on a.accountid = c.accountid and a.enabled = 1
         join auth.tenant t on t.musercode = a.musercode and t.enabled = 1
       where c.done is null and c.told is null
         and c.createtime between now() - interval '1 day' and now() - interval '3 minutes'
         and (t.expiredate is null or t.expiredate + 30 >= (now() at time zone 'Asia/Shanghai')::date)
       order by c.createtime
       limit 200`,
    )
  ).rows;

/** Stores that the account of a challenge was notified. */
export const markNotified = (authn: Pick<pg.Pool, 'query'>, challengehash: string) =>
  authn.query('update auth.challenge set told = now() where challengehash = $1', [challengehash]);

/** Deletes challenges older than seven days. */
export const deleteOldChallenges = (authn: Pick<pg.Pool, 'query'>) =>
  authn.query("delete from auth.challenge where createtime < now() - interval '7 days'");

/** Returns whether the institution or a role of the caller requires a second factor. */
export const isFactorEnforced = async (scope: Scope): Promise<boolean> =>
  (
    await sql<{ enforced: boolean }>`
    select m.mustfactor = 1 or exists (
      select from sysuserrole ur
        join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 and r.mustfactor = 1
      where ur.userid = access.current_userid()) as enforced
    from muser m
    where m.musercode = access.current_musercode()`.execute(scope.db)
  ).rows[0]?.enforced ?? false;

/** Removes the second factor of an account that the caller may manage, and ends its sessions. */
export const resetFactor = (scope: Scope, accountid: string) =>
  sql`select auth.reset_second_factor(${accountid})`.execute(scope.db);

/** Returns the login name of an account. */
export const findLoginname = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<string | undefined> =>
  (await authn.query<{ loginname: string }>('select loginname from auth.account where accountid = $1', [accountid])).rows[0]
    ?.loginname;

/**
 * Whether the account still has its second factor. It waits for a reset that runs now, so a sign-in that began before the reset learns
 * of it.
 */
export const keepsFactor = (authn: Pick<pg.Pool, 'connect'>, accountid: string): Promise<boolean> =>
  inTransaction(authn, async (client) => {
    await client.query('select from auth.account where accountid = $1 for share', [accountid]);
    const { rowCount } = await client.query(
      'select from auth.totp where accountid = $1 union all select from auth.passkey where accountid = $1',
      [accountid],
    );
    return rowCount !== null && rowCount > 0;
  });
