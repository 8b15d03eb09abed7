import pg from 'pg';
import { expect, test } from 'vitest';
import { Pools } from '#server/db/pools.ts';
import { asRole } from '#server/db/roles.ts';
import { freshDatabase } from '#testing/server.ts';

test('a connection ended by the database is reported; one ended by our stop is not', async () => {
  const target = await freshDatabase();
  const errors: string[] = [];
  const pools = new Pools(target, (error) => errors.push(error.message));
  await Promise.all([1, 2, 3].map(() => pools.app.query('select pg_sleep(0.05)')));
  // A role may end its own sessions.
  const same = new pg.Client(asRole(target, 'xinli_app'));
  await same.connect();
  const others =
    'from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()';
  await same.query(`select pg_terminate_backend(pid) ${others}`);
  await expect.poll(() => errors).toHaveLength(3);
  expect(new Set(errors)).toEqual(new Set(['terminating connection due to administrator command']));
  await same.end();

  const ending = pools.end();
  // A connection that was not quite gone when the database stopped: when its word arrives is chance, so it is spoken here.
  pools.app.emit('error', new Error('terminating connection due to administrator command'), undefined as never);
  await ending;
  expect(errors).toHaveLength(3);
});
