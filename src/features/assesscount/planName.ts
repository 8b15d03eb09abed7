import { anyPlan } from '#features/assesscount/wallet.contract.ts';

const anyPlanName = '不限方案';
/** How a wallet's plan is called. A plan the reader cannot see goes by its code. */
export const planNameOf = (plancode: string, planname: string | null): string =>
  plancode === anyPlan ? anyPlanName : (planname ?? plancode);
