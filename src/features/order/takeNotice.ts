import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { PayNotice } from '#server/pay/gateway.ts';
import { failRefund, finishRefund } from '#features/order/refund/refund.ts';
import { lockRefund } from '#features/order/refund/refund.queries.ts';
import { rememberNotice } from '#features/order/step.queries.ts';
import { failPayment, requireLocked, serverActor, takePayment, withOrders } from '#features/order/step.ts';

/**
 * Takes a notice of a gateway that was proven to be the gateway's. Each (channel, payno, state) counts once, so a notice may come twice,
 * late and out of order. 130001 for an order that does not exist, 120002 for the money of another seller.
 */
export async function takeNotice(
  services: Pick<Services, 'pools'>,
  channel: string,
  notice: PayNotice,
  now: Date,
): Promise<void> {
  await withOrders(services, (scope) => applyNotice(scope, channel, notice, now));
}

/** Does what a proven notice says, in the server's session. */
export async function applyNotice(scope: Scope, channel: string, notice: PayNotice, now: Date): Promise<void> {
  const order = await requireLocked(scope, notice.orderno);
  if (notice.seller !== undefined && notice.seller !== order.sellermusercode)
    throw problems.invalid({ message: '付款不属于这张订单的卖方' }, { field: 'seller' });
  if (!(await rememberNotice(scope, channel, notice, order.musercode, now))) return;
  const actor = { ...serverActor(now), operatorname: '支付渠道' };
  if (notice.state === 'success') {
    const { payno, amount, time } = notice;
    await takePayment(scope, order, { payno, amount, paychannel: channel, paytime: time }, actor);
    return;
  }
  if (notice.state === 'fail') {
    await failPayment(scope, order, '支付渠道返回失败', actor);
    return;
  }
  const refund = notice.refundno === undefined ? undefined : await lockRefund(scope, notice.refundno);
  if (!refund || refund.orderno !== order.orderno) throw problems.notFound({ what: '退款' });
  if (notice.state === 'refunded') await finishRefund(scope, order, refund, { refundpayno: notice.payno }, actor);
  else await failRefund(scope, order, refund, '支付渠道返回退款失败', actor);
}
