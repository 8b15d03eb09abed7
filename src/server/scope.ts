import type { Duplex } from 'node:stream';
import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { onClient, type Db } from '#server/db/pools.ts';

declare const made: unique symbol;

/**
 * The part of the data a caller may see, and the only door to it: a transaction to which the database has bound the
 * caller's session, so that row-level security decides. Queries take a Scope; nothing else leads to the tables, so a
 * query without one does not compile.
 */
export interface Scope {
  readonly db: Db;
  /** What the bearer's own statement found when the transaction was opened; nothing has to wait for it. */
  readonly opened: Promise<readonly unknown[]>;
  /**
   * The transaction's only statement, or its last: it and what ends the transaction leave together, and nothing can be asked or written
   * after it. For reads: what comes of it afterwards cannot undo anything.
   */
  readonly only: <Row>(query: { compile: (by: Db) => CompiledQuery<Row> }) => Promise<Row[]>;
  /** Has a statement sent in the round trip that commits; when it fails, nothing of the transaction stays. */
  readonly lastly: (statement: string) => void;
  readonly [made]: true;
}

/** The same reach for counting, under a role that has no column with a name in it. */
export interface CountScope {
  readonly db: Db;
  readonly [made]: 'count';
}

/** SHA-256 of a session token, in hex. It is checked because it is written into the statement that opens the transaction. */
export type SessionHash = string & { readonly hashed: unique symbol };
const shape = /^[0-9a-f]{64}$/;

/** Whose transaction to open: the hash of the token and, for a session bound to a browser, of its HttpOnly half. */
export interface Bearer {
  session: SessionHash | '';
  bound?: SessionHash | undefined;
  /** a statement without parameters, asked in the round trip that opens the transaction */
  opening?: string | undefined;
}

type Transaction = Pick<Scope, 'db' | 'opened' | 'only' | 'lastly'>;

async function inTransaction<T>(
  pool: pg.Pool,
  { session, bound = '' as SessionHash, opening = '' }: Bearer,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  if ((session !== '' && !shape.test(session)) || ((bound as string) !== '' && !shape.test(bound)))
    throw new TypeError('not a session hash');
  const client = await pool.connect();
  let broken: Error | undefined;
  let closed = false;
  try {
    // One round trip opens the transaction and binds the session; the settings end with the transaction. What `run` asks before it waits for
    // anything goes with it.
    const answers = inOnePacket(client, () =>
      client.query(`begin; set local app.session = '${session}'; set local app.bound = '${bound}'; ${opening}`),
    ) as Promise<unknown> as Promise<pg.QueryResult[]>;
    const opened = answers.then((each) => (opening ? (each.at(-1)?.rows ?? []) : []));
    const db = onClient(client);
    let closing = '';
    const open = <T>(of: T): T => {
      if (closed) throw new Error('the transaction has ended');
      return of;
    };
    const close = () => {
      closed = true;
      return client.query(`${closing}commit`);
    };
    const running = run({
      get db() {
        return open(db);
      },
      opened,
      only: async (query) => {
        const { sql: text, parameters } = open(query).compile(db);
        const [{ rows }] = await Promise.all([inOnePacket(client, () => client.query(text, [...parameters])), close()]);
        return rows;
      },
      lastly: (statement) => (closing += open(`${statement}; `)),
    });
    // Nothing of this transaction may still be under way when it ends. Where its opening failed, so did all the rest, for a reason that says
    // nothing.
    const [begun, done] = await Promise.allSettled([opened, running]);
    if (begun.status === 'rejected') throw begun.reason;
    if (done.status === 'rejected') throw done.reason;
    if (!closed) await close();
    return done.value;
  } catch (error) {
    closed = true;
    await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** What is sent until the next turn of the loop leaves in one packet: one call of the system less for each, on both sides. */
function inOnePacket<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  return send();
}

/** Runs `work` in one transaction within the reach of a session; commits when it returns, rolls back when it throws. */
export const withScope = <T>(pool: pg.Pool, bearer: Bearer, work: (scope: Scope) => Promise<T>): Promise<T> =>
  inTransaction(pool, bearer, (transaction) => work(transaction as Scope));

/** Runs a count within the reach of a session. */
export const withCountScope = <T>(
  pool: pg.Pool,
  { session, bound }: Bearer,
  work: (scope: CountScope) => Promise<T>,
): Promise<T> => inTransaction(pool, { session, bound }, (transaction) => work(transaction as unknown as CountScope));
