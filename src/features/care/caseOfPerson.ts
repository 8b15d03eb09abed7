import { shanghaiTime } from '#domain/base/calendar.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { lockCase, type StaffContext } from '#features/warning/handling/transition.ts';

/** The person of a record, in the caller's reach; a case named beside them must be theirs and not over. */
export async function personOf(ctx: StaffContext, cuserid: string, warningcode: string | undefined) {
  const person = await findCUser(ctx.scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const heldCase = warningcode ? await lockCase(ctx, warningcode) : undefined;
  if (heldCase && heldCase.row.cuserid !== cuserid) throw problems.notFound({ what: '预警' });
  if (heldCase && !isOpen(heldCase.facts)) throw problems.wrongState({ why: '个案已结束，不能再登记；需要时请先重开' });
  return { person, held: heldCase };
}

/** A time as minutes of Shanghai: `2025-10-06 08:00`. */
export const minuteOf = (time: Date) => shanghaiTime(time).slice(0, 16);

/** True for the author of a record and for the own account of their institution. */
export const canCorrect = ({ caller }: StaffContext, row: { operator: string | null; musercode: string }): boolean =>
  row.operator === caller.accountid || (caller.userid === null && row.musercode === caller.musercode);
