import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { ConsultType } from '#domain/base/enums.ts';
import { ConsultSource, ConsultStatus } from '#domain/base/enums.ts';
import { canPersonCancel, SELF_BOOKING_DAYS, type ConsultStatusCode } from '#domain/consult/consult.ts';
import { findAgeRefusal, toQuestionnaire } from '#domain/exam/questionFlow.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { isSuspected, lockTimes, refuseOverlap } from '#features/consult/booking/booking.queries.ts';
import { formatSlot } from '#features/consult/booking/bookingChecks.ts';
import { addConsultLog, updateConsultRow, type ConsultLogAction } from '#features/consult/consult.queries.ts';
import { findOfferedForms, isSelfbookAllowed } from '#features/consult/forms/forms.queries.ts';
import * as contract from '#features/consult/person/person.contract.ts';
import * as queries from '#features/consult/person/person.queries.ts';
import { requireApplicant, type Applicant } from '#features/consult/register/applicant.ts';
import { saveApplication } from '#features/consult/register/saveApplication.ts';
import { notifyOfApplication, tellCounsellor } from '#features/consult/remind/consultNotices.ts';
import { findFreeSlots, type NamedSlot } from '#features/consult/schedule/slots.queries.ts';
import { findSupportText } from '#features/respond/entry/support.ts';
import { toSheetItems } from '#features/respond/exam/sitting.ts';

type PersonContext = Pick<Context<'respondent'>, 'scope' | 'cipher' | 'now' | 'caller'>;
type OwnConsult = NonNullable<Awaited<ReturnType<typeof queries.lockOwnConsult>>>;

const toMinute = (time: Date) => shanghaiTime(time).slice(0, 16);

/** The caller as an applicant. Refuses (110004) a person without a name, disabled or anonymized. */
async function requireOwnPerson({ scope, caller, now }: Pick<PersonContext, 'scope' | 'caller' | 'now'>): Promise<Applicant> {
  const person = await requireApplicant(scope, caller.cuserid, now);
  if (person.isAnonymous || person.isGone) throw problems.notAllowed();
  return person;
}

const getApplyForms = handle(contract.getApplyForms, async (_, ctx) => {
  const person = await requireOwnPerson(ctx);
  const forms = await findOfferedForms(ctx.scope, person.musercode, person.appid);
  return {
    selfbook: await isSelfbookAllowed(ctx.scope, person.musercode),
    forms: forms
      .filter(({ scale }) => findAgeRefusal(scale, person.age) === null)
      .map(({ formcode, title, scale }) => {
        const questionnaire = toQuestionnaire(scale);
        return {
          formcode,
          title,
          instruction: scale.instruction ?? '',
          items: toSheetItems(questionnaire),
          derive: questionnaire.derive,
        };
      }),
    person: person.facts as Record<string, string | number | boolean | null>,
  };
});

const applyConsult = handle(contract.applyConsult, async ({ formcode, consulttype, answers }, ctx) => {
  const { scope, caller, now } = ctx;
  const { consultid, person, opened } = await saveApplication(ctx, {
    cuserid: caller.cuserid,
    source: ConsultSource.person,
    consulttype,
    formcode,
    answers,
  });
  const { musercode } = person;
  await notifyOfApplication(ctx, { consultid, musercode, cuserid: caller.cuserid, warningcode: opened?.warningcode ?? null });
  const support = {
    show: opened !== null,
    hotline: await queries.findHotline(scope, person.musercode),
    text: opened ? await findSupportText(scope, person, 'card', now) : '',
  };
  return { consultid, support };
});

const getOwnConsults = handle(contract.getOwnConsults, async (_, { scope, caller, now }) => {
  await requireOwnPerson({ scope, caller, now });
  const rows = await queries.findOwnConsults(scope, caller.cuserid);
  const isSelfbook = await isSelfbookAllowed(scope, caller.musercode);
  return rows.map((row) => ({
    ...row,
    status: row.status as ConsultStatusCode,
    consulttype: row.consulttype as (typeof ConsultType.codes)[number],
    title: row.title || row.formname || '心理咨询',
    applytime: toMinute(row.applytime),
    slotbegin: row.slotbegin && toMinute(row.slotbegin),
    slotend: row.slotend && toMinute(row.slotend),
    counsellorname: row.counsellorname ?? '',
    cancancel: canPersonCancel(row.status as ConsultStatusCode, row.slotbegin, now),
    canbook: isSelfbook && isBookable(row, now),
  }));
});

/** Whether the person may choose a time: for a waiting registration, and to move an own booking that may still be cancelled. */
const isBookable = ({ status, slotbegin, groupid }: Pick<OwnConsult, 'status' | 'slotbegin' | 'groupid'>, now: Date): boolean =>
  groupid === null && canPersonCancel(status as ConsultStatusCode, slotbegin, now);

/** The free times of the next 14 days with counsellors who may meet the person. */
async function findOwnSlots({ scope, now, caller }: Pick<PersonContext, 'scope' | 'now' | 'caller'>): Promise<NamedSlot[]> {
  const slots = await findFreeSlots(scope, caller.musercode, {
    begindate: shanghaiDate(now),
    enddate: shanghaiDate(addDays(now, SELF_BOOKING_DAYS)),
    now,
  });
  const refused = new Set<string>();
  for (const counsellor of new Set(slots.map((slot) => slot.counsellor)))
    if (await isSuspected(scope, { cuserid: caller.cuserid, warningcode: null }, counsellor)) refused.add(counsellor);
  return slots.filter(({ counsellor }) => !refused.has(counsellor));
}

const getFreeSlots = handle(contract.getFreeSlots, async ({ begindate = '', enddate = '9999' }, ctx) => {
  await requireOwnPerson(ctx);
  if (!(await isSelfbookAllowed(ctx.scope, ctx.caller.musercode))) return [];
  return (await findOwnSlots(ctx))
    .map(({ begin, end, ...slot }) => ({
      ...slot,
      slotbegin: toMinute(begin),
      slotend: toMinute(end),
      cancancel: canPersonCancel(ConsultStatus.booked, begin, ctx.now),
    }))
    .filter(({ slotbegin }) => slotbegin.slice(0, 10) >= begindate && slotbegin.slice(0, 10) <= enddate);
});

/** An own registration, locked. Throws 130001 without one. */
async function lockOwn({ scope, caller }: PersonContext, consultid: number): Promise<OwnConsult> {
  const consult = await queries.lockOwnConsult(scope, caller.cuserid, consultid);
  if (!consult) throw problems.notFound({ what: '咨询登记' });
  return consult;
}

const bookSlot = handle(contract.bookSlot, async ({ consultid, counsellor, slotbegin }, ctx) => {
  const { scope, caller, now } = ctx;
  await requireOwnPerson(ctx);
  const { musercode, cuserid } = caller;
  if (!(await isSelfbookAllowed(scope, musercode))) throw problems.notAllowed();
  const consult = await lockOwn(ctx, consultid);
  if (!isBookable(consult, now)) throw problems.wrongState({ why: '这次咨询现在不能选择时间，请联系老师或工作人员' });
  // Who waited here for another choice of the same time finds it taken below.
  await lockTimes(scope, { counsellor, cuserids: [cuserid], musercode, room: '' });
  const begin = fromShanghai(slotbegin).getTime();
  const slot = (await findOwnSlots(ctx)).find((free) => free.counsellor === counsellor && free.begin.getTime() === begin);
  if (!slot) throw problems.wrongState({ why: TAKEN }, { field: 'slotbegin' });
  await lockTimes(scope, { counsellor, cuserids: [cuserid], musercode, room: slot.room });
  await refuseOverlap('', () =>
    updateConsultRow(scope, consultid, {
      status: ConsultStatus.booked,
      counsellor,
      slotbegin: slot.begin,
      slotend: slot.end,
      room: slot.room,
      bookedby: '01',
      remindedday: 0,
      remindedhour: 0,
      updatetime: now,
    }),
  );
  const isMove = consult.status === ConsultStatus.booked;
  await logOwn(ctx, consult, isMove ? '改期' : '预约', `${formatSlot(slot)} · ${slot.counsellorname}`);
  const recipients = new Set([counsellor, ...(consult.counsellor ? [consult.counsellor] : [])]);
  for (const userid of recipients)
    await tellCounsellor(ctx, consult, userid, isMove ? '一次咨询由本人改了时间' : '一次咨询由本人选定了时间');
  return {};
});
const TAKEN = '这个时间刚被约走，请另选一个';

const cancelOwnConsult = handle(contract.cancelOwnConsult, async ({ consultid, reason }, ctx) => {
  const { scope, now } = ctx;
  const consult = await lockOwn(ctx, consultid);
  if (!canPersonCancel(consult.status as ConsultStatusCode, consult.slotbegin, now))
    throw problems.wrongState({
      why:
        consult.status === ConsultStatus.booked
          ? '离开始不到 2 小时，不能在这里取消，请直接联系老师或工作人员'
          : '这次咨询已经结束或取消',
    });
  await updateConsultRow(scope, consultid, {
    status: ConsultStatus.cancelled,
    cancelby: '01',
    cancelreason: reason,
    updatetime: now,
  });
  await logOwn(ctx, consult, '取消', reason);
  if (consult.counsellor) await tellCounsellor(ctx, consult, consult.counsellor, '一次预约由本人取消');
  return {};
});

const logOwn = (ctx: PersonContext, consult: OwnConsult, action: ConsultLogAction, content: string) =>
  addConsultLog(ctx, consult, { action, content, operator: null, operatorname: '本人', time: ctx.now });

export const personConsultHandlers = [getApplyForms, applyConsult, getOwnConsults, getFreeSlots, bookSlot, cancelOwnConsult];
