import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { asOwner, asRole, serverRoles } from '#server/db/roles.ts';
import { freshDatabase, startServer } from '#testing/server.ts';
import { getUserInfo } from '#features/session/session.contract.ts';

/**
 * What an account may do is kept and put together anew when something it was put together from has changed (migration 0030). A right taken away
 * is gone with the next call, whoever took it away and however.
 */
type Server = Awaited<ReturnType<typeof startServer>>;
const people = ['super', 'fang', 'ma', 'chen', 'wang', 'nobody', 'qiao', 'zhou'] as const;

/** One change of everything that rights follow from, and who notices it. */
const changes: readonly [string, string][] = [
  ['the platform is renamed', "update muser set insname = '智慧心理平台' where musercode = 'AS000001'"],
  ['its contact has a name', "update muser set realname = '马晓东' where musercode = 'AS000001'"],
  ['a school may see details', "update muser set seedetail = 1 - seedetail where musercode = 'M_CHENGUANG'"],
  ['it asks for a second factor', "update muser set mustfactor = 1 where musercode = 'M_CHENGUANG'"],
  ['a right of it is taken away', "update muser set codes = codes[3:] where musercode = 'M_CHENGUANG'"],
  [
    'a campus is opened below it',
    `insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode, categorycode, categorylevel, categorycode0, categorycode1, categorycode2, categorycode3, categorycode4)
     select 'M_EAST', orgpath || 'M_EAST.', 'east', musertype, '东校区', '东校区', sector, musercode, 'M_EAST', 4, categorycode0, categorycode1, categorycode2, categorycode3, 'M_EAST' from muser where musercode = 'M_CHENGUANG'`,
  ],
  ['somebody is renamed', "update sysuser set realname = '陈静' where userid = 'U_CHEN'"],
  [
    'somebody is given a role',
    "insert into sysuserrole (userid, roleid, musercode) select 'U_NOBODY', roleid, 'M_CHENGUANG' from role where rolekey = 'warningduty' and isbuiltin = 1",
  ],
  [
    'somebody has another role',
    "update sysuserrole set roleid = (select roleid from role where rolekey = 'psychologist' and isbuiltin = 1) where userid = 'U_WANG'",
  ],
  ['somebody loses a role', "delete from sysuserrole where userid = 'U_QIAO'"],
  [
    'somebody is granted a right',
    "insert into sysuserpermission (userid, code, effect, musercode) select 'U_NOBODY', codes[1], 'grant', 'M_CHENGUANG' from role where rolekey = 'psychologist'",
  ],
  ['a granted right is denied', "update sysuserpermission set effect = 'deny' where userid = 'U_NOBODY'"],
  ['a denial ends', "delete from sysuserpermission where userid = 'U_NOBODY'"],
  ['a role loses a right', "update role set codes = codes[2:] where rolekey = 'insadmin'"],
  ['a role narrows', "update role set datascope = 5 where rolekey = 'psychologist'"],
  ['a role is switched off', "update role set enabled = 0 where rolekey = 'insadmin'"],
  [
    'a menu is switched off',
    "insert into menuoverride (menuid, musercode, orgpath, enabled) select 100, musercode, orgpath, 0 from muser where musertype = '001'",
  ],
  ['a menu is switched on again', 'update menuoverride set enabled = 1'],
  ['somebody has a password to change', "update auth.account set mustchangepwd = 1 where accountid = 'U_WANG'"],
  ['they have changed it', "update auth.account set mustchangepwd = 0 where accountid = 'U_WANG'"],
  ['somebody has a second factor', "insert into auth.totp (accountid, sealed, confirmed) values ('U_CHEN', '', now())"],
  ['they begin to set it up anew', "update auth.totp set confirmed = null where accountid = 'U_CHEN'"],
  ['they have done so', "update auth.totp set confirmed = now() where accountid = 'U_CHEN'"],
  ['they lose it', "delete from auth.totp where accountid = 'U_CHEN'"],
  ['an account is the platform’s no more', "update auth.specialaccount set issuper = 0 where musercode = 'AS000001'"],
];

/** What is kept of everybody's rights once everybody has called. */
async function kept(server: Server) {
  for (const person of people) await server.as(person)(getUserInfo, {});
  return server.behind<{ accountid: string; reach: string; words: string }>(
    'select s.accountid, s.reach, s.platform, s.words from auth.standing s join auth.account a using (accountid) join auth.tenant t on t.musercode = a.musercode cross join auth.rights_of_all o where s.rights = t.rights and s.ofall = o.rights order by 1',
  );
}

/** The same put together anew. */
async function anew(server: Server) {
  await server.behind('delete from auth.standing');
  return kept(server);
}

test('whatever rights follow from may change: what is kept is what would be put together anew', async () => {
  const server = await startServer();
  let before = await kept(server);
  expect(before).toHaveLength(people.length);
  expect(before).toEqual(await anew(server));
  for (const [what, change] of changes) {
    await server.behind(change);
    const now = await kept(server);
    expect([what, now]).toEqual([what, await anew(server)]);
    // Somebody has noticed: a change that changes nothing would prove nothing.
    expect([what, now]).not.toEqual([what, before]);
    before = now;
  }
});

test('without the triggers every one of these changes would be missed', async () => {
  const server = await startServer();
  const triggers = await server.behind<{ name: string; of: string }>(
    "select tgname as name, tgrelid::regclass::text as of from pg_trigger where tgname like 'rights\\_%' order by 2, 1",
  );
  for (const { name, of } of triggers) await server.behind(`drop trigger ${name} on ${of}`);
  for (const [what, change] of changes) {
    await kept(server);
    await server.behind(change);
    const now = await kept(server);
    expect([what, now]).not.toEqual([what, await anew(server)]);
  }
});

test('somebody calls while a right of theirs is being taken away: the next call goes without it', async () => {
  const server = await startServer();
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  onTestFinished(() => owner.end());
  const pages = async () => (await server.as('chen')(getUserInfo, {})).permissions.map((one) => one.component);
  const had = await pages();
  await server.behind('delete from auth.standing');
  await owner.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
  await owner.query(
    "insert into sysuserpermission (userid, code, effect, musercode) values ('U_CHEN', '00003', 'deny', 'M_CHENGUANG')",
  );
  // Not done yet: they still have it, and that is kept.
  expect(await pages()).toEqual(had);
  await owner.query('commit');
  const left = await pages();
  expect(left.length).toBeLessThan(had.length);
  expect(had).toEqual(expect.arrayContaining(left));
});

test('no role of the server writes what an account may do, or raises a number, or reads it past the question who calls', async () => {
  const target = await freshDatabase();
  for (const role of serverRoles) {
    const client = new pg.Client(asRole(target, role));
    await client.connect();
    onTestFinished(() => client.end());
    for (const ask of [
      'select words from auth.standing',
      "update auth.standing set words = ''",
      'delete from auth.standing',
      'update auth.rights_of_all set rights = 0',
      "select auth.raise_rights('{AS000001}')",
    ])
      await expect(client.query(ask)).rejects.toThrow(/permission denied/);
  }
});
