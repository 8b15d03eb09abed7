import { GoodsType, ListingStatus, type GoodsTypeCode, type ListingStatusCode } from '#domain/order/order.ts';

/** When goods may go on sale, and who sees them (supplement-scales-operations.md section 7). */

/** Whether goods may go from one state to another: 0 → 1 ↔ 2. */
export const canList = (from: ListingStatusCode, to: ListingStatusCode): boolean =>
  (to === ListingStatus.onsale && from !== ListingStatus.onsale) || (to === ListingStatus.off && from === ListingStatus.onsale);

/** What the decision to sell needs to know. */
export interface ListingFacts {
  goodstype: GoodsTypeCode;
  hasCover: boolean;
  /** 分 */
  price: number;
  /** counts of one unit */
  qty: number | null;
  /** the plan of a package exists, is in use and belongs to the seller or to all below the one above it; true without a plan ('*') */
  isPlanLive: boolean;
  /** a form of the plan may not be used for money (tier B) */
  hasUnpaidForm: boolean;
  /** the course exists and is on the shelf */
  isCourseLive: boolean;
  isCourseFree: boolean;
}

/** Returns why goods cannot go on sale, with the field to mend; undefined when they can. */
export function findListingFault(facts: ListingFacts): { field: string; why: string } | undefined {
  if (!facts.hasCover) return { field: 'coverfileid', why: '请先上传封面，再上架' };
  if (facts.goodstype === GoodsType.counts) {
    if (!facts.qty) return { field: 'qty', why: '请填写每份包含的次数' };
    if (!facts.isPlanLive) return { field: 'plancode', why: '方案已停用或不能供下级使用，请换一个方案' };
    if (facts.price > 0 && facts.hasUnpaidForm)
      return { field: 'price', why: '该方案含附条件使用（B 类）的量表，不能收费，请改为 0 元或更换方案' };
  }
  if (facts.goodstype === GoodsType.course) {
    if (!facts.isCourseLive) return { field: 'courseid', why: '课程还没有上架，请先上架课程' };
    if (facts.isCourseFree) return { field: 'courseid', why: '这门课程是免费的，不需要选购' };
  }
  return undefined;
}
