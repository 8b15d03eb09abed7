import { expect, test } from 'vitest';
import { startHttp } from '#testing/http.ts';

const HSTS = 'strict-transport-security';

test('HSTS is sent only when the trusted proxy says that the request came by TLS', async () => {
  const { base } = await startHttp({ trustProxy: 1 });
  const header = async (headers: Record<string, string>) => (await fetch(`${base}/livez`, { headers })).headers.get(HSTS);
  expect(await header({ 'x-forwarded-proto': 'https' })).toBe('max-age=63072000; includeSubDomains');
  // A proxy adds what it saw behind what the client sent: the last word counts.
  expect(await header({ 'x-forwarded-proto': 'https, http' })).toBeNull();
  for (const proto of ['http', '', 'HTTPS ', 'httpsx', 'wss'])
    expect(await header({ 'x-forwarded-proto': proto }), proto).toBeNull();
  expect(await header({})).toBeNull();
  for (const name of ['forwarded', 'x-forwarded-ssl', 'front-end-https', 'x-url-scheme'])
    expect(await header({ [name]: name === 'forwarded' ? 'proto=https' : 'on' }), name).toBeNull();
});

test('without a trusted proxy, and from another address than its own, the word of the client does not count', async () => {
  for (const trustProxy of [false, ['10.0.0.2'], ['192.168.0.0/16', 'fd00::/8']] as const) {
    const { base } = await startHttp({ trustProxy });
    const { headers } = await fetch(`${base}/livez`, { headers: { 'x-forwarded-proto': 'https' } });
    expect(headers.get(HSTS)).toBeNull();
  }
});

test('behind TLS every kind of answer has HSTS: pages, files, actions, refusals and a missing page', async () => {
  const { base, call } = await startHttp({ trustProxy: ['127.0.0.1'] });
  const headers = { 'x-forwarded-proto': 'https' };
  for (const path of ['/login', '/assets/a.js', '/openapi.json', '/readyz', '/nothing/here.js', '/c/x'])
    expect((await fetch(base + path, { headers, redirect: 'manual' })).headers.get(HSTS), path).toContain('max-age=63072000');
  for (const name of ['as.m.user.getUserInfo', 'as.m.user.none'])
    expect((await call(name, {}, headers)).headers.get(HSTS)).toBeTruthy();
});
