import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import { getMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { cancelOrder, payOrder } from '#features/order/order.contract.ts';
import { endDueOrders, sendRefunds } from '#features/order/orderJobs.ts';
import * as refunds from '#features/order/refund/refund.contract.ts';
import * as contract from '#features/order/reconcile/reconcile.contract.ts';
import { reconcileOrdersDue, reconcileSellers } from '#features/order/reconcile/reconcile.ts';
import { findDisagreements } from '#testing/counts.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { startServer } from '#testing/server.ts';

const DAY = '2025-10-08';

/** A day at the counter: a package paid by transfer and half refunded, one paid by WeChat, a cancelled order and an open one. */
async function aDay() {
  const server = await startServer();
  const { as, clock } = server;
  const counter = await openCounter(server);
  const counts = await sellGoods(server, { stock: 20 });
  const service = await sellGoods(server, { goodsname: '驻校督导（一次）', goodstype: '03', price: 80_000, stock: 5 });
  const transfer = await counter.buy([{ goodsid: counts, qty: 2 }]);
  await counter.payByTransfer(transfer, 100_000);
  const { refundno } = await as('fang')(refunds.refundOrder, {
    ...{ orderno: transfer, items: [{ seq: 1, qty: 1 }], reason: '学生人数减少' },
  });
  await counter.tian(refunds.answerRefund, { refundno, agree: true, refundpayno: 'BANK-1' });
  const online = await counter.buy([
    { goodsid: counts, qty: 1 },
    { goodsid: service, qty: 1 },
  ]);
  await counter.payOnline(online, '01', 2);
  const cancelled = await counter.buy([{ goodsid: service, qty: 2 }]);
  await as('ma')(cancelOrder, { orderno: cancelled, reason: '重复下单' });
  const open = await counter.buy([{ goodsid: counts, qty: 3 }]);
  const nextNight = () => (clock.now = addDays(new Date('2025-10-07T18:00:00Z'), 1));
  const compare = async () => {
    await reconcileSellers(server.services, ['M_ANLAN'], DAY, nextNight());
    return as('fang')(contract.getReconcileDetail, { day: DAY });
  };
  return { ...server, counter, counts, transfer, online, cancelled, open, refundno, nextNight, compare };
}

test('the night compares the day of 安澜心理, and payments, counts, holds and stock agree', async () => {
  const { as, services, nextNight, sqlAsOwner } = await aDay();
  expect((await as('fang')(contract.getReconcileList, {})).total).toBe(0);
  expect(await reconcileOrdersDue(services, nextNight())).toEqual([]);
  const { rows } = await as('fang')(contract.getReconcileList, {});
  expect(rows).toMatchObject([
    { musercode: 'M_ANLAN', insname: '安澜心理', day: DAY, paid: 230_000, refunded: 50_000, isbalanced: 1, faults: 0 },
  ]);
  const { lines } = await as('fang')(contract.getReconcileDetail, { day: DAY });
  expect(lines.map(({ title, expected, actual, ordernos }) => [title, expected, actual, ordernos])).toEqual([
    ['收款 · 微信', 130_000, 130_000, []],
    ['收款 · 线下', 100_000, 100_000, []],
    ['退款 · 线下', 50_000, 50_000, []],
    ['渠道流水 · 微信', 130_000, 130_000, []],
    ['渠道流水 · 支付宝', 0, 0, []],
    ['买方入账次数', 200, 200, []],
    ['卖方出账次数', 200, 200, []],
    ['未付订单预留次数', 300, 300, []],
    ['卖方冻结流水', 300, 300, []],
    ['占用库存', 7, 7, []],
  ]);
  // The second run of the night finds nothing to do, and the wallets agree with their ledger.
  expect(await reconcileOrdersDue(services, nextNight())).toEqual([]);
  expect(await sqlAsOwner('select day from payreconcile')).toHaveLength(1);
  expect(await findDisagreements({ sqlAsOwner })).toEqual([]);
  expect((await as('ma')(getMUserAssessCount, {})).wallets).toMatchObject([{ plancode: '*', free: 10_200 }]);
});

test('the buyer, a stranger and another provider never read a comparison, and the platform reads those of all sellers', async () => {
  const { as, compare } = await aDay();
  await compare();
  for (const person of ['ma', 'chen', 'lin', 'zhou', 'duty'] as const) {
    await expect(as(person)(contract.getReconcileList, {})).rejects.toMatchObject({ code: 110004 });
    await expect(as(person)(contract.getReconcileDetail, { day: DAY })).rejects.toMatchObject({ code: 110004 });
  }
  await expect(as('fang')(contract.getReconcileList, { musercode: '0' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('fang')(contract.getReconcileDetail, { day: '2025-10-07' })).rejects.toMatchObject({ code: 130001 });
  expect((await as('super')(contract.getReconcileList, {})).rows).toMatchObject([{ insname: '安澜心理', isbalanced: 1 }]);
  expect((await as('super')(contract.getReconcileDetail, { musercode: 'M_ANLAN', day: DAY })).lines).toHaveLength(10);
  await expect(as('super')(contract.getReconcileDetail, { day: DAY })).rejects.toMatchObject({ code: 130001 });
});

type Day = Awaited<ReturnType<typeof aDay>>;

test.for<[what: string, kinds: string[], plant: (day: Day) => Promise<string>]>([
  [
    'an order that says less than was transferred',
    ['paid'],
    async ({ sqlAsOwner, transfer }) => {
      await sqlAsOwner('update orders set payamount = payamount - 1 where orderno = $1', [transfer]);
      return transfer;
    },
  ],
  [
    'a refund that the order does not know',
    ['refunded'],
    async ({ sqlAsOwner, transfer }) => {
      await sqlAsOwner('update orders set refundamount = 0 where orderno = $1', [transfer]);
      return transfer;
    },
  ],
  [
    'a payment whose notice never came',
    ['gateway'],
    async ({ as, counter, open, clock }) => {
      await as('ma')(payOrder, { orderno: open, paychannel: '02' });
      counter.gateways['02'].pay(open, true, clock.now);
      return open;
    },
  ],
  [
    'units that went back without their counts',
    ['counts', 'counts'],
    async ({ sqlAsOwner, online }) => {
      await sqlAsOwner('update orderitem set refundedqty = 1 where orderno = $1 and seq = 1', [online]);
      return online;
    },
  ],
  [
    'an open order without its hold',
    ['holds'],
    async ({ sqlAsOwner, open }) => {
      await sqlAsOwner('delete from orderhold where orderno = $1', [open]);
      return open;
    },
  ],
  [
    'an order that was cancelled without its stock and counts',
    ['holds', 'holds', 'stock'],
    async ({ sqlAsOwner, open }) => {
      await sqlAsOwner('update orders set orderstatus = 5 where orderno = $1', [open]);
      return open;
    },
  ],
])('the comparison finds %s and names the order', async ([, kinds, plant]) => {
  const day = await aDay();
  expect((await day.compare()).lines.filter(({ isbalanced }) => isbalanced === 0)).toEqual([]);
  day.clock.now = new Date('2025-10-08T02:00:00Z');
  const orderno = await plant(day);
  const wrong = (await day.compare()).lines.filter(({ isbalanced }) => isbalanced === 0);
  expect(wrong.map(({ kind, ordernos }) => [kind, ordernos])).toEqual(kinds.map((kind) => [kind, [orderno]]));
  expect((await day.as('fang')(contract.getReconcileList, {})).rows).toMatchObject([{ isbalanced: 0, faults: kinds.length }]);
  // The seller's staff learn it.
  expect(await day.sqlAsOwner("select userid from notification where title = '订单对账不平' order by userid")).toEqual([
    { userid: 'U_FANG' },
    { userid: 'U_TIAN' },
  ]);
});

test('money for a cancelled order goes back by itself, and the day agrees', async () => {
  const server = await startServer();
  const { as, clock, services } = server;
  const { buy, gateways, receive } = await openCounter(server);
  const goodsid = await sellGoods(server);
  const orderno = await buy([{ goodsid, qty: 1 }]);
  await as('ma')(payOrder, { orderno, paychannel: '01' });
  // 马主任 pays after the payment has timed out and the order was cancelled; the notice comes late.
  clock.now = new Date('2025-10-08T02:20:00Z');
  expect(await endDueOrders(services, clock.now)).toEqual([]);
  await as('ma')(cancelOrder, { orderno, reason: '不需要了' });
  await receive('01', gateways['01'].pay(orderno, true, clock.now), 2);
  expect(await sendRefunds(services, clock.now)).toEqual([]);
  const [refundno] = gateways['01'].findRefunds();
  await receive('01', gateways['01'].endRefund(refundno as string, true, clock.now), 2);
  await reconcileSellers(services, ['M_ANLAN'], DAY, clock.now);
  const { lines } = await as('fang')(contract.getReconcileDetail, { day: DAY });
  expect(lines.filter(({ kind }) => kind === 'paid' || kind === 'refunded' || kind === 'gateway')).toMatchObject([
    { title: '收款 · 微信', expected: 50_000, actual: 50_000, isbalanced: 1 },
    { title: '退款 · 微信', expected: 50_000, actual: 50_000, isbalanced: 1 },
    { title: '渠道流水 · 微信', expected: 0, actual: 0, isbalanced: 1 },
    { title: '渠道流水 · 支付宝', expected: 0, actual: 0, isbalanced: 1 },
  ]);
  expect(lines.every(({ isbalanced }) => isbalanced === 1)).toBe(true);
});
