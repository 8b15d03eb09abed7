import { describe, expect, test } from 'vitest';
import type { OrderItem } from '#features/order/order.contract.ts';
import { contentWords, nextWords, refundedWords, validityWords, type OrderDetail } from '#features/order/page/order.labels.ts';
import { findSteps } from '#features/order/page/step/steps.ts';

const counts: OrderItem = {
  ...{ seq: 1, goodsid: 1, goodsname: '百次测评包', goodstype: '01', coverurl: '', price: 128_050, qty: 2, amount: 256_100 },
  ...{ planname: '不限方案', countqty: 100, enddate: '', delivered: 0, refundedqty: 0, refundable: 0 },
};
const training: OrderItem = { ...counts, seq: 2, goodsname: '入校培训', goodstype: '03', countqty: 0, planname: '' };

/** An order of 晨光中学 at 安澜心理. */
const order = (change: Partial<OrderDetail>): OrderDetail => ({
  ...{ orderno: '20261125094947000005', musercode: 'M_CHENGUANG', insname: '云栖市晨光中学', sellermusercode: 'M_FWS' },
  ...{
    sellername: '安澜心理',
    goodsname: '百次测评包',
    goodscount: 1,
    totalamount: 256_100,
    payamount: 256_100,
    refundamount: 0,
  },
  ...{ orderstatus: 1, statusname: '待支付', paychannel: '03', createtime: '', paytime: '', expiretime: '', invoicestatus: '00' },
  ...{ items: [counts], refunds: [], log: [], actions: [], paychannels: ['03', '04'], payno: '', voucherurl: '', transfer: null },
  ...{ receiver: '', receiverphone: '', receiveraddress: '', invoicetitle: '', taxno: '', invoiceno: '', cancelreason: '' },
  remark: '',
  ...change,
});
const words = (change: Partial<OrderDetail>) => [nextWords(order(change), true), nextWords(order(change), false)];

describe('what happens next with an order', () => {
  test('is said in the words of the side that reads it', () => {
    expect(words({})).toEqual(['请在截止时间前支付，逾期订单自动取消。', '等待买方支付，逾期订单自动取消。']);
    const [school, seller] = words({ orderstatus: 2 });
    expect(school).toContain('等待卖方两人核对到账');
    expect(seller).toContain('一位人员登记到账，另一位人员确认');
    const transfer = { payno: 'ICBC1', date: '2026-11-25', amount: 256_100, recordedby: '方敏' };
    expect(words({ orderstatus: 2, transfer })[1]).toContain('方敏已登记到账，等待另一位人员');
  });

  test('names the reason of the last refusal, of the cancelling, and what is still to deliver', () => {
    const log = [
      { time: '', event: '支付未成功', fromstatus: 2, tostatus: 4, content: '流水中没有这笔款', operatorname: '方敏' },
    ];
    expect(words({ orderstatus: 4, log })[0]).toContain('上次支付没有成功：流水中没有这笔款。请在截止时间前重新支付');
    expect(words({ orderstatus: 5, cancelreason: '改买另一个' })[0]).toBe('订单已取消：改买另一个');
    expect(words({ orderstatus: 3, items: [counts, training] })).toEqual([
      '等待卖方交付：入校培训。',
      '请交付后登记：入校培训。',
    ]);
    expect(words({ orderstatus: 10, refundamount: 128_050 })[0]).toBe('已退 1,280.50 元，其余商品继续有效。');
  });
});

test('an item says what it brings and until when', () => {
  expect(contentWords(counts)).toBe('不限方案 · 每份 100 次，共 200 次');
  expect(validityWords(counts, false)).toBe('支付后起算有效期');
  expect(validityWords({ ...counts, enddate: '2027-11-25' }, true)).toBe('有效期至 2027-11-25');
  expect(validityWords(counts, true)).toBe('长期有效');
  expect([validityWords(training, true), validityWords({ ...training, delivered: 1 }, true)]).toEqual(['待交付', '已交付']);
  expect(validityWords({ ...training, refundedqty: training.qty }, true)).toBe('已全部退回');
});

test('a refund says which goods go back, or that only money does', () => {
  const refund = {
    ...{ refundno: 'R1', amount: 1, reason: '', status: 2 as const, statusname: '', issurplus: 0, askedby: '', answeredby: '' },
    ...{ answer: '', createtime: '', donetime: '' },
  };
  expect(refundedWords({ ...refund, items: [{ seq: 1, goodsname: '百次测评包', qty: 1 }] })).toBe('退回 百次测评包 1 份');
  expect(refundedWords({ ...refund, items: [{ seq: 1, goodsname: '百次测评包', qty: 0 }] })).toBe('只退款，商品不变');
});

test('an order has a button for each step that the server names, the awaited one first, and no other', () => {
  const steps = (actions: OrderDetail['actions']) =>
    findSteps(order({ actions }), false).map(({ label, isMain }) => `${label}${isMain ? ' *' : ''}`);
  expect(steps([])).toEqual([]);
  expect(steps(['deliver'])).toEqual([]);
  expect(steps(['recordtransfer', 'rejecttransfer'])).toEqual(['登记到账 *', '驳回凭证']);
  expect(steps(['recordtransfer', 'confirmtransfer', 'rejecttransfer'])).toEqual(['确认到账 *', '登记到账', '驳回凭证']);
  expect(steps(['cancel', 'pay'])).toEqual(['去支付 *', '取消订单']);
  expect(steps(['refund', 'invoice'])).toEqual(['退款', '开票']);
});
