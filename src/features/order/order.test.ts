import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { getMUserAssessCount, grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import * as order from '#features/order/order.contract.ts';
import { endDueOrders } from '#features/order/orderJobs.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { aCourse } from '#testing/content/contents.ts';
import { findDisagreements } from '#testing/counts.ts';
import { setPermission } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** 安澜心理 sells; 马主任 buys for 晨光中学. */
async function open() {
  const server = await startServer();
  const counter = await openCounter(server);
  const stockOf = async (goodsid: number) =>
    (await server.sqlAsOwner<{ stock: number }>('select stock from goods where goodsid = $1', [goodsid]))[0]?.stock;
  /** The free and frozen counts of an institution for any plan. */
  const walletOf = async (who: 'fang' | 'ma') => {
    const { wallets } = await server.as(who)(getMUserAssessCount, {});
    const { free = 0, frozen = 0 } = wallets.find(({ plancode }) => plancode === '*') ?? {};
    return { free, frozen };
  };
  const statusOf = async (orderno: string) => (await server.as('ma')(order.getOrderDetail, { orderno })).orderstatus;
  return { ...server, ...counter, stockOf, walletOf, statusOf };
}

test('马主任 orders two packages: the stock is taken and the counts of 安澜心理 are held', async () => {
  const { buy, stockOf, walletOf, as, ...server } = await open();
  const goodsid = await sellGoods(server, { stock: 5 });
  const orderno = await buy([{ goodsid, qty: 2 }]);
  expect(await stockOf(goodsid)).toBe(3);
  expect(await walletOf('fang')).toEqual({ free: 4800, frozen: 200 });
  expect(await as('ma')(order.getOrderDetail, { orderno })).toMatchObject({
    ...{ orderstatus: 1, statusname: '待支付', payamount: 100_000, insname: '云栖市晨光中学', sellername: '安澜心理' },
    actions: ['pay', 'cancel'],
    log: [{ event: '提交订单', operatorname: '马主任' }],
  });
  expect((await as('fang')(getNoticePageList, {})).rows.map(({ title }) => title)).toContain('收到新订单');
  expect(await findDisagreements(server)).toEqual([]);
});

test('of two hundred buyers at once exactly as many get an order as there is stock', async () => {
  const { as, stockOf, walletOf, ...server } = await open();
  const goodsid = await sellGoods(server, { stock: 7, qty: 10 });
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, () => as('ma')(order.insertOrder, { items: [{ goodsid, qty: 1 }] })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [(answer.reason as { code: number }).code] : []));
  expect(new Set(refusals)).toEqual(new Set([140001]));
  expect(await stockOf(goodsid)).toBe(0);
  expect(await walletOf('fang')).toEqual({ free: 4930, frozen: 70 });
  expect((await as('fang')(order.getOrderPageList, {})).total).toBe(7);
}, 240_000);

test('the same key again, also at the same time, returns the same order', async () => {
  const { as, stockOf, ...server } = await open();
  const goodsid = await sellGoods(server, { stock: 9 });
  const request = { items: [{ goodsid, qty: 1 }], clientkey: randomUUID() };
  const answers = await Promise.all([1, 2, 3, 4].map(() => as('ma')(order.insertOrder, request)));
  expect(new Set(answers.map(({ orderno }) => orderno)).size).toBe(1);
  expect((await as('ma')(order.insertOrder, request)).orderno).toBe(answers[0]?.orderno);
  expect(await stockOf(goodsid)).toBe(8);
});

test('a seller with too few counts gets no order, and its stock stays', async () => {
  const { as, stockOf, ...server } = await open();
  const goodsid = await sellGoods(server, { stock: 9, qty: 3000 });
  await as('ma')(order.insertOrder, { items: [{ goodsid, qty: 1 }] });
  await expect(as('ma')(order.insertOrder, { items: [{ goodsid, qty: 1 }] })).rejects.toMatchObject({
    ...{ code: 150001, message: /需要 3,000 次，剩余 2,000 次/ },
  });
  expect(await stockOf(goodsid)).toBe(8);
});

test('the price that the buyer saw counts, one order has one seller, and goods come once', async () => {
  const { as, ...server } = await open();
  const goodsid = await sellGoods(server);
  const other = await sellGoods(server, { musercode: 'AS000001', createby: 'AS000001' });
  const place = (items: { goodsid: number; qty: number; price?: number }[]) => as('ma')(order.insertOrder, { items });
  await expect(place([{ goodsid, qty: 1, price: 49_900 }])).rejects.toMatchObject({ code: 140001, message: /500\.00 元/ });
  await expect(
    place([
      { goodsid, qty: 1 },
      { goodsid: other, qty: 1 },
    ]),
  ).rejects.toMatchObject({ code: 120002 });
  await expect(
    place([
      { goodsid, qty: 1 },
      { goodsid, qty: 1 },
    ]),
  ).rejects.toMatchObject({ code: 120002 });
  await expect(place([{ goodsid: 999_999, qty: 1 }])).rejects.toMatchObject({ code: 130001 });
});

test('things need a receiver, and only the two parties read the telephone', async () => {
  const { as, sqlAsOwner, ...server } = await open();
  const goodsid = await sellGoods({ sqlAsOwner }, { goodsname: '沙盘', goodstype: '04', price: 88_000 });
  const items = [{ goodsid, qty: 1 }];
  await expect(as('ma')(order.insertOrder, { items })).rejects.toMatchObject({ code: 120001, data: { field: 'receiver' } });
  const receiver = { receiver: '马文博', receiverphone: '13800000001', receiveraddress: '云栖市晨光路 1 号' };
  const { orderno } = await as('ma')(order.insertOrder, { items, ...receiver });
  expect(await as('fang')(order.getOrderDetail, { orderno })).toMatchObject(receiver);
  const [row] = await sqlAsOwner<{ receiverphone: string }>('select receiverphone from orders where orderno = $1', [orderno]);
  expect(row?.receiverphone).not.toContain('13800000001');
  expect(server.errors).toEqual([]);
});

test('an order that is cancelled gives back stock and counts, and is over', async () => {
  const { as, buy, stockOf, walletOf, statusOf, ...server } = await open();
  const goodsid = await sellGoods(server, { stock: 5 });
  const orderno = await buy([{ goodsid, qty: 2 }]);
  expect(await as('ma')(order.cancelOrder, { orderno, reason: '重复下单' })).toEqual({ orderstatus: 5 });
  expect(await stockOf(goodsid)).toBe(5);
  expect(await walletOf('fang')).toEqual({ free: 5000, frozen: 0 });
  await expect(as('ma')(order.payOrder, { orderno, paychannel: '04' })).rejects.toMatchObject({ code: 140001 });
  await expect(as('fang')(order.cancelOrder, { orderno, reason: '再次' })).rejects.toMatchObject({ code: 140001 });
  expect(await statusOf(orderno)).toBe(5);
  expect(await findDisagreements(server)).toEqual([]);
});

test('a payment that is under way cannot be cancelled', async () => {
  const { as, buy, ...server } = await open();
  const orderno = await buy([{ goodsid: await sellGoods(server), qty: 1 }]);
  await as('ma')(order.payOrder, { orderno, paychannel: '01' });
  await expect(as('ma')(order.cancelOrder, { orderno, reason: '不要了' })).rejects.toMatchObject({ code: 140001 });
});

test('an unpaid order ends after seven days, or after thirty minutes when it was to be paid online', async () => {
  const { as, buy, clock, services, statusOf, stockOf, ...server } = await open();
  const goodsid = await sellGoods(server, { stock: 5 });
  const byTransfer = await buy([{ goodsid, qty: 1 }]);
  const online = (await as('ma')(order.insertOrder, { items: [{ goodsid, qty: 1 }], paychannel: '01' })).orderno;
  const after = async (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * 60_000);
    expect(await endDueOrders(services, clock.now)).toEqual([]);
    return [await statusOf(byTransfer), await statusOf(online)];
  };
  expect(await after(29)).toEqual([1, 1]);
  expect(await after(1)).toEqual([1, 5]);
  expect(await after(7 * 24 * 60)).toEqual([5, 5]);
  expect(await stockOf(goodsid)).toBe(5);
});

test('an online payment without a result returns to 待支付 after fifteen minutes; a transfer waits for the seller', async () => {
  const { as, buy, clock, services, statusOf, ...server } = await open();
  const goodsid = await sellGoods(server);
  const [online, transfer] = [await buy([{ goodsid, qty: 1 }]), await buy([{ goodsid, qty: 1 }])];
  await as('ma')(order.payOrder, { orderno: online, paychannel: '02' });
  await as('ma')(order.payOrder, { orderno: transfer, paychannel: '04' });
  clock.now = new Date(clock.now.getTime() + 15 * 60_000);
  expect(await endDueOrders(services, clock.now)).toEqual([]);
  expect([await statusOf(online), await statusOf(transfer)]).toEqual([1, 2]);
  clock.now = new Date(clock.now.getTime() + 30 * 24 * 3_600_000);
  await endDueOrders(services, clock.now);
  expect([await statusOf(online), await statusOf(transfer)]).toEqual([5, 2]);
});

test('before an order returns to 待支付, the server asks the gateway and finds the payment whose notice was lost', async () => {
  const { as, buy, clock, services, statusOf, gateways, ...server } = await open();
  const orderno = await buy([{ goodsid: await sellGoods(server), qty: 1 }]);
  await as('ma')(order.payOrder, { orderno, paychannel: '01' });
  gateways['01'].pay(orderno, true, clock.now);
  clock.now = new Date(clock.now.getTime() + 15 * 60_000);
  expect(await endDueOrders(services, clock.now)).toEqual([]);
  expect(await statusOf(orderno)).toBe(3);
});

test('what costs nothing is delivered at once: counts and the course', async () => {
  const { as, walletOf, sqlAsOwner, ...server } = await open();
  const { courseid } = await aCourse({ sqlAsOwner }, { free: 0 });
  const counts = await sellGoods({ sqlAsOwner }, { price: 0 });
  const course = await sellGoods({ sqlAsOwner }, { goodsname: '情绪课', goodstype: '02', courseid, validdays: 30, price: 0 });
  const items = [
    { goodsid: counts, qty: 1 },
    { goodsid: course, qty: 1 },
  ];
  const { orderno, orderstatus } = await as('ma')(order.insertOrder, { items });
  expect(orderstatus).toBe(3);
  expect(await walletOf('ma')).toEqual({ free: 10_100, frozen: 0 });
  expect(await walletOf('fang')).toEqual({ free: 4900, frozen: 0 });
  const access = await sqlAsOwner('select musercode, enddate::text from courseaccess where orderno = $1', [orderno]);
  expect(access).toEqual([{ musercode: 'M_CHENGUANG', enddate: '2025-11-07' }]);
  expect(server.errors).toEqual([]);
});

test('bought counts end with the days of the package, and never later than those of the seller', async () => {
  const { as, buy, payByTransfer, sqlAsOwner, ...server } = await open();
  const goodsid = await sellGoods({ sqlAsOwner }, { validdays: 30, plancode: '*' });
  const orderno = await buy([{ goodsid, qty: 1 }]);
  await payByTransfer(orderno, 50_000);
  expect((await as('ma')(order.getOrderDetail, { orderno })).items[0]?.enddate).toBe('2025-11-07');
  await as('super')(grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 100, enddate: '2025-10-20' });
  const next = await buy([{ goodsid, qty: 1 }]);
  await payByTransfer(next, 50_000);
  expect((await as('ma')(order.getOrderDetail, { orderno: next })).items[0]?.enddate).toBe('2025-10-20');
  expect(server.errors).toEqual([]);
});

test('a sister school and staff without 订单管理 find nothing of the order', async () => {
  const { as, buy, ...server } = await open();
  const orderno = await buy([{ goodsid: await sellGoods(server), qty: 1 }]);
  await setPermission(server, 'U_QIAO', '00027', 'grant');
  const qiao = as('qiao');
  for (const call of [
    () => qiao(order.getOrderDetail, { orderno }),
    () => qiao(order.payOrder, { orderno, paychannel: '04' }),
    () => qiao(order.cancelOrder, { orderno, reason: '试' }),
    () => qiao(order.getPayResult, { orderno }),
    () => qiao(order.updateInvoice, { orderno, invoicetitle: '试' }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 130001 });
  expect((await qiao(order.getOrderPageList, {})).total).toBe(0);
  await expect(as('chen')(order.getOrderDetail, { orderno })).rejects.toMatchObject({ code: 110004 });
  await expect(as('fang')(order.payOrder, { orderno, paychannel: '04' })).rejects.toMatchObject({ code: 110004 });
});

test('the list shows each side its orders with their sums, by status too', async () => {
  const { as, buy, payByTransfer, ...server } = await open();
  const goodsid = await sellGoods(server);
  const paid = await buy([{ goodsid, qty: 1 }]);
  await payByTransfer(paid, 50_000);
  await buy([{ goodsid, qty: 2 }]);
  for (const who of ['ma', 'fang', 'super'] as const)
    expect(await as(who)(order.getOrderPageList, {})).toMatchObject({
      ...{ total: 2, sums: { totalamount: 150_000, payamount: 50_000, refundamount: 0 } },
    });
  expect((await as('fang')(order.getOrderPageList, { side: 'bought' })).total).toBe(0);
  expect((await as('fang')(order.getOrderPageList, { orderstatus: [3] })).rows.map(({ orderno }) => orderno)).toEqual([paid]);
  const counts = await as('fang')(order.getOrderStatusCount, {});
  expect(counts.filter(({ count }) => count > 0).map(({ statusname, amount }) => [statusname, amount])).toEqual([
    ['待支付', 100_000],
    ['已支付', 50_000],
  ]);
});
