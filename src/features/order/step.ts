import { shanghaiDate } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import {
  endOfCounts,
  GoodsType,
  isSurplus,
  nextStatus,
  ORDER_EVENT_WORDS,
  OrderStatus,
  type OrderEvent,
  type OrderStatusCode,
} from '#domain/order/order.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import * as counts from '#features/order/counts.queries.ts';
import * as queries from '#features/order/step.queries.ts';
import { addRefund } from '#features/order/refund/refund.queries.ts';
import { notifySeller } from '#features/order/notify.ts';

/**
 * The steps of an order. A step locks the order, asks the domain, and moves status, stock, counts, access and log in one transaction.
 * It runs in the server's session: a buyer reaches neither the seller's stock nor its wallet (decision 0099).
 */

/** Who acts, when. The server and gateways have no account. */
export interface Actor {
  operator: string | null;
  operatorname: string;
  now: Date;
}
export const serverActor = (now: Date): Actor => ({ operator: null, operatorname: '系统', now });

/** Runs work on orders in one transaction of the server's session, which reaches seller and buyer. */
export const withOrders = <T>(services: Pick<Services, 'pools'>, work: (scope: Scope) => Promise<T>): Promise<T> =>
  runAsSystem(services.pools, platformCode, work);

/** Locks an order that exists. The caller has checked that it may see it. */
export async function requireLocked(scope: Scope, orderno: string): Promise<queries.OrderRecord> {
  const order = await queries.lockOrder(scope, orderno);
  if (!order) throw problems.notFound({ what: '订单' });
  return order;
}

const statusOf = (order: Pick<queries.OrderRecord, 'orderstatus'>) => order.orderstatus as OrderStatusCode;

/** The facts of a movement of counts. */
const infoOf = (order: queries.OrderRecord, actor: Actor, remark: string): counts.OrderInfo => ({
  orderno: order.orderno,
  operator: actor.operator ?? '系统',
  now: actor.now,
  today: shanghaiDate(actor.now),
  remark: `${remark} ${order.orderno}`,
});

/** Refuses (140001) a step that the status does not permit. */
function requireNext(order: Pick<queries.OrderRecord, 'orderstatus'>, event: OrderEvent): OrderStatusCode {
  const next = nextStatus(statusOf(order), event);
  if (next === undefined)
    throw problems.wrongState({ why: `订单${OrderStatus.label(order.orderstatus)}，不能${ORDER_EVENT_WORDS[event.kind]}` });
  return next;
}

/** Moves the status of a locked order and adds the line of its log. */
async function changeStatus(
  scope: Scope,
  order: queries.OrderRecord,
  {
    event,
    to,
    content = '',
    change = {},
  }: { event: string; to: OrderStatusCode; content?: string; change?: Parameters<typeof queries.updateOrder>[2] },
  { operator, operatorname, now }: Actor,
): Promise<OrderStatusCode> {
  await queries.updateOrder(scope, order.orderno, { ...change, orderstatus: to, updatetime: now });
  const { orderno, musercode } = order;
  await queries.addLog(scope, {
    orderno,
    musercode,
    fromstatus: statusOf(order),
    tostatus: to,
    event,
    content,
    operator,
    operatorname,
    time: now,
  });
  return to;
}

/** Refuses (140001) an order that nobody can begin to pay: in another status, or after it has expired. Returns its next status. */
export function assertPayable(order: Pick<queries.OrderRecord, 'orderstatus' | 'expiretime'>, now: Date): OrderStatusCode {
  const to = requireNext(order, { kind: 'pay' });
  if (order.expiretime <= now) throw problems.wrongState({ why: '订单已过支付期限，请重新下单' });
  return to;
}

/** Begins a payment: 1 or 4 → 2. */
export async function beginPayment(
  scope: Scope,
  order: queries.OrderRecord,
  change: { paychannel: string; voucherfileid?: string | null },
  actor: Actor,
): Promise<OrderStatusCode> {
  const to = assertPayable(order, actor.now);
  const cleared = { transferno: null, transferdate: null, transferamount: null, transferby: null, transferkeys: [] };
  return changeStatus(
    scope,
    order,
    { event: ORDER_EVENT_WORDS.pay, to, change: { ...cleared, ...change, payingtime: actor.now } },
    actor,
  );
}

/** The payment failed, or the seller found no transfer: 2 → 4. Other statuses stay as they are, because notices may come late. */
export async function failPayment(
  scope: Scope,
  order: queries.OrderRecord,
  content: string,
  actor: Actor,
): Promise<OrderStatusCode> {
  const to = nextStatus(statusOf(order), { kind: 'fail' });
  if (to === undefined) return statusOf(order);
  return changeStatus(scope, order, { event: ORDER_EVENT_WORDS.fail, to, content, change: { payingtime: null } }, actor);
}

/** An online payment without a result after 15 minutes: 2 → 1. */
export async function endPaying(scope: Scope, order: queries.OrderRecord, actor: Actor): Promise<OrderStatusCode> {
  const to = requireNext(order, { kind: 'paytimeout' });
  return changeStatus(scope, order, { event: ORDER_EVENT_WORDS.paytimeout, to, change: { payingtime: null } }, actor);
}

/** Cancels an unpaid order, or ends one that was not paid in time. Stock and counts go back. */
export async function cancel(
  scope: Scope,
  order: queries.OrderRecord,
  { kind, reason }: { kind: 'cancel' | 'expire'; reason: string },
  actor: Actor,
): Promise<OrderStatusCode> {
  const to = requireNext(order, { kind });
  const items = await queries.findItems(scope, order.orderno);
  await queries.lockGoods(
    scope,
    items.map(({ goodsid }) => goodsid),
  );
  for (const item of items) await queries.returnStock(scope, item.goodsid, item.qty);
  await counts.releaseHolds(scope, infoOf(order, actor, '订单取消，释放预留'));
  const change = { canceltime: actor.now, cancelreason: reason };
  return changeStatus(scope, order, { event: ORDER_EVENT_WORDS[kind], to, content: reason, change }, actor);
}

/** A payment that arrived. */
export interface Payment {
  payno: string;
  paychannel: string;
  /** 分 */
  amount: number;
  paytime: Date;
}

/**
 * Takes a payment: the order is paid and its goods are delivered. The same payment again changes nothing. Money for a cancelled order,
 * a second payment and a wrong amount go back: the status stays, and the operator is told.
 */
export async function takePayment(
  scope: Scope,
  order: queries.OrderRecord,
  payment: Payment,
  actor: Actor,
): Promise<OrderStatusCode> {
  if (order.payno === payment.payno) return statusOf(order);
  if (isSurplus(statusOf(order)) || payment.amount !== order.payamount) return returnSurplus(scope, order, payment, actor);
  const { payno, paychannel, paytime } = payment;
  const to = requireNext(order, { kind: 'success' });
  await changeStatus(
    scope,
    order,
    { event: ORDER_EVENT_WORDS.success, to, content: payno, change: { payno, paychannel, paytime, payingtime: null } },
    actor,
  );
  const paid = { ...order, payno, paychannel, orderstatus: to };
  if (await deliver(scope, paid, actor)) {
    await notifySeller(
      scope,
      paid,
      { key: 'paid', title: '订单已支付', content: '商品已按订单交付，服务和实物请登记交付。' },
      actor.now,
    );
    return to;
  }
  await refundUndeliverable(scope, paid, actor);
  return to;
}

/** Records money that must go back, once for each payment. */
async function returnSurplus(
  scope: Scope,
  order: queries.OrderRecord,
  { payno, amount }: Payment,
  actor: Actor,
): Promise<OrderStatusCode> {
  const status = statusOf(order);
  const isNew = await addRefund(scope, {
    order,
    amount,
    items: [],
    reason: amount === order.payamount ? '订单已取消或已支付，退回多余付款' : '付款金额与订单不符，退回',
    payno,
    isSurplus: true,
    actor,
  });
  if (!isNew) return status;
  const { orderno, musercode } = order;
  const { operator, operatorname, now } = actor;
  await queries.addLog(scope, {
    ...{ orderno, musercode, fromstatus: status, tostatus: status, event: ORDER_EVENT_WORDS.repaid, content: payno },
    ...{ operator, operatorname, time: now },
  });
  await notifySeller(
    scope,
    order,
    { key: `surplus:${payno}`, title: '收到多余付款', content: '订单收到一笔多余付款，请核对并退回。' },
    now,
  );
  return status;
}

/** Delivers a paid order and counts its sales. Returns false, with no counts moved, when counts of the seller have ended. */
async function deliver(scope: Scope, order: queries.OrderRecord, actor: Actor): Promise<boolean> {
  const { orderno, musercode, sellermusercode } = order;
  const info = infoOf(order, actor, '订单');
  const items = await queries.findItems(scope, orderno);
  await queries.lockGoods(
    scope,
    items.map(({ goodsid }) => goodsid),
  );
  for (const item of items) await queries.addSales(scope, item.goodsid, item.qty);
  const holds = new Map(
    (await counts.releaseHolds(scope, { ...info, remark: `订单支付，释放预留 ${orderno}` })).map((hold) => [hold.seq, hold]),
  );
  const isShort = await areCountsShort(scope, [...holds.values()], info.today);
  if (isShort) return false;
  for (const item of items) {
    if (item.goodstype === GoodsType.counts && item.plancode) {
      const from = sellermusercode === platformCode ? null : holds.get(item.seq);
      const delivery = {
        from: from ?? null,
        to: { musercode, walletcode: item.plancode },
        qty: item.qty * item.countqty,
        validdays: item.validdays,
      };
      const brought = await counts.deliverCounts(scope, delivery, info);
      if (!brought) throw new Error(`the seller of ${orderno} has too few counts`);
      await queries.updateItem(scope, orderno, item.seq, { enddate: brought.enddate });
    }
    if (item.goodstype === GoodsType.course && item.courseid) {
      const enddate = endOfCounts(info.today, item.validdays, null);
      await queries.addAccess(scope, { musercode, courseid: item.courseid, orderno, enddate, createtime: actor.now });
      await queries.updateItem(scope, orderno, item.seq, { enddate });
    }
  }
  return true;
}

/** Whether the free counts of the wallets, with the holds given back, are too few for these holds. */
async function areCountsShort(scope: Scope, holds: readonly counts.HeldCounts[], today: string): Promise<boolean> {
  const needs = new Map<string, { hold: counts.HeldCounts; qty: number }>();
  for (const hold of holds) needs.set(hold.walletcode, { hold, qty: (needs.get(hold.walletcode)?.qty ?? 0) + hold.qty });
  for (const { hold, qty } of needs.values()) if ((await counts.countFree(scope, hold, today)) < qty) return true;
  return false;
}

/** Refunds an order whole that cannot be delivered. As after every refund, its units do not return to the stock. */
async function refundUndeliverable(scope: Scope, order: queries.OrderRecord, actor: Actor): Promise<void> {
  const items = await queries.findItems(scope, order.orderno);
  await addRefund(scope, {
    ...{ order, amount: order.payamount, items: items.map(({ seq, qty }) => ({ seq, qty })), actor },
    ...{ reason: '卖方次数已到期，无法交付，全额退款', payno: order.payno ?? '', isSurplus: false },
  });
  await notifySeller(
    scope,
    order,
    { key: 'undeliverable', title: '订单无法交付', content: '次数在支付前到期，系统已发起全额退款，请处理。' },
    actor.now,
  );
}
