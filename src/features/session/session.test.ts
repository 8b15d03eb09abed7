import { expect, test } from 'vitest';
import { addColleague, signIn } from '#testing/staff.ts';
import { sharedServer, startServer } from '#testing/server.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import * as session from '#features/session/session.contract.ts';

const shared = sharedServer();

const md5 = '5F4DCC3B5AA765D61D8327DEB882CF99';

test('the psychologist of a school sees who she is and what she may do', async () => {
  const { as } = shared();
  const record = await as('chen')(session.getUserInfo, {});
  expect(record).toMatchObject({
    userid: 'U_CHEN',
    sysusername: 'chen',
    insname: '云栖市晨光中学',
    musertype: '005',
    without: 'statisticsN',
    loginas: '',
    appexempt: false,
  });
  const codes = record.permissions.map((permission) => permission.component);
  expect(codes).toContain('00046');
  expect(codes).not.toContain('00021');
});

test('the super account holds all seventy codes and chooses no app', async () => {
  const { as } = shared();
  const record = await as('super')(session.getUserInfo, {});
  expect(record.permissions).toHaveLength(70);
  expect(record.appexempt).toBe(true);
});

test('the education bureau and a duty officer carry their landing markers', async () => {
  const { as } = shared();
  expect((await as('zhou')(session.getUserInfo, {})).loginas).toBe('JYJ');
  expect((await as('duty')(session.getUserInfo, {})).loginas).toBe('FW01');
});

test('a missing session, an unknown session and an unknown call get the same error', async () => {
  const { raw } = shared();
  const results = await Promise.all([
    raw('as.m.user.getUserInfo', ''),
    raw('as.m.user.getUserInfo', 'nonsense'),
    raw('as.m.no.such', ''),
  ]);
  for (const result of results) expect(result).toEqual({ errorCode: 110000, errorMsg: '用户身份失效，请重新登录' });
});

test('a wrong password and an unknown name get the same message, and sign-in locks after five attempts', async () => {
  const { nobody } = shared();
  for (const username of ['chen', 'nobody-has-this-name']) {
    for (const left of [4, 3, 2, 1, 0])
      await expect(nobody(session.login, { username, pwd: md5 })).rejects.toThrow(`账号或密码错误，还可尝试 ${left} 次`);
    await expect(nobody(session.login, { username: ` ${username.toUpperCase()} `, pwd: md5 })).rejects.toMatchObject({
      code: 110003,
    });
  }
});

test('the official website link goes to the address the operator set, for the one account with the button', async () => {
  const server = shared();
  const website = async (who: 'ma' | 'qiao') => (await server.as(who)(session.getUserInfo, {})).website;
  await server.sqlAsOwner("insert into auth.specialaccount (musercode, navextra) values ('M_CHENGUANG', 1)");
  expect(await website('ma')).toBe('');
  server.services.websiteUrl = 'https://www.psy.example/';
  expect([await website('ma'), await website('qiao')]).toEqual(['https://www.psy.example/', '']);
});

test('the record of the session names the account, its roles, its picture and the key of its pages', async () => {
  const { as } = shared();
  expect(await as('chen')(session.getUserInfo, {})).toMatchObject({
    name: 'chen',
    roles: ['psychologist'],
    avatar: '',
    routerKey: 'M_CHENGUANG/U_CHEN/',
  });
  const institution = await as('super')(session.getUserInfo, {});
  expect(institution).toMatchObject({ name: institution.username, roles: ['admin'] });
});

test('people of an institution whose service has ended are told the reason when they sign in', async () => {
  const server = await startServer();
  await addColleague(server, { sysusername: 'sun' });
  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', expiredate: '2025-01-31' });
  await expect(signIn(server, 'sun', 'Own-sun-9!')).rejects.toMatchObject({
    code: 110002,
    message: '所在机构的服务已于 2025-01-31 到期，请联系服务商续期',
  });
  await expect(signIn(server, 'sun', 'wrong')).rejects.toMatchObject({ code: 110001 });
});
