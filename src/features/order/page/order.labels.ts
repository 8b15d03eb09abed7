import { formatYuan } from '#domain/base/money.ts';
import { formatNumber } from '#domain/base/number.ts';
import { GoodsType, isOnline, OrderStatus, PAYING_MINUTES, RefundStatus } from '#domain/order/order.ts';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import type { Tone } from '#ui/display/badges.tsx';
import type { getOrderDetail, OrderItem } from '#features/order/order.contract.ts';

export type OrderDetail = ResponseOf<typeof getOrderDetail>;
export type Refund = OrderDetail['refunds'][number];

export const orderPath = (orderno: string): string => `${pathOf('operations.orders')}/${orderno}`;
export const shopPath = `${pathOf('operations.orders')}/shop`;
export const reconcilePath = `${pathOf('operations.orders')}/reconcile`;

export const STATUS_TONES: Readonly<Record<number, Tone>> = { 1: 'amber', 2: 'lime', 3: 'green', 4: 'orange', 10: 'amber' };
export const REFUND_TONES: Readonly<Record<number, Tone>> = { 0: 'amber', 1: 'lime', 2: 'green', 3: 'orange' };

/** Returns an amount of 分 in words: 1,234.50 元. */
export const yuan = (fen: number): string => `${formatYuan(fen)} 元`;

/** The side of an order on which the reader stands. The platform also reads orders of others, as their seller. */
export const isBuyer = (order: Pick<OrderDetail, 'musercode'>, musercode: string): boolean => order.musercode === musercode;

/** Whether the seller delivers an item by hand: services and things. */
export const isDelivered = ({ goodstype }: Pick<OrderItem, 'goodstype'>): boolean =>
  goodstype === GoodsType.service || goodstype === GoodsType.thing;

/** Returns what an item brings: the counts of a package with their plan, or the kind of goods. */
export function contentWords({ goodstype, planname, countqty, qty }: OrderItem): string {
  if (goodstype !== GoodsType.counts) return GoodsType.label(goodstype);
  return `${planname} · 每份 ${formatNumber(countqty)} 次，共 ${formatNumber(countqty * qty)} 次`;
}

/** Returns until when an item is valid, or the state of its delivery. */
export function validityWords(item: OrderItem, isPaid: boolean): string {
  if (item.refundedqty === item.qty) return '已全部退回';
  if (isDelivered(item)) return !isPaid ? '支付后交付' : item.delivered === 1 ? '已交付' : '待交付';
  if (!isPaid) return '支付后起算有效期';
  return item.enddate ? `有效期至 ${item.enddate}` : '长期有效';
}

/** Returns why the last payment did not succeed, from the log. */
const findFailure = ({ log }: OrderDetail): string =>
  log.findLast(({ tostatus }) => tostatus === OrderStatus.failed)?.content ?? '';

function payingWords(order: OrderDetail, isOwn: boolean): string {
  if (order.paychannel && isOnline(order.paychannel))
    return `正在等待支付结果，收到后本页自动更新。${PAYING_MINUTES} 分钟没有结果时回到待支付，可以重新支付。`;
  if (isOwn) return '付款已提交，等待卖方两人核对到账。核对后商品自动交付。';
  return order.transfer
    ? `${order.transfer.recordedby}已登记到账，等待另一位人员核对银行流水后确认。`
    : '请核对银行流水：一位人员登记到账，另一位人员确认。没有查到这笔款时驳回凭证。';
}

function paidWords(order: OrderDetail, isOwn: boolean): string {
  const waiting = order.items
    .filter((item) => isDelivered(item) && item.delivered === 0 && item.refundedqty < item.qty)
    .map(({ goodsname }) => goodsname);
  if (waiting.length > 0) return isOwn ? `等待卖方交付：${waiting.join('、')}。` : `请交付后登记：${waiting.join('、')}。`;
  const hasCounts = order.items.some(({ goodstype }) => goodstype === GoodsType.counts);
  return hasCounts ? '次数已进入买方账户，可以在“方案授权统计”中查看。' : '商品已交付。';
}

/** Returns what happens next with an order, in the words of the reader's side. */
export function nextWords(order: OrderDetail, isOwn: boolean): string {
  switch (order.orderstatus) {
    case OrderStatus.pending:
      return isOwn ? '请在截止时间前支付，逾期订单自动取消。' : '等待买方支付，逾期订单自动取消。';
    case OrderStatus.paying:
      return payingWords(order, isOwn);
    case OrderStatus.failed: {
      const why = findFailure(order);
      return `${why ? `上次支付没有成功：${why}。` : '上次支付没有成功。'}${isOwn ? '请在截止时间前重新支付。' : '等待买方重新支付。'}`;
    }
    case OrderStatus.cancelled:
      return order.cancelreason ? `订单已取消：${order.cancelreason}` : '订单已取消，库存和次数已退回卖方。';
    case OrderStatus.refunded:
      return `已全部退款 ${yuan(order.refundamount)}，商品已收回。`;
    case OrderStatus.partlyRefunded:
      return `已退 ${yuan(order.refundamount)}，其余商品继续有效。`;
    default:
      return paidWords(order, isOwn);
  }
}

/** Returns what happens next with a refund that has no result yet. */
export function refundWords({ status, issurplus, askedby }: Refund): string {
  if (status === RefundStatus.waiting) return `${askedby}申请了退款，等待另一位人员复核。`;
  if (status === RefundStatus.running)
    return issurplus === 1 ? '这笔款是多收的，正在退回买方。' : '正在退款，收到结果后自动更新。';
  return '';
}

/** Returns what a refund takes back: quantities of goods, or only money. */
export function refundedWords({ items, issurplus }: Refund): string {
  if (issurplus === 1) return '多收的款项，商品不变';
  const goods = items.filter(({ qty }) => qty > 0).map(({ goodsname, qty }) => `${goodsname} ${qty} 份`);
  return goods.length > 0 ? `退回 ${goods.join('、')}` : '只退款，商品不变';
}
