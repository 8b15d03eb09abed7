import { addDays, daysBetween, isWorkingDay, type WorkCalendar } from '#domain/base/calendar.ts';
import { DUTIES, followSchedule } from '#domain/warning/deadline.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** The dates of follow-ups that are planned at once. */

/** How a series goes on: at a fixed interval, or as the duties of a level say (clinical-rules.md section A). */
export type SeriesRule = { everydays: number; times: number } | { bylevel: WarningLevelCode };

/** A follow-up of a series. `movedfrom` is its own date when that was a day off. */
export interface SeriesDate {
  duetime: Date;
  movedfrom: Date | null;
}

/** From this interval in days on, a date on a day off moves. A daily follow-up counts every day. */
const MOVES_FROM_DAYS = 7;
/** The follow-ups of a case from this level on are never later than planned. */
const FIXED_FROM_LEVEL = 3;

/** The days from the first follow-up to each follow-up of a series. */
function offsetsOf(rule: SeriesRule): number[] {
  if ('everydays' in rule) return Array.from({ length: rule.times }, (_, index) => index * rule.everydays);
  const start = new Date(0);
  const days = followSchedule(rule.bylevel, start).map((due) => daysBetween(start, due));
  return days.map((day) => day - (days[0] ?? 0));
}

/**
 * The follow-ups of a series. The first one stays on the day that staff chose. A later one on a day off moves to the next working day
 * when the interval before it is a week or more. `caselevel` is the level of the open case; from level 3 on no date moves.
 */
export function planSeries(
  first: Date,
  rule: SeriesRule,
  { calendar, caselevel }: { calendar?: WorkCalendar | undefined; caselevel: number | null },
): SeriesDate[] {
  const level = Math.max(caselevel ?? 0, 'bylevel' in rule ? rule.bylevel : 0);
  const offsets = offsetsOf(rule);
  return offsets.map((offset, index) => {
    const planned = addDays(first, offset);
    const gap = offset - (offsets[index - 1] ?? offset);
    if (index === 0 || gap < MOVES_FROM_DAYS || level >= FIXED_FROM_LEVEL) return { duetime: planned, movedfrom: null };
    let duetime = planned;
    // A calendar without a working day within a month is a mistake; the date then stays.
    for (let days = 0; days < 31 && !isWorkingDay(duetime, calendar); days += 1) duetime = addDays(duetime, 1);
    if (!isWorkingDay(duetime, calendar)) duetime = planned;
    return { duetime, movedfrom: duetime.getTime() === planned.getTime() ? null : planned };
  });
}

/** The days until the next follow-up that a level asks for; level 0 has none and gets the longest interval. */
export const nextDays = (level: number): number =>
  DUTIES[Math.max(1, Math.min(4, level)) as WarningLevelCode].follow[0]?.days ?? 28;
