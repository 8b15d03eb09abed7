import { createHash } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { asOwner, asRole, serverRoles, type ServerRole, type Target } from '#server/db/roles.ts';
import { freshDatabase, startServer } from '#testing/server.ts';
import { getUserInfo } from '#features/session/session.contract.ts';

// The functions of db/schema/20_access.sql. The tests attack them with SQL in a role of the server.
const hash = (person: string) => createHash('sha256').update(person).digest('hex');

async function connect(target: Target, role: ServerRole) {
  const client = new pg.Client(asRole(target, role));
  await client.connect();
  onTestFinished(() => client.end());
  const set = (name: string, value: string) => client.query('select set_config($1, $2, true)', [name, value]);
  const scalar = async (sql: string) => Object.values((await client.query(sql)).rows[0] as object)[0] as unknown;
  return { client, scalar, set, as: (person: string) => set('app.session', hash(person)) };
}

async function sqlAsOwner(target: Target, sql: string, values: unknown[] = []) {
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  await owner.query(sql, values).finally(() => owner.end());
}

const school = 'AS000001.M_ANLAN.M_CHENGUANG.';

test('the session decides the range, the institution and the restriction of its caller', async () => {
  const { client, scalar, as } = await connect(await freshDatabase(), 'xinli_app');
  await client.query('begin');
  await as('chen');
  expect(await scalar('select access.path_from()')).toBe(school);
  expect(await scalar('select access.path_to()')).toBe(school.replace(/\.$/, '/'));
  expect(await scalar('select access.current_musercode()')).toBe('M_CHENGUANG');
  expect(await scalar('select access.current_userid()')).toBe('U_CHEN');
  expect(await scalar('select access.current_cuserid()')).toBeNull();
  expect(await scalar('select access.ancestor_paths()')).toEqual(['AS000001.', 'AS000001.M_ANLAN.', school]);
  expect([await scalar('select access.is_restricted()'), await scalar('select access.own_teams_only()')]).toEqual([false, false]);
  await as('wang');
  expect([await scalar('select access.is_restricted()'), await scalar('select access.own_teams_only()')]).toEqual([true, true]);
  await as('ma');
  expect([await scalar('select access.is_restricted()'), await scalar('select access.own_teams_only()')]).toEqual([false, false]);
});

test('a forged transaction setting shows no row', async () => {
  const { client, scalar, set, as } = await connect(await freshDatabase(), 'xinli_app');
  await client.query('begin');
  await as('chen');
  const visible = await scalar('select count(*)::int from sysuser');
  expect(visible).toBeGreaterThan(0);
  for (const name of ['app.reach', 'app.path_from', 'app.musercode', 'app.cuserids', 'app.musercodes', 'access.path_from']) {
    await set(name, 'AS000001.');
    expect([await scalar('select access.path_from()'), await scalar('select count(*)::int from sysuser')]).toEqual([
      school,
      visible,
    ]);
  }
  for (const forged of ['', '0'.repeat(64), 'AS000001', "' or true --", hash('chen').toUpperCase()]) {
    await set('app.session', forged);
    expect([await scalar('select access.path_from()'), await scalar('select count(*)::int from muser')]).toEqual([null, 0]);
  }
});

test('a session that is bound to a browser shows no row without its cookie', async () => {
  const target = await freshDatabase();
  await sqlAsOwner(target, 'update auth.session set boundhash = $1 where tokenhash = $2', ['a'.repeat(64), hash('chen')]);
  const { client, scalar, set, as } = await connect(target, 'xinli_app');
  await client.query('begin');
  await as('chen');
  expect(await scalar('select access.path_from()')).toBeNull();
  await set('app.bound', 'a'.repeat(64));
  expect(await scalar('select access.path_from()')).toBe(school);
  await set('app.bound', 'b'.repeat(64));
  expect(await scalar('select access.path_from()')).toBeNull();
});

test('a session that ends within a transaction shows no row from the next statement on', async () => {
  const target = await freshDatabase();
  const { client, scalar, as } = await connect(target, 'xinli_app');
  await client.query('begin');
  await as('chen');
  expect(await scalar('select access.path_from()')).toBe(school);
  await sqlAsOwner(target, 'update auth.session set revoked = now() where tokenhash = $1', [hash('chen')]);
  expect([await scalar('select access.path_from()'), await scalar('select count(*)::int from muser')]).toEqual([null, 0]);
});

test('no role of a request can read or write a session or become the role that reads rights', async () => {
  const target = await freshDatabase();
  for (const role of serverRoles.filter((name) => name !== 'xinli_authn')) {
    const { client } = await connect(target, role);
    for (const statement of [
      'select * from auth.session',
      "update auth.session set musercode = 'AS000001'",
      "insert into auth.session (tokenhash, kind, musercode, expiretime, idle) values ('x', 'system', 'AS000001', now(), '1 hour')",
      'select * from auth.active_session',
      'set role xinli_identity',
      "select access.protect('cuser')",
    ])
      await expect(client.query(statement)).rejects.toThrow(/permission denied/);
  }
});

/** One change of each fact that decides rights. */
const changes: readonly [string, string][] = [
  ['the platform is renamed', "update muser set insname = '智慧心理平台' where musercode = 'AS000001'"],
  ["the platform's contact has a name", "update muser set realname = '马晓东' where musercode = 'AS000001'"],
  ['a school may see details', "update muser set seedetail = 1 - seedetail where musercode = 'M_CHENGUANG'"],
  ['the school asks for a second factor', "update muser set mustfactor = 1 where musercode = 'M_CHENGUANG'"],
  ['the school loses a permission', "update muser set codes = codes[3:] where musercode = 'M_CHENGUANG'"],
  [
    'a campus is opened below the school',
    `insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode,
      categorycode, categorylevel, categorycode0, categorycode1, categorycode2, categorycode3, categorycode4)
     select 'M_EAST', orgpath || 'M_EAST.', 'east', musertype, '东校区', '东校区', sector, musercode, 'M_EAST', 4,
       categorycode0, categorycode1, categorycode2, categorycode3, 'M_EAST' from muser where musercode = 'M_CHENGUANG'`,
  ],
  ['a user is renamed', "update sysuser set realname = '陈静' where userid = 'U_CHEN'"],
  [
    'a user is given a role',
    `insert into sysuserrole (userid, roleid, musercode)
     select 'U_NOBODY', roleid, 'M_CHENGUANG' from role where rolekey = 'warningduty' and isbuiltin = 1`,
  ],
  [
    'a user has another role',
    `update sysuserrole set roleid = (select roleid from role where rolekey = 'psychologist' and isbuiltin = 1)
     where userid = 'U_WANG'`,
  ],
  ['a user loses a role', "delete from sysuserrole where userid = 'U_QIAO'"],
  [
    'a user is granted a right',
    `insert into sysuserpermission (userid, code, effect, musercode)
     select 'U_NOBODY', codes[1], 'grant', 'M_CHENGUANG' from role where rolekey = 'psychologist'`,
  ],
  ['a granted right is denied', "update sysuserpermission set effect = 'deny' where userid = 'U_NOBODY'"],
  ['a denial ends', "delete from sysuserpermission where userid = 'U_NOBODY'"],
  ['a role loses a right', "update role set codes = codes[2:] where rolekey = 'insadmin'"],
  ['a role narrows', "update role set datascope = 5 where rolekey = 'psychologist'"],
  ['a role is switched off', "update role set enabled = 0 where rolekey = 'insadmin'"],
  [
    'a menu is switched off',
    `insert into menuoverride (menuid, musercode, orgpath, enabled)
     select 100, musercode, orgpath, 0 from muser where musertype = '001'`,
  ],
  ['a menu is switched on again', 'update menuoverride set enabled = 1'],
  ['a user has a password to change', "update auth.account set mustchangepwd = 1 where accountid = 'U_WANG'"],
  ['the user has changed it', "update auth.account set mustchangepwd = 0 where accountid = 'U_WANG'"],
  ['a user has a second factor', "insert into auth.totp (accountid, sealed, confirmed) values ('U_CHEN', '', now())"],
  ['the user begins to set it up anew', "update auth.totp set confirmed = null where accountid = 'U_CHEN'"],
  ['the user has set it up', "update auth.totp set confirmed = now() where accountid = 'U_CHEN'"],
  ['the user loses it', "delete from auth.totp where accountid = 'U_CHEN'"],
  ['an account loses its super powers', "update auth.specialaccount set issuper = 0 where musercode = 'AS000001'"],
];

test('the next call sees a change of the rights of an account', async () => {
  const server = await startServer();
  const { client, as } = await connect(server.target, 'xinli_app');
  const rights = async () => {
    const rows: unknown[] = [];
    for (const person of ['super', 'fang', 'ma', 'chen', 'wang', 'nobody', 'qiao', 'zhou']) {
      await client.query('begin');
      await as(person);
      const callers = await client.query<{ secondsleft: number }>('select * from auth.current_caller()');
      rows.push(...callers.rows.map((row) => ({ ...row, secondsleft: undefined })));
      await client.query('commit');
    }
    return rows;
  };
  let before = await rights();
  expect(before).toHaveLength(8);
  for (const [title, change] of changes) {
    await server.sqlAsOwner(change);
    const after = await rights();
    expect([title, after]).not.toEqual([title, before]);
    before = after;
  }
});

test('an account keeps a permission until the removal is committed; the next call is without it', async () => {
  const server = await startServer();
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  onTestFinished(() => owner.end());
  const pages = async () => (await server.as('chen')(getUserInfo, {})).permissions.map((permission) => permission.component);
  const pagesBefore = await pages();
  await owner.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
  await owner.query(
    "insert into sysuserpermission (userid, code, effect, musercode) values ('U_CHEN', '00003', 'deny', 'M_CHENGUANG')",
  );
  expect(await pages()).toEqual(pagesBefore);
  await owner.query('commit');
  const pagesAfter = await pages();
  expect(pagesAfter.length).toBeLessThan(pagesBefore.length);
  expect(pagesBefore).toEqual(expect.arrayContaining(pagesAfter));
});
