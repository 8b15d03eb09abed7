import type pg from 'pg';
import { kyselyFor, type Db } from '#server/db/pools.ts';

declare const brand: unique symbol;

/**
 * A transaction with the caller's session bound to it, the only way to the tables.
 * Row-level security decides by this session which rows the caller sees.
 * Every query takes a Scope, so a query without one does not compile.
 */
export interface Scope {
  readonly db: Db;
  readonly [brand]: true;
}

/** A transaction with the same range for statistics. Its role may not read columns that contain names. */
export interface StatsScope {
  readonly db: Db;
  readonly [brand]: 'count';
}

/** SHA-256 of a session token, in hex. `inTransaction` checks its form, because it writes it into a statement. */
export type SessionHash = string & { readonly hashed: unique symbol };
const hashForm = /^[0-9a-f]{64}$/;

/** The hash of the session token and, for a session bound to a browser, the hash of its HttpOnly cookie. */
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
        // A statement after the end would run outside the transaction, on the connection of another call.
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

/** Runs `work` in one transaction with the range of a session. Commits when it returns, rolls back when it throws. */
export const withScope = <T>(pool: pg.Pool, credentials: SessionCredentials, work: (scope: Scope) => Promise<T>): Promise<T> =>
  inTransaction(pool, credentials, (transaction) => work(transaction as Scope));

/** Runs statistics in one transaction with the range of a session. */
export const withStatsScope = <T>(
  pool: pg.Pool,
  credentials: SessionCredentials,
  work: (scope: StatsScope) => Promise<T>,
): Promise<T> => inTransaction(pool, credentials, (transaction) => work(transaction as unknown as StatsScope));
