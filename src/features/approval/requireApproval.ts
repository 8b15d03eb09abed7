import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { recordDownload, countMinors, findApproval } from '#features/approval/approval.queries.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';

type StaffContext = Context<'staff'>;

/** Filters in one order and without what is not given, so that the same question reads the same. */
function toCanonicalFilter(filter: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([key, value]) => [key, Array.isArray(value) ? value.map(String).sort() : String(value)])
      .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
  );
}

/** The first birthday of those who are not 18 yet is the day after this. */
function toAdultBirthday(today: string): string {
  const text = `${Number(today.slice(0, 4)) - 18}${today.slice(4)}`;
  // Whoever was born on 29 February comes of age on 1 March of a common year.
  return text.endsWith('-02-29') ? text.replace('-02-29', '-02-28') : text;
}

/** The minors among these persons, counted on the day of the call. */
export const countMinorsToday = (ctx: Pick<StaffContext, 'scope' | 'now'>, cuserids: readonly string[]): Promise<number> =>
  countMinors(ctx.scope, cuserids, toAdultBirthday(shanghaiDate(ctx.now)));

/**
 * Lets an export of these persons go, or refuses. Without minors among them nothing is asked. With minors it takes an approval of
 * somebody else for this call and these filters that has not run out; 140003 without one (its data says how many persons it is about),
 * 140001 when the one given does not cover it. Notes the approval and the number of minors for the audit trail.
 */
export async function requireApproval(
  ctx: StaffContext,
  call: GatedCall,
  filter: Readonly<Record<string, unknown>>,
  approvalid: number | undefined,
  cuserids: readonly string[],
): Promise<{ minors: number }> {
  const minors = await countMinorsToday(ctx, cuserids);
  if (minors === 0) return { minors };
  const persons = new Set(cuserids).size;
  if (approvalid === undefined) throw problems.approvalNeeded({ minors }, { data: { call, persons, minors } });
  const approval = await findApproval(ctx.scope, approvalid);
  if (!approval || approval.applicant !== ctx.caller.accountid || approval.call !== call)
    throw problems.notFound({ what: '导出审批' });
  if (approval.status !== 1)
    throw problems.wrongState({ why: approval.status === 0 ? '导出申请尚未审批' : '导出申请未获同意，请重新申请' });
  if (!approval.validuntil || approval.validuntil <= ctx.now) throw problems.wrongState({ why: '审批已过期，请重新申请' });
  if (toCanonicalFilter(approval.filter as Record<string, unknown>) !== toCanonicalFilter(filter))
    throw problems.wrongState({ why: '筛选条件与审批的不一致，请按审批的条件导出' });
  await recordDownload(ctx.scope, approvalid, ctx.now);
  return { minors };
}
