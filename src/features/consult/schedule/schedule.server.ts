import { addDays, daysFrom, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { findOverlap, isInsideHours, overlaps, WEEKDAY_NAMES, type WeeklyHours } from '#domain/consult/slots.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import * as contract from '#features/consult/schedule/schedule.contract.ts';
import * as queries from '#features/consult/schedule/schedule.queries.ts';
import { findCounsellors, findFreeSlots, findTimesOff, type NamedSlot } from '#features/consult/schedule/slots.queries.ts';

type Reader = Pick<ReadContext<'staff'>, 'scope' | 'caller' | 'now'>;

const MOST_SLOT_DAYS = 31;
const MOST_CALENDAR_DAYS = 42;

/** Everybody who may write changes the own hours; those of others need 用户管理. */
const isEditable = (caller: Staff, userid: string): boolean =>
  caller.codes.has(codeOf('care.edit')) && (caller.userid === userid || caller.codes.has(codeOf('organization.users')));

/** A time as the calendar writes it: to the minute. */
const toMinute = (time: Date): string => shanghaiTime(time).slice(0, 16);
const toSlot = ({ counsellor, counsellorname, begin, end, room }: NamedSlot) => ({
  counsellor,
  counsellorname,
  slotbegin: toMinute(begin),
  slotend: toMinute(end),
  room,
});
const toBooked = (bookings: readonly queries.ComingBooking[]) =>
  bookings.map(({ consultid, begin }) => ({ consultid, slotbegin: toMinute(begin) }));

/** Refuses days in the wrong order and more than `most` of them. */
function assertDays(begindate: string, enddate: string, most: number): void {
  const refuse = (message: string) => problems.invalid({ message }, { field: 'enddate' });
  if (enddate < begindate) throw refuse('结束日期不能早于开始日期');
  if (daysFrom(begindate, enddate) >= most) throw refuse(`一次最多查询 ${most} 天`);
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const lengthOf = ({ begintime, endtime }: Pick<WeeklyHours, 'begintime' | 'endtime'>): number =>
  minutesOf(endtime) - minutesOf(begintime);

/** The hours of a week that are in force on a date. */
const weeklyHoursOf = (rows: readonly WeeklyHours[], date: string): number =>
  rows
    .filter((row) => row.validfrom <= date && (row.validto === null || date <= row.validto))
    .reduce((sum, row) => sum + lengthOf(row) / 60, 0);

const getCounsellorList = handle(contract.getCounsellorList, async (request, { scope, caller, now }) => {
  const musercode = request.musercode ?? caller.musercode;
  const today = shanghaiDate(now);
  const hours = await queries.findHours(scope, { musercode, today });
  return (await findCounsellors(scope, musercode)).map(({ userid, realname, absentuntil }) => ({
    userid,
    realname,
    absentuntil: absentuntil && absentuntil > now ? toMinute(absentuntil) : null,
    hours: weeklyHoursOf(
      hours.filter((row) => row.userid === userid),
      today,
    ),
    isown: userid === caller.userid ? 1 : 0,
    iseditable: isEditable(caller, userid) ? 1 : 0,
  }));
});

const getCounsellorTimeList = handle(contract.getCounsellorTimeList, async ({ userid, ...request }, { scope, caller, now }) => {
  const musercode = request.musercode ?? caller.musercode;
  const rows = await queries.findHours(scope, { musercode, userid, today: shanghaiDate(now) });
  const offs = await queries.findComingOffs(scope, { musercode, userid, now });
  const bookings = await queries.findComingBookings(scope, { musercode, userid, now });
  const names = await queries.findNames(scope, [...new Set([...rows, ...offs].map((row) => row.userid))]);
  const about = (id: string) => ({ userid: id, realname: names.get(id) ?? '', iseditable: isEditable(caller, id) ? 1 : 0 });
  return {
    times: rows.map(({ musercode: _, ...row }) => ({
      ...row,
      ...about(row.userid),
      booked: bookings.filter((booking) => isInsideHours(booking, [row])).length,
    })),
    offs: offs.map(({ offid, begintime, endtime, reason, ...row }) => ({
      offid,
      ...about(row.userid),
      begintime: toMinute(begintime),
      endtime: toMinute(endtime),
      reason,
    })),
  };
});

/** Returns the institution of a counsellor whose hours the caller may change. Refuses others (110004) and unknown ones (130001). */
async function requireCounsellor({ scope, caller }: Reader, userid: string): Promise<string> {
  const musercode = await queries.findInstitutionOf(scope, userid);
  const counsellors = musercode ? await findCounsellors(scope, musercode) : [];
  if (!musercode || !counsellors.some((counsellor) => counsellor.userid === userid))
    throw problems.notFound({ what: '咨询师' }, { field: 'userid' });
  if (!isEditable(caller, userid)) throw problems.notAllowed();
  return musercode;
}

/** Refuses hours that make no sense, each at its field. */
function assertHours(hours: WeeklyHours): void {
  const refuse = (message: string, field: string) => problems.invalid({ message }, { field });
  if (hours.endtime <= hours.begintime) throw refuse('结束时间应晚于开始时间', 'endtime');
  if (lengthOf(hours) < hours.minutes) throw refuse(`这段时间放不下一次 ${hours.minutes} 分钟的咨询`, 'minutes');
  if (hours.validto !== null && hours.validto < hours.validfrom) throw refuse('截止日期不能早于生效日期', 'validto');
}

/** Refuses hours that share time with other hours of the counsellor. The lock of `lockHoursOf` is held. */
async function assertNoOverlap({ scope, now }: Reader, hours: WeeklyHours & { musercode: string }, timeid?: number) {
  const rows = await queries.findHours(scope, { musercode: hours.musercode, userid: hours.userid, today: shanghaiDate(now) });
  const other = findOverlap(
    hours,
    rows.filter((row) => row.timeid !== timeid),
  );
  if (!other) return;
  const message = `与已有排班重叠：${WEEKDAY_NAMES[other.weekday]} ${other.begintime}–${other.endtime}`;
  throw problems.invalid({ message }, { field: 'begintime' });
}

const insertCounsellorTime = handle(contract.insertCounsellorTime, async ({ weekday, weekdays, ...fields }, ctx) => {
  const { scope, now, audit } = ctx;
  const musercode = await requireCounsellor(ctx, fields.userid);
  const days = [...new Set(weekdays ?? (weekday === undefined ? [] : [weekday]))].sort();
  if (days.length === 0) throw problems.missing({ title: '星期' }, { field: 'weekdays' });
  if (fields.validto !== null && fields.validto < shanghaiDate(now))
    throw problems.invalid({ message: '截止日期不能早于今天' }, { field: 'validto' });
  await queries.lockHoursOf(scope, fields.userid);
  const timeids: number[] = [];
  for (const day of days) {
    const row = { ...fields, musercode, weekday: day };
    assertHours(row);
    await assertNoOverlap(ctx, row);
    timeids.push(await queries.addHoursRow(scope, row));
  }
  audit({ objectid: timeids.join(','), detail: { userid: fields.userid, weekdays: days } });
  return { timeids };
});

const copyCounsellorTime = handle(contract.copyCounsellorTime, async ({ userid, colleague, validfrom, validto }, ctx) => {
  const { scope, now, audit } = ctx;
  const musercode = await requireCounsellor(ctx, userid);
  const today = shanghaiDate(now);
  if (validto !== null && validto < validfrom)
    throw problems.invalid({ message: '截止日期不能早于生效日期' }, { field: 'validto' });
  const source = await queries.findHours(scope, { musercode, userid: colleague, today });
  if (source.length === 0) throw problems.invalid({ message: '这位同事还没有排班' }, { field: 'colleague' });
  await queries.lockHoursOf(scope, userid);
  const own = await queries.findHours(scope, { musercode, userid, today });
  const timeids: number[] = [];
  for (const { weekday, begintime, endtime, minutes, pause } of source) {
    const row = { musercode, userid, weekday, begintime, endtime, minutes, pause, room: '', validfrom, validto };
    if (findOverlap(row, own)) continue;
    const timeid = await queries.addHoursRow(scope, row);
    own.push({ ...row, timeid, version: 0 });
    timeids.push(timeid);
  }
  audit({ objectid: timeids.join(','), detail: { userid, copyfrom: colleague, created: timeids.length } });
  return { timeids, skipped: source.length - timeids.length };
});

/** Returns hours that the caller may change, with the lock of their counsellor. Refuses others (110004) and unknown ones (130001). */
async function lockHours({ scope, caller }: Reader, timeid: number): Promise<queries.HoursRecord> {
  const found = await queries.findHoursRow(scope, timeid);
  if (!found) throw problems.notFound({ what: '排班' });
  if (!isEditable(caller, found.userid)) throw problems.notAllowed();
  await queries.lockHoursOf(scope, found.userid);
  const row = await queries.findHoursRow(scope, timeid);
  if (!row) throw problems.notFound({ what: '排班' });
  return row;
}

/** The coming bookings that lay inside `before` and lie inside no hours of the counsellor any more. */
async function findBookingsOutside({ scope, now }: Reader, before: queries.HoursRecord) {
  const { musercode, userid } = before;
  const hours = await queries.findHours(scope, { musercode, userid, today: shanghaiDate(now) });
  const bookings = await queries.findComingBookings(scope, { musercode, userid, now });
  return toBooked(bookings.filter((booking) => isInsideHours(booking, [before]) && !isInsideHours(booking, hours)));
}

const updateCounsellorTime = handle(contract.updateCounsellorTime, async ({ timeid, version: _, ...changes }, ctx) => {
  const before = await lockHours(ctx, timeid);
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: queries.HoursRecord = { ...before, ...sent };
  assertHours(after);
  await assertNoOverlap(ctx, after, timeid);
  await queries.saveHoursRow(ctx.scope, timeid, after);
  ctx.audit({ objectid: String(timeid), detail: { userid: before.userid } });
  return { booked: await findBookingsOutside(ctx, before) };
});

const deleteCounsellorTime = handle(contract.deleteCounsellorTime, async ({ timeid }, ctx) => {
  const before = await lockHours(ctx, timeid);
  await queries.deleteHoursRow(ctx.scope, timeid);
  const { userid, weekday, begintime, endtime } = before;
  ctx.audit({ objectid: String(timeid), detail: { userid, weekday, begintime, endtime } });
  return { booked: await findBookingsOutside(ctx, before) };
});

const insertCounsellorOff = handle(contract.insertCounsellorOff, async ({ userid, reason, ...times }, ctx) => {
  const { scope, now, audit } = ctx;
  const musercode = await requireCounsellor(ctx, userid);
  const span = { begin: fromShanghai(times.begintime), end: fromShanghai(times.endtime) };
  const refuse = (message: string) => problems.invalid({ message }, { field: 'endtime' });
  if (span.end <= span.begin) throw refuse('结束时间应晚于开始时间');
  if (span.end <= now) throw refuse('结束时间应晚于现在');
  const offid = await queries.addOff(scope, { musercode, userid, begintime: span.begin, endtime: span.end, reason });
  audit({ objectid: String(offid), detail: { userid } });
  const bookings = await queries.findComingBookings(scope, { musercode, userid, now });
  return { offid, booked: toBooked(bookings.filter((booking) => overlaps(booking, span))) };
});

const deleteCounsellorOff = handle(contract.deleteCounsellorOff, async ({ offid }, { scope, caller, audit }) => {
  const row = await queries.findOff(scope, offid);
  if (!row) throw problems.notFound({ what: '停诊' });
  if (!isEditable(caller, row.userid)) throw problems.notAllowed();
  await queries.deleteOff(scope, offid);
  audit({ objectid: String(offid), detail: { userid: row.userid } });
  return {};
});

const getSlotList = handle(
  contract.getSlotList,
  async ({ counsellor, begindate, enddate, ...request }, { scope, caller, now }) => {
    assertDays(begindate, enddate, MOST_SLOT_DAYS);
    const slots = await findFreeSlots(scope, request.musercode ?? caller.musercode, { counsellor, begindate, enddate, now });
    return slots.map(toSlot);
  },
);

const getConsultCalendar = handle(contract.getConsultCalendar, async ({ begindate, enddate, mine, ...request }, ctx) => {
  const { scope, caller, now } = ctx;
  assertDays(begindate, enddate, MOST_CALENDAR_DAYS);
  const musercode = request.musercode ?? caller.musercode;
  const counsellor = mine ? (caller.userid ?? '') : request.counsellor;
  const span = { from: fromShanghai(begindate), until: addDays(fromShanghai(enddate), 1) };
  const bookings = await queries.findCalendarBookings(scope, { musercode, counsellor, ...span });
  const free = await findFreeSlots(scope, musercode, { counsellor, begindate, enddate, now });
  const counsellors = await findCounsellors(scope, musercode);
  const absences = counsellors.flatMap(({ userid, absentuntil }) =>
    absentuntil && absentuntil > now && absentuntil > span.from && now < span.until
      ? [{ userid, begin: now, end: absentuntil }]
      : [],
  );
  const offs = [...(await findTimesOff(scope, musercode, span)), ...absences].filter(
    ({ userid }) => counsellor === undefined || userid === counsellor,
  );
  const names = await queries.findNames(scope, [...new Set(offs.map(({ userid }) => userid))]);
  return {
    bookings: bookings.map((row) => ({ ...row, slotbegin: toMinute(row.slotbegin), slotend: toMinute(row.slotend) })),
    free: free.map(toSlot),
    offs: offs.map(({ userid, begin, end }) => ({
      userid,
      realname: names.get(userid) ?? '',
      begintime: toMinute(begin),
      endtime: toMinute(end),
    })),
  };
});

export const scheduleHandlers = [
  getCounsellorList,
  getCounsellorTimeList,
  insertCounsellorTime,
  copyCounsellorTime,
  updateCounsellorTime,
  deleteCounsellorTime,
  insertCounsellorOff,
  deleteCounsellorOff,
  getSlotList,
  getConsultCalendar,
];
