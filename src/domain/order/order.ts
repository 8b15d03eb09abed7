import { defineEnum, type CodeOf } from '#domain/base/enum.ts';

/** Orders of institutions: their states and the permitted steps (model-and-calls.md 1.10, supplement-scales-operations.md 7). */

export const OrderStatus = defineEnum({
  pending: [1, '待支付'],
  paying: [2, '支付中'],
  paid: [3, '已支付'],
  failed: [4, '支付失败'],
  cancelled: [5, '已取消'],
  partlyRefunded: [10, '部分退款'],
  refunded: [11, '已退款'],
});
export type OrderStatusCode = CodeOf<typeof OrderStatus>;

/** How an order is paid. 01 and 02 are paid online through a gateway; 03 and 04 wait for the seller to confirm a transfer. */
export const PayChannel = defineEnum({
  wechat: ['01', '微信'],
  alipay: ['02', '支付宝'],
  transfer: ['03', '对公转账'],
  offline: ['04', '线下'],
});
export type PayChannelCode = CodeOf<typeof PayChannel>;

export const GoodsType = defineEnum({
  counts: ['01', '测评次数包'],
  course: ['02', '课程'],
  service: ['03', '服务'],
  thing: ['04', '实物'],
});
export type GoodsTypeCode = CodeOf<typeof GoodsType>;

/** The state of goods: 0 → 1 ↔ 2. */
export const ListingStatus = defineEnum({ draft: [0, '待上架'], onsale: [1, '在售'], off: [2, '下架'] });
export type ListingStatusCode = CodeOf<typeof ListingStatus>;
/** Who sees goods on sale: every institution below the seller, or only those directly below it. */
export const VisibleScope = defineEnum({ all: ['01', '全部下级'], direct: ['02', '直属下级'] });
export const InvoiceStatus = defineEnum({ none: ['00', '不开票'], waiting: ['01', '待开票'], issued: ['02', '已开票'] });

export const RefundStatus = defineEnum({
  waiting: [0, '待复核'],
  running: [1, '处理中'],
  done: [2, '成功'],
  failed: [3, '失败'],
  rejected: [4, '未通过'],
});

/** The channels with a gateway that answers by itself. */
export const ONLINE_CHANNELS: readonly string[] = [PayChannel.wechat, PayChannel.alipay];

export const isOnline = (channel: string): boolean => ONLINE_CHANNELS.includes(channel);

/** Minutes after which an online payment without a result is asked for again and the order returns to 待支付. */
export const PAYING_MINUTES = 15;
/** How long a new order waits: 30 minutes for an online payment, 7 days for a transfer (model-and-calls.md 1.10). */
export const EXPIRY_MINUTES = { online: 30, transfer: 7 * 24 * 60 } as const;

/**
 * An event of an order. Amounts are 分; `refunded` is the sum of all successful refunds, this one included. `left` is how many of the
 * bought quantities did not go back: a free order has no money that could tell.
 */
export type OrderEvent =
  | { kind: 'pay' }
  | { kind: 'success' }
  | { kind: 'fail' }
  | { kind: 'paytimeout' }
  | { kind: 'cancel' }
  | { kind: 'expire' }
  | { kind: 'refund'; refunded: number; payamount: number; left: number };
export type OrderEventKind = OrderEvent['kind'];

/** The event in words, for the log of an order. */
export const ORDER_EVENT_WORDS: Readonly<Record<OrderEventKind | 'create' | 'repaid', string>> = {
  create: '提交订单',
  pay: '发起支付',
  success: '支付成功',
  fail: '支付未成功',
  paytimeout: '支付超时，可重新支付',
  cancel: '取消订单',
  expire: '超时自动取消',
  refund: '退款成功',
  repaid: '收到多余付款，已退回',
};

/**
 * Returns the status after an event; undefined when the event is not permitted in this status. A success of a cancelled order is no
 * step: the money goes back (`isSurplus`).
 */
export function nextStatus(status: OrderStatusCode, event: OrderEvent): OrderStatusCode | undefined {
  const { pending, paying, paid, failed, cancelled, partlyRefunded, refunded } = OrderStatus;
  const from = (...statuses: readonly OrderStatusCode[]) => statuses.includes(status);
  switch (event.kind) {
    case 'pay':
      return from(pending, failed) ? paying : undefined;
    case 'success':
      return from(pending, paying, failed) ? paid : undefined;
    case 'fail':
      return from(paying) ? failed : undefined;
    case 'paytimeout':
      return from(paying) ? pending : undefined;
    case 'cancel':
    case 'expire':
      return from(pending, failed) ? cancelled : undefined;
    case 'refund':
      if (!from(paid, partlyRefunded) || event.refunded > event.payamount) return undefined;
      return event.refunded === event.payamount && (event.payamount > 0 || event.left === 0) ? refunded : partlyRefunded;
  }
}

/** Whether a payment that arrives in this status is money too much: the order is cancelled, or it is paid already. */
export const isSurplus = (status: OrderStatusCode): boolean => nextStatus(status, { kind: 'success' }) === undefined;

/** Whether an order still holds stock and counts of its seller. */
export const holdsGoods = (status: OrderStatusCode): boolean =>
  status === OrderStatus.pending || status === OrderStatus.paying || status === OrderStatus.failed;

/** Whether the order was paid, also when some or all of the money went back. */
export const wasPaid = (status: OrderStatusCode): boolean =>
  status === OrderStatus.paid || status === OrderStatus.partlyRefunded || status === OrderStatus.refunded;

/** Returns when a new order ends without a payment. */
export const expiryOf = (createtime: Date, channel: string): Date =>
  new Date(createtime.getTime() + (isOnline(channel) ? EXPIRY_MINUTES.online : EXPIRY_MINUTES.transfer) * 60_000);

/** Returns the last day of counts that an order brings: today + validdays, and never later than the seller's lot; null: no end. */
export function endOfCounts(today: string, validdays: number | null, lot: string | null): string | null {
  if (validdays === null) return lot;
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + validdays);
  const own = day.toISOString().slice(0, 10);
  return lot === null || own < lot ? own : lot;
}
