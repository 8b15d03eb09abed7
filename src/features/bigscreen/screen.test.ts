import { expect, test } from 'vitest';
import { actions } from '#server/actions.ts';
import { endMySession, getMySessions } from '#features/account/profile.contract.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { getScreenList, insertScreenCode, openScreen, SCREEN_DAYS } from '#features/bigscreen/screen.contract.ts';
import { getBigScreenData } from '#features/bigscreen/wall.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { logout } from '#features/session/session.contract.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { expireStepUp, setPermission } from '#testing/factories.ts';
import { sharedHttp } from '#testing/http.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const http = sharedHttp();
const hall = { screenname: '一楼大厅' };

/** 方敏 of the provider opens a screen. Returns a function that calls as this screen, and its token. */
async function openHall(server: TestServer) {
  const { code } = await server.as('fang')(insertScreenCode, hall);
  const { token } = await server.nobody(openScreen, { code });
  return { token, call: server.withToken(token) };
}
/** Says whether the screen still reads its figures. */
const isOpen = (call: ReturnType<TestServer['withToken']>): Promise<boolean> =>
  call(getBigScreenData, {}).then(
    () => true,
    (error: { code: number }) => {
      expect(error.code).toBe(110000);
      return false;
    },
  );

test('a code opens one screen, which reads the figures and has its name in the list of its account', async () => {
  const server = await startServer();
  const { code, minutes } = await server.as('fang')(insertScreenCode, hall);
  expect([code, minutes]).toEqual([expect.stringMatching(/^\d{10}$/), 10]);
  const { token } = await server.nobody(openScreen, { code });
  expect(await server.withToken(token)(getBigScreenData, {})).toMatchObject({ insname: '安澜心理' });
  await expect(server.nobody(openScreen, { code })).rejects.toMatchObject({ code: 110012 });
  expect(await server.as('fang')(getScreenList, {})).toMatchObject([{ screenname: '一楼大厅', place: '本机' }]);
  expect(await server.as('chen')(getScreenList, {})).toEqual([]);
  const { rows } = await server.as('super')(getAuditPageList, { who: '方敏' });
  expect(rows.map(({ title }) => title)).toContain('打开大屏');
});

test('a screen can call nothing but its figures: every other action of the product refuses it', async () => {
  const server = await startServer();
  const { token, call } = await openHall(server);
  for (const action of actions.filter(({ allow, name }) => allow.caller !== 'anyone' && name !== getBigScreenData.name)) {
    const { errorCode } = await server.raw(action.name, token, exampleOf(action, {}) ?? {});
    expect([action.name, errorCode]).toEqual([action.name, 110000]);
  }
  expect((await server.raw('as.m.user.noSuchCall', token)).errorCode).toBe(110000);
  expect(await isOpen(call)).toBe(true);
});

test('opening a screen needs a step-up, statistics above institutions or the extra buttons, and nobody acts for another', async () => {
  const server = await startServer();
  await expect(server.as('chen')(insertScreenCode, hall)).rejects.toMatchObject({ code: 110004 });
  await server.sqlAsOwner("insert into auth.specialaccount (musercode, navextra) values ('M_CHENGUANG', 1)");
  expect((await server.as('chen')(insertScreenCode, hall)).code).toHaveLength(10);
  const { token } = await server.as('super')(loginAs, { musercode: 'M_ANLAN', userid: 'U_FANG', reason: '协助打开大屏' });
  await expect(server.withToken(token)(insertScreenCode, hall)).rejects.toMatchObject({ code: 110011 });
  await expireStepUp(server, 'U_FANG');
  await expect(server.as('fang')(insertScreenCode, hall)).rejects.toMatchObject({ code: 110007 });
});

test('a screen stays open for 30 days without a pause ending it, beside any number of sign-ins', async () => {
  const server = await startServer();
  const { call } = await openHall(server);
  await server.sqlAsOwner("update auth.session set lastseen = now() - interval '29 days' where kind = 'screen'");
  expect(await isOpen(call)).toBe(true);
  const [{ days }] = (await server.sqlAsOwner<{ days: number }>(
    "select extract(day from expiretime - createtime)::int as days from auth.session where kind = 'screen'",
  )) as [{ days: number }];
  expect(days).toBe(SCREEN_DAYS);
  expect((await server.as('fang')(getMySessions, {})).sessions).toHaveLength(1);
  await server.as('fang')(endMySession, {});
  expect(await isOpen(call)).toBe(true);
  await server.sqlAsOwner("update auth.session set expiretime = now() where kind = 'screen'");
  expect(await isOpen(call)).toBe(false);
});

test('a screen ends when its account ends it in 个人中心', async () => {
  const server = await startServer();
  const { call } = await openHall(server);
  const [screen] = await server.as('fang')(getScreenList, {});
  await expect(server.as('chen')(endMySession, { sessionid: screen?.sessionid })).rejects.toMatchObject({ code: 130001 });
  await server.as('fang')(endMySession, { sessionid: screen?.sessionid });
  expect(await isOpen(call)).toBe(false);
  expect(await server.as('fang')(getScreenList, {})).toEqual([]);
});

test('a screen ends when its account or its institution is disabled', async () => {
  for (const off of [
    "update auth.account set enabled = 0 where accountid = 'U_FANG'",
    "update muser set enabled = 0 where musercode = 'M_ANLAN'",
  ]) {
    const server = await startServer();
    const { call } = await openHall(server);
    await server.sqlAsOwner(off);
    expect(await isOpen(call)).toBe(false);
  }
});

test('a screen ends for good when its account loses the right to open it', async () => {
  const server = await startServer();
  const { call } = await openHall(server);
  await setPermission(server, 'U_FANG', '00011', 'deny');
  expect(await isOpen(call)).toBe(false);
  await server.sqlAsOwner('delete from sysuserpermission');
  expect(await isOpen(call)).toBe(false);
});

test('a new password ends the screens of the account and the codes that nobody used', async () => {
  const server = await startServer();
  const { call } = await openHall(server);
  const { code } = await server.as('fang')(insertScreenCode, hall);
  await server.sqlAsOwner("select auth.reset_account('U_FANG', 'hash', interval '1 day')");
  expect(await isOpen(call)).toBe(false);
  await expect(server.nobody(openScreen, { code })).rejects.toMatchObject({ code: 110012 });
});

test('a code is valid for ten minutes, and five wrong codes stop an address', async () => {
  const server = await startServer();
  const { code: old } = await server.as('fang')(insertScreenCode, hall);
  await server.sqlAsOwner('update auth.screencode set expiretime = now()');
  await expect(server.nobody(openScreen, { code: old })).rejects.toMatchObject({ code: 110012 });
  const { code } = await server.as('fang')(insertScreenCode, hall);
  const wrong = String((Number(code) + 1) % 1e10).padStart(10, '0');
  for (let tries = 0; tries < 4; tries += 1)
    await expect(server.nobody(openScreen, { code: wrong })).rejects.toMatchObject({ code: 110012 });
  await expect(server.nobody(openScreen, { code })).rejects.toMatchObject({ code: 110003 });
});

test('the session of a screen is bound to the browser that opened it, beside the session of the console', async () => {
  const { as, call } = http();
  const browser = { 'sec-fetch-site': 'same-origin' };
  const { code } = await as('fang')(insertScreenCode, hall);
  const opened = await call(openScreen.name, { code }, browser);
  const cookie = opened.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^wid=.*HttpOnly.*SameSite=Strict/);
  const { token } = opened.json.data as { token: string };
  const read = (headers: Record<string, string>) => call(getBigScreenData.name, {}, { ...browser, token, ...headers });
  expect((await read({ cookie: `sid=of-the-console; ${cookie.split(';')[0]}` })).json.errorCode).toBe(0);
  expect((await read({})).json.errorCode).toBe(110000);
  expect((await read({ cookie: cookie.replace('wid', 'sid') })).json.errorCode).toBe(110000);
});

test('a screen that signs out is over', async () => {
  const server = await startServer();
  const { call } = await openHall(server);
  await call(logout, {});
  expect(await isOpen(call)).toBe(false);
});
