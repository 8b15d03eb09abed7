import { expect, onTestFinished, test, vi } from 'vitest';
import { actions } from '#server/actions.ts';
import { KEY_SCOPES, keyScopes } from '#contract/apikey/openToKeys.ts';
import { codeOf } from '#contract/menu.ts';
import { menuEntries } from '#contract/menuTree.ts';
import { insertRole } from '#features/access/role/role.contract.ts';
import { endApiKey, getApiKeys, insertApiKey } from '#features/apikey/apikey.contract.ts';
import { notifyOfExpiringKeys } from '#features/apikey/expiringKeys.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { getCUserPageList, insertCUser, revealCUser } from '#features/cuser/cuser.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { giveRole } from '#testing/factories.ts';
import { openInstitution, signIn } from '#testing/institution.ts';
import { addClass } from '#testing/school.ts';
import { addColleague } from '#testing/staff.ts';
import { startServer } from '#testing/server.ts';

const campus = { keyname: '校园平台', scopes: ['persons' as const, 'teams' as const], permin: 60, days: 90 as const };

/** A new school with the student 林小雨, and a key for its campus system. Other schools have students too. */
async function school(options: Partial<typeof campus> = {}) {
  const server = await startServer();
  await addClass(server, { teamname: '初二3班', names: ['周明'], owneruserid: 'U_WANG' });
  await openInstitution(server, 'fang', 'qingxi');
  const call = await signIn(server, 'qingxi');
  const student = { appid: '000000002', username: '林小雨', gender: '02' as const, birthday: '2011-07-08', guardian: [] };
  const { cuserid } = await call(insertCUser, student);
  const { key } = await call(insertApiKey, { ...campus, ...options });
  return { ...server, call, key, cuserid };
}

test('every call of the groups is a call of staff that only reads', () => {
  const byName = new Map(actions.map((action) => [action.name as string, action]));
  for (const scope of keyScopes)
    for (const name of KEY_SCOPES[scope].calls)
      expect([name, byName.get(name)?.kind, byName.get(name)?.allow.caller]).toEqual([name, 'read', 'staff']);
});

test('another system reads with a key what its groups contain, of its institution only, with covered names', async () => {
  const { withToken, key } = await school();
  const { rows } = await withToken(key)(getCUserPageList, {});
  expect(rows.map(({ username, insname }) => [username, insname])).toEqual([['林**', '云栖市qingxi学校']]);
});

test('what is not open to keys, or is of another group, is refused with a number of its own', async () => {
  const { withToken, key, cuserid } = await school();
  const call = withToken(key);
  await expect(call(getWarningPageList, {})).rejects.toMatchObject({ code: 110017 });
  await expect(call(revealCUser, { cuserid })).rejects.toMatchObject({ code: 110017 });
  await expect(
    call(insertCUser, { appid: '000000002', username: '周明', gender: '01', birthday: '2011-07-08', guardian: [] }),
  ).rejects.toMatchObject({ code: 110017 });
  await expect(call(insertApiKey, campus)).rejects.toMatchObject({ code: 110017 });
});

test('a key that has ended, has expired or is wrong opens nothing', async () => {
  const { as, call, withToken, key, sqlAsOwner } = await school();
  await expect(withToken(`${key}x`)(getCUserPageList, {})).rejects.toMatchObject({ code: 110000 });
  await expect(withToken('xlk_')(getCUserPageList, {})).rejects.toMatchObject({ code: 110000 });
  const { key: second } = await call(insertApiKey, { ...campus, keyname: '医院平台' });
  await sqlAsOwner("update auth.session set expiretime = now() - interval '1 minute' where kind = 'key'");
  await expect(withToken(second)(getCUserPageList, {})).rejects.toMatchObject({ code: 110000 });
  await sqlAsOwner("update auth.session set expiretime = now() + interval '1 day' where kind = 'key'");
  expect((await withToken(second)(getCUserPageList, {})).total).toBe(1);
  const { keys } = await call(getApiKeys, {});
  const { keyid } = keys.find(({ keyname }) => keyname === '校园平台')!;
  await call(endApiKey, { keyid });
  await expect(withToken(key)(getCUserPageList, {})).rejects.toMatchObject({ code: 110000 });
  await expect(call(endApiKey, { keyid })).rejects.toMatchObject({ code: 130001 });
  // Another school neither sees the keys nor ends them.
  expect((await as('ma')(getApiKeys, {})).keys).toEqual([]);
  const valid = keys.find(({ keyname }) => keyname === '医院平台')!;
  await expect(as('ma')(endApiKey, { keyid: valid.keyid })).rejects.toMatchObject({ code: 130001 });
  expect((await call(getApiKeys, {})).keys.map(({ keyname, state }) => [keyname, state])).toEqual([
    ['医院平台', 'valid'],
    ['校园平台', 'ended'],
  ]);
});

/** Lets the clock that measures the use of keys go on by seconds. */
function passSeconds() {
  const original = performance.now.bind(performance);
  let passed = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => original() + passed * 1000);
  onTestFinished(() => spy.mockRestore());
  return (seconds: number) => (passed += seconds);
}

test('a key makes no more calls in any minute than its institution allows', async () => {
  const pass = passSeconds();
  const { withToken, key } = await school({ permin: 4 });
  const call = withToken(key);
  const isRefused = () => expect(call(getCUserPageList, {})).rejects.toMatchObject({ code: 190001 });
  await call(getCUserPageList, {});
  pass(40);
  for (let n = 0; n < 3; n += 1) await call(getCUserPageList, {});
  await isRefused();
  pass(15);
  await isRefused();
  pass(6);
  await call(getCUserPageList, {});
  await isRefused();
  pass(61);
  for (let n = 0; n < 4; n += 1) await call(getCUserPageList, {});
  await isRefused();
});

test('a refused call of a key leaves a line in the trail, at most one in a minute, and also when the key has ended', async () => {
  const pass = passSeconds();
  const { as, call, withToken, key } = await school();
  const lines = async (user = call) =>
    (await user(getAuditPageList, { pageSize: 50 })).rows
      .filter(({ title }) => title.includes('已拒绝'))
      .map(({ title, loginasby, detail }) => [title, loginasby, detail[0]?.value]);
  const system = withToken(key);
  for (let n = 0; n < 3; n += 1) await expect(system(getWarningPageList, {})).rejects.toMatchObject({ code: 110017 });
  const outside = ['查询危机预警（已拒绝）', '对接密钥：校园平台', '这项调用没有向对接密钥开放，或不在密钥的范围内'];
  expect(await lines()).toEqual([outside]);
  pass(61);
  const { keys } = await call(getApiKeys, {});
  await call(endApiKey, { keyid: keys[0]!.keyid });
  for (let n = 0; n < 3; n += 1) await expect(system(getCUserPageList, {})).rejects.toMatchObject({ code: 110000 });
  await expect(withToken(`${key}x`)(getCUserPageList, {})).rejects.toMatchObject({ code: 110000 });
  const ended = [expect.stringMatching(/（已拒绝）$/), '对接密钥：校园平台', '用户身份失效，请重新登录'];
  expect(await lines()).toEqual([ended, outside]);
  expect(await lines(as('ma'))).toEqual([]);
});

test('only administrators see and make keys; the database has no key, and the trail names it', async () => {
  const { as, call, withToken, key, sqlAsOwner } = await school();
  for (const who of ['chen', 'wang', 'zhou', 'fang', 'lu'] as const)
    await expect(as(who)(insertApiKey, campus)).rejects.toMatchObject({ code: 110004 });
  await expect(call(insertApiKey, campus)).rejects.toMatchObject({ code: 130002 });
  expect(JSON.stringify(await call(getApiKeys, {}))).not.toContain(key);
  const stored = await sqlAsOwner<{ text: string }>(
    'select k::text || s::text as text from auth.apikey k join auth.session s using (tokenhash)',
  );
  expect(JSON.stringify(stored)).not.toContain(key.slice(12));
  await withToken(key)(getCUserPageList, { keyword: '林' });
  const { rows } = await call(getAuditPageList, {});
  expect(rows.map(({ title }) => title)).toContain('新建对接密钥');
  expect(JSON.stringify(rows)).toContain('对接密钥：校园平台');
});

test('nobody gives a key a right that they lack', async () => {
  const server = await startServer();
  const { roleid } = await server.as('ma')(insertRole, {
    rolename: '用户管理员',
    rolekey: 'useradmin',
    datascope: 1,
    menuids: menuEntries.filter(({ code }) => code === codeOf('organization.users')).map(({ menuid }) => menuid),
  });
  const { call } = await addColleague(server, { sysusername: 'sunli', roleids: [roleid] });
  await expect(call(getWarningPageList, {})).rejects.toMatchObject({ code: 110004 });
  await expect(call(insertApiKey, { ...campus, scopes: ['cases'] })).rejects.toMatchObject({
    code: 110004,
    data: { field: 'scopes' },
  });
  const { key } = await server.as('ma')(insertApiKey, { ...campus, scopes: ['cases'] });
  expect((await server.withToken(key)(getWarningPageList, {})).total).toBe(0);
});

test('a group that the school has not bought cannot be given to a key, so no key opens by itself later', async () => {
  const { call, sqlAsOwner } = await school();
  expect((await call(getApiKeys, {})).open).toEqual(keyScopes);
  const buy = (sets: string) => sqlAsOwner(`update muser set codes = ${sets} where insname like '%qingxi%'`);
  await buy(`array_remove(codes, '${codeOf('warning.crisis')}')`);
  expect((await call(getApiKeys, {})).open).toEqual(keyScopes.filter((scope) => scope !== 'cases'));
  const bigScreen = { ...campus, keyname: '预警大屏', scopes: ['persons' as const, 'cases' as const] };
  await expect(call(insertApiKey, bigScreen)).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('预警个案') as string,
    data: { field: 'scopes' },
  });
  await buy(`codes || '${codeOf('warning.crisis')}'::text`);
  await call(insertApiKey, bigScreen);
});

test('a key that calls an unknown name learns that the name is unknown', async () => {
  const { withToken, key } = await school();
  const unknown = { ...getCUserPageList, name: 'as.m.cuser.getPeople' } as unknown as typeof getCUserPageList;
  await expect(withToken(key)(unknown, {})).rejects.toMatchObject({ code: 130001 });
  await expect(withToken(`${key}x`)(unknown, {})).rejects.toMatchObject({ code: 110000 });
});

test('two weeks before a key ends the administrators of its institution are told, once', async () => {
  const { services, clock, call, sqlAsOwner } = await school();
  const titles = async () => (await call(getNoticePageList, {})).rows.map(({ title }) => title);
  expect(await notifyOfExpiringKeys(services.pools, clock.now)).toBe(0);
  await sqlAsOwner("update auth.session set expiretime = now() + interval '13 days' where kind = 'key'");
  expect(await notifyOfExpiringKeys(services.pools, clock.now)).toBeGreaterThan(0);
  expect(await notifyOfExpiringKeys(services.pools, clock.now)).toBe(0);
  expect((await titles()).filter((title) => /^对接密钥“校园平台”将于 \d{4}-\d{2}-\d{2} 到期$/.test(title))).toHaveLength(1);
});

test('nobody is told of a key that was ended', async () => {
  const { services, clock, call, sqlAsOwner } = await school();
  await sqlAsOwner("update auth.session set expiretime = now() + interval '13 days' where kind = 'key'");
  const { keys } = await call(getApiKeys, {});
  await call(endApiKey, { keyid: keys[0]?.keyid ?? '' });
  expect(await notifyOfExpiringKeys(services.pools, clock.now)).toBe(0);
});

test('a key reads results and cases only with their groups, and no words of a report and no case of a suspected colleague', async () => {
  const server = await startServer();
  const { as, withToken } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'] });
  const [lin, zhou] = pupils.map(({ cuserid }) => cuserid) as [string, string];
  await giveRole(server, 'U_MA', 'psychologist');
  await as('chen')(insertWarning, { cuserid: lin, level: 3, content: '林小雨说爸爸打她，电话13955556666' });
  await as('chen')(insertWarning, { cuserid: zhou, level: 4, content: '同学反映某老师', suspectuserid: 'U_MA' });

  const persons = withToken((await as('ma')(insertApiKey, { ...campus, scopes: ['persons'] })).key);
  const { rows } = await persons(getCUserPageList, {});
  expect(rows.map(({ riskflag, mentalstate }) => [riskflag, mentalstate])).toEqual([
    [null, null],
    [null, null],
  ]);
  await expect(persons(getCUserPageList, { riskflag: 3 } as never)).rejects.toMatchObject({ code: 110004 });
  await expect(persons(getCUserPageList, { keyword: '138 1234 5678' })).rejects.toMatchObject({ code: 110004 });
  await persons(getCUserPageList, { keyword: '20230101' });

  const cases = withToken((await as('ma')(insertApiKey, { ...campus, keyname: '预警大屏', scopes: ['cases'] })).key);
  const found = await cases(getWarningPageList, {});
  expect(found.rows.map(({ cuserid, level, triggers }) => [cuserid, level, triggers])).toEqual([[lin, 3, '']]);
});
