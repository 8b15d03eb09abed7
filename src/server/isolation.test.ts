import pg from 'pg';
import { expect, test } from 'vitest';
import { asOwner, asRole } from '#server/db/roles.ts';
import { rlsFaults } from '#server/db/rlscheck.ts';
import { freshDatabase } from '#testing/server.ts';

test('no table, view, function or role opens a way around the policies', async () => {
  const client = new pg.Client(asOwner(await freshDatabase()));
  await client.connect();
  expect(await rlsFaults(client)).toEqual([]);
  await client.end();
});

test.each([
  ['a table without forced row security', 'alter table cuser no force row level security'],
  ['a plain view over persons', 'create view everyone as select * from cuser'],
  ['a unique key across tenants', 'create unique index leak on cuser (phonehash)'],
  ['a definer function in public', "create function peek() returns bigint language sql security definer as 'select count(*) from cuser'"],
  ['a policy that asks per row', 'create policy slow on cuser using (orgpath >= auth.lo())'],
  ['names for the counting role', 'grant select (username) on cuser to xinli_stats'],
  ['a right to truncate', 'grant truncate on cuser to xinli_app'],
])('the check finds %s', async (_, sabotage) => {
  const client = new pg.Client(asOwner(await freshDatabase()));
  await client.connect();
  await client.query(sabotage);
  expect(await rlsFaults(client)).toHaveLength(1);
  await client.end();
});

test('without a session the server role sees no row of any tenant', async () => {
  const client = new pg.Client(asRole(await freshDatabase(), 'xinli_app'));
  await client.connect();
  for (const table of ['muser', 'sysuser', 'cuser', 'warning', 'muserclient'])
    expect([table, (await client.query(`select count(*)::int as n from ${table}`)).rows[0]]).toEqual([table, { n: 0 }]);
  await expect(client.query('select * from auth.account')).rejects.toThrow(/permission denied/);
  await client.end();
});
