import { anyPlan } from '#features/assesscount/wallet.contract.ts';

const anyPlanName = '不限方案';
/** The name of a wallet's plan; its code when the caller cannot see the plan. */
export const planNameOf = (plancode: string, planname: string | null): string =>
  plancode === anyPlan ? anyPlanName : (planname ?? plancode);
