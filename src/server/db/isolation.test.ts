import { createHash } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { asOwner, asRole } from '#server/db/roles.ts';
import { rlsFaults } from '#server/db/verifyRls.ts';
import { freshDatabase } from '#testing/server.ts';

test('the check finds no table, view, function or role that bypasses the policies', async () => {
  const client = new pg.Client(asOwner(await freshDatabase()));
  await client.connect();
  expect(await rlsFaults(client)).toEqual([]);
  await client.end();
});

test.each([
  ['a table without forced row security', 'alter table cuser no force row level security'],
  ['a plain view over persons', 'create view everyone as select * from cuser'],
  ['a unique key across tenants', 'create unique index leak on cuser (phonehash)'],
  [
    'a definer function in public',
    "create function peek() returns bigint language sql security definer as 'select count(*) from cuser'",
  ],
  ['a policy that calls its function once per row', 'create policy slow on cuser using (orgpath >= access.path_from())'],
  ['a name column readable by the statistics role', 'grant select (username) on cuser to xinli_stats'],
  ['a role that can create a session', 'grant insert on auth.session to xinli_app'],
  ['a person column readable by the identity role', 'grant select (username) on cuser to xinli_identity'],
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

test("a respondent's session shows no row to the staff role, and a staff session shows none to the respondent role", async () => {
  const target = await freshDatabase();
  const hash = 'b'.repeat(64);
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  await owner.query(
    `insert into auth.session (tokenhash, kind, musercode, cuserid, expiretime, idle)
     values ($1, 'respondent', 'M_CHENGUANG', 'C0000000001', now() + interval '1 hour', '1 hour')`,
    [hash],
  );
  await owner.end();
  const countVisible = async (role: 'xinli_app' | 'xinli_respondent', session: string) => {
    const client = new pg.Client(asRole(target, role));
    await client.connect();
    await client.query("select set_config('app.session', $1, false)", [session]);
    const { rows } = await client.query('select count(*)::int as n from muser');
    await client.end();
    return (rows[0] as { n: number }).n;
  };
  const chen = createHash('sha256').update('chen').digest('hex');
  expect([await countVisible('xinli_app', hash), await countVisible('xinli_respondent', chen)]).toEqual([0, 0]);
  expect(await countVisible('xinli_respondent', hash)).toBe(1);
});
