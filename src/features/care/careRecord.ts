import { shanghaiTime } from '#domain/base/calendar.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import * as queries from '#features/care/care.queries.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { DEAD, lockCase, type StaffContext } from '#features/warning/handling/transition.ts';

/** The person of a new record and the locked case. Refuses a case of another person (130001) and a closed case (140001). */
export async function findPersonAndCase(ctx: StaffContext, cuserid: string, warningcode: string | undefined) {
  const person = await findCUser(ctx.scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const lockedCase = warningcode ? await lockCase(ctx, warningcode) : undefined;
  if (lockedCase && lockedCase.row.cuserid !== cuserid) throw problems.notFound({ what: '预警' });
  if (lockedCase && !isOpen(lockedCase.facts)) throw problems.wrongState({ why: '个案已结束，不能再登记；需要时请先重开' });
  if (lockedCase?.facts.death) throw problems.wrongState({ why: DEAD });
  return { person, lockedCase };
}

/** A time as `YYYY-MM-DD HH:MM` in China. */
export const formatMinute = (time: Date) => shanghaiTime(time).slice(0, 16);
/** Says whether the caller may correct a record: its author and the own account of its institution may, no institution above. */
export const canCorrect = ({ caller }: StaffContext, row: { operator: string | null; musercode: string }): boolean =>
  row.operator === caller.accountid || (caller.userid === null && row.musercode === caller.musercode);

/** A waiting follow-up, locked. Of two staff who finish it at once, the second is refused (140001). */
export async function lockWaiting(ctx: StaffContext, followupid: number) {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const followUp = await queries.lockFollowUp(ctx.scope, followupid);
  if (!followUp) throw problems.notFound({ what: '随访' });
  if (followUp.status !== '01' && followUp.status !== '03') throw problems.wrongState({ why: '该次随访已登记，不能重复登记' });
  ctx.audit({ cuserids: [followUp.cuserid], objectid: String(followupid) });
  return followUp;
}
