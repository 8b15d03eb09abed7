import { expect, test } from 'vitest';
import { getMUserAssessCount, grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import * as order from '#features/order/order.contract.ts';
import { refundOrder, answerRefund } from '#features/order/refund/refund.contract.ts';
import { aCourse } from '#testing/content/contents.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { findDisagreements } from '#testing/counts.ts';
import { startServer } from '#testing/server.ts';

/** 马主任 has bought four packages of a plan, 100 counts at 500 元 each, which 方敏 may refund. */
async function open(channel: 'transfer' | '01' = 'transfer') {
  const server = await startServer();
  const counter = await openCounter(server);
  const goodsid = await sellGoods(server, { stock: 50 });
  const orderno = await counter.buy([{ goodsid, qty: 4 }]);
  await (channel === 'transfer' ? counter.payByTransfer(orderno, 200_000) : counter.payOnline(orderno, channel));
  const { fang, ma } = { fang: server.as('fang'), ma: server.as('ma') };
  const detail = () => fang(order.getOrderDetail, { orderno });
  const freeOf = async (who: 'fang' | 'ma') =>
    (await server.as(who)(getMUserAssessCount, {})).wallets.find(({ plancode }) => plancode === '*')?.free;
  const ask = (qty: number, more: object = {}) =>
    fang(refundOrder, { orderno, items: [{ seq: 1, qty }], reason: '学生人数减少', ...more });
  const agree = (refundno: string) => counter.tian(answerRefund, { refundno, agree: true, refundpayno: `R-${refundno}` });
  /** The gateway ends the only repayment that runs. */
  const end = async (isSuccessful: boolean) => {
    const [refundno = ''] = counter.gateways['01'].findRefunds();
    await counter.receive('01', counter.gateways['01'].endRefund(refundno, isSuccessful, server.clock.now), 2);
  };
  return { ...server, ...counter, goodsid, orderno, fang, ma, detail, freeOf, ask, agree, end };
}

test('half of a paid order is refunded, and later the rest: counts, ledger, money and order agree', async () => {
  const { ask, agree, detail, freeOf, orderno, sqlAsOwner, ...server } = await open();
  const { refundno, status } = await ask(2);
  expect([status, await freeOf('ma')]).toEqual([0, 10_400]);
  expect(await agree(refundno)).toEqual({ orderstatus: 10, status: 2 });
  expect([await freeOf('ma'), await freeOf('fang')]).toEqual([10_200, 4800]);
  expect(await detail()).toMatchObject({ orderstatus: 10, refundamount: 100_000, items: [{ refundedqty: 2, refundable: 2 }] });
  const { refundno: rest } = await ask(2);
  expect(await agree(rest)).toEqual({ orderstatus: 11, status: 2 });
  expect([await freeOf('ma'), await freeOf('fang')]).toEqual([10_000, 5000]);
  await expect(ask(1)).rejects.toMatchObject({ code: 140001 });
  const sums = await sqlAsOwner(
    "select musercode, sum(qty)::int as sum from assesscountlog where orderno = $1 and kind in ('02', '06') group by 1 order by 1",
    [orderno],
  );
  expect(sums).toEqual([
    { musercode: 'M_ANLAN', sum: 0 },
    { musercode: 'M_CHENGUANG', sum: 0 },
  ]);
  expect(await findDisagreements({ sqlAsOwner })).toEqual([]);
  expect(server.errors).toEqual([]);
});

test('the human who asked cannot agree, and a refusal leaves everything as it was', async () => {
  const { ask, fang, tian, detail, freeOf } = await open();
  const { refundno } = await ask(1);
  await expect(fang(answerRefund, { refundno, agree: true, refundpayno: 'X' })).rejects.toMatchObject({ code: 140001 });
  await expect(ask(1)).rejects.toMatchObject({ code: 140001, message: /还没有完成/ });
  await expect(tian(answerRefund, { refundno, agree: false })).rejects.toMatchObject({ data: { field: 'answer' } });
  expect(await tian(answerRefund, { refundno, agree: false, answer: '合同不允许' })).toEqual({ orderstatus: 3, status: 4 });
  expect(await freeOf('ma')).toBe(10_400);
  expect((await detail()).refunds).toMatchObject([
    { statusname: '未通过', answer: '合同不允许', askedby: '方敏', answeredby: '田悦' },
  ]);
  expect((await ask(1)).status).toBe(0);
});

test('a part of a free order goes back, and later the rest', async () => {
  const { buy, fang, tian, ...server } = await open();
  const goodsid = await sellGoods(server, { price: 0, goodsname: '体验次数包' });
  const orderno = await buy([{ goodsid, qty: 2 }]);
  const giveBack = async () => {
    const { refundno } = await fang(refundOrder, { orderno, items: [{ seq: 1, qty: 1 }], reason: '暂不使用' });
    return (await tian(answerRefund, { refundno, agree: true })).orderstatus;
  };
  expect([await giveBack(), await giveBack()]).toEqual([10, 11]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('an offline refund needs the number of its repayment', async () => {
  const { ask, tian, freeOf } = await open();
  const { refundno } = await ask(1);
  await expect(tian(answerRefund, { refundno, agree: true })).rejects.toMatchObject({ data: { field: 'refundpayno' } });
  expect(await freeOf('ma')).toBe(10_400);
});

test('counts that the school no longer has are not refunded', async () => {
  const { ask, agree, as, freeOf, sqlAsOwner } = await open();
  await as('super')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', kind: '06', qty: 10_150, remark: '合同变更' });
  expect(await freeOf('ma')).toBe(250);
  await expect(ask(3)).rejects.toMatchObject({ code: 150001, data: { free: 250, need: 300 } });
  const { refundno } = await ask(2);
  await as('super')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', kind: '06', qty: 100, remark: '合同变更' });
  await expect(agree(refundno)).rejects.toMatchObject({ code: 150001, data: { free: 150, need: 200 } });
  expect(await findDisagreements({ sqlAsOwner })).toEqual([]);
});

test('more than was bought and more money than the goods cost are refused at the field', async () => {
  const { ask, fang, orderno } = await open();
  await expect(ask(5)).rejects.toMatchObject({ code: 120002, data: { field: 'items' } });
  await expect(ask(1, { amount: 50_001 })).rejects.toMatchObject({ code: 120002, data: { field: 'amount' } });
  await expect(ask(0, { amount: 200_001 })).rejects.toMatchObject({ code: 120002, data: { field: 'amount' } });
  const items = [{ seq: 9, qty: 1 }];
  await expect(fang(refundOrder, { orderno, items, reason: '试' })).rejects.toMatchObject({ data: { field: 'items' } });
});

test('goodwill gives money back and no counts, with a second human also online', async () => {
  const { ask, tian, end, detail, freeOf } = await open('01');
  const { refundno, status } = await ask(0, { amount: 1_000, reason: '延迟交付的补偿' });
  expect(status).toBe(0);
  expect(await tian(answerRefund, { refundno, agree: true })).toMatchObject({ status: 1 });
  await end(true);
  expect(await detail()).toMatchObject({ orderstatus: 10, refundamount: 1_000, items: [{ refundedqty: 0 }] });
  expect(await freeOf('ma')).toBe(10_400);
});

test('an online refund runs at once: the counts go first, and return when the gateway fails', async () => {
  const { ask, end, detail, freeOf, sqlAsOwner } = await open('01');
  expect(await ask(4)).toMatchObject({ status: 1, orderstatus: 3 });
  expect([await freeOf('ma'), await freeOf('fang')]).toEqual([10_000, 5000]);
  await end(false);
  expect([await freeOf('ma'), await freeOf('fang')]).toEqual([10_400, 4600]);
  expect(await detail()).toMatchObject({ orderstatus: 3, refundamount: 0, refunds: [{ statusname: '失败' }] });
  await ask(4);
  await end(true);
  expect(await detail()).toMatchObject({ orderstatus: 11, refundamount: 200_000 });
  expect(await freeOf('ma')).toBe(10_000);
  expect(await findDisagreements({ sqlAsOwner })).toEqual([]);
});

test('a service that was delivered is not refunded; before, it is', async () => {
  const { buy, payByTransfer, agree, fang, ...server } = await open();
  const goodsid = await sellGoods(server, { goodsname: '驻校督导（一次）', goodstype: '03', price: 80_000 });
  const orderno = await buy([{ goodsid, qty: 2 }]);
  await payByTransfer(orderno, 160_000);
  const ask = (qty: number) => fang(refundOrder, { orderno, items: [{ seq: 1, qty }], reason: '改期' });
  await fang(order.deliverOrder, { orderno, seq: 1, delivered: 1 });
  await expect(ask(1)).rejects.toMatchObject({ code: 120002, message: /已交付/ });
  await fang(order.deliverOrder, { orderno, seq: 1, delivered: 0 });
  expect(await agree((await ask(1)).refundno)).toEqual({ orderstatus: 10, status: 2 });
});

test('a course that somebody has finished a lesson of is not refunded; before, its access ends', async () => {
  const { buy, payByTransfer, agree, fang, sqlAsOwner } = await open();
  const { courseid, lessonids } = await aCourse({ sqlAsOwner }, { free: 0 });
  const goodsid = await sellGoods({ sqlAsOwner }, { goodsname: '情绪课', goodstype: '02', courseid, price: 9_900 });
  const [orderno, again] = [await buy([{ goodsid, qty: 1 }]), await buy([{ goodsid, qty: 1 }])];
  await payByTransfer(orderno, 9_900);
  await payByTransfer(again, 9_900);
  const accesses = () => sqlAsOwner('select orderno from courseaccess where courseid = $1', [courseid]);
  const ask = (number: string) => fang(refundOrder, { orderno: number, items: [{ seq: 1, qty: 1 }], reason: '不需要' });
  expect(await agree((await ask(orderno)).refundno)).toEqual({ orderstatus: 11, status: 2 });
  expect(await accesses()).toEqual([{ orderno: again }]);
  await sqlAsOwner(
    `insert into lessonprogress (lessonid, musercode, accountid, finishtime, updatetime, begintime)
     values ($1, 'M_CHENGUANG', 'U_MA', now(), now(), now())`,
    [lessonids[0]],
  );
  await expect(ask(again)).rejects.toMatchObject({ code: 120002, message: /学完/ });
});

test('an unpaid order has nothing to refund, and the buyer refunds nothing', async () => {
  const { buy, goodsid, fang, ma } = await open();
  const orderno = await buy([{ goodsid, qty: 1 }]);
  const request = { orderno, items: [{ seq: 1, qty: 1 }], reason: '试' };
  await expect(fang(refundOrder, request)).rejects.toMatchObject({ code: 140001 });
  await expect(ma(refundOrder, request)).rejects.toMatchObject({ code: 110004 });
});
