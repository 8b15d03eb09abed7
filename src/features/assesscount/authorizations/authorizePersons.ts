import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import { requiredForms, requirePlan } from '#features/plan/requirePlan.ts';
import { checkEligibility } from '#features/plan/eligibility.ts';
import * as queries from '#features/assesscount/authorizations/authorize.queries.ts';

/** Authorises persons of one institution and freezes their counts. Returns the persons it authorised, and the others with reasons. */
export async function authorizePersons(
  ctx: Pick<Context<'staff'>, 'scope' | 'caller' | 'now'>,
  input: {
    cuserids: readonly string[];
    plancode: string;
    stagecode?: string | null | undefined;
    total: number;
    begindate?: string | null | undefined;
    enddate?: string | null | undefined;
  },
) {
  const { scope, caller, now } = ctx;
  const { plancode, total } = input;
  const stagecode = input.stagecode || null;
  const cuserids = [...new Set(input.cuserids)];
  const today = shanghaiDate(now);
  const begindate = input.begindate ?? today;
  if (input.enddate && input.enddate < (begindate > today ? begindate : today))
    throw problems.invalid({ message: '结束日期不能早于今天和开始日期' }, { field: 'enddate' });
  const people = await queries.findPeople(scope, cuserids);
  const [first] = people;
  if (!first || people.length < cuserids.length) throw problems.notFound({ what: '受测者' });
  const { musercode, orgpath } = first;
  if (people.some((person) => person.musercode !== musercode))
    throw problems.invalid({ message: '一次只能授权同一机构的人员' }, { field: 'cuserids' });
  const { plan, forms } = await requirePlan(scope, { musercode, orgpath, plancode, stagecode, now });
  const candidates = people.filter((person) => person.appid === plan.appid);
  const { included, exclusions } = checkEligibility(candidates, requiredForms(forms), now);
  const authorization = {
    musercode,
    plancode,
    appid: plan.appid,
    stagecode,
    total,
    begindate,
    enddate: input.enddate ?? null,
    grantby: caller.accountid,
    now,
  };
  const grantedIds = await queries.insertAuthorizations(
    scope,
    authorization,
    included.map((person) => person.cuserid),
  );
  const walletcode = await freezeCounts(scope, {
    musercode,
    plancode,
    cuserids: grantedIds,
    countPerPerson: total,
    operator: caller.accountid,
    now,
    today,
    remark: `授权：${plan.planname}`,
  });
  if (walletcode !== '*') await queries.setWallet(scope, authorization, grantedIds, walletcode);
  const grantedSet = new Set(grantedIds);
  const allExclusions = [
    ...people.filter((person) => person.appid !== plan.appid).map((person) => ({ ...person, reason: '人群与方案不符' })),
    ...exclusions,
    ...included
      .filter((person) => !grantedSet.has(person.cuserid))
      .map((person) => ({ ...person, reason: '已有相同方案的有效授权' })),
  ];
  return { grantedIds, exclusions: allExclusions };
}
