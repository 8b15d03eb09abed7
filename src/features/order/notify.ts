import { codesOf } from '#contract/menu.ts';
import type { Scope } from '#server/db/scope.ts';
import { findHolders } from '#features/anonymize/anonymize.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';

/** Messages about orders to the staff of the seller and of the buyer. They carry no amount and no name of a person. */

interface About {
  orderno: string;
  musercode: string;
  sellermusercode: string;
}
interface Message {
  /** once for each order and key */
  key: string;
  title: string;
  content: string;
}

const link = (orderno: string) => `/operations/orderManagement/${orderno}`;

async function notify(scope: Scope, musercode: string, order: About, { key, title, content }: Message, now: Date): Promise<void> {
  const userids = await findHolders(scope, musercode, codesOf(['operations.orders']));
  await addNotices(
    scope,
    userids.map((userid) => ({
      ...{ musercode, userid, kind: 'system' as const, title, content, link: link(order.orderno), createtime: now },
      dedupekey: `order:${order.orderno}:${key}:${userid}`,
    })),
  );
}

/** Tells the seller's staff of 订单管理. */
export const notifySeller = (scope: Scope, order: About, message: Message, now: Date) =>
  notify(scope, order.sellermusercode, order, message, now);

/** Tells the buyer's staff of 订单管理. */
export const notifyBuyer = (scope: Scope, order: About, message: Message, now: Date) =>
  notify(scope, order.musercode, order, message, now);
