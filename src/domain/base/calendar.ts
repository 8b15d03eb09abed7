/**
 * Clock and calendar of the product. Users read Asia/Shanghai time, and every deadline counts in it. China has used UTC+8
 * without daylight saving since 1992. So a fixed offset is exact for every instant that the product records.
 * No function here depends on the time zone of the process.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OFFSET = 8 * HOUR;

/** The days on which an institution works. Dates are 'YYYY-MM-DD' in Shanghai. */
export interface WorkCalendar {
  /** days off on a working weekday: public holidays. School breaks are no days off: a case goes on, and duty covers it. */
  holidays?: readonly string[];
  /** ISO working weekdays, 1 Monday … 7 Sunday; default Monday to Friday */
  workdays?: readonly number[];
  /** working days on a free weekday (调休) */
  makeupdays?: readonly string[];
}

const MONDAY_TO_FRIDAY: readonly number[] = [1, 2, 3, 4, 5];

/** The Shanghai calendar date of an instant, 'YYYY-MM-DD'. */
export function shanghaiDate(time: Date): string {
  return new Date(time.getTime() + OFFSET).toISOString().slice(0, 10);
}

/** The Shanghai wall clock of an instant, 'YYYY-MM-DD HH:mm:ss', as the wire and the screens write it. */
export function shanghaiTime(time: Date): string {
  return new Date(time.getTime() + OFFSET).toISOString().slice(0, 19).replace('T', ' ');
}

/** The instant of a Shanghai wall clock 'YYYY-MM-DD' (midnight) or 'YYYY-MM-DD HH:mm[:ss]'. Throws RangeError on anything else. */
export function fromShanghai(text: string): Date {
  const time = /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(text)
    ? new Date(`${text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T')}+08:00`)
    : new Date(NaN);
  // The engine turns 30 February into 1 or 2 March; the user did not mean that day.
  if (Number.isNaN(time.getTime()) || shanghaiDate(time) !== text.slice(0, 10))
    throw new RangeError(`not a date or time: ${text}`);
  return time;
}

/** `hours` calendar hours later (fractions and negatives allowed). */
export function addHours(from: Date, hours: number): Date {
  return new Date(from.getTime() + hours * HOUR);
}

/** The same Shanghai wall-clock time `days` calendar days later. */
export function addDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * DAY);
}

/** The number of calendar days between two Shanghai dates: the same date is 0, the next morning is 1. */
export function daysBetween(from: Date, to: Date): number {
  return Math.round((Date.parse(shanghaiDate(to)) - Date.parse(shanghaiDate(from))) / DAY);
}

/** Whether the institution works on the Shanghai date of `time`. */
export function isWorkingDay(time: Date, calendar: WorkCalendar = {}): boolean {
  const date = shanghaiDate(time);
  if (calendar.makeupdays?.includes(date)) return true;
  if (calendar.holidays?.includes(date)) return false;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  return workedWeekdays(calendar).includes(weekday);
}

/**
 * The same wall-clock time on the n-th working day after the day of `from`. The day of `from` is not counted,
 * so n working days are at least n calendar days. `n` is a whole number ≥ 0; 0 returns `from`.
 */
export function addWorkingDays(from: Date, n: number, calendar: WorkCalendar = {}): Date {
  if (!Number.isInteger(n) || n < 0) throw new RangeError(`working days must be a whole number of at least 0, not ${n}`);
  let time = from;
  for (let left = n; left > 0;) {
    time = addDays(time, 1);
    if (isWorkingDay(time, calendar)) left -= 1;
  }
  return time;
}

/**
 * Age in whole years on the Shanghai date of `time`. The year is complete on the birthday. A person born on 29 February
 * completes a year on 1 March of a common year; so the protection of minors lasts one day longer.
 */
export function ageOn(birthday: string, time: Date): number {
  fromShanghai(birthday);
  const today = shanghaiDate(time);
  return Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - (today.slice(5) < birthday.slice(5) ? 1 : 0);
}

/** The working weekdays of a calendar. Without the default, an institution with no weekday would have no deadlines at all. */
function workedWeekdays(calendar: WorkCalendar): readonly number[] {
  const days = calendar.workdays?.filter((day) => Number.isInteger(day) && day >= 1 && day <= 7) ?? [];
  return days.length > 0 ? days : MONDAY_TO_FRIDAY;
}

/** The date `days` after a date; both are `YYYY-MM-DD`. */
export const shiftDate = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The days from one date to another; both are `YYYY-MM-DD`. */
export const daysFrom = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
