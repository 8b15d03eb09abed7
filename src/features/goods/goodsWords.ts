import { formatYuan } from '#domain/base/money.ts';
import { formatNumber } from '#domain/base/number.ts';
import { GoodsType } from '#domain/order/order.ts';
import type { GoodsRow } from '#features/goods/goods.contract.ts';

/** Goods in words, for sellers and buyers. */

/** Returns the price in words: 1,280.00 元, 免费. `price` is in 分. */
export const priceWords = (price: number): string => (price === 0 ? '免费' : `${formatYuan(price)} 元`);

type Content = Pick<GoodsRow, 'goodstype' | 'planname' | 'qty' | 'coursename' | 'validdays'>;

/** Returns what one unit contains: 中学生心理普查 × 500 次, a course, or the kind of goods. */
export function contentWords({ goodstype, planname, qty, coursename }: Content): string {
  if (goodstype === GoodsType.counts) return `${planname || '还没有选方案'} × ${qty === null ? '？' : formatNumber(qty)} 次`;
  if (goodstype === GoodsType.course) return coursename || '还没有选课程';
  return GoodsType.label(goodstype);
}

/** Returns for how long counts or a course can be used; '' for other goods. */
export function validityWords({ goodstype, validdays }: Content): string {
  if (goodstype !== GoodsType.counts && goodstype !== GoodsType.course) return '';
  return validdays === null ? '长期有效' : `付款后 ${formatNumber(validdays)} 天内有效`;
}

/** Returns the stock in words: 不限, 已售完, 12. */
export const stockWords = (stock: number | null): string =>
  stock === null ? '不限' : stock === 0 ? '已售完' : formatNumber(stock);
