import { expect, test } from 'vitest';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { getCUserPageList, insertCUser } from '#features/cuser/cuser.contract.ts';
import { getNoticePageList, readNotice } from '#features/notice/notice.contract.ts';
import { updateUser } from '#features/org/user/user.contract.ts';
import { getLoginAsAccounts, leaveLoginAs, loginAs } from '#features/session/acting.contract.ts';
import { endMySession, getMySessions } from '#features/account/profile.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getUserInfo, logout } from '#features/session/session.contract.ts';
import { anInstitutionAccount, expireStepUp } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import { addStudent } from '#testing/exam.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const reason = '协助核对名册导入的问题';
const asChen = { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason };
/** 方敏 of the provider acts as 陈静怡 of the school. */
const fangAsChen = async (server: Server) => {
  const record = await server.as('fang')(loginAs, asChen);
  return { record, call: server.withToken(record.token) };
};

test('a provider acts for a psychologist for half an hour with exactly her rights, and the audit log shows both names', async () => {
  const server = await startServer();
  const { record, call } = await fangAsChen(server);
  expect(record).toMatchObject({ userid: 'U_CHEN', insname: '云栖市晨光中学', loginasby: '方敏' });
  expect(record.loginasleft).toBeGreaterThan(20 * 60);
  expect(record.loginasleft).toBeLessThanOrEqual(30 * 60);
  const codesOf = async (who: 'fang' | 'chen') =>
    (await server.as(who)(getUserInfo, {})).permissions.map((permission) => permission.component);
  const [actorCodes, subjectCodes] = [await codesOf('fang'), await codesOf('chen')];
  for (const { component } of record.permissions) {
    expect(subjectCodes).toContain(component);
    expect([...actorCodes, '0000901']).toContain(component);
  }
  await call(insertCUser, { username: '周子涵', gender: '01', appid: '000000002' });
  const rows = (await server.as('ma')(getAuditPageList, { loginas: '1' })).rows;
  expect(rows.map(({ title, who, loginasby }) => [title, who, loginasby])).toEqual([
    ['新增受测者', '陈静怡', '方敏'],
    ['代登录', '陈静怡', '方敏'],
  ]);
  expect(rows[1]?.detail).toContainEqual({ key: '原因', value: reason });
  // The provider's own audit log has a row, too, and the filter by person finds it.
  expect((await server.as('super')(getAuditPageList, { who: '方敏', action: '代登录' })).rows).toHaveLength(2);
  const notice = (await server.as('chen')(getNoticePageList, {})).rows[0];
  expect(notice?.title).toBe('方敏 正在代您登录');
  expect(notice?.content).toContain(reason);
});

test('an acting session sees masked names and cannot mark the acting notice as read', async () => {
  const server = await startServer();
  await addStudent(server);
  const { call } = await fangAsChen(server);
  for (const { username } of (await call(getCUserPageList, {})).rows) expect(username).toMatch(/\*/);
  await expect(call(readNotice, {})).rejects.toMatchObject({ code: 110011 });
});

test('acting needs the right and full visibility, goes downwards only and cannot be chained', async () => {
  const server = await startServer();
  const { as } = server;
  const expectRefusal = async (
    who: Parameters<typeof as>[0],
    request: Partial<typeof asChen> & { musercode: string },
    code: number,
  ) => expect(as(who)(loginAs, { reason, ...request })).rejects.toMatchObject({ code });
  await expectRefusal('ma', asChen, 110004);
  await expectRefusal('fang', { musercode: 'AS000001' }, 130001);
  await expectRefusal('fang', { musercode: 'M_ANLAN' }, 110004);
  await expectRefusal('fang', { musercode: 'M_ANLAN', userid: 'U_FANG' }, 110004);
  await expectRefusal('fang', { musercode: 'M_DONGSHAN', userid: 'U_CHEN' }, 130001);
  await expectRefusal('fang', { musercode: 'M_CHENGUANG', userid: 'U_NOBODY_HERE' }, 130001);
  await expect(as('fang')(loginAs, { ...asChen, reason: '看看' })).rejects.toMatchObject({ code: 120002 });
  await server.sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_CHEN'");
  await expectRefusal('fang', asChen, 140001);
  await server.sqlAsOwner("update sysuser set enabled = 1 where userid = 'U_CHEN'");
  const { token } = await as('super')(loginAs, { musercode: 'M_ANLAN', userid: 'U_FANG', reason });
  await expect(server.withToken(token)(loginAs, asChen)).rejects.toMatchObject({ code: 110011 });
  await expireStepUp(server, 'U_FANG');
  await expectRefusal('fang', asChen, 110007);
});

test('the accounts to act for are the staff of a lower institution and its own account if it has one', async () => {
  const server = await startServer();
  const accounts = (musercode: string) => server.as('fang')(getLoginAsAccounts, { musercode });
  expect((await accounts('M_DONGSHAN')).map((account) => [account.userid, account.name])).toEqual([['U_QIAO', '乔然']]);
  await anInstitutionAccount(server, 'M_DONGSHAN', 'dongshan');
  await server.sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_QIAO'");
  expect(await accounts('M_DONGSHAN')).toEqual([{ userid: null, name: '云栖市东山中学（机构账号）', rolenames: [] }]);
  await expect(accounts('AS000001')).rejects.toMatchObject({ code: 130001 });
  await expect(accounts('M_ANLAN')).rejects.toMatchObject({ code: 110004 });
  await expect(server.as('ma')(getLoginAsAccounts, { musercode: 'M_DONGSHAN' })).rejects.toMatchObject({ code: 110004 });
});

test('an acting session ends after half an hour, however active it is', async () => {
  const server = await startServer();
  const { call } = await fangAsChen(server);
  await server.sqlAsOwner("update auth.session set expiretime = expiretime - interval '29 minutes' where loginasby is not null");
  expect((await call(getUserInfo, {})).loginasleft).toBeLessThanOrEqual(60);
  await server.sqlAsOwner("update auth.session set expiretime = expiretime - interval '1 minute' where loginasby is not null");
  await expect(call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  expect(await server.as('fang')(getUserInfo, {})).toMatchObject({ loginasby: '' });
});

test('ending an acting session moves the caller’s own session to a new token', async () => {
  const server = await startServer();
  const { call } = await fangAsChen(server);
  await expect(server.as('fang')(leaveLoginAs, {})).rejects.toMatchObject({ code: 140001 });
  const own = await call(leaveLoginAs, {});
  expect(own).toMatchObject({ userid: 'U_FANG', loginasby: '' });
  expect(await server.withToken(own.token)(getUserInfo, {})).toMatchObject({ userid: 'U_FANG' });
  await expect(call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  await expect(server.as('fang')(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
});

test.each([
  [
    'the account behind it is disabled',
    (server: Server) => server.sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_FANG'"),
  ],
  ['it loses the right', (server: Server) => server.sqlAsOwner("update role set codes = array_remove(codes, '00024')")],
  ['its own session ends', (server: Server) => server.as('fang')(logout, {})],
  [
    'the account actingSession in is disabled',
    (server: Server) =>
      server
        .as('ma')(updateUser, { userid: 'U_CHEN' })
        .catch(() => undefined)
        .then(() => server.sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_CHEN'")),
  ],
])('acting ends with the next call when %s', async (_, change) => {
  const server = await startServer();
  const { call } = await fangAsChen(server);
  await change(server);
  await expect(call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
});

test('the user sees the acting session in her list and can end it; signing out of it ends the provider’s session too', async () => {
  const server = await startServer();
  const first = await fangAsChen(server);
  const actingSession = (await server.as('chen')(getMySessions, {})).sessions.find((session) => session.loginas);
  await server.as('chen')(endMySession, { sessionid: actingSession?.sessionid });
  await expect(first.call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  const second = await fangAsChen(server);
  await second.call(logout, {});
  await expect(server.as('fang')(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
});

test('an acting session cannot change the password, even with the old password', async () => {
  const server = await startServer();
  const { call } = await fangAsChen(server);
  const pwd = 'D41D8CD98F00B204E9800998ECF8427E';
  await expect(call(updateMUser, { musercode: 'M_CHENGUANG', pwd })).rejects.toMatchObject({ code: 110011 });
  await expect(call(updateMUser, { musercode: 'M_CHENGUANG', pwd, oldpwd: pwd })).rejects.toMatchObject({ code: 110011 });
});

test('a reset of another account’s password cannot be sent as a change of one’s own password', async () => {
  const server = await startServer();
  const pwd = 'D41D8CD98F00B204E9800998ECF8427E';
  await expireStepUp(server, 'U_FANG');
  const reset = { musercode: 'M_CHENGUANG', pwd };
  await expect(server.as('fang')(updateMUser, reset)).rejects.toMatchObject({ code: 110007 });
  await expect(server.as('fang')(updateMUser, { ...reset, oldpwd: pwd })).rejects.toMatchObject({ code: 120002 });
  const { token } = await server.as('super')(loginAs, { musercode: 'M_ANLAN', userid: 'U_FANG', reason });
  await expect(server.withToken(token)(updateMUser, { ...reset, oldpwd: pwd })).rejects.toMatchObject({ code: 120002 });
});
