import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { kyselyFor, Pools } from '#server/db/pools.ts';
import { asRole } from '#server/db/roles.ts';
import { freshDatabase } from '#testing/server.ts';

test('the pools report a connection that the database ended, but not one that our stop ended', async () => {
  const target = await freshDatabase();
  const errors: string[] = [];
  const pools = new Pools(target, (error) => errors.push(error.message));
  await Promise.all([1, 2, 3].map(() => pools.app.query('select pg_sleep(0.05)')));
  // A role may end its own sessions.
  const client = new pg.Client(asRole(target, 'xinli_app'));
  await client.connect();
  const otherSessions =
    'from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()';
  await client.query(`select pg_terminate_backend(pid) ${otherSessions}`);
  await expect.poll(() => errors).toHaveLength(3);
  expect(new Set(errors)).toEqual(new Set(['terminating connection due to administrator command']));
  await client.end();

  const ending = pools.end();
  // A connection may report the stop of the database while the pools end. The time is chance, so the test emits the error.
  pools.app.emit('error', new Error('terminating connection due to administrator command'), undefined as never);
  await ending;
  expect(errors).toHaveLength(3);
});

test('behind a pooler in transaction mode no statement is prepared for the next transaction', async () => {
  const target = await freshDatabase();
  const prepared = async (isPooled: boolean) => {
    const pools = new Pools({ ...target, isPooled }, () => undefined, 1);
    const client = await pools.app.connect();
    expect((await sql<{ n: number }>`select ${1}::int as n`.execute(kyselyFor(client))).rows).toEqual([{ n: 1 }]);
    client.release();
    const { rows } = await pools.app.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements');
    await pools.end();
    return rows[0]?.n;
  };
  expect([await prepared(false), await prepared(true)]).toEqual([1, 0]);
});
