import type { Services } from '#server/dispatch/services.ts';
import { takeNotice } from '#features/order/takeNotice.ts';

/** A refund that runs through a gateway. */
export interface GatewayRefund {
  refundno: string;
  orderno: string;
  /** the payment that it gives back */
  payno: string;
  /** 分 */
  amount: number;
}

/**
 * Sends a refund to its gateway, which pays it back once however often it is asked. Takes the result when the gateway knows it at once;
 * otherwise its notice ends the refund.
 */
export async function sendRefund(
  services: Pick<Services, 'pools' | 'gateways'>,
  channel: string,
  refund: GatewayRefund,
  now: Date,
): Promise<void> {
  const gateway = services.gateways?.[channel];
  if (!gateway) return;
  await gateway.refund(refund);
  const notice = await gateway.queryRefund(refund.refundno);
  if (notice) await takeNotice(services, channel, notice, now);
}
