import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { ConsultAttendance, ConsultOutcome, ConsultSource, ConsultStatus, InterfereKind } from '#domain/base/enums.ts';
import { levelName } from '#domain/warning/levels.ts';
import { withContact } from '#domain/warning/clock/clocks.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { addInterfere } from '#features/care/care.queries.ts';
import { withWorsened } from '#features/care/worsened.ts';
import * as contract from '#features/consult/booking/booking.contract.ts';
import * as queries from '#features/consult/booking/booking.queries.ts';
import { lockOpenCase, openCaseOf } from '#features/consult/booking/consultCase.ts';
import { cancelRows } from '#features/consult/booking/cancel.ts';
import { addConsult, updateConsultRow, type ConsultRecord } from '#features/consult/consult.queries.ts';
import { sealText } from '#features/consult/consultSeal.ts';
import { lockConsult, logConsult } from '#features/consult/lockConsult.ts';
import { assertStep } from '#features/consult/permittedSteps.ts';
import { saveTransition, type LockedCase } from '#features/warning/handling/transition.ts';

type StaffContext = Context<'staff'>;

/** The least state that opens a case for a person without one, and that counts as an acute sign: 预警. */
const GRAVE_LEVEL = 3;

interface Result {
  currentlevel: number;
  outcome: string;
  summary: string;
}

/**
 * Writes the consultation into a case as an intervention. It is a contact with the person, unless the consultation itself opened the case.
 * A worse state raises the case; with 转预警 the report does that.
 */
async function writeIntervention(
  ctx: StaffContext,
  consult: ConsultRecord,
  lockedCase: LockedCase,
  { currentlevel, outcome, summary, isNew = false }: Result & { isNew?: boolean },
): Promise<void> {
  const { now, caller } = ctx;
  const minutes = Math.round((consult.slotend!.getTime() - consult.slotbegin!.getTime()) / 60_000);
  const kind = InterfereKind.consult;
  const { interfereid } = await addInterfere(ctx.scope, {
    cuserid: consult.cuserid,
    musercode: consult.musercode,
    warningcode: lockedCase.row.warningcode,
    kind,
    begintime: consult.slotbegin!,
    minutes,
    content: summary,
    effect: null,
    operator: caller.accountid,
    createtime: now,
    consultid: consult.consultid,
  });
  const isAcute = currentlevel >= GRAVE_LEVEL;
  const facts = { ...lockedCase.facts, lastacutesign: isAcute ? now : lockedCase.facts.lastacutesign };
  const contacted = isNew ? facts : withContact(facts, now);
  const after = outcome === ConsultOutcome.warned ? contacted : await withWorsened(ctx, lockedCase, contacted, currentlevel);
  const state = `当前状态：${levelName(currentlevel, caller.sector)}；结果：${ConsultOutcome.label(outcome)}`;
  await saveTransition(ctx, lockedCase, after, {
    action: '干预',
    content: `${InterfereKind.label(kind)} ${minutes} 分钟：${summary}（${state}）`,
    detail: { interfereid, consultid: consult.consultid },
  });
}

/** Writes a consultation into the person's open case, or opens one for 转预警 and for a grave state. Returns the code of the case. */
async function reportToCase(
  ctx: StaffContext,
  consult: ConsultRecord,
  result: Result,
  warninglevel: number | undefined,
): Promise<string | undefined> {
  const { currentlevel, outcome, summary } = result;
  const lockedCase = await lockOpenCase(ctx, consult);
  if (lockedCase) await writeIntervention(ctx, consult, lockedCase, result);
  const level =
    outcome === ConsultOutcome.warned ? warninglevel : !lockedCase && currentlevel >= GRAVE_LEVEL ? currentlevel : undefined;
  if (level === undefined) return lockedCase?.row.warningcode;
  const warningcode = await openCaseOf(ctx, consult, { level, summary });
  const opened = lockedCase || warningcode === undefined ? undefined : await lockOpenCase(ctx, consult);
  if (opened) await writeIntervention(ctx, consult, opened, { ...result, isNew: true });
  return warningcode;
}

/** The waiting registration for the next date; null when a later booking with the same counsellor exists. It is overdue after that day. */
async function addNext(ctx: StaffContext, consult: ConsultRecord, nextdate: string): Promise<number | null> {
  if (await queries.hasLaterBooking(ctx.scope, consult)) return null;
  const { cuserid, musercode, topics, consulttype, counsellor, warningcode, guardianopen } = consult;
  const consultid = await addConsult(ctx.scope, {
    cuserid,
    musercode,
    topics,
    consulttype,
    counsellor,
    warningcode,
    guardianopen,
    source: warningcode === null ? ConsultSource.staff : ConsultSource.case,
    applytime: ctx.now,
    duetime: addDays(fromShanghai(nextdate), 1),
    operator: ctx.caller.accountid,
    createtime: ctx.now,
  });
  await logConsult(ctx, { consultid, cuserid, musercode }, '登记', `继续咨询，下次 ${nextdate}`);
  return consultid;
}

export const finishConsult = handle(contract.finishConsult, async ({ consultid, warninglevel, ...result }, ctx) => {
  const { scope, now, caller, cipher } = ctx;
  const consult = await lockConsult(ctx, consultid);
  await assertStep(ctx, consult, 'finish');
  const { attendance, currentlevel, outcome, nextdate, summary } = result;
  if (nextdate && nextdate <= shanghaiDate(now)) throw problems.invalid({ message: '下次日期须晚于今天' }, { field: 'nextdate' });
  const warningcode = (await reportToCase(ctx, consult, result, warninglevel)) ?? consult.warningcode;
  await updateConsultRow(scope, consultid, {
    status: ConsultStatus.done,
    donetime: now,
    attendance,
    currentlevel,
    outcome,
    nextdate: nextdate ?? null,
    summary: sealText(cipher, consult.musercode, 'consult.summary', summary),
    warningcode,
    operator: caller.accountid,
    updatetime: now,
  });
  await logConsult(ctx, consult, '完成', `${ConsultAttendance.label(attendance)} · ${ConsultOutcome.label(outcome)}`);
  if (outcome === ConsultOutcome.warned) await logConsult(ctx, consult, '转预警');
  const finished = { ...consult, warningcode };
  const isContinued = outcome === ConsultOutcome.continued && nextdate !== undefined;
  const rest = outcome === ConsultOutcome.ended ? await queries.lockRestOfSeries(scope, consult) : [];
  await cancelRows(ctx, rest, '咨询已结束');
  return {
    consultid,
    warningcode,
    nextconsultid: isContinued ? await addNext(ctx, finished, nextdate) : null,
    cancelled: rest.length,
    needsreferral: outcome === ConsultOutcome.referred && warningcode !== null ? 1 : 0,
  };
});
