import { shanghaiDate } from '#domain/base/calendar.ts';
import {
  nextStatus,
  ORDER_EVENT_WORDS,
  OrderStatus,
  GoodsType,
  RefundStatus,
  type GoodsTypeCode,
  type OrderStatusCode,
} from '#domain/order/order.ts';
import type { RefundableItem, RefundAsk } from '#domain/order/refund.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import * as counts from '#features/order/counts.queries.ts';
import * as queries from '#features/order/refund/refund.queries.ts';
import { notifyBuyer } from '#features/order/notify.ts';
import type { Actor } from '#features/order/step.ts';
import * as steps from '#features/order/step.queries.ts';

/** How a refund begins, ends and fails. Each runs in the server's session, with the order locked. */

type Parties = Pick<steps.OrderRecord, 'orderno' | 'musercode' | 'sellermusercode'>;

/** The wallets of an item of counts: the buyer's and, unless the platform sells, the wallet of the seller that paid. */
async function walletsOf(scope: Scope, order: Parties, item: steps.ItemRecord) {
  const buyer = { musercode: order.musercode, walletcode: item.plancode ?? '*' };
  if (order.sellermusercode === platformCode) return { buyer, seller: null };
  for (const walletcode of new Set([buyer.walletcode, '*'])) {
    const seller = { musercode: order.sellermusercode, walletcode };
    if ((await counts.findOrderLots(scope, seller, order.orderno, 'seller')).length > 0) return { buyer, seller };
  }
  return { buyer, seller: null };
}

/** The items of an order with what a refund asks about each. */
export async function findRefundable(scope: Scope, order: Parties, now: Date): Promise<RefundableItem[]> {
  const items: RefundableItem[] = [];
  for (const item of await steps.findItems(scope, order.orderno)) {
    const isCounts = item.goodstype === GoodsType.counts;
    const { buyer } = await walletsOf(scope, order, item);
    const free = isCounts ? await counts.countReturnable(scope, buyer, order.orderno, shanghaiDate(now)) : [];
    items.push({
      ...{ seq: item.seq, goodstype: item.goodstype as GoodsTypeCode, price: item.price, qty: item.qty },
      ...{ refundedqty: item.refundedqty, countqty: item.countqty, delivered: item.delivered },
      freecounts: free.reduce((sum, lot) => sum + lot.qty, 0),
      finishedlessons: item.courseid ? await queries.countFinishedLessons(scope, order.musercode, item.courseid) : 0,
    });
  }
  return items;
}

/** What a running refund took from the buyer, by item. */
interface TakenItem {
  seq: number;
  taken: counts.TakenBack;
}

/**
 * Takes back what the refund gives up: free counts, and the access to courses. Refuses 150001 when the buyer has used them meanwhile.
 * The caller stores the result with the refund, so that a failed one can return it.
 */
export async function takeBack(
  scope: Scope,
  order: steps.OrderRecord,
  asks: readonly RefundAsk[],
  actor: Actor,
): Promise<TakenItem[]> {
  const items = await steps.findItems(scope, order.orderno);
  const info = infoOf(order, actor, '退款收回');
  const taken: TakenItem[] = [];
  if (asks.length > 0)
    await steps.lockGoods(
      scope,
      items.map(({ goodsid }) => goodsid),
    );
  for (const { seq, qty } of asks) {
    const item = items.find((candidate) => candidate.seq === seq);
    if (!item || qty === 0) continue;
    if (item.goodstype === GoodsType.counts) {
      const need = qty * item.countqty;
      const back = await counts.takeBackCounts(scope, { ...(await walletsOf(scope, order, item)), qty: need }, info);
      if (!back) {
        const { buyer } = await walletsOf(scope, order, item);
        const free = (await counts.countReturnable(scope, buyer, order.orderno, info.today)).reduce(
          (sum, lot) => sum + lot.qty,
          0,
        );
        throw problems.countsShort({ free, need }, { field: 'items', data: { free, need } });
      }
      taken.push({ seq, taken: back });
    }
    if (item.goodstype === GoodsType.course && item.courseid) await steps.removeAccess(scope, order.orderno, item.courseid);
  }
  return taken;
}

const infoOf = (order: steps.OrderRecord, actor: Actor, remark: string): counts.OrderInfo => ({
  orderno: order.orderno,
  operator: actor.operator ?? '系统',
  now: actor.now,
  today: shanghaiDate(actor.now),
  remark: `${remark} ${order.orderno}`,
});

/** The money is back: 3 or 10 → 10 or 11. A surplus payment changes no status. */
export async function finishRefund(
  scope: Scope,
  order: steps.OrderRecord,
  refund: queries.RefundRecord,
  { refundpayno }: { refundpayno: string },
  actor: Actor,
): Promise<OrderStatusCode> {
  const status = order.orderstatus as OrderStatusCode;
  if (refund.status !== RefundStatus.running) return status;
  await queries.updateRefund(scope, refund.refundno, { status: RefundStatus.done, refundpayno, donetime: actor.now });
  if (refund.issurplus === 1) return status;
  const refunded = order.refundamount + refund.amount;
  for (const { seq, qty } of refund.items as RefundAsk[]) {
    const item = (await steps.findItems(scope, order.orderno)).find((candidate) => candidate.seq === seq);
    if (!item || qty === 0) continue;
    await steps.updateItem(scope, order.orderno, seq, { refundedqty: item.refundedqty + qty });
    await steps.addSales(scope, item.goodsid, -qty);
  }
  const left = (await steps.findItems(scope, order.orderno)).reduce((sum, item) => sum + item.qty - item.refundedqty, 0);
  const to = nextStatus(status, { kind: 'refund', refunded, payamount: order.payamount, left });
  if (to === undefined) throw problems.wrongState({ why: `订单${OrderStatus.label(status)}，不能退款` });
  await steps.updateOrder(scope, order.orderno, { orderstatus: to, refundamount: refunded, updatetime: actor.now });
  await log(scope, order, { to, event: ORDER_EVENT_WORDS.refund, content: `${refund.refundno} ${refund.reason}` }, actor);
  await notifyBuyer(
    scope,
    order,
    { key: `refund:${refund.refundno}`, title: '订单已退款', content: '退款已完成，次数和权限已按退款数量收回。' },
    actor.now,
  );
  return to;
}

/** The repayment failed: the buyer gets back what the refund took. The refund can be asked for again. */
export async function failRefund(
  scope: Scope,
  order: steps.OrderRecord,
  refund: queries.RefundRecord,
  reason: string,
  actor: Actor,
): Promise<void> {
  if (refund.status !== RefundStatus.running) return;
  for (const { taken } of refund.takenback as TakenItem[])
    await counts.returnTaken(scope, taken, infoOf(order, actor, '退款失败，返还'));
  for (const { seq, qty } of refund.items as RefundAsk[]) {
    const item = (await steps.findItems(scope, order.orderno)).find((candidate) => candidate.seq === seq);
    if (item?.courseid && qty > 0)
      await steps.addAccess(scope, {
        ...{ musercode: order.musercode, courseid: item.courseid, orderno: order.orderno },
        ...{ enddate: item.enddate, createtime: actor.now },
      });
  }
  await queries.updateRefund(scope, refund.refundno, { status: RefundStatus.failed, answer: reason, donetime: actor.now });
  await log(scope, order, { to: order.orderstatus as OrderStatusCode, event: '退款失败', content: reason }, actor);
}

/** Adds a line about a refund to the log of an order. */
export const log = (
  scope: Scope,
  order: steps.OrderRecord,
  { to, event, content }: { to: OrderStatusCode; event: string; content: string },
  { operator, operatorname, now }: Actor,
) =>
  steps.addLog(scope, {
    ...{ orderno: order.orderno, musercode: order.musercode, fromstatus: order.orderstatus as OrderStatusCode, tostatus: to },
    ...{ event, content, operator, operatorname, time: now },
  });
