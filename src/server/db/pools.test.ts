import pg from 'pg';
import { expect, test } from 'vitest';
import { Pools } from '#server/db/pools.ts';
import { asOwner } from '#server/db/roles.ts';
import { freshDatabase } from '#testing/server.ts';

const connections = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** Opens connections of every role, does `first`, and has the database end them all as it does when it stops; what was reported. */
async function broken(first: (pools: Pools) => Promise<unknown>): Promise<string[]> {
  const target = await freshDatabase();
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  const errors: string[] = [];
  const pools = new Pools(target, (error) => errors.push(error.message));
  const { app, inner, authn, stats } = pools;
  await Promise.all([app, app, app, inner, inner, authn, stats].map((pool) => pool.query('select pg_sleep(0.05)')));
  await first(pools);
  await owner.query(`select pg_terminate_backend(pid) ${connections}`);
  const left = async () => (await owner.query<{ n: number }>(`select count(*)::int as n ${connections}`)).rows[0]?.n ?? 0;
  while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  // What the connections were told has arrived by the next turns of the loop.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await owner.end();
  return errors;
}

test('connections that the database ends are reported; those that end because we stop are not', async () => {
  const told = await broken(() => Promise.resolve());
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told)).toEqual(new Set(['terminating connection due to administrator command']));
  expect(await broken((pools) => Promise.resolve(void pools.end()))).toEqual([]);
});
