import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import '#server/db/parsers.ts';
import { asRole, type ServerRole, type Target } from '#server/db/roles.ts';
import type { Tables } from '#db/generated/tables.ts';

export type Db = Kysely<Tables>;

/**
 * Sends statements with parameters as prepared statements: the name is derived from the text, so PostgreSQL plans each text once per
 * connection. Measured: half the database time of a look-up by key.
 */
class PreparedStatementClient extends pg.Client {
  readonly #names = new Map<string, string>();
  // pg's overloads cannot be restated; the wrapper only touches the form Kysely and a pool send: (text, values, callback?).
  override query = ((text: unknown, values?: unknown, callback?: unknown) => {
    const send = super.query as (...all: unknown[]) => unknown;
    if (typeof text !== 'string' || !Array.isArray(values)) return send.call(this, text, values, callback);
    return send.call(this, { text, values, name: this.#nameOf(text) }, callback);
  }) as pg.Client['query'];

  /** A text with a list of changing length would fill the server with plans; after 500 texts the rest go without a name. */
  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text);
    if (!name && this.#names.size < 500) this.#names.set(text, (name = `s${this.#names.size}`));
    return name;
  }
}

/** One pool per server role. A connection that breaks is replaced; the error is reported, never thrown into nowhere. */
export class Pools {
  readonly app: pg.Pool;
  /**
   * The application's role once more, for work a request does in another reach than its own (`runAsSystem`, signing in) while its own
   * transaction waits. With one pool, a class signing in at once would hold every connection and wait for one more.
   */
  readonly nested: pg.Pool;
  readonly respondent: pg.Pool;
  readonly authn: pg.Pool;
  readonly stats: pg.Pool;
  readonly sealer: pg.Pool;

  #ending = false;

  constructor(target: Target, report: (error: Error) => void, size = 12) {
    // While the pools end, a connection may still report that the database stops. That is no failure.
    const onError = (error: Error) => (this.#ending ? undefined : report(error));
    const make = (role: ServerRole, max: number) => {
      const pool = new pg.Pool({
        ...asRole(target, role),
        max,
        // A connection keeps the plans of its prepared statements; a new one has to plan them all again.
        idleTimeoutMillis: 600_000,
        connectionTimeoutMillis: 20_000,
        Client: PreparedStatementClient as typeof pg.Client,
      });
      pool.on('error', onError);
      // A connection that breaks while borrowed fails the borrower's statement; it is not reported a second time.
      pool.on('connect', (client) => client.on('error', () => undefined));
      return pool;
    };
    this.app = make('xinli_app', size);
    this.nested = make('xinli_app', size);
    this.respondent = make('xinli_respondent', size);
    this.authn = make('xinli_authn', 4);
    this.stats = make('xinli_stats', 4);
    this.sealer = make('xinli_sealer', 1);
  }

  async end() {
    this.#ending = true;
    await Promise.all([
      this.app.end(),
      this.nested.end(),
      this.respondent.end(),
      this.authn.end(),
      this.stats.end(),
      this.sealer.end(),
    ]);
  }
}

const kyselyByClient = new WeakMap<pg.PoolClient, Db>();

/** Kysely bound to one borrowed connection. Made once for each connection; it neither opens nor closes it. */
export function kyselyFor(client: pg.PoolClient): Db {
  let db = kyselyByClient.get(client);
  if (!db) {
    const borrowed = Object.assign(Object.create(client) as pg.PoolClient, { release: () => undefined });
    db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { options: {}, connect: async () => borrowed, end: async () => undefined } }),
    });
    kyselyByClient.set(client, db);
  }
  return db;
}
