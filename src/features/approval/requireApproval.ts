import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { recordDownload, countMinors, findApproval } from '#features/approval/approval.queries.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';

type StaffContext = Context<'staff'>;

/** A value as text; an object with its fields, such as an indicator with its levels. */
const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The filters as text, sorted and without empty values: equal filters give equal texts. */
function toCanonicalFilter(filter: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([key, value]) => [key, Array.isArray(value) ? value.map(toText).sort() : toText(value)])
      .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
  );
}

/** The latest birthday of an adult: persons born after this day are under 18. */
function toAdultBirthday(today: string): string {
  const text = `${Number(today.slice(0, 4)) - 18}${today.slice(4)}`;
  // A person born on 29 February turns 18 on 1 March of a common year.
  return text.endsWith('-02-29') ? text.replace('-02-29', '-02-28') : text;
}

/** The number of these persons who are under 18 today. */
export const countMinorsToday = (ctx: Pick<StaffContext, 'scope' | 'now'>, cuserids: readonly string[]): Promise<number> =>
  countMinors(ctx.scope, cuserids, toAdultBirthday(shanghaiDate(ctx.now)));

/** Above this number of persons an export always needs an approval (supplement-people-statistics.md, section 6). */
const FREE_PERSONS = 1000;

/** What an export contains besides the persons. */
interface Content {
  /** The export of one person needs no approval, also of a minor. */
  isSingleFree?: boolean;
  /** It contains single answers, which always need an approval. */
  hasAnswers?: boolean;
}

/** The persons of an export, and whether a second person must approve it. */
export async function judgeExport(
  ctx: Pick<StaffContext, 'scope' | 'now'>,
  cuserids: readonly string[],
  { isSingleFree = false, hasAnswers = false }: Content = {},
): Promise<{ persons: number; minors: number; isApprovalNeeded: boolean }> {
  const minors = await countMinorsToday(ctx, cuserids);
  const persons = new Set(cuserids).size;
  const hasManyMinors = minors > 0 && !(isSingleFree && persons === 1);
  return { persons, minors, isApprovalNeeded: hasManyMinors || persons > FREE_PERSONS || (hasAnswers && persons > 0) };
}

/**
 * Returns the number of minors in an export, or refuses the export. With minors, many persons or single answers it needs a valid
 * approval of another person for this call and these filters. 140003: no approval was given; the data has the numbers of persons.
 * 140001: the approval does not cover the export. Counts the download.
 */
export async function requireApproval(
  ctx: StaffContext,
  call: GatedCall,
  filter: Readonly<Record<string, unknown>>,
  approvalid: number | undefined,
  cuserids: readonly string[],
  content: Content = {},
): Promise<{ minors: number }> {
  const { persons, minors, isApprovalNeeded } = await judgeExport(ctx, cuserids, content);
  if (!isApprovalNeeded) return { minors };
  const { hasAnswers = false } = content;
  if (approvalid === undefined)
    throw problems.approvalNeeded({ minors, persons, hasAnswers }, { data: { call, persons, minors } });
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
