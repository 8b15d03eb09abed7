import pg from 'pg';

/** Sabotage for `npm run proof`: every commit is acknowledged at once and executed a moment later. Loaded before the server. */
const pending = new WeakMap<object, Promise<unknown>>();
type Query = (this: object, ...given: unknown[]) => unknown;
const { query } = pg.Client.prototype as unknown as { query: Query };
(pg.Client.prototype as unknown as { query: Query }).query = function (...given) {
  if (typeof given[0] !== 'string' || !given[0].endsWith('commit')) return query.apply(this, given);
  pending.set(
    this,
    new Promise((done) => setTimeout(done, 150)).then(() => query.apply(this, given)).catch(() => undefined),
  );
  return Promise.resolve({ rows: [], rowCount: 0 });
};
const { connect } = pg.Pool.prototype as unknown as { connect: (this: pg.Pool) => Promise<pg.PoolClient> };
(pg.Pool.prototype as unknown as { connect: unknown }).connect = async function (this: pg.Pool, ...callback: unknown[]) {
  if (callback.length > 0) return (connect as (...given: unknown[]) => unknown).apply(this, callback);
  const client = await connect.call(this);
  const release = client.release.bind(client);
  client.release = (error) => void Promise.resolve(pending.get(client)).then(() => release(error));
  return client;
};
