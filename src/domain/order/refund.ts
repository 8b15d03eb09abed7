import { formatYuan } from '#domain/base/money.ts';
import { isOnline, type GoodsTypeCode, GoodsType } from '#domain/order/order.ts';

/** What may go back of an order, and for how much money (supplement-scales-operations.md section 7). Amounts are 分. */

/** An item of a paid order, as far as a refund asks about it. */
export interface RefundableItem {
  seq: number;
  goodstype: GoodsTypeCode;
  price: number;
  qty: number;
  refundedqty: number;
  /** counts of one unit; 0 for other goods */
  countqty: number;
  /** the buyer's free counts of the lot that this item brought */
  freecounts: number;
  /** 服务 and 实物: 1 delivered */
  delivered: number;
  /** course: how many lessons learners of the buyer have finished */
  finishedlessons: number;
}
export interface RefundAsk {
  seq: number;
  qty: number;
}

/** Returns the sum that the asked quantities cost. */
export const refundValue = (items: readonly RefundableItem[], asks: readonly RefundAsk[]): number =>
  asks.reduce((sum, { seq, qty }) => sum + qty * (items.find((item) => item.seq === seq)?.price ?? 0), 0);

/**
 * Returns why a refund may not begin; undefined when it may. `left` is the money that has not gone back yet. Counts that the buyer has
 * used or given out stay paid for; what was delivered or learned too.
 */
export function findRefundFault(
  items: readonly RefundableItem[],
  { asks, amount, left }: { asks: readonly RefundAsk[]; amount: number; left: number },
): { field: string; why: string; isCounts?: true } | undefined {
  if (new Set(asks.map(({ seq }) => seq)).size !== asks.length) return { field: 'items', why: '同一件商品只能填写一次' };
  for (const { seq, qty } of asks) {
    const item = items.find((candidate) => candidate.seq === seq);
    if (!item) return { field: 'items', why: '订单中没有这件商品' };
    if (qty > item.qty - item.refundedqty) return { field: 'items', why: `最多可退 ${item.qty - item.refundedqty} 份` };
    if (qty === 0) continue;
    if (item.goodstype === GoodsType.counts && qty * item.countqty > item.freecounts)
      return { field: 'items', isCounts: true, why: `买方剩余 ${item.freecounts} 次，不足以收回 ${qty * item.countqty} 次` };
    if (item.goodstype === GoodsType.course && item.finishedlessons > 0)
      return { field: 'items', why: '课程已有人学完课时，不能退款' };
    if ((item.goodstype === GoodsType.service || item.goodstype === GoodsType.thing) && item.delivered === 1)
      return { field: 'items', why: '已交付的商品不能退款' };
  }
  if (amount > left) return { field: 'amount', why: `最多可退 ${formatYuan(left)} 元` };
  const isGoodwill = asks.every(({ qty }) => qty === 0);
  if (amount === 0 && isGoodwill) return { field: 'amount', why: '请填写退款数量或金额' };
  if (!isGoodwill && amount > refundValue(items, asks)) return { field: 'amount', why: '金额不能高于所退商品的价款' };
  return undefined;
}

/** Whether another human of the seller must agree: goodwill without goods, and money that goes back outside a gateway. */
export const needsSecondPerson = (paychannel: string, asks: readonly RefundAsk[]): boolean =>
  !isOnline(paychannel) || asks.every(({ qty }) => qty === 0);
