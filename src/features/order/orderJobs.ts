import { ONLINE_CHANNELS, OrderStatus, PAYING_MINUTES } from '#domain/order/order.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { cancel, endPaying, requireLocked, serverActor, withOrders } from '#features/order/step.ts';
import { findRunningOnline } from '#features/order/refund/refund.queries.ts';
import { sendRefund } from '#features/order/refund/sendRefund.ts';
import { takeNotice } from '#features/order/takeNotice.ts';

/** What time brings: the ends of orders, and refunds for the gateways. Each order stands alone, so one failure stops no other. */

/** The orders whose payment has had no result for 15 minutes, and unpaid ones whose time is over. */
async function findDue(scope: Scope, now: Date) {
  const since = new Date(now.getTime() - PAYING_MINUTES * 60_000);
  const orders = scope.db.selectFrom('orders').select(['orderno', 'paychannel']);
  return {
    paying: await orders
      .where('orderstatus', '=', OrderStatus.paying)
      .where('paychannel', 'in', ONLINE_CHANNELS)
      .where('payingtime', '<=', since)
      .execute(),
    expired: await orders
      .where('orderstatus', 'in', [OrderStatus.pending, OrderStatus.failed])
      .where('expiretime', '<=', now)
      .execute(),
  };
}

/** Ends what is over: asks the gateway of online payments first. Returns the failures; the other orders went on. */
export async function endDueOrders(
  services: Pick<Services, 'pools' | 'gateways'>,
  now: Date,
): Promise<{ orderno: string; error: string }[]> {
  const { paying, expired } = await withOrders(services, (scope) => findDue(scope, now));
  const failed: { orderno: string; error: string }[] = [];
  const tryOne = async (orderno: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      failed.push({ orderno, error: error instanceof Error ? error.message : String(error) });
    }
  };
  for (const { orderno, paychannel } of paying)
    await tryOne(orderno, async () => {
      const notice = await services.gateways?.[paychannel ?? '']?.query(orderno);
      if (notice) await takeNotice(services, paychannel as string, notice, now);
      await withOrders(services, async (scope) => {
        const order = await requireLocked(scope, orderno);
        if (order.orderstatus === OrderStatus.paying) await endPaying(scope, order, serverActor(now));
      });
    });
  for (const { orderno } of expired)
    await tryOne(orderno, () =>
      withOrders(services, async (scope) => {
        const order = await requireLocked(scope, orderno);
        const isOver = order.orderstatus === OrderStatus.pending || order.orderstatus === OrderStatus.failed;
        if (isOver && order.expiretime <= now)
          await cancel(scope, order, { kind: 'expire', reason: '超过支付期限' }, serverActor(now));
      }),
    );
  return failed;
}

/**
 * Sends the running refunds to their gateways. A gateway pays a refund back once, so sending it again is harmless: this also
 * covers refunds that the server began, and a stop between the commit and the sending.
 */
export async function sendRefunds(
  services: Pick<Services, 'pools' | 'gateways'>,
  now: Date,
): Promise<{ orderno: string; error: string }[]> {
  const failed: { orderno: string; error: string }[] = [];
  for (const { channel, ...refund } of await withOrders(services, findRunningOnline))
    await sendRefund(services, channel, refund, now).catch((error: unknown) => {
      failed.push({ orderno: refund.orderno, error: error instanceof Error ? error.message : String(error) });
    });
  return failed;
}
