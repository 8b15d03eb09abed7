import { waitingDue } from '#domain/consult/consult.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { addDays } from '#domain/base/calendar.ts';
import { ConsultSource, ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import * as contract from '#features/consult/booking/booking.contract.ts';
import * as queries from '#features/consult/booking/booking.queries.ts';
import { assertBookablePerson, findBookableCounsellor, formatSlot, parseSlot } from '#features/consult/booking/bookingChecks.ts';
import { addConsult, updateConsultRow, type ConsultRecord } from '#features/consult/consult.queries.ts';
import { lockConsult, logConsult } from '#features/consult/lockConsult.ts';
import { lockCase } from '#features/warning/handling/transition.ts';
import { tellOtherCounsellors } from '#features/consult/remind/consultNotices.ts';
import { assertStep } from '#features/consult/permittedSteps.ts';

type StaffContext = Context<'staff'>;

/** One booking of a request: the first, or that of a later week. */
interface Booking {
  begin: Date;
  end: Date;
  room: string;
  consulttype: string;
  counsellor: { userid: string; realname: string };
  /** the session that it joins; null: none, or a new session of its own */
  groupid: number | null;
  /** put before a refusal and into the log: 第 3 周（…）； '' for a single booking */
  week: string;
}

/** The columns of a booking. The reminders begin anew. */
const columnsOf = (ctx: StaffContext, { begin, end, room, consulttype, counsellor }: Booking) => ({
  status: ConsultStatus.booked,
  counsellor: counsellor.userid,
  slotbegin: begin,
  slotend: end,
  room,
  consulttype,
  bookedby: '02',
  remindedday: 0,
  remindedhour: 0,
  operator: ctx.caller.accountid,
  updatetime: ctx.now,
});

const describe = ({ week, counsellor, room, consulttype, ...slot }: Booking): string =>
  [`${week}${formatSlot(slot)}`, counsellor.realname, room, ConsultType.label(consulttype)].filter(Boolean).join(' · ');

/** Gives a registration its time. Refuses (140001) a time at which the counsellor, the person or the room has a booking. */
async function book(ctx: StaffContext, consult: ConsultRecord, booking: Booking, seriesid: number | null): Promise<void> {
  const isGroup = booking.consulttype === ConsultType.group;
  await queries.refuseOverlap(booking.week, () =>
    updateConsultRow(ctx.scope, consult.consultid, {
      ...columnsOf(ctx, booking),
      seriesid,
      groupid: booking.groupid ?? (isGroup ? consult.consultid : null),
    }),
  );
  const before = consult.status === ConsultStatus.booked && consult.slotbegin && consult.slotend;
  const from = before ? `${formatSlot({ begin: consult.slotbegin!, end: consult.slotend! })} → ` : '';
  await logConsult(ctx, consult, before ? '改期' : '预约', `${from}${describe(booking)}`);
}

/** Adds the registration of a later week of a series. Its form and answers stay with the first one. */
const addWeek = (ctx: StaffContext, { cuserid, musercode, source, topics, guardianopen, warningcode, ...row }: ConsultRecord) =>
  addConsult(ctx.scope, {
    cuserid,
    musercode,
    source,
    topics,
    guardianopen,
    warningcode,
    applytime: row.applytime,
    duetime: row.duetime,
    operator: ctx.caller.accountid,
    createtime: ctx.now,
  });

/**
 * The person's waiting registration, locked and linked to the case, or a new one that comes from the case. Refuses a closed case (140001).
 */
async function lockRegistrationOfCase(
  ctx: StaffContext,
  warningcode: string,
  consulttype: string = ConsultType.visit,
): Promise<ConsultRecord> {
  const { row, facts, settings } = await lockCase(ctx, warningcode);
  if (!isOpen(facts)) throw problems.wrongState({ why: '个案已结束，不能再预约；需要时请先重开' });
  const waiting = await queries.findWaiting(ctx.scope, row.cuserid);
  if (waiting !== undefined) {
    const consult = await lockConsult(ctx, waiting);
    await updateConsultRow(ctx.scope, waiting, { warningcode });
    return { ...consult, warningcode };
  }
  const consultid = await addConsult(ctx.scope, {
    cuserid: row.cuserid,
    musercode: row.musercode,
    source: ConsultSource.case,
    consulttype,
    warningcode,
    applytime: ctx.now,
    duetime: waitingDue(ctx.now, facts.level, settings.trigger.calendar),
    operator: ctx.caller.accountid,
    createtime: ctx.now,
  });
  const consult = await lockConsult(ctx, consultid);
  await logConsult(ctx, consult, '登记', `由个案 ${warningcode} 预约`);
  return consult;
}

/**
 * The other registrations of a group session that moves with this one, locked: they share counsellor, room and time. None when the
 * registration leaves the session for a conversation of its own.
 */
async function lockOthersOfSession(ctx: StaffContext, { consultid, groupid }: ConsultRecord, consulttype: string) {
  if (groupid === null || consulttype !== ConsultType.group) return [];
  return (await queries.lockSession(ctx.scope, groupid)).filter((row) => row.consultid !== consultid);
}

export const appointConsult = handle(contract.appointConsult, async (request, ctx) => {
  const { weeks } = request;
  const consult =
    request.warningcode === undefined
      ? await lockConsult(ctx, request.consultid!)
      : await lockRegistrationOfCase(ctx, request.warningcode, request.consulttype);
  const { consultid } = consult;
  const isMove = consult.status === ConsultStatus.booked;
  await assertStep(ctx, consult, isMove ? 'move' : 'book');
  if (isMove && weeks > 1) throw problems.invalid({ message: '改期一次只改一场；其余各周请逐场改期' }, { field: 'weeks' });
  await assertBookablePerson(ctx, consult);
  const sessions = request.groupid === undefined ? [] : await findSessions(ctx, consult, request.groupid, weeks);
  const [joined] = sessions;
  const slot = joined ? { begin: joined.slotbegin!, end: joined.slotend! } : parseSlot(request, ctx.now);
  const consulttype = joined ? ConsultType.group : (request.consulttype ?? consult.consulttype);
  const room = joined?.room ?? request.room;
  const others = isMove && !joined ? await lockOthersOfSession(ctx, consult, consulttype) : [];
  const persons = [consult, ...others];
  const userid = joined?.counsellor ?? request.counsellor;
  const counsellor = await findBookableCounsellor(ctx, consult, userid, slot.begin);
  for (const other of others) await findBookableCounsellor(ctx, other, userid, slot.begin);
  const { musercode } = consult;
  await queries.lockTimes(ctx.scope, { musercode, room, counsellor: userid, cuserids: persons.map(({ cuserid }) => cuserid) });
  const bookingOf = (index: number): Booking => {
    const begin = addDays(slot.begin, 7 * index);
    const end = addDays(slot.end, 7 * index);
    const week = weeks > 1 ? `第 ${index + 1} 周（${formatSlot({ begin, end })}）：` : '';
    const groupid = sessions[index]?.groupid ?? (others.length > 0 ? consult.groupid : null);
    return { begin, end, counsellor, room, consulttype, groupid, week };
  };
  for (const other of others) await book(ctx, other, bookingOf(0), other.seriesid);
  const seriesid = consult.seriesid ?? (weeks > 1 ? consultid : null);
  await book(ctx, consult, bookingOf(0), seriesid);
  const consultids = [consultid];
  for (let index = 1; index < weeks; index += 1) {
    const later = { ...consult, status: ConsultStatus.waiting, consultid: await addWeek(ctx, consult) };
    await book(ctx, later, bookingOf(index), seriesid);
    consultids.push(later.consultid);
  }
  await tellOtherCounsellors(
    ctx,
    consult,
    [userid, ...persons.map((row) => (isMove ? row.counsellor : null))],
    isMove ? '您的一次咨询预约由同事改期' : '同事为您预约了咨询',
  );
  return { consultids };
});

/**
 * The group sessions that a registration joins: that of `groupid`, for a series also those of the next weeks. Throws 130001 for a session
 * that the caller does not see, 140001 for a week without one.
 */
async function findSessions(ctx: StaffContext, consult: ConsultRecord, groupid: number, weeks: number): Promise<ConsultRecord[]> {
  await queries.lockSession(ctx.scope, groupid);
  const sessions = await queries.findSessions(ctx.scope, groupid);
  const [first] = sessions;
  if (first?.groupid !== groupid || first.musercode !== consult.musercode) throw problems.notFound({ what: '团体场次' });
  if (first.slotend! <= ctx.now) throw problems.wrongState({ why: '该团体场次已经结束' }, { field: 'groupid' });
  return Array.from({ length: weeks }, (_, index) => {
    const begin = addDays(first.slotbegin!, 7 * index).getTime();
    const session = sessions.find(({ slotbegin }) => slotbegin?.getTime() === begin);
    if (!session) throw problems.wrongState({ why: `第 ${index + 1} 周没有该团体的场次` }, { field: 'weeks' });
    return session;
  });
}
