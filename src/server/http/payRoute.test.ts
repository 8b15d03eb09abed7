import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { httpServer } from '#server/http/http.ts';
import { serveLocalPayments } from '#server/http/localPayRoute.ts';
import { servePayNotices } from '#server/http/payRoute.ts';
import { localGateway, type SignedNotice } from '#server/pay/localGateway.ts';
import { openLocalGateways } from '#server/pay/openGateways.ts';
import * as order from '#features/order/order.contract.ts';
import { refundOrder } from '#features/order/refund/refund.contract.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { startServer } from '#testing/server.ts';

/** 马主任 pays an order by 微信; the server listens for notices and shows the local page. */
async function open() {
  const server = await startServer();
  const counter = await openCounter(server);
  const lines: Record<string, unknown>[] = [];
  const clock = () => server.clock.now;
  const app = httpServer({
    ...{ dispatch: server.dispatch, actions: new Map(), touch: () => undefined, log: (line) => lines.push(line) },
    ready: async () => ({ ok: true }),
  });
  servePayNotices(app, server.services, { clock, log: (line) => lines.push(line) });
  serveLocalPayments(app, server.services, counter.gateways, { clock });
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const orderno = await counter.buy([{ goodsid: await sellGoods(server), qty: 1 }]);
  await server.as('ma')(order.payOrder, { orderno, paychannel: '01' });
  const statusOf = async () => (await server.as('ma')(order.getOrderDetail, { orderno })).orderstatus;
  const send = async (
    signed: SignedNotice | undefined,
    channel = '01',
    more: { body?: string; headers?: Record<string, string> } = {},
  ) => {
    const headers = { 'content-type': 'application/json', ...signed?.headers, ...more.headers };
    const payload = more.body ?? signed?.body ?? '';
    const response = await fetch(`${base}/pay/${channel}`, { method: 'POST', headers, body: payload });
    return [response.status, await response.text()] as const;
  };
  return { ...server, ...counter, base, orderno, statusOf, send, lines };
}

test('a signed notice is stored once and answered with success each time', async () => {
  const { gateways, orderno, clock, send, statusOf, sqlAsOwner } = await open();
  const notice = gateways['01'].pay(orderno, true, clock.now);
  expect([await send(notice), await send(notice)]).toEqual([
    [200, 'success'],
    [200, 'success'],
  ]);
  expect(await statusOf()).toBe(3);
  expect(await sqlAsOwner('select state from paynotice')).toEqual([{ state: 'success' }]);
});

test('a forged notice changes nothing: another body, key, time or channel, or no signature', async () => {
  const { gateways, orderno, clock, send, statusOf, lines } = await open();
  const notice = gateways['01'].pay(orderno, false, clock.now) as SignedNotice;
  const forger = localGateway({ secret: 'a guess', publicUrl: '' });
  await forger.create({ orderno, amount: 50_000, title: '', seller: 'M_ANLAN' });
  const answers = [
    await send(notice, '01', { body: notice.body.replace('"fail"', '"success"') }),
    await send(forger.pay(orderno, true, clock.now)),
    await send(notice, '01', { headers: { 'x-pay-time': String(clock.now.getTime() + 1) } }),
    await send(undefined, '01', { body: notice.body }),
    await send(undefined, '01', { body: 'no json' }),
  ];
  expect(answers.map(([status]) => status)).toEqual([401, 401, 401, 401, 401]);
  expect((await send(notice, '07'))[0]).toBe(404);
  expect(await statusOf()).toBe(2);
  expect(JSON.stringify(lines)).not.toContain(orderno);
});

test('an old notice is proven by a query: the server takes what the gateway says now', async () => {
  const { gateways, orderno, clock, send, statusOf } = await open();
  const failure = gateways['01'].pay(orderno, false, clock.now);
  gateways['01'].pay(orderno, true, clock.now);
  clock.now = new Date(clock.now.getTime() + 6 * 60_000);
  expect(await send(failure)).toEqual([200, 'success']);
  expect(await statusOf()).toBe(3);
});

test('an old notice that the gateway knows nothing of is refused', async () => {
  const { orderno, clock, send, statusOf, services } = await open();
  const options = { secret: 'shared', publicUrl: '' };
  const before = localGateway(options);
  await before.create({ orderno, amount: 50_000, title: '', seller: 'M_ANLAN' });
  const notice = before.pay(orderno, true, clock.now);
  services.gateways = { '01': localGateway(options) };
  clock.now = new Date(clock.now.getTime() + 6 * 60_000);
  expect((await send(notice))[0]).toBe(401);
  expect(await statusOf()).toBe(2);
});

test('the money of another seller, an unknown order and a large body are refused', async () => {
  const { gateways, orderno, clock, send, statusOf } = await open();
  await gateways['02'].create({ orderno, amount: 50_000, title: '', seller: 'M_OTHER' });
  expect((await send(gateways['02'].pay(orderno, true, clock.now), '02'))[0]).toBe(400);
  const unknown = '20250101000000000000';
  await gateways['01'].create({ orderno: unknown, amount: 1, title: '', seller: 'M_ANLAN' });
  expect((await send(gateways['01'].pay(unknown, true, clock.now)))[0]).toBe(404);
  expect((await send(undefined, '01', { body: 'x'.repeat(65 * 1024) }))[0]).toBe(413);
  expect(await statusOf()).toBe(2);
});

test('an address that sends too much waits', async () => {
  const { send } = await open();
  const statuses: unknown[] = [];
  for (let number = 0; number < 90; number += 1) statuses.push((await send(undefined))[0]);
  expect(statuses[0]).toBe(401);
  expect(statuses).toContain(429);
});

test('on the local page a person lets the payment fail and then pays; the page says so and takes no second payment', async () => {
  const { base, orderno, statusOf, gateways, as } = await open();
  const url = `${base}/pay/local/${orderno}?channel=01`;
  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
  const html = await page.text();
  for (const word of ['模拟支付', '测评次数包（100 次）', '500.00 元', '支付成功', '支付失败', orderno])
    expect(html).toContain(word);
  const press = async (result: string) => (await fetch(url, { method: 'POST', body: new URLSearchParams({ result }) })).text();
  expect(await press('fail')).toContain('上一次支付没有成功');
  expect(await statusOf()).toBe(4);
  await as('ma')(order.payOrder, { orderno, paychannel: '01' });
  expect(await press('success')).toContain('支付成功');
  expect(await statusOf()).toBe(3);
  await press('success');
  expect(await gateways['01'].list('2025-10-08')).toHaveLength(1);
  expect((await fetch(`${base}/pay/local/20250101000000000000`)).status).toBe(404);
});

test('the local gateways exist with their setting only, end refunds at once, and know their payments after a restart', async () => {
  const { as, services, clock, buy, tian, ...server } = await open();
  const dataDir = await mkdtemp(join(tmpdir(), 'pay-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  expect(await openLocalGateways({ isPayLocal: false, dataDir }, 'http://localhost')).toBeUndefined();
  const start = async () => {
    const gateways = await openLocalGateways({ isPayLocal: true, dataDir }, 'http://localhost');
    services.gateways = gateways;
    return gateways?.['02'];
  };
  const gateway = await start();
  const orderno = await buy([{ goodsid: await sellGoods(server), qty: 1 }]);
  expect((await as('ma')(order.payOrder, { orderno, paychannel: '02' })).payurl).toBe(
    `http://localhost/pay/local/${orderno}?channel=02`,
  );
  gateway?.pay(orderno, true, clock.now);
  await start();
  expect(await as('ma')(order.getPayResult, { orderno })).toEqual({ orderstatus: 3 });
  await as('fang')(refundOrder, { orderno, items: [{ seq: 1, qty: 1 }], reason: '试' });
  expect((await tian(order.getOrderDetail, { orderno })).orderstatus).toBe(11);
});
