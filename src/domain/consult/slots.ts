import { fromShanghai, shanghaiDate, shiftDate, type WorkCalendar } from '#domain/base/calendar.ts';

/** The free times (可约时间) of counsellors, computed from weekly hours, times off and bookings. */

/** From `begin` to `end`; the end does not belong to it. */
export interface TimeSpan {
  begin: Date;
  end: Date;
}

/** The weekly hours of a counsellor on one weekday. Days are 'YYYY-MM-DD', clock times 'HH:mm', both in Shanghai. */
export interface WeeklyHours {
  userid: string;
  /** 1 Monday … 7 Sunday */
  weekday: number;
  begintime: string;
  endtime: string;
  /** the length of a consultation */
  minutes: number;
  /** minutes between two consultations */
  pause: number;
  /** '': no room of its own */
  room: string;
  validfrom: string;
  /** the last day; null: without end */
  validto: string | null;
}

/** A time off, or an absence, of a counsellor. */
export interface TimeOff extends TimeSpan {
  userid: string;
}

/** A booking as far as it takes a counsellor and a room. */
export interface BookedTime extends TimeSpan {
  counsellor: string;
  room: string;
}

/** A free time of a counsellor. */
export interface Slot extends TimeSpan {
  counsellor: string;
  room: string;
}

export interface SlotFacts {
  hours: readonly WeeklyHours[];
  offs: readonly TimeOff[];
  bookings: readonly BookedTime[];
  /** without it every day counts */
  calendar?: WorkCalendar | undefined;
}

/** The names of the weekdays, 1 Monday … 7 Sunday. */
export const WEEKDAY_NAMES: Readonly<Record<number, string>> = {
  1: '周一',
  2: '周二',
  3: '周三',
  4: '周四',
  5: '周五',
  6: '周六',
  7: '周日',
};

const MINUTE = 60_000;

/** Whether two spans share time. Spans that only touch do not. */
export const overlaps = (a: TimeSpan, b: TimeSpan): boolean => a.begin < b.end && b.begin < a.end;

/** The weekday of a date, 1 Monday … 7 Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

/** The dates from one to another, both included. */
export function datesBetween(begindate: string, enddate: string): string[] {
  const dates: string[] = [];
  for (let date = begindate; date <= enddate; date = shiftDate(date, 1)) dates.push(date);
  return dates;
}

/** Whether weekly hours apply on a date. */
export const appliesOn = (hours: Pick<WeeklyHours, 'weekday' | 'validfrom' | 'validto'>, date: string): boolean =>
  hours.weekday === weekdayOf(date) && hours.validfrom <= date && (hours.validto === null || date <= hours.validto);

/**
 * A public holiday of the institution's calendar has no free times. Other days follow the weekly hours alone: a counsellor who enters
 * hours on a Saturday works on it, and a working Saturday (调休) has no hours by itself.
 */
const isHoliday = (date: string, calendar: WorkCalendar = {}): boolean =>
  (calendar.holidays?.includes(date) ?? false) && !calendar.makeupdays?.includes(date);

/** The whole consultations that fit into weekly hours on a date, booked or not. */
export function slotsOfDay(hours: WeeklyHours, date: string): Slot[] {
  const first = fromShanghai(`${date} ${hours.begintime}`).getTime();
  const last = fromShanghai(`${date} ${hours.endtime}`).getTime();
  const length = hours.minutes * MINUTE;
  const slots: Slot[] = [];
  for (let begin = first; begin + length <= last; begin += length + hours.pause * MINUTE)
    slots.push({ counsellor: hours.userid, room: hours.room, begin: new Date(begin), end: new Date(begin + length) });
  return slots;
}

/**
 * Returns the free times that begin in the days from `begindate` to `enddate` and not before `now`, by time and counsellor. A free time
 * overlaps no time off and no booking of its counsellor or room, and no other free time of the counsellor.
 */
export function freeSlots(facts: SlotFacts, begindate: string, enddate: string, now: Date): Slot[] {
  const { hours, offs, bookings, calendar } = facts;
  const isTaken = (slot: Slot) =>
    offs.some((off) => off.userid === slot.counsellor && overlaps(off, slot)) ||
    bookings.some(
      (booking) =>
        overlaps(booking, slot) && (booking.counsellor === slot.counsellor || (slot.room !== '' && booking.room === slot.room)),
    );
  const free = datesBetween(begindate, enddate)
    .filter((date) => !isHoliday(date, calendar))
    .flatMap((date) => hours.filter((row) => appliesOn(row, date)).flatMap((row) => slotsOfDay(row, date)))
    .filter((slot) => slot.begin >= now && !isTaken(slot))
    .sort((a, b) => a.begin.getTime() - b.begin.getTime() || (a.counsellor < b.counsellor ? -1 : 1));
  // Hours of one counsellor do not overlap (`findOverlap`). This keeps the promise also for rows that came another way.
  const lastEnd = new Map<string, number>();
  return free.filter(({ counsellor, begin, end }) => {
    if (begin.getTime() < (lastEnd.get(counsellor) ?? 0)) return false;
    lastEnd.set(counsellor, end.getTime());
    return true;
  });
}

/** Returns the first of `rows` that has a time in common with weekly hours of the same counsellor; undefined without one. */
export const findOverlap = <T extends Omit<WeeklyHours, 'minutes' | 'pause' | 'room'>>(
  hours: Omit<WeeklyHours, 'minutes' | 'pause' | 'room'>,
  rows: readonly T[],
): T | undefined =>
  rows.find(
    (row) =>
      row.userid === hours.userid &&
      row.weekday === hours.weekday &&
      row.begintime < hours.endtime &&
      hours.begintime < row.endtime &&
      (hours.validto === null || row.validfrom <= hours.validto) &&
      (row.validto === null || hours.validfrom <= row.validto),
  );

/** Whether a booking lies inside weekly hours of its counsellor. */
export function isInsideHours(booking: TimeSpan & { counsellor: string }, hours: readonly WeeklyHours[]): boolean {
  const date = shanghaiDate(booking.begin);
  return hours.some(
    (row) =>
      row.userid === booking.counsellor &&
      appliesOn(row, date) &&
      fromShanghai(`${date} ${row.begintime}`) <= booking.begin &&
      booking.end <= fromShanghai(`${date} ${row.endtime}`),
  );
}
