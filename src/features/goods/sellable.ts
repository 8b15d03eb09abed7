import { shanghaiDate } from '#domain/base/calendar.ts';
import { findListingFault } from '#domain/order/listing.ts';
import type { GoodsTypeCode } from '#domain/order/order.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { anyPlan } from '#features/assesscount/wallet.contract.ts';
import * as queries from '#features/goods/goods.queries.ts';

/** What the rule of selling asks about goods. */
export interface Sellable {
  musercode: string;
  orgpath: string;
  goodstype: string;
  coverfileid: string | null;
  price: number;
  qty: number | null;
  plancode: string | null;
  courseid: number | null;
}

/** The plan as the rule of selling asks: institutions below the seller can use it, so it is common and of the seller or above it. */
async function findPlanFacts(scope: Scope, { plancode, orgpath }: Sellable, now: Date) {
  if (plancode === anyPlan) return { isPlanLive: true, hasUnpaidForm: false };
  const plan = plancode === null ? undefined : await queries.findCurrentPlan(scope, plancode);
  if (!plan) return { isPlanLive: false, hasUnpaidForm: false };
  const isInUse = plan.status === 1 && plan.formcode === null && (plan.validend === null || plan.validend >= shanghaiDate(now));
  return {
    isPlanLive: isInUse && plan.iscommon === 1 && orgpath.split('.').includes(plan.musercode),
    hasUnpaidForm: await queries.hasTierB(scope, plan.plancode),
  };
}

/** Returns why goods may not be sold now, with the field to mend; undefined when they may. */
export async function findSellingFault(scope: Scope, goods: Sellable, now: Date) {
  const course = goods.courseid === null ? undefined : await queries.findOwnCourse(scope, goods.musercode, goods.courseid);
  return findListingFault({
    ...{ goodstype: goods.goodstype as GoodsTypeCode, price: goods.price, qty: goods.qty },
    hasCover: goods.coverfileid !== null,
    ...(await findPlanFacts(scope, goods, now)),
    isCourseLive: course?.status === 1,
    isCourseFree: course?.free === 1,
  });
}

/** Refuses goods that may not be on sale: 150002 for a price on a plan with a tier-B form, otherwise 140001. */
export async function assertSellable(scope: Scope, goods: Sellable, now: Date): Promise<void> {
  const fault = await findSellingFault(scope, goods, now);
  if (!fault) return;
  const problem = fault.field === 'price' ? problems.licenceMissing : problems.wrongState;
  throw problem({ why: fault.why }, { field: fault.field });
}
