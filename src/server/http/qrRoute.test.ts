import Fastify from 'fastify';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { expect, onTestFinished, test } from 'vitest';
import { serveQr } from '#server/http/qrRoute.ts';
import { startServer } from '#testing/server.ts';

const read = jsqr as unknown as typeof jsqr.default;

async function site() {
  const { services, sqlAsOwner } = await startServer();
  const app = Fastify();
  onTestFinished(() => app.close());
  serveQr(app, services);
  return { app, sqlAsOwner };
}

test('the QR code of an institution is public in both sizes and contains the link of its entry', async () => {
  const { app } = await site();
  for (const [query, side] of [
    ['', 400],
    ['?size=400', 400],
    ['?size=200', 200],
  ] as const) {
    const answer = await app.inject(`/qr/entry_chenguang.png${query}`);
    expect(answer.headers['content-type']).toBe('image/png');
    const { width, height, data } = PNG.sync.read(answer.rawPayload);
    expect([width, height]).toEqual([side, side]);
    expect(read(new Uint8ClampedArray(data), width, height)?.data).toBe('http://127.0.0.1:8080/c/entry_chenguang');
  }
  const print = await app.inject('/qr/entry_chenguang.svg');
  expect(print.headers['content-type']).toBe('image/svg+xml');
  expect(
    (await app.inject({ url: '/qr/entry_chenguang.svg', headers: { 'if-none-match': print.headers.etag as string } })).statusCode,
  ).toBe(304);
});

test('the QR code for consultations leads to the application', async () => {
  const { app } = await site();
  const { width, height, data } = PNG.sync.read((await app.inject('/qr/entry_chenguang.png?consult=1')).rawPayload);
  expect(read(new Uint8ClampedArray(data), width, height)?.data).toBe('http://127.0.0.1:8080/c/entry_chenguang?consult');
});

test('a missing or disabled QR code is not found', async () => {
  const { app, sqlAsOwner } = await site();
  const status = async (url: string) => (await app.inject(url)).statusCode;
  expect(await status('/qr/entry_nobody.png')).toBe(404);
  expect(await status('/qr/entry_chenguang.gif')).toBe(404);
  expect(await status('/qr/..%2Fsecret.png')).toBe(404);
  await sqlAsOwner("update muserclient set enabled = 0 where clientcode = 'entry_chenguang'");
  expect(await status('/qr/entry_chenguang.png')).toBe(404);
  await sqlAsOwner("update muser set enabled = 0 where musercode = 'M_DONGSHAN'");
  expect(await status('/qr/entry_dongshan.png')).toBe(404);
});
