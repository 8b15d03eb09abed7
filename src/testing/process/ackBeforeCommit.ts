import pg from 'pg';

// Sabotage for `npm run proof`, loaded before the server. It acknowledges every commit at once and executes it a moment later.
const pending = new WeakMap<object, Promise<unknown>>();
type Query = (this: object, ...parameters: unknown[]) => unknown;
const { query } = pg.Client.prototype as unknown as { query: Query };
(pg.Client.prototype as unknown as { query: Query }).query = function (...parameters) {
  if (typeof parameters[0] !== 'string' || !parameters[0].endsWith('commit')) return query.apply(this, parameters);
  pending.set(
    this,
    new Promise((done) => setTimeout(done, 150)).then(() => query.apply(this, parameters)).catch(() => undefined),
  );
  return Promise.resolve({ rows: [], rowCount: 0 });
};
const { connect } = pg.Pool.prototype as unknown as { connect: (this: pg.Pool) => Promise<pg.PoolClient> };
(pg.Pool.prototype as unknown as { connect: unknown }).connect = async function (this: pg.Pool, ...callback: unknown[]) {
  if (callback.length > 0) return (connect as (...parameters: unknown[]) => unknown).apply(this, callback);
  const client = await connect.call(this);
  const release = client.release.bind(client);
  client.release = (error) => void Promise.resolve(pending.get(client)).then(() => release(error));
  return client;
};
