import type pg from 'pg';
import { kyselyFor, type Db } from '#server/db/pools.ts';

declare const brand: unique symbol;

/**
 * The part of the data a caller may see, and the only door to it: a transaction with the caller's session bound to it. Row-level
 * security decides by that session. Every query takes a Scope, so a query without one does not compile.
 */
export interface Scope {
  readonly db: Db;
  readonly [brand]: true;
}

/** The same reach for statistics, under a role that may read no column with a name in it. */
export interface StatsScope {
  readonly db: Db;
  readonly [brand]: 'count';
}

/** SHA-256 of a session token, in hex. Its form is checked because it is written into the statement that binds the session. */
export type SessionHash = string & { readonly hashed: unique symbol };
const hashForm = /^[0-9a-f]{64}$/;

/** Whose transaction to open: the hash of the token and, for a session bound to a browser, the hash of its HttpOnly cookie. */
export interface SessionCredentials {
  session: SessionHash | '';
  cookieHash?: SessionHash | undefined;
}

/** Begins a transaction, binds the session, runs `work`, commits. Rolls back when `work` throws. */
async function inTransaction<T>(
  pool: pg.Pool,
  { session, cookieHash = '' as SessionHash }: SessionCredentials,
  work: (transaction: { readonly db: Db }) => Promise<T>,
): Promise<T> {
  for (const hash of [session, cookieHash] as string[])
    if (hash !== '' && !hashForm.test(hash)) throw new TypeError('not a session hash');
  const client = await pool.connect();
  const db = kyselyFor(client);
  let hasEnded = false;
  let connectionError: Error | undefined;
  try {
    // The settings are local: they end with the transaction.
    await client.query(`begin; set local app.session = '${session}'; set local app.bound = '${cookieHash}'`);
    const result = await work({
      get db() {
        // A statement after the end would run outside the transaction, on a connection of somebody else's call.
        if (hasEnded) throw new Error('the transaction has ended');
        return db;
      },
    });
    hasEnded = true;
    await client.query('commit');
    return result;
  } catch (error) {
    hasEnded = true;
    await client.query('rollback').catch((failure: Error) => (connectionError = failure));
    throw error;
  } finally {
    client.release(connectionError);
  }
}

/** Runs `work` in one transaction within the reach of a session; commits when it returns, rolls back when it throws. */
export const withScope = <T>(pool: pg.Pool, credentials: SessionCredentials, work: (scope: Scope) => Promise<T>): Promise<T> =>
  inTransaction(pool, credentials, (transaction) => work(transaction as Scope));

/** Runs statistics within the reach of a session. */
export const withStatsScope = <T>(
  pool: pg.Pool,
  credentials: SessionCredentials,
  work: (scope: StatsScope) => Promise<T>,
): Promise<T> => inTransaction(pool, credentials, (transaction) => work(transaction as unknown as StatsScope));
