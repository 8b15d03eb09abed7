import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { xlsxMime } from '#contract/file.ts';
import { hashPassword } from '#server/security/password.ts';
import { sharedHttp, startHttp } from '#testing/http.ts';

const shared = sharedHttp();

const list = 'as.m.cuser.getCUserPageList';
const md5 = 'A1B2C3D4E5F60718293A4B5C6D7E8F90';
const browser = { 'sec-fetch-site': 'same-origin' };
type Wire = Awaited<ReturnType<typeof startHttp>>;

/** Gives 陈静怡 a password and signs her in. Returns the token and the cookie of her browser. */
async function signIn({ services, sqlAsOwner, call }: Wire, headers: Record<string, string> = {}) {
  await sqlAsOwner("update auth.account set pwdhash = $1 where loginname = 'chen'", [
    await hashPassword(md5, services.cipher.pepper),
  ]);
  const answer = await call('as.m.user.login', { username: 'chen', pwd: md5 }, headers);
  expect(answer.json).toMatchObject({ errorCode: 0 });
  return {
    token: (answer.json.data as { token: string }).token,
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    setCookie: answer.headers.get('set-cookie'),
  };
}

test('a response contains errorCode, errorMsg and data only; the request id is a header', async () => {
  const { call } = shared();
  const good = await call(list, {}, { token: 'chen' });
  expect(good.json).toEqual({ errorCode: 0, errorMsg: '', data: { total: 0, rows: [] } });
  expect(good.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(good.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const refused = await call(list, { page: 0 }, { token: 'chen' });
  expect(refused.status).toBe(200);
  expect(Object.keys(refused.json).sort()).toEqual(['data', 'errorCode', 'errorMsg']);
  expect(refused.json).toMatchObject({ errorCode: 120002, data: { field: 'page' } });
  const stranger = await call(list, {});
  expect([stranger.status, stranger.json]).toEqual([200, { errorCode: 110000, errorMsg: '用户身份失效，请重新登录' }]);
  for (const answer of [good, refused, stranger]) {
    expect(JSON.stringify(answer.json)).not.toMatch(/request_?id/i);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('a GET of an action address, a hidden file or a path outside the build answers 404', async () => {
  const { base } = shared();
  const status = async (path: string) => (await fetch(`${base}${path}`, { redirect: 'manual' })).status;
  for (const path of [
    '/api/as.m.user.login/1.0.0/action',
    '/api/__proto__/1.0.0/action',
    '/.git/config',
    '/.env',
    '/..%2f..%2fpackage.json',
    '/src/server/main.ts',
  ])
    expect([path, await status(path)]).toEqual([path, 404]);
  expect(await status('/workbench')).toBe(200);
});

test('invalid, endlessly nested or prototype-polluting JSON is refused', async () => {
  const { post, call, errors } = shared();
  const json = { 'content-type': 'application/json', token: 'chen' };
  const bad = [
    '{',
    '{"page":',
    '\u0000',
    '[1,2',
    '"text"',
    'null',
    '7',
    '[]',
    '['.repeat(50_000),
    `${'{"keyword":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    '{"__proto__":{"admin":1}}',
    '{"constructor":{"prototype":{"admin":1}}}',
    '{"page":1e999}',
    '{"page":1,"page":"x"}',
    '{"keyword":{"toString":1}}',
  ];
  for (const body of bad) {
    const { response, status } = await post(list, body, json);
    const answer = (await response.json()) as { errorCode: number };
    expect([body.slice(0, 30), status, answer.errorCode]).toEqual([body.slice(0, 30), 200, body === 'null' ? 0 : 120002]);
  }
  expect(({} as { admin?: number }).admin).toBeUndefined();
  expect((await call(list, {}, { token: 'chen' })).json.errorCode).toBe(0);
  expect(errors).toEqual([]);
});

test('a missing field and a field of the wrong type get different errors', async () => {
  const { call } = shared();
  const answerTo = async (request: unknown) => (await call('as.m.user.login', request)).json;
  expect(await answerTo({ username: 'chen' })).toEqual({ errorCode: 120001, errorMsg: '密码不能为空', data: { field: 'pwd' } });
  expect(await answerTo({ username: 'chen', pwd: 5 })).toEqual({
    errorCode: 120002,
    errorMsg: '密码不正确',
    data: { field: 'pwd' },
  });
  expect(await answerTo([])).toEqual({ errorCode: 120002, errorMsg: '请求格式不正确' });
});

test('a body over 256 KB is refused with 190002', async () => {
  const { post } = shared();
  const { response, status } = await post(list, JSON.stringify({ keyword: 'x'.repeat(300 * 1024) }), {
    'content-type': 'application/json',
    token: 'chen',
  });
  expect([status, await response.json()]).toEqual([200, { errorCode: 190002, errorMsg: '提交的内容过大' }]);
});

test('a form body is read like JSON: an empty field is absent, a list is JSON or name[]', async () => {
  const { post } = shared();
  const form = { 'content-type': 'application/x-www-form-urlencoded', token: 'chen' };
  for (const body of ['page=1&pageSize=15&keyword=', 'page=1'])
    expect(await (await post(list, body, form)).response.json()).toEqual({
      errorCode: 0,
      errorMsg: '',
      data: { total: 0, rows: [] },
    });
  const lists = ['cuserids[]=C1&cuserids[]=C2', `cuserids=${encodeURIComponent('["C1","C2"]')}`];
  for (const body of lists)
    expect(await (await post('as.m.cuser.getReportCount', body, form)).response.json()).toMatchObject({ errorCode: 0 });
});

test('a download is a file with a Chinese name; its error is JSON', async () => {
  const { post } = shared();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const { response, headers } = await post('as.m.warning.exportWarningList', '', { ...form, token: 'chen' });
  expect(headers.get('content-type')).toBe(xlsxMime);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\w.-]+\.xlsx"; filename\*=UTF-8''%E[0-9A-F%a-z_.-]+\.xlsx$/i,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  expect(await (await post('as.m.warning.exportWarningList', '', { ...form, token: 'nobody' })).response.json()).toMatchObject({
    errorCode: 110004,
  });
});

test('a multipart upload arrives with its fields, and a file over 20 MB is refused', async () => {
  const { post } = shared();
  const send = async (content: BlobPart) => {
    const body = new FormData();
    body.set('year', '2025-2026');
    body.set('file', new File([content], '名单.csv', { type: 'text/csv' }));
    return (await (await post('as.m.assess.checkAssessTeamRoster', body, { token: 'chen' })).response.json()) as {
      errorCode: number;
      data: { verdict: { teams: { teamname: string }[] } };
    };
  };
  const good = await send('团体名称,姓名,学号,性别,联系电话\n初二（3）班,林小雨,0001,女,\n');
  expect(good).toMatchObject({ errorCode: 0, data: { verdict: { teams: [{ teamname: '初二（3）班', year: '2025-2026' }] } } });
  expect(await send(new Uint8Array(21 * 1024 * 1024))).toMatchObject({ errorCode: 190002 });
});

test('a cross-origin call is refused with any token', async () => {
  const { call, base } = shared();
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'not a page' },
    { origin: base.replace('127.0.0.1', '127.0.0.2') },
  ];
  for (const headers of foreign) expect((await call(list, {}, { token: 'chen', ...headers })).json.errorCode).toBe(110004);
  for (const headers of [browser, { origin: base }, {}])
    expect((await call(list, {}, { token: 'chen', ...headers })).json.errorCode).toBe(0);
});

test('every response carries the security headers, and only a page has a nonce', async () => {
  const { base, post } = shared();
  const responses = {
    answer: (await post(list, '{}', { 'content-type': 'application/json', token: 'chen' })).response,
    refusal: (await post(list, '{', { 'content-type': 'application/json' })).response,
    file: (
      await post('as.m.warning.exportWarningList', '', { 'content-type': 'application/x-www-form-urlencoded', token: 'chen' })
    ).response,
    missing: await fetch(`${base}/nothing.js`),
    asset: await fetch(`${base}/assets/a.js`),
    page: await fetch(`${base}/warning/list`),
    picture: await fetch(`${base}/qr/entry_chenguang.png`),
    description: await fetch(`${base}/openapi.json`),
    live: await fetch(`${base}/livez`),
    method: await fetch(`${base}/api/${list}/1.0.0/action`, { method: 'PUT' }),
  };
  for (const [kind, response] of Object.entries(responses)) {
    const headers = Object.fromEntries(response.headers);
    expect([kind, headers]).toMatchObject([
      kind,
      {
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
    ]);
    expect([kind, headers['content-security-policy']]).toEqual([
      kind,
      expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'"),
    ]);
    expect([kind, headers['content-security-policy']?.includes('nonce-')]).toEqual([kind, kind === 'page']);
    expect([kind, headers['server'], headers['x-powered-by']]).toEqual([kind, undefined, undefined]);
  }
  expect([responses.missing.status, responses.asset.status, responses.page.status]).toEqual([404, 200, 200]);
  const nonce = /nonce-([^']+)'/.exec(responses.page.headers.get('content-security-policy') ?? '')?.[1];
  expect(await responses.page.text()).toContain(`nonce="${nonce}"`);
});

test('a browser session needs its HttpOnly cookie', async () => {
  const wire = shared();
  const { token, cookie, setCookie } = await signIn(wire, browser);
  expect(setCookie).toMatch(/^sid=[\w-]{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  const code = async (headers: Record<string, string>) =>
    (await wire.call('as.m.user.getUserInfo', {}, { token, ...headers })).json.errorCode;
  expect(await code({ cookie })).toBe(0);
  expect(await code({})).toBe(110000);
  expect(await code({ cookie: 'sid=somebodyelse' })).toBe(110000);
  // A program that is no browser gets no cookie and needs none.
  const program = await signIn(wire);
  expect(program.setCookie).toBeNull();
  expect((await wire.call('as.m.user.getUserInfo', {}, { token: program.token })).json.errorCode).toBe(0);
});

test('signing out ends the session, and a closed account or removed role takes effect with the next call', async () => {
  const wire = shared();
  const { token } = await signIn(wire);
  const code = async (name: string) => (await wire.call(name, {}, { token })).json.errorCode;
  expect(await code(list)).toBe(0);
  await wire.sqlAsOwner("delete from sysuserrole where userid = 'U_CHEN'");
  expect([await code(list), await code('as.m.user.getUserInfo')]).toEqual([110004, 0]);
  await wire.sqlAsOwner("update auth.account set enabled = 0 where accountid = 'U_CHEN'");
  expect(await code('as.m.user.getUserInfo')).toBe(110000);
  await wire.sqlAsOwner("update auth.account set enabled = 1 where accountid = 'U_CHEN'");
  const second = await signIn(wire);
  expect((await wire.call('as.m.user.logout', {}, { token: second.token })).json).toEqual({
    errorCode: 0,
    errorMsg: '',
    data: {},
  });
  expect((await wire.call('as.m.user.getUserInfo', {}, { token: second.token })).json.errorCode).toBe(110000);
});

test('the server closes a request that never finishes and answers the next request', async () => {
  const { port, call } = await startHttp({ requestTimeout: 400 });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /api/${list}/1.0.0/action HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
  );
  socket.resume();
  await once(socket, 'close');
  expect((await call(list, {}, { token: 'chen' })).json.errorCode).toBe(0);
});

test('/livez always answers 200, and /readyz answers 200 only while the database answers', async () => {
  const state = { ok: true };
  const { base } = await startHttp({ ready: async () => state });
  expect(await (await fetch(`${base}/livez`)).json()).toEqual({ ok: true });
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  state.ok = false;
  expect((await fetch(`${base}/readyz`)).status).toBe(503);
  expect((await fetch(`${base}/livez`)).status).toBe(200);
});

test('the page of an entry brings its first view and the facts of it, and an unknown entry brings none', async () => {
  const { base } = await startHttp();
  const pageAt = async (path: string) => (await fetch(`${base}${path}`)).text();
  const block = /<script type="application\/json" id="facts">(.*?)<\/script>/.exec(await pageAt('/c/entry_chenguang'))?.[1];
  expect(await pageAt('/c/entry_chenguang')).toMatch(
    /<div id="root"><header class="top"><span class="brand">云栖市晨光中学<.*<h1>/,
  );
  expect(JSON.parse(block ?? '{}')).toMatchObject({
    clientcode: 'entry_chenguang',
    entry: { insname: '云栖市晨光中学', loginmode: '03' },
  });
  for (const path of ['/c/entry_nobody', '/c/']) expect(await pageAt(path)).toBe('<div id="root"></div>');
});
