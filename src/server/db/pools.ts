import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import '#server/db/parsers.ts';
import { asRole, type ServerRole, type Target } from '#server/db/roles.ts';
import type { Tables } from '#db/generated/tables.ts';
import { openingTypes } from '#server/sealing/openingTypes.ts';
import { sealingPlugin } from '#server/sealing/sealingPlugin.ts';
import type { TextSealer } from '#server/sealing/textSealer.ts';

/** Kysely with the types of our tables. */
export type Db = Kysely<Tables>;

/**
 * A client that sends statements with parameters as prepared statements. Each text has a name, so PostgreSQL plans it once per
 * connection. Measured: half the database time of a look-up by key.
 */
class PreparedStatementClient extends pg.Client {
  readonly #names = new Map<string, string>();
  // TypeScript cannot express pg's overloads here. The wrapper changes only the form that Kysely and a pool send.
  override query = ((text: unknown, values?: unknown, callback?: unknown) => {
    const send = super.query as (...parameters: unknown[]) => unknown;
    if (typeof text !== 'string' || !Array.isArray(values)) return send.call(this, text, values, callback);
    return send.call(this, { text, values, name: this.#nameOf(text) }, callback);
  }) as pg.Client['query'];

  /** A text with a list of changing length would fill PostgreSQL with plans. So only the first 500 texts get a name. */
  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text);
    if (!name && this.#names.size < 500) this.#names.set(text, (name = `s${this.#names.size}`));
    return name;
  }
}

/**
 * A client that names no statement, for a pooler. Like the one above it binds `query` to itself: Kysely calls it on an object that only
 * inherits from the client, and pg keeps the running query in `this`.
 */
class UnnamedStatementClient extends pg.Client {
  override query = ((...parameters: unknown[]) =>
    (super.query as (...parameters: unknown[]) => unknown).apply(this, parameters)) as pg.Client['query'];
}

/** The sealer of each connection; pools without a key have none. */
const sealers = new WeakMap<pg.ClientBase, TextSealer>();

/**
 * Creates a pool of a server role. It replaces a broken connection and reports the error. With `texts` its connections seal and open the
 * texts of case work.
 */
export function createPool(
  target: Target,
  role: ServerRole,
  max: number,
  onError: (error: Error) => void,
  { texts, connectMs = 20_000 }: { texts?: TextSealer | undefined; connectMs?: number } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...asRole(target, role),
    max,
    // A connection keeps the plans of its prepared statements. A new connection must plan all of them again.
    idleTimeoutMillis: 600_000,
    connectionTimeoutMillis: connectMs,
    // A pooler gives the next transaction another connection, which does not know the statement.
    Client: (target.isPooled ? UnnamedStatementClient : PreparedStatementClient) as typeof pg.Client,
    ...(texts ? { types: openingTypes(texts) } : {}),
  });
  pool.on('error', onError);
  // A connection that breaks while borrowed already fails the borrower's statement, so the pool does not report it again.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (texts) sealers.set(client, texts);
  });
  return pool;
}

/** One connection pool per server role. */
export class Pools {
  readonly app: pg.Pool;
  /** A pool of the application's role for calls before sign-in: slow calls of those who are signed in never keep anybody out. */
  readonly door: pg.Pool;
  /**
   * A second pool of the application's role. A request uses it for work in another range (`runAsSystem`, signing in)
   * while its own transaction waits. With one pool, a class that signs in at once would take every connection and wait for more.
   * It is larger than `app`, so that slow calls of staff leave connections to sign-ins.
   */
  readonly nested: pg.Pool;
  readonly respondent: pg.Pool;
  readonly authn: pg.Pool;
  readonly stats: pg.Pool;
  readonly sealer: pg.Pool;

  #ending = false;

  constructor(target: Target, report: (error: Error) => void, size = 12, texts?: TextSealer) {
    // While the pools end, a connection may still report that the database stops. This is no failure.
    const onError = (error: Error) => (this.#ending ? undefined : report(error));
    const create = (role: ServerRole, max: number) => createPool(target, role, max, onError, { texts });
    this.app = create('xinli_app', size);
    this.door = create('xinli_app', Math.ceil(size / 2));
    this.nested = create('xinli_app', size + 4);
    this.respondent = create('xinli_respondent', size);
    this.authn = create('xinli_authn', 4);
    this.stats = create('xinli_stats', 4);
    this.sealer = create('xinli_sealer', 1);
  }

  async end() {
    this.#ending = true;
    await Promise.all([
      this.app.end(),
      this.door.end(),
      this.nested.end(),
      this.respondent.end(),
      this.authn.end(),
      this.stats.end(),
      this.sealer.end(),
    ]);
  }
}

const kyselyByClient = new WeakMap<pg.PoolClient, Db>();

/** Returns Kysely for one borrowed connection. Each connection has one instance, which neither opens nor closes it. */
export function kyselyFor(client: pg.PoolClient): Db {
  let db = kyselyByClient.get(client);
  if (!db) {
    const borrowed = Object.assign(Object.create(client) as pg.PoolClient, { release: () => undefined });
    db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { options: {}, connect: async () => borrowed, end: async () => undefined } }),
      plugins: [sealingPlugin(sealers.get(client))],
    });
    kyselyByClient.set(client, db);
  }
  return db;
}
