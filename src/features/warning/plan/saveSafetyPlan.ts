import type { z } from 'zod';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { findOpenMeans, findPlanGaps } from '#domain/warning/safetyPlan.ts';
import type { MeansSafety, PlanHelper, PlanService, SafetyPlan } from '#domain/warning/safetyPlan.ts';
import { isSuspectedHelper } from '#domain/warning/suspect.ts';
import type { SafetyPlanFact } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { operatorOf, type LockedCase, type StaffContext } from '#features/warning/handling/transition.ts';
import { addSafetyPlanRow, findLastSafetyPlan, type SafetyPlanRow } from '#features/warning/plan/plan.queries.ts';
import type { safetyPlanFields, SafetyPlanView } from '#features/warning/plan/planFields.contract.ts';

type SealedHelper = Omit<PlanHelper, 'phonenumber'> & { phonesealed: string };
/** The encryption context of the telephone numbers in a plan. */
const PHONE_CONTEXT = 'safetyplan.phone';

export interface SavedSafetyPlan {
  planid: number;
  version: number;
  gaps: string[];
  fact: SafetyPlanFact;
  /** the line of the case log; it has no telephone number */
  logText: string;
}

/** Saves a new version of the safety plan of a locked case. The caller writes the log line. Refuses a day in the future (120002). */
export async function saveSafetyPlan(
  ctx: StaffContext,
  { row, facts }: LockedCase,
  fields: z.infer<typeof safetyPlanFields>,
  { assessid = null, path = '' }: { assessid?: number | null; path?: string } = {},
): Promise<SavedSafetyPlan> {
  const { warningcode, cuserid, musercode } = row;
  const today = shanghaiDate(ctx.now);
  fields.means.forEach(({ storeddate }, index) => {
    if (storeddate > today)
      throw problems.invalid({ message: '收好日期不能晚于今天' }, { field: `${path}means.${index}.storeddate` });
  });
  const { helpers, services, means, planversion, ...texts } = fields;
  const before = await findLastSafetyPlan(ctx.scope, warningcode);
  // The texts of the other version would be missing from the plan that everybody works with.
  if (planversion !== undefined && planversion !== (before?.version ?? 0))
    throw problems.changedMeanwhile(
      before && { name: before.operatorname, time: shanghaiTime(before.time).slice(0, 16), titles: '安全计划' },
    );
  // An empty row of the form is no helper and no service.
  const plan: SafetyPlan = {
    ...texts,
    // The printed sheet never names a person who is suspected of harm.
    helpers: helpers
      .filter(({ name, phonenumber }) => name !== '' || phonenumber !== '')
      .map((helper) => (isSuspectedHelper(row.suspectname, helper) ? { ...helper, issuspect: 1 as const } : helper)),
    services: services.filter(({ name, phonenumber }) => name !== '' || phonenumber !== ''),
    means,
  };
  const gaps = findPlanGaps(plan, { isMinor: facts.minor });
  const openMeans = findOpenMeans(plan);
  const { operator, operatorname } = operatorOf(ctx.caller);
  const sealedHelpers = plan.helpers.map(({ phonenumber, ...helper }): SealedHelper => ({
    ...helper,
    phonesealed: phonenumber === '' ? '' : ctx.cipher.encrypt(musercode, PHONE_CONTEXT, phonenumber),
  }));
  const { planid, version } = await addSafetyPlanRow(ctx.scope, {
    ...texts,
    warningcode,
    cuserid,
    musercode,
    version: (before?.version ?? 0) + 1,
    assessid,
    helpers: JSON.stringify(sealedHelpers),
    services: JSON.stringify(plan.services),
    means: JSON.stringify(plan.means),
    iscomplete: gaps.length === 0 ? 1 : 0,
    hasopenmeans: openMeans.length > 0 ? 1 : 0,
    operator,
    operatorname,
    time: ctx.now,
  });
  const logText = [
    `安全计划第 ${version} 版${gaps.length === 0 ? '（完整）' : `，尚缺：${gaps.join('、')}`}`,
    openMeans.length > 0 && `环境安全未处理：${openMeans.join('、')}`,
    plan.copies && `副本：${plan.copies}`,
    plan.reviewdate && `复查日：${plan.reviewdate}`,
  ]
    .filter(Boolean)
    .join('。');
  return {
    planid,
    version,
    gaps,
    fact: { time: ctx.now, complete: gaps.length === 0, openmeans: openMeans.length > 0 },
    logText,
  };
}

/** A stored plan with its telephone numbers and its missing parts. */
export function toSafetyPlanView({ cipher }: Pick<StaffContext, 'cipher'>, row: SafetyPlanRow, isMinor: boolean): SafetyPlanView {
  const helpers = (row.helpers as unknown as SealedHelper[]).map(({ phonesealed, ...helper }) => ({
    ...helper,
    phonenumber: phonesealed === '' ? '' : cipher.decrypt(row.musercode, PHONE_CONTEXT, phonesealed),
  }));
  const plan: SafetyPlan = {
    warningsigns: row.warningsigns,
    coping: row.coping,
    distractions: row.distractions,
    helpers,
    services: row.services as unknown as PlanService[],
    means: row.means as unknown as MeansSafety[],
    importantthings: row.importantthings,
    copies: row.copies,
    reviewdate: row.reviewdate,
  };
  return {
    ...plan,
    helpers,
    services: [...plan.services],
    means: [...plan.means],
    planid: row.planid,
    version: row.version,
    time: shanghaiTime(row.time),
    operatorname: row.operatorname,
    iscomplete: row.iscomplete,
    gaps: findPlanGaps(plan, { isMinor }),
  };
}
