import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RequestOf } from '#contract/action.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import * as app from '#features/app/app.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as entry from '#features/muser/entry/entry.contract.ts';
import * as muser from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import * as session from '#features/session/session.contract.ts';
import { md5, openInstitution, signIn } from '#testing/institution.ts';
import { startServer } from '#testing/server.ts';

const firstPage = { page: 1, pageSize: 50 };

test('a new school signs in with its one-time password, must change it and holds the rights of a school', async () => {
  const server = await startServer();
  const { musercode } = await openInstitution(server, 'fang', 'qingxi', {
    realname: '秦校长',
    phonenumber: '13800001234',
    districtcode: '330106',
    appids: ['000000002'],
  });
  const { rows } = await server.as('fang')(muser.getMUserPageList, { ...firstPage, keyword: 'qingxi' });
  expect(rows).toMatchObject([
    {
      musercode,
      parentname: '安澜心理',
      categorylevel: 3,
      regionname: '浙江省/杭州市/西湖区',
      provincecode: '330000',
      citycode: '330100',
      opening: 'apps',
      apps: [{ appid: '000000002' }],
      enabled: 1,
      childcount: 0,
    },
  ]);
  const { nobody, withToken } = server;
  const first = await nobody(session.login, { username: 'QingXi', pwd: md5('Kf7mQw2xTz') });
  expect(first).toMatchObject({ musercode, mustchangepwd: true, categorycode3: musercode });
  await expect(withToken(first.token)(cuser.getCUserPageList, {})).rejects.toMatchObject({ code: 110005 });
  await expect(withToken(first.token)(updateMUser, { musercode, realname: '别人' })).rejects.toMatchObject({
    code: 110005,
  });
  const school = await signIn(server, 'qingxi');
  const { permissions, mustchangepwd } = await school(session.getUserInfo, {});
  const codes = permissions.map((permission) => permission.component);
  expect(mustchangepwd).toBe(false);
  expect(codes).toContain('000313');
  for (const above of ['00021', '00022', '00031', '00024']) expect(codes).not.toContain(above);
});

test('a provider creates schools and hospitals only; the platform creates providers', async () => {
  const server = await startServer();
  for (const musertype of ['002', '003'] as const)
    await expect(openInstitution(server, 'fang', `x${musertype}`, { musertype, sector: 'platform' })).rejects.toMatchObject({
      code: 110004,
    });
  await expect(
    server.as('fang')(muser.addMUser, {
      username: 'boss',
      insname: '平台二',
      musertype: '001' as '002',
      sector: 'platform',
      pwd: md5('Kf7mQw2xTz'),
    }),
  ).rejects.toMatchObject({ code: 120002 });
  await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  await expect(
    openInstitution(server, 'super', 'anywhere', { musertype: '002', sector: 'platform', parentmusercode: 'M_DONGSHAN' }),
  ).rejects.toMatchObject({ code: 120002 });
  await expect(openInstitution(server, 'ma', 'mine')).rejects.toMatchObject({ code: 110004 });
});

test('account names are unique, institution names are unique below one parent, and a foreign parent does not exist', async () => {
  const server = await startServer();
  await openInstitution(server, 'fang', 'qingxi');
  await expect(openInstitution(server, 'fang', 'qingxi', { insname: '另一所学校' })).rejects.toMatchObject({ code: 130002 });
  await expect(openInstitution(server, 'fang', 'qingxi2', { insname: '云栖市qingxi学校' })).rejects.toMatchObject({
    code: 130002,
  });
  const { musercode } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  await expect(openInstitution(server, 'fang', 'elsewhere', { parentmusercode: musercode })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(openInstitution(server, 'fang', 'above', { parentmusercode: 'AS000001' })).rejects.toMatchObject({ code: 130001 });
  await expect(openInstitution(server, 'fang', 'wrong', { provincecode: '330000', citycode: '320100' })).rejects.toMatchObject({
    code: 120002,
  });
  await expect(openInstitution(server, 'fang', 'weak', { pwd: md5('123456') })).rejects.toMatchObject({ code: 120004 });
});

test('a school created by a provider without a right does not get that right', async () => {
  const server = await startServer();
  await server.sqlAsOwner("update muser set codes = array_remove(codes, '00034') where musercode = 'M_ANLAN'");
  await openInstitution(server, 'fang', 'qingxi');
  const { permissions } = await (await signIn(server, 'qingxi'))(session.getUserInfo, {});
  expect(permissions.map((permission) => permission.component)).not.toContain('00034');
  expect(permissions.map((permission) => permission.component)).toContain('00033');
  await server.sqlAsOwner("insert into muserapp (musercode, appid) values ('M_ANLAN', '000000002')");
  const school = (await server.as('fang')(muser.getMUserPageList, { keyword: 'qingxi' })).rows[0]?.musercode as string;
  await expect(server.as('fang')(app.insertMUserApp, { musercode: school, appids: ['000000001'] })).rejects.toMatchObject({
    code: 110004,
  });
  await server.as('fang')(app.insertMUserApp, { musercode: school, appids: ['000000002'] });
});

test('disabling a school ends its sessions with the next call and leaves the sessions of its campus', async () => {
  const server = await startServer();
  const { as } = server;
  await openInstitution(server, 'fang', 'campus', { parentmusercode: 'M_CHENGUANG' });
  const campus = await signIn(server, 'campus');
  await expect(as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 0 })).rejects.toMatchObject({ code: 120001 });
  await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '合同到期' });
  for (const person of ['ma', 'chen', 'wang'] as const)
    await expect(as(person)(session.getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  expect((await campus(session.getUserInfo, {})).insname).toBe('云栖市campus学校');
  await as('qiao')(session.getUserInfo, {});
  await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 1 });
  // An ended session stays ended.
  await expect(as('chen')(session.getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  await expect(as('fang')(muser.enableMuser, { musercode: 'M_ANLAN', enabled: 0, reason: '自己' })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(as('lin')(muser.enableMuser, { musercode: 'M_DONGSHAN', enabled: 0, reason: '别人' })).rejects.toMatchObject({
    code: 110004,
  });
});

test('an institution is closed when 收尾模式 has ended, 30 days after its contract, and extending its contract reopens it', async () => {
  const server = await startServer();
  const { as } = server;
  const ended = new Date(Date.now() + 8 * 3_600_000 - 31 * 86_400_000).toISOString().slice(0, 10);
  await as('fang')(updateMUser, { musercode: 'M_CHENGUANG', expiredate: ended });
  await expect(as('chen')(session.getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  await as('fang')(updateMUser, { musercode: 'M_CHENGUANG', expiredate: null });
  await as('chen')(session.getUserInfo, {});
  server.clock.now = new Date('2025-10-08T02:00:00Z');
  await as('fang')(updateMUser, { musercode: 'M_RENAI', expiredate: '2099-01-01' });
  await as('fang')(updateMUser, { musercode: 'M_DONGSHAN', expiredate: '2099-12-31' });
  server.clock.now = new Date('2098-12-20T02:00:00Z');
  expect((await as('fang')(muser.getMUserPageList, { expiring: 1 })).rows).toMatchObject([{ musercode: 'M_RENAI', expiring: 1 }]);
});

test('a school’s contact, region, short name and contract end can be cleared; an empty hotline becomes the national one', async () => {
  const { as } = await startServer();
  const fang = as('fang');
  const musercode = 'M_CHENGUANG';
  await fang(updateMUser, {
    musercode,
    shortname: '晨光',
    phonenumber: '13900000002',
    expiredate: '2099-12-31',
    contractno: 'HT-1',
  });
  await fang(updateMUser, {
    musercode,
    shortname: '',
    phonenumber: null,
    expiredate: null,
    contractno: '',
    provincecode: null,
    citycode: null,
    districtcode: null,
  });
  expect((await fang(muser.getMUserPageList, { keyword: '晨光中学' })).rows).toMatchObject([
    { musercode, shortname: '', phonenumber: '', expiredate: null, contractno: '', districtcode: '' },
  ]);
  await fang(entry.updateMUserClient, { clientcode: 'entry_chenguang', hotline: '021-12320' });
  await fang(entry.updateMUserClient, { clientcode: 'entry_chenguang', hotline: '' });
  expect(await fang(entry.getMUserClient, { musercode })).toMatchObject({ hotline: '12356' });
});

test('creating an institution and resetting its password return a new one-time password, and the old one is void', async () => {
  const server = await startServer();
  const fang = server.as('fang');
  const fields = { username: 'qingxi', insname: '清溪中学', musertype: '005', sector: 'edu' } as const;
  const { musercode, onetime: firstPassword = '' } = await fang(muser.addMUser, fields);
  expect(firstPassword).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{12}$/);
  const login = (password: string) => server.nobody(session.login, { username: 'qingxi', pwd: md5(password) });
  const { token } = await login(firstPassword);
  const { onetime } = await fang(muser.resetMUserPassword, { musercode });
  expect(onetime).not.toBe(firstPassword);
  await expect(server.withToken(token)(session.getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  await expect(login(firstPassword)).rejects.toMatchObject({ code: 110001 });
  expect(await login(onetime)).toMatchObject({ musercode, mustchangepwd: true });
  await expect(server.as('ma')(muser.resetMUserPassword, { musercode })).rejects.toMatchObject({ code: 110004 });
  await expect(server.as('qiao')(muser.resetMUserPassword, { musercode: 'M_CHENGUANG' })).rejects.toMatchObject({ code: 110004 });
  const rows = await server.sqlAsOwner(
    "select detail from audit.log where action = 'as.m.user.resetMUserPassword' and objectid = $1",
    [musercode],
  );
  expect(rows).toEqual([{ detail: { reset: 'pwd' } }]);
});

test('an account takeover is refused: staff cannot set the password or profile of an account outside their scope', async () => {
  const server = await startServer();
  const { as } = server;
  const pwd = md5('Rb4nVy8sHd');
  const { musercode: yuanhang } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  for (const [person, musercode] of [
    ['chen', 'M_DONGSHAN'],
    ['chen', 'M_ANLAN'],
    ['chen', 'AS000001'],
    ['fang', 'AS000001'],
    ['fang', yuanhang],
    ['zhou', 'M_CHENGUANG'],
  ] as const) {
    await expect(as(person)(updateMUser, { musercode, pwd })).rejects.toMatchObject({ code: 130001 });
    await expect(as(person)(updateMUser, { musercode, realname: '别人' })).rejects.toMatchObject({ code: 130001 });
  }
  for (const field of [
    'musertype',
    'sector',
    'categorycode',
    'categorylevel',
    'categorycode1',
    'orgpath',
    'codes',
    'enabled',
    'settings',
    'seedetail',
  ])
    await expect(
      as('fang')(updateMUser, { musercode: 'M_CHENGUANG', [field]: '001' } as RequestOf<typeof updateMUser>),
    ).rejects.toMatchObject({ code: 120002, message: `不支持的字段：${field}` });
  await expect(as('chen')(updateMUser, { musercode: 'M_CHENGUANG', realname: '陈' })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(as('ma')(updateMUser, { musercode: 'M_CHENGUANG', expiredate: '2099-01-01' })).rejects.toMatchObject({
    code: 110004,
  });
  await as('ma')(updateMUser, { musercode: 'M_CHENGUANG', realname: '马文博', phonenumber: '13800000000' });
  // For an institution below, the call sets a one-time password and ends the sessions of the account.
  await openInstitution(server, 'fang', 'qingxi');
  const school = await signIn(server, 'qingxi');
  const { musercode } = await school(session.getUserInfo, {});
  await as('fang')(updateMUser, { musercode, pwd: md5('Kf7mQw2xTz') });
  await expect(school(session.getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  expect(await server.nobody(session.login, { username: 'qingxi', pwd: md5('Kf7mQw2xTz') })).toMatchObject({
    mustchangepwd: true,
  });
});

test('an institution with data cannot be deleted; an empty one can, and its name becomes free', async () => {
  const server = await startServer();
  const { as } = server;
  await expect(as('fang')(muser.deleteMUser, { musercode: 'M_CHENGUANG' })).rejects.toMatchObject({
    code: 130003,
    message: '“云栖市晨光中学”还有 6 名用户，不能删除，可改为停用',
  });
  const { musercode } = await openInstitution(server, 'fang', 'qingxi');
  await openInstitution(server, 'fang', 'campus', { parentmusercode: musercode });
  await expect(as('fang')(muser.deleteMUser, { musercode })).rejects.toMatchObject({ code: 130003 });
  const { musercode: empty } = await openInstitution(server, 'fang', 'shangyu');
  await as('fang')(muser.deleteMUser, { musercode: empty });
  await expect(as('fang')(muser.deleteMUser, { musercode: empty })).rejects.toMatchObject({ code: 130001 });
  await openInstitution(server, 'fang', 'shangyu');
});

test('a school copied from another gets its applications, stages, entry and thresholds, with a link of its own', async () => {
  const server = await startServer();
  const { as } = server;
  await as('fang')(app.addAppsAndStages, {
    musercode: 'M_CHENGUANG',
    items: [{ appid: '000000002', stagecodes: ['XS01', 'XS02'] }],
  });
  await as('fang')(updateMUser, { musercode: 'M_CHENGUANG', abnormalminlevel: 3 });
  const { musercode, copied } = await openInstitution(server, 'fang', 'qingxi', { frommusercode: 'M_CHENGUANG' });
  expect(copied).toMatchObject({
    insname: '云栖市晨光中学',
    appids: ['000000002'],
    stages: 2,
    loginmode: '03',
    missingrights: 0,
    abnormalminlevel: 3,
    showreportdefault: 0,
  });
  expect(copied?.rights).toBeGreaterThan(10);
  expect(await as('fang')(app.getAppsAndStages, { musercode })).toMatchObject([
    { appid: '000000002', stagecodes: ['XS01', 'XS02'] },
  ]);
  const [row] = (await as('fang')(muser.getMUserPageList, { keyword: 'qingxi' })).rows;
  expect(row).toMatchObject({ abnormalminlevel: 3, loginmode: '03' });
  expect(row?.clientcode).not.toBe('entry_chenguang');
  expect(row?.clientcode).toMatch(/^[\w-]{16}$/);
  await expect(
    openInstitution(server, 'fang', 'hospital', { musertype: '004', sector: 'health', frommusercode: 'M_CHENGUANG' }),
  ).rejects.toMatchObject({ code: 120002 });
  await as('fang')(muser.saveOpening, { musercode, step: 'accounts' });
  expect((await as('fang')(muser.getMUserPageList, { opening: 1 })).rows).toMatchObject([{ musercode, opening: 'accounts' }]);
  expect((await openInstitution(server, 'fang', 'xihu')).copied).toBeUndefined();
});

test('an authority cannot list institutions with their numbers; the provider of the schools exports its list', async () => {
  const { as } = await startServer();
  await expect(as('zhou')(muser.getMUserPageList, firstPage)).rejects.toMatchObject({ code: 110004 });
  const { body, filename } = (await as('fang')(muser.exportToFile, { musertype: '005' })) as { body: Readable; filename: string };
  const sheet = await readWorkbook(await buffer(body), filename);
  expect(sheet.rows.flat()).toContain('云栖市晨光中学');
  expect(sheet.rows.flat()).not.toContain('云栖市仁爱妇幼保健院');
});
