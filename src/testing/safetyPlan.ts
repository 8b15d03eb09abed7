import type { RequestOf } from '#contract/action.ts';
import { PlanMeans } from '#domain/warning/safetyPlan.ts';
import type { insertRiskAssess } from '#features/warning/handling/handling.contract.ts';

type SafetyPlanFields = NonNullable<RequestOf<typeof insertRiskAssess>['safetyplan']>;

/** Returns a complete safety plan of a pupil; `more` changes fields. */
export const aSafetyPlan = (more: SafetyPlanFields = {}): SafetyPlanFields => ({
  warningsigns: '整夜睡不着，不想见人',
  coping: '下楼走一圈，听那张专辑',
  helpers: [{ name: '妈妈', relation: '母亲', phonenumber: '13900001111', isadult: 1 }],
  services: [{ name: '心理辅导室', phonenumber: '0571-88880000', hours: '周一至周五 8:00–17:00' }],
  means: PlanMeans.codes.map((kind) => ({ kind, status: '01' })),
  copies: '本人、妈妈',
  reviewdate: '2025-10-20',
  ...more,
});
