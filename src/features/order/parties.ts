import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import * as queries from '#features/order/order.queries.ts';
import type { Actor } from '#features/order/step.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

/** Which side of an order the caller stands on. */

type Asker = Pick<Context<'staff'>, 'scope' | 'caller'>;

/** The caller as the actor of a step. */
export const actorOf = ({ caller, now }: Pick<Context<'staff'>, 'caller' | 'now'>): Actor => ({ ...operatorOf(caller), now });

/** Returns an order of which the caller's institution is a party. Refuses any other with 130001. */
export async function requireOrder({ scope, caller }: Asker, orderno: string): Promise<queries.FoundOrder> {
  const order = await queries.findOrder(scope, caller.musercode, orderno);
  if (!order) throw problems.notFound({ what: '订单' });
  return order;
}

/** Returns an order of the caller's institution as the buyer; 110004 for the seller. */
export async function requireBought(ctx: Asker, orderno: string): Promise<queries.FoundOrder> {
  const order = await requireOrder(ctx, orderno);
  if (order.musercode !== ctx.caller.musercode) throw problems.notAllowed();
  return order;
}

/** Returns an order that the caller's institution sold; the platform also helps other sellers. 110004 for the buyer. */
export async function requireSold(ctx: Asker, orderno: string): Promise<queries.FoundOrder> {
  const order = await requireOrder(ctx, orderno);
  const { musercode } = ctx.caller;
  if (order.sellermusercode !== musercode && musercode !== platformCode) throw problems.notAllowed();
  return order;
}
