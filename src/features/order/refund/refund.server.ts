import { RefundStatus, type OrderStatusCode } from '#domain/order/order.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { actorOf, requireSold } from '#features/order/parties.ts';
import { agreeToRefund, beginRefund } from '#features/order/refund/decide.ts';
import * as contract from '#features/order/refund/refund.contract.ts';
import { sendRefund } from '#features/order/refund/sendRefund.ts';
import * as queries from '#features/order/refund/refund.queries.ts';
import { log } from '#features/order/refund/refund.ts';
import { requireLocked, withOrders } from '#features/order/step.ts';
import type { OrderRecord } from '#features/order/step.queries.ts';
import { assertSecondHuman, findActor } from '#features/warning/handling/transition.ts';

/** 订单退款: asking for a refund and answering as the second human. */

type StaffContext = Context<'staff'>;

/** Sends a running refund to its gateway after the commit. */
function sendToGateway(ctx: StaffContext, { orderno, paychannel, payno }: OrderRecord, refundno: string, amount: number): void {
  if (paychannel && payno) ctx.afterCommit(() => sendRefund(ctx, paychannel, { refundno, orderno, payno, amount }, ctx.now));
}

const refundOrder = handle(contract.refundOrder, async ({ orderno, items: asks, amount: named, reason }, ctx) => {
  await requireSold(ctx, orderno);
  const askkeys = await findActor(ctx);
  const actor = actorOf(ctx);
  const { order, refundno, amount, status, orderstatus } = await withOrders(ctx, async (scope) => {
    const locked = await requireLocked(scope, orderno);
    return { order: locked, ...(await beginRefund(scope, locked, { asks, amount: named, reason, askkeys }, actor)) };
  });
  ctx.audit({ objectid: orderno, detail: { refundno, items: asks, amount, reason } });
  if (status === RefundStatus.running) sendToGateway(ctx, order, refundno, amount);
  return { refundno, orderstatus, status };
});

const answerRefund = handle(contract.answerRefund, async ({ refundno, agree, answer, refundpayno }, ctx) => {
  const found = await ctx.scope.db.selectFrom('refund').select('orderno').where('refundno', '=', refundno).executeTakeFirst();
  if (!found) throw problems.notFound({ what: '退款' });
  await requireSold(ctx, found.orderno);
  const actor = actorOf(ctx);
  const { order, refund, status, orderstatus } = await withOrders(ctx, async (scope) => {
    const order = await requireLocked(scope, found.orderno);
    const refund = await queries.lockRefund(scope, refundno);
    if (!refund) throw problems.notFound({ what: '退款' });
    // The server began it, so nobody asked: money too much, and orders that could not be delivered.
    const isServers = refund.status === RefundStatus.running && refund.askkeys.length === 0;
    if (refund.status !== RefundStatus.waiting && !isServers) throw problems.wrongState({ why: '这笔退款已有结果，请刷新' });
    if (!isServers) await assertSecondHuman(ctx, refund.askkeys);
    if (isServers && !agree) throw problems.wrongState({ why: '这笔款是系统发起退回的，不能不退' });
    if (agree) return { order, refund, ...(await agreeToRefund(scope, order, refund, { answer, refundpayno }, actor)) };
    const { rejected } = RefundStatus;
    await queries.updateRefund(scope, refundno, {
      ...{ status: rejected, answeredby: actor.operatorname, answer, donetime: ctx.now },
    });
    const orderstatus = order.orderstatus as OrderStatusCode;
    await log(scope, order, { to: orderstatus, event: '退款未通过', content: answer }, actor);
    return { order, refund, status: rejected, orderstatus };
  });
  ctx.audit({ objectid: found.orderno, detail: { refundno, agree, answer } });
  if (status === RefundStatus.running) sendToGateway(ctx, order, refundno, refund.amount);
  return { orderstatus, status };
});

export const refundHandlers = [refundOrder, answerRefund];
