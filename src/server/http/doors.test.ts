import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { passwordHash } from '#contract/passwordHash.ts';
import { handlers } from '#server/actions.ts';
import { dispatcher } from '#server/dispatch/dispatch.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { hashPassword } from '#server/security/password.ts';
import { startHttp } from '#testing/http.ts';
import { startServer } from '#testing/server.ts';

const login = 'as.m.user.login';
const wrong = passwordHash('Wrong-2025');
const right = passwordHash('Right-2025');
const browser = { 'sec-fetch-site': 'same-origin' };

/** Starts a server whose psychologist has the password `right`. */
async function startWithPassword(options: Parameters<typeof startHttp>[0] = {}) {
  const http = await startHttp(options);
  await http.sqlAsOwner("update auth.account set pwdhash = $1, pwdexpire = null, mustchangepwd = 0 where accountid = 'U_CHEN'", [
    await hashPassword(right, http.services.cipher.pepper),
  ]);
  const [account] = await http.sqlAsOwner<{ loginname: string }>("select loginname from auth.account where accountid = 'U_CHEN'");
  const username = account?.loginname ?? '';
  const signIn = async (pwd: string, headers: Record<string, string> = {}, name = username) =>
    http.call(login, { username: name, pwd }, headers);
  return { ...http, signIn };
}

test('behind a proxy, a forged X-Forwarded-For neither escapes the throttle nor enters the log', async () => {
  const { signIn, sqlAsOwner } = await startWithPassword({ trustProxy: 1 });
  const from = (number: number) => ({ 'x-forwarded-for': `10.9.9.${number}, 203.0.113.7` });
  const codes: number[] = [];
  for (let number = 0; number < 7; number += 1) codes.push((await signIn(wrong, from(number))).json.errorCode);
  expect(codes.slice(0, 4)).toEqual([110001, 110001, 110001, 110001]);
  expect(codes.at(-1)).toBe(110003);
  await signIn(wrong, { 'x-forwarded-for': '<script>' }, 'nobody');
  const rows = await sqlAsOwner<{ ip: string }>('select distinct ip from auth.loginlog order by ip');
  expect(rows.map((row) => row.ip)).toEqual(['127.0.0.1', '203.0.113.7']);
});

test('without a proxy the server believes no header about the address', async () => {
  const { signIn, sqlAsOwner } = await startWithPassword();
  await signIn(wrong, { 'x-forwarded-for': '203.0.113.7' });
  expect(await sqlAsOwner('select distinct ip from auth.loginlog')).toEqual([{ ip: '127.0.0.1' }]);
});

test('a pupil who guesses behind the address of the school locks out no colleague and no known browser', async () => {
  const { signIn } = await startWithPassword();
  const first = await signIn(right, browser);
  expect(first.json.errorCode).toBe(0);
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  for (let number = 0; number < 40; number += 1) await signIn(wrong, {}, `guess${number % 20}`);
  for (let number = 0; number < 6; number += 1) await signIn(wrong);
  expect((await signIn(right)).json.errorCode).toBe(110003);
  expect((await signIn(right, { ...browser, cookie })).json.errorCode).toBe(0);
});

test('unknown tokens weigh on their address; live sessions and sign-ins at the same address go on', async () => {
  const server = await startServer();
  const dispatch = dispatcher(server.services, handlers, {
    clock: () => server.clock.now,
    limiter: new RateLimiter(20, 0.001),
    onError: (error) => server.errors.push(error),
  });
  const call = async (name: string, token: string, body: unknown = {}, ip = '203.0.113.7') =>
    (await dispatch({ name, token, body, requestId: 'x', ip, useragent: 'test' })).errorCode;
  expect(await call('as.m.user.getUserInfo', 'chen')).toBe(0);
  const codes: number[] = [];
  for (let number = 0; number < 22; number += 1) codes.push(await call('as.m.user.getUserInfo', `guess-${number}`));
  expect([codes[0], codes.at(-1)]).toEqual([110000, 190001]);
  expect(await call('as.m.user.getUserInfo', 'chen')).toBe(0);
  expect(await call('as.m.user.getUserInfo', 'guess-99', {}, '203.0.113.8')).toBe(110000);
  expect(await call(login, '', { username: 'nobody here', pwd: wrong })).toBe(110001);
});

test('one account at an address has a sign-in budget of its own', async () => {
  const server = await startServer();
  const dispatch = dispatcher(server.services, handlers, {
    clock: () => server.clock.now,
    limiter: new RateLimiter(10, 0.001),
    onError: (error) => server.errors.push(error),
  });
  const signIn = async (username: string) =>
    (
      await dispatch({
        name: login,
        token: '',
        body: { username, pwd: wrong },
        requestId: 'x',
        ip: '203.0.113.7',
        useragent: 'test',
      })
    ).errorCode;
  expect([await signIn('pupil'), await signIn('pupil'), await signIn('pupil')]).toEqual([110001, 110001, 190001]);
  expect(await signIn('teacher')).toBe(110001);
});

test('a body that is too slow is closed, and the server answers the next call', async () => {
  const { port, call } = await startHttp({ bodyTimeout: 200 });
  for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST /api/${login}/1.0.0/action HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n\r\n{`);
    socket.resume();
    await once(socket, 'close');
  }
  expect((await call('as.m.user.getUserInfo', {}, { token: 'chen' })).json.errorCode).toBe(0);
});

test('signing out tells the browser to clear what it kept of the pages', async () => {
  const { call } = await startHttp();
  const { headers, json } = await call('as.m.user.logout', {}, { token: 'chen' });
  expect([json.errorCode, headers.get('clear-site-data')]).toEqual([0, '"cache"']);
});
