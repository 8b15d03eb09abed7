import { expect, test } from 'vitest';
import { getMUserAssessCount, grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import * as file from '#features/file/file.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import * as order from '#features/order/order.contract.ts';
import { answerRefund } from '#features/order/refund/refund.contract.ts';
import { sendRefunds } from '#features/order/orderJobs.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { findDisagreements } from '#testing/counts.ts';
import { anInstitutionAccount } from '#testing/factories.ts';
import { png } from '#testing/files/picture.ts';
import { startServer } from '#testing/server.ts';

/** 马主任 has ordered one package of 100 counts at 500 元. */
async function open() {
  const server = await startServer();
  const counter = await openCounter(server);
  const goodsid = await sellGoods(server, { stock: 50 });
  const orderno = await counter.buy([{ goodsid, qty: 1 }]);
  const detail = (who: 'ma' | 'fang' = 'fang') => server.as(who)(order.getOrderDetail, { orderno });
  const freeOf = async (who: 'fang' | 'ma') =>
    (await server.as(who)(getMUserAssessCount, {})).wallets.find(({ plancode }) => plancode === '*')?.free;
  const titlesOf = async (who: 'fang' | 'ma') => (await server.as(who)(getNoticePageList, {})).rows.map(({ title }) => title);
  /** The ledger lines of the order, as 买方/卖方 kind and quantity. */
  const ledger = () =>
    server.sqlAsOwner<{ musercode: string; kind: string; qty: number }>(
      'select musercode, kind, qty from assesscountlog where orderno = $1 order by logid',
      [orderno],
    );
  const { ma, fang } = { ma: server.as('ma'), fang: server.as('fang') };
  return { ...server, ...counter, goodsid, orderno, detail, freeOf, titlesOf, ledger, ma, fang };
}
const transfer = { payno: 'BANK-1', amount: 50_000 };

test('方敏 records a transfer and 田悦 confirms it: the counts rise at the school, fall at the provider, and the ledger agrees', async () => {
  const { ma, fang, tian, orderno, detail, freeOf, ledger, ...server } = await open();
  const picture = { filename: '回单.png', mime: 'image/png', content: await png(20, 20) };
  const { fileid: voucherfileid } = await ma(file.updateToOSS, { biztype: 'voucher' }, picture);
  expect((await ma(order.payOrder, { orderno, paychannel: '03', voucherfileid })).orderstatus).toBe(2);
  expect((await detail()).voucherurl).toMatch(/^\/files\?k=/);
  await fang(order.recordTransfer, { orderno, ...transfer, date: '2025-10-08' });
  expect(await tian(order.confirmOfflinePay, { orderno, ...transfer })).toEqual({ orderstatus: 3 });
  expect(await tian(order.confirmOfflinePay, { orderno, ...transfer })).toEqual({ orderstatus: 3 });
  expect([await freeOf('ma'), await freeOf('fang')]).toEqual([10_100, 4900]);
  expect(await ledger()).toEqual([
    { musercode: 'M_ANLAN', kind: '03', qty: -100 },
    { musercode: 'M_ANLAN', kind: '05', qty: 100 },
    { musercode: 'M_ANLAN', kind: '02', qty: -100 },
    { musercode: 'M_CHENGUANG', kind: '02', qty: 100 },
  ]);
  expect((await detail()).log.map(({ event, operatorname }) => `${event} ${operatorname}`)).toEqual([
    '提交订单 马主任',
    '发起支付 马主任',
    '登记到账 方敏',
    '支付成功 田悦',
  ]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('a transfer needs its voucher, the exact amount, a day that has come and a record before the confirmation', async () => {
  const { ma, fang, tian, orderno } = await open();
  await expect(ma(order.payOrder, { orderno, paychannel: '03' })).rejects.toMatchObject({ data: { field: 'voucherfileid' } });
  await ma(order.payOrder, { orderno, paychannel: '04' });
  const record = (more: object) => fang(order.recordTransfer, { orderno, ...transfer, date: '2025-10-08', ...more });
  await expect(tian(order.confirmOfflinePay, { orderno, ...transfer })).rejects.toMatchObject({ code: 140001 });
  await expect(record({ amount: 49_999 })).rejects.toMatchObject({ code: 120002, data: { field: 'amount' } });
  await expect(record({ date: '2025-10-09' })).rejects.toMatchObject({ code: 120002, data: { field: 'date' } });
  await record({});
  const confirm = (more: object) => tian(order.confirmOfflinePay, { orderno, ...transfer, ...more });
  await expect(confirm({ payno: 'BANK-2' })).rejects.toMatchObject({ code: 120002, data: { field: 'payno' } });
  await expect(confirm({ amount: 5 })).rejects.toMatchObject({ code: 120002, data: { field: 'amount' } });
});

test('the human who recorded the transfer cannot confirm it, nor can a shared account, the own account or the buyer', async () => {
  const { ma, fang, as, orderno, detail, sqlAsOwner, withToken, ...server } = await open();
  await ma(order.payOrder, { orderno, paychannel: '04' });
  const confirm = (call: typeof ma) => call(order.confirmOfflinePay, { orderno, ...transfer });
  await fang(order.recordTransfer, { orderno, ...transfer, date: '2025-10-08' });
  await expect(confirm(fang)).rejects.toMatchObject({ code: 140001, message: /另一人/ });
  await sqlAsOwner("update sysuser set isshared = 1 where userid = 'U_TIAN'");
  await expect(confirm(withToken('tian'))).rejects.toMatchObject({ code: 140001, message: /共用账号/ });
  await expect(confirm(as('super'))).rejects.toMatchObject({ code: 140001, message: /主账号/ });
  await expect(confirm(ma)).rejects.toMatchObject({ code: 110004 });
  expect((await detail()).orderstatus).toBe(2);
  await anInstitutionAccount({ sqlAsOwner }, 'M_ANLAN', 'anlan');
  expect(server.errors).toEqual([]);
});

test('the seller rejects a transfer that it cannot find, and the school pays again', async () => {
  const { ma, fang, tian, orderno, titlesOf, freeOf } = await open();
  await ma(order.payOrder, { orderno, paychannel: '04' });
  expect(await fang(order.rejectOfflinePay, { orderno, reason: '没有到账' })).toEqual({ orderstatus: 4 });
  expect(await titlesOf('ma')).toContain('转账未核对上');
  await ma(order.payOrder, { orderno, paychannel: '04' });
  await fang(order.recordTransfer, { orderno, ...transfer, date: '2025-10-08' });
  await tian(order.confirmOfflinePay, { orderno, ...transfer });
  expect(await freeOf('ma')).toBe(10_100);
});

test('one number of a bank pays one order', async () => {
  const { ma, fang, tian, buy, goodsid, payByTransfer, orderno } = await open();
  await payByTransfer(orderno, 50_000, 'BANK-1');
  const next = await buy([{ goodsid, qty: 1 }]);
  await ma(order.payOrder, { orderno: next, paychannel: '04' });
  await fang(order.recordTransfer, { orderno: next, ...transfer, date: '2025-10-08' });
  await expect(tian(order.confirmOfflinePay, { orderno: next, ...transfer })).rejects.toMatchObject({ code: 130002 });
});

test('a payment through a gateway answers its address again, and its notice counts once however often it comes', async () => {
  const { ma, orderno, gateways, receive, clock, detail, freeOf } = await open();
  const { payurl, qrcode } = await ma(order.payOrder, { orderno, paychannel: '01' });
  expect(payurl).toContain(`/pay/local/${orderno}`);
  expect(await ma(order.payOrder, { orderno, paychannel: '01' })).toEqual({ orderstatus: 2, payurl, qrcode });
  await expect(ma(order.payOrder, { orderno, paychannel: '02' })).rejects.toMatchObject({ code: 140001 });
  await receive('01', gateways['01'].pay(orderno, true, clock.now), 3);
  expect(await detail()).toMatchObject({ orderstatus: 3, paychannel: '01', refunds: [] });
  expect(await freeOf('ma')).toBe(10_100);
});

test('without a gateway the channel is not offered', async () => {
  const { ma, orderno, services } = await open();
  services.gateways = undefined;
  await expect(ma(order.payOrder, { orderno, paychannel: '01' })).rejects.toMatchObject({ code: 170001 });
});

test('the screen of the buyer asks the gateway and sees the result', async () => {
  const { ma, orderno, gateways, clock } = await open();
  await ma(order.payOrder, { orderno, paychannel: '01' });
  expect(await ma(order.getPayResult, { orderno })).toEqual({ orderstatus: 2 });
  gateways['01'].pay(orderno, false, clock.now);
  expect(await ma(order.getPayResult, { orderno })).toEqual({ orderstatus: 4 });
  await ma(order.payOrder, { orderno, paychannel: '01' });
  gateways['01'].pay(orderno, true, clock.now);
  expect(await ma(order.getPayResult, { orderno })).toEqual({ orderstatus: 3 });
});

test('notices out of order: the failure of the first attempt comes after the success of the second', async () => {
  const { ma, orderno, gateways, receive, clock, detail } = await open();
  await ma(order.payOrder, { orderno, paychannel: '01' });
  const failure = gateways['01'].pay(orderno, false, clock.now);
  const success = gateways['01'].pay(orderno, true, clock.now);
  await receive('01', success);
  await receive('01', failure);
  expect((await detail()).orderstatus).toBe(3);
});

test('a payment that arrives after the order was cancelled goes back by itself, and 安澜心理 is told', async () => {
  const { ma, orderno, gateways, receive, clock, detail, freeOf, titlesOf, services, ...server } = await open();
  await ma(order.payOrder, { orderno, paychannel: '01' });
  const late = gateways['01'].pay(orderno, true, clock.now);
  await receive('01', gateways['01'].pay(orderno, false, clock.now));
  await ma(order.cancelOrder, { orderno, reason: '改用转账' });
  await receive('01', late, 2);
  expect(await detail()).toMatchObject({ orderstatus: 5, refunds: [{ amount: 50_000, issurplus: 1, statusname: '处理中' }] });
  expect(await titlesOf('fang')).toContain('收到多余付款');
  expect(await sendRefunds(services, clock.now)).toEqual([]);
  const [refundno = ''] = gateways['01'].findRefunds();
  await receive('01', gateways['01'].endRefund(refundno, true, clock.now), 2);
  expect(await detail()).toMatchObject({ orderstatus: 5, refundamount: 0, refunds: [{ statusname: '成功' }] });
  expect([await freeOf('ma'), await freeOf('fang')]).toEqual([10_000, 5000]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('a second payment and a wrong amount go back, and the order stays as it is', async () => {
  const { ma, orderno, gateways, receive, clock, detail, freeOf, buy, goodsid, as } = await open();
  await ma(order.payOrder, { orderno, paychannel: '01' });
  await receive('01', gateways['01'].pay(orderno, true, clock.now));
  await receive('01', gateways['01'].pay(orderno, true, clock.now));
  expect(await detail()).toMatchObject({ orderstatus: 3, refunds: [{ amount: 50_000, issurplus: 1 }] });
  expect(await freeOf('ma')).toBe(10_100);
  const next = await buy([{ goodsid, qty: 1 }]);
  await gateways['02'].create({ orderno: next, amount: 100, title: '少付', seller: 'M_ANLAN' });
  await ma(order.payOrder, { orderno: next, paychannel: '02' });
  await receive('02', gateways['02'].pay(next, true, clock.now));
  expect(await as('fang')(order.getOrderDetail, { orderno: next })).toMatchObject({
    ...{ orderstatus: 2, refunds: [{ amount: 100, issurplus: 1 }] },
  });
});

test('counts of the seller that ended before the payment: the order is paid and goes back whole', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const { buy, payByTransfer } = await openCounter(server);
  const musercode = 'M_ANLAN';
  await as('super')(grantMUserAssessCount, { musercode, kind: '06', qty: 5000, remark: '合同变更' });
  await as('super')(grantMUserAssessCount, { musercode, qty: 100, enddate: '2025-10-09' });
  const orderno = await buy([{ goodsid: await sellGoods(server), qty: 1 }]);
  clock.now = new Date('2025-10-10T02:00:00Z');
  await payByTransfer(orderno, 50_000);
  expect(await as('fang')(order.getOrderDetail, { orderno })).toMatchObject({
    ...{ orderstatus: 3, refunds: [{ amount: 50_000, issurplus: 0, statusname: '处理中' }] },
  });
  // The buyer has a right to this money, so nobody can refuse it.
  const [{ refundno = '' } = {}] = (await as('fang')(order.getOrderDetail, { orderno })).refunds;
  await expect(as('fang')(answerRefund, { refundno, agree: false, answer: '不退' })).rejects.toMatchObject({ code: 140001 });
  expect((await as('fang')(getNoticePageList, {})).rows.map(({ title }) => title)).toContain('订单无法交付');
  expect(await findDisagreements(server)).toEqual([]);
});

test('the school asks for an invoice, and the seller notes its number', async () => {
  const { ma, fang, orderno, payByTransfer } = await open();
  await payByTransfer(orderno, 50_000);
  const invoice = { invoicetitle: '云栖市晨光中学', taxno: '12330000000000000X' };
  expect(await ma(order.updateInvoice, { orderno, ...invoice })).toEqual({ invoicestatus: '01' });
  await expect(ma(order.updateInvoice, { orderno, invoiceno: '1' })).rejects.toMatchObject({ code: 110004 });
  expect(await fang(order.updateInvoice, { orderno, invoiceno: '25332000000000000001' })).toEqual({ invoicestatus: '02' });
  await expect(ma(order.updateInvoice, { orderno, invoicetitle: '别的' })).rejects.toMatchObject({ code: 140001 });
});
