import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import '#server/db/parsers.ts';
import { asRole, type ServerRole, type Target } from '#server/db/roles.ts';
import type { Tables } from '#db/generated/tables.ts';

export type Db = Kysely<Tables>;

/**
 * Statements get a name derived from their text, so that PostgreSQL plans each once per connection.
 * Measured: half the database time of a keyed look-up.
 */
class NamingClient extends pg.Client {
  readonly #names = new Map<string, string>();
  // pg's overloads cannot be restated; the wrapper only touches the shapes Kysely and a pool send.
  override query = ((text: unknown, values?: unknown, callback?: unknown) => {
    const ask = (...all: unknown[]): unknown => (super.query as (...all: unknown[]) => unknown).apply(this, all);
    if (typeof text !== 'string' || !Array.isArray(values)) return ask(text, values, callback);
    let name = this.#names.get(text);
    // A list of changing length would fill the server with plans; past this many texts they go unnamed.
    if (!name && this.#names.size < 500) this.#names.set(text, (name = `s${this.#names.size}`));
    const naming = (done: unknown) => {
      // A ready query goes as it is; of a description pg makes a copy, property by property, each time.
      const query = new pg.Query(text, values, done as () => void);
      ask(name ? Object.assign(query, { name }) : query);
    };
    if (callback) return naming(callback);
    return new Promise((resolve, reject) => naming((error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)))); // prettier-ignore
  }) as pg.Client['query'];
}

/** One pool per server role. A connection that breaks is replaced; the error is reported, never thrown into nowhere. */
export class Pools {
  readonly app: pg.Pool;
  /**
   * The application's role once more, for what a request does in another reach than its own (`asInstitution`, the record of who has
   * just signed in) while its own transaction waits. From one pool a class signing in at once would hold every connection and wait
   * for one more.
   */
  readonly inner: pg.Pool;
  readonly respondent: pg.Pool;
  readonly authn: pg.Pool;
  readonly stats: pg.Pool;
  readonly sealer: pg.Pool;

  #ending = false;

  constructor(target: Target, report: (error: Error) => void, size = 12) {
    // A connection on its way out may still be told that the database stops. That is what was asked for.
    const onError = (error: Error) => (this.#ending ? undefined : report(error));
    const make = (role: ServerRole, max: number) => {
      const pool = new pg.Pool({
        ...asRole(target, role),
        max,
        // A connection knows the plans of what it was asked; a new one has to learn them all.
        idleTimeoutMillis: 600_000,
        connectionTimeoutMillis: 20_000,
        // What is asked goes out at once, behind what was asked before it (`inTransaction`).
        pipeline: true,
        Client: NamingClient as typeof pg.Client,
      });
      pool.on('error', onError);
      // A connection that breaks while it is lent tells whoever holds it through their statement, and nobody twice.
      pool.on('connect', (client) => client.on('error', () => undefined));
      return pool;
    };
    this.app = make('xinli_app', size);
    this.inner = make('xinli_app', size);
    this.respondent = make('xinli_respondent', size);
    this.authn = make('xinli_authn', 4);
    this.stats = make('xinli_stats', 4);
    this.sealer = make('xinli_sealer', 1);
  }

  async end() {
    this.#ending = true;
    await Promise.all([
      this.app.end(),
      this.inner.end(),
      this.respondent.end(),
      this.authn.end(),
      this.stats.end(),
      this.sealer.end(),
    ]);
  }
}

const bound = new WeakMap<pg.PoolClient, Db>();

/** Kysely bound to one connection that somebody else opened and will close; there is one for each, for as long as the connection lives. */
export function onClient(client: pg.PoolClient): Db {
  const known = bound.get(client);
  if (known) return known;
  const lent = Object.assign(Object.create(client) as pg.PoolClient, { release: () => undefined });
  const made = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { options: {}, connect: async () => lent, end: async () => undefined } }),
  });
  bound.set(client, made);
  return made;
}
