import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { FollowMethod } from '#domain/base/enums.ts';
import { planSeries, type SeriesDate } from '#domain/followup/series.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import * as contract from '#features/care/care.contract.ts';
import * as queries from '#features/care/care.queries.ts';
import { findPersonAndCase, lockWaiting } from '#features/care/careRecord.ts';
import { notifyOwner, requireOwner } from '#features/care/followup/owner.ts';
import { attachRetest, type AttachedRetest } from '#features/care/followup/retest.queries.ts';
import * as work from '#features/care/followup/work.contract.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { addFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import { saveTransition } from '#features/warning/handling/transition.ts';
import { findWarning } from '#features/warning/warning.queries.ts';

/** Planning follow-ups: one or a series, its preview, and the re-test of a planned one. */

interface SeriesInput {
  duetime: string;
  repeat?: { everydays: number; times: number } | undefined;
  bylevel?: number | undefined;
}

/** The days of a series at an institution. Refuses (120002) an interval together with a level. */
async function findSeries(
  scope: Scope,
  { duetime, repeat, bylevel }: SeriesInput,
  { musercode, caselevel }: { musercode: string; caselevel: number | null },
): Promise<SeriesDate[]> {
  if (repeat && bylevel) throw problems.invalid({ message: '间隔与按等级计划只能选一种' }, { field: 'bylevel' });
  const rule = bylevel ? { bylevel: bylevel as WarningLevelCode } : (repeat ?? { everydays: 1, times: 1 });
  const { trigger } = await findWarningSettings(scope, musercode);
  return planSeries(fromShanghai(duetime), rule, { calendar: trigger.calendar, caselevel });
}

const insertFollowUp = handle(contract.insertFollowUp, async (input, ctx) => {
  const { cuserid, warningcode, planname, duetime, method, owneruserid, retestplan } = input;
  const { scope, caller, now } = ctx;
  const { person, lockedCase } = await findPersonAndCase(ctx, cuserid, warningcode);
  const { musercode } = person;
  const suspects = lockedCase?.row.suspectuserids ?? [];
  if (owneruserid) await requireOwner(ctx, owneruserid, { musercode, suspects });
  const dates = await findSeries(scope, input, { musercode, caselevel: lockedCase?.row.level ?? null });
  const retest = retestplan ? await attachRetest(ctx, cuserid, retestplan, fromShanghai(duetime)) : undefined;
  const before = lockedCase ? (await queries.countAppointments(scope, lockedCase.row.warningcode)).n : 0;
  // The owner of a case is responsible for its follow-ups, also after a hand-over of the case.
  const owner = owneruserid ?? (lockedCase?.row.owneruserid ? null : caller.userid);
  const isOwnOfCase = owner !== null && owner === lockedCase?.row.owneruserid;
  const added = await addFollowUps(
    scope,
    dates.map((date, index) => ({
      cuserid,
      musercode,
      warningcode: warningcode ?? null,
      planname,
      seq: before + index + 1,
      duetime: date.duetime,
      method,
      owneruserid: isOwnOfCase ? null : owner,
      ...(index === 0 && retest && { cuserplanid: retest.cuserplanid, retesttime: now }),
      operator: caller.accountid,
      createtime: now,
    })),
  );
  if (lockedCase) {
    const followups = [
      ...lockedCase.facts.followups,
      ...added.map((item) => ({ duetime: item.duetime, status: '01' as const, donetime: null })),
    ];
    const text = `${FollowMethod.label(method)} ${dates.length} 次，首次 ${duetime.slice(0, 16)}`;
    await saveTransition(
      ctx,
      lockedCase,
      { ...lockedCase.facts, followups },
      { action: '随访计划', content: retest ? `${text}，附带复测《${retest.planname}》` : text },
    );
  }
  if (owner && owner !== lockedCase?.row.owneruserid) await notifyOwner(ctx, owner, fromShanghai(duetime));
  ctx.audit({ cuserids: [cuserid] });
  return { followupids: added.map((item) => item.followupid) };
});

const getFollowUpDates = handle(work.getFollowUpDates, async ({ cuserid, warningcode, ...input }, { scope }) => {
  const person = await findCUser(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const caselevel = warningcode ? (await findWarning(scope, warningcode)).level : null;
  const dates = await findSeries(scope, input, { musercode: person.musercode, caselevel });
  return dates.map(({ duetime, movedfrom }) => ({
    duetime: shanghaiTime(duetime),
    movedfrom: movedfrom && shanghaiTime(movedfrom),
  }));
});

/** Attaches a re-test to a follow-up that is locked. */
export async function saveRetest(
  ctx: Context<'staff'>,
  row: { followupid: number; cuserid: string; duetime: Date },
  plancode: string,
): Promise<AttachedRetest> {
  const retest = await attachRetest(ctx, row.cuserid, plancode, row.duetime);
  await queries.updateFollowUp(ctx.scope, row.followupid, { cuserplanid: retest.cuserplanid, retesttime: ctx.now });
  return retest;
}

const insertFollowUpRetest = handle(work.insertFollowUpRetest, async ({ followupid, plancode }, ctx) => {
  const row = await lockWaiting(ctx, followupid);
  const person = await findCUser(ctx.scope, row.cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const { planname, isgranted } = await saveRetest(ctx, { ...row, duetime: ctx.now }, plancode);
  return { plancode, planname, isgranted };
});

export const planHandlers = [insertFollowUp, getFollowUpDates, insertFollowUpRetest];
