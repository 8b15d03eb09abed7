import { isOnline, OrderStatus, RefundStatus, wasPaid, type OrderStatusCode } from '#domain/order/order.ts';
import { findRefundFault, needsSecondPerson, refundValue, type RefundAsk } from '#domain/order/refund.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { notifySeller } from '#features/order/notify.ts';
import * as queries from '#features/order/refund/refund.queries.ts';
import * as refunds from '#features/order/refund/refund.ts';
import type { Actor } from '#features/order/step.ts';
import type { OrderRecord } from '#features/order/step.queries.ts';

/** Whether a refund may begin, and what follows. Each runs in the server's session, with the order locked. */

/** Refuses a refund that may not begin: 150001 for used counts, 120002 for wrong quantities or amounts. */
async function assertRefundable(
  scope: Scope,
  order: OrderRecord,
  { asks, amount }: { asks: readonly { seq: number; qty: number }[]; amount: number },
  now: Date,
): Promise<void> {
  const items = await refunds.findRefundable(scope, order, now);
  const fault = findRefundFault(items, { asks, amount, left: order.payamount - order.refundamount });
  if (!fault) return;
  if (!fault.isCounts) throw problems.invalid({ message: fault.why }, { field: fault.field });
  const item = items.find(({ seq }) =>
    asks.some((ask) => ask.seq === seq && ask.qty * (itemOf(items, seq)?.countqty ?? 0) > (itemOf(items, seq)?.freecounts ?? 0)),
  );
  const ask = asks.find(({ seq }) => seq === item?.seq);
  const need = (ask?.qty ?? 0) * (item?.countqty ?? 0);
  throw problems.countsShort(
    { free: item?.freecounts ?? 0, need },
    { field: 'items', data: { free: item?.freecounts ?? 0, need } },
  );
}
const itemOf = <I extends { seq: number }>(items: readonly I[], seq: number) => items.find((item) => item.seq === seq);

/** What the seller asks for. */
export interface RefundRequest {
  asks: readonly RefundAsk[];
  /** 分; absent: the price of the quantities */
  amount: number | undefined;
  reason: string;
  /** the keys of the human who asks; another one answers */
  askkeys: readonly string[];
}
/** A refund and its order after a step. */
interface Decided {
  status: number;
  orderstatus: OrderStatusCode;
}

/** Begins a refund. Goodwill and offline refunds wait for a second human; the others run, and those of free orders are done. */
export async function beginRefund(
  scope: Scope,
  order: OrderRecord,
  { asks, amount: named, reason, askkeys }: RefundRequest,
  actor: Actor,
): Promise<Decided & { refundno: string; amount: number }> {
  const { now } = actor;
  const orderstatus = order.orderstatus as OrderStatusCode;
  if (!wasPaid(orderstatus) || orderstatus === OrderStatus.refunded)
    throw problems.wrongState({ why: `订单${OrderStatus.label(orderstatus)}，不能退款` });
  if (await queries.hasRunningRefund(scope, order.orderno))
    throw problems.wrongState({ why: '订单有一笔退款还没有完成，请完成后再退' });
  const amount =
    named ?? Math.min(refundValue(await refunds.findRefundable(scope, order, now), asks), order.payamount - order.refundamount);
  await assertRefundable(scope, order, { asks, amount }, now);
  const isAsked = needsSecondPerson(order.paychannel ?? '04', asks);
  if (isAsked && askkeys.length === 0)
    throw problems.wrongState({ why: '这笔退款须由具名人员申请、第二人复核；机构主账号和共用账号不能申请' });
  const takenback = isAsked ? [] : await refunds.takeBack(scope, order, asks, actor);
  const refundno = await queries.addRefund(scope, {
    ...{ order, amount, items: asks, reason, payno: order.payno ?? '', isSurplus: false },
    ...{ actor, askkeys, isAsked, takenback },
  });
  if (refundno === undefined) throw problems.serverBusy();
  const event = isAsked ? '申请退款' : '发起退款';
  await refunds.log(scope, order, { to: orderstatus, event, content: `${refundno} ${reason}` }, actor);
  if (isAsked)
    await notifySeller(
      scope,
      order,
      { key: `refund:${refundno}`, title: '请您复核：订单退款', content: '同事申请了一笔退款，请另一位人员核对后同意或退回。' },
      now,
    );
  // Nothing was paid, so no gateway and no bank has to answer.
  const refund = !isAsked && order.payamount === 0 ? await queries.lockRefund(scope, refundno) : undefined;
  if (!refund) return { refundno, amount, status: isAsked ? RefundStatus.waiting : RefundStatus.running, orderstatus };
  return {
    ...{ refundno, amount, status: RefundStatus.done },
    orderstatus: await refunds.finishRefund(scope, order, refund, { refundpayno: '' }, actor),
  };
}

/**
 * The second human agrees to a refund that waits, or notes the repayment of one that the server began. A refund through a gateway runs
 * until its notice; the others are done.
 */
export async function agreeToRefund(
  scope: Scope,
  order: OrderRecord,
  refund: queries.RefundRecord,
  { answer, refundpayno }: { answer: string; refundpayno: string | undefined },
  actor: Actor,
): Promise<Decided> {
  const isAsked = refund.status === RefundStatus.waiting;
  const isThroughGateway = isOnline((await queries.findChannel(scope, order.orderno, refund.payno)) ?? '') && order.payamount > 0;
  if (!isAsked && isThroughGateway) throw problems.wrongState({ why: '这笔退款由支付渠道自动退回，请等待结果' });
  const asks = refund.items as RefundAsk[];
  if (isAsked) await assertRefundable(scope, order, { asks, amount: refund.amount }, actor.now);
  const takenback = isAsked ? await refunds.takeBack(scope, order, asks, actor) : [];
  const running = { status: RefundStatus.running, takenback };
  await queries.updateRefund(scope, refund.refundno, { ...running, answeredby: actor.operatorname, answer });
  if (isThroughGateway) return { status: RefundStatus.running, orderstatus: order.orderstatus as OrderStatusCode };
  if (refund.amount > 0 && !refundpayno) throw problems.missing({ title: '退款流水号' }, { field: 'refundpayno' });
  const orderstatus = await refunds.finishRefund(
    scope,
    order,
    { ...refund, ...running },
    { refundpayno: refundpayno ?? '' },
    actor,
  );
  return { status: RefundStatus.done, orderstatus };
}
