import { addDays, addHours, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { RELEASE_DAYS, spanOf, type Period } from '#domain/release/period.ts';

/** The hour in Shanghai at which the nightly job releases (decision 0069). */
const RELEASE_HOUR = 2;

/** The day of the first nightly job at or after a time. */
const jobDayOf = (due: Date): string => {
  const date = shanghaiDate(due);
  return due <= addHours(fromShanghai(date), RELEASE_HOUR) ? date : shanghaiDate(addDays(fromShanghai(date), 1));
};

/**
 * The day on which the results of a period come out: 7 days after the last task when every institution has one, at the latest 7 days
 * after the period. '' for a period that is none.
 */
export function releaseDayOf(period: Period, taskends: readonly (Date | null)[]): string {
  const span = spanOf(period);
  if (!span) return '';
  const latest = addDays(fromShanghai(span.enddate), 1 + RELEASE_DAYS);
  const ends = taskends.flatMap((end) => (end ? [end.getTime()] : []));
  if (period.term.startsWith('Q') || ends.length === 0 || ends.length < taskends.length) return jobDayOf(latest);
  return jobDayOf(new Date(Math.min(latest.getTime(), addDays(new Date(Math.max(...ends)), RELEASE_DAYS).getTime())));
}

/** Whether the release waits for an institution: it has no task in the period, or its last task ended less than 7 days ago. */
export const isAwaited = (lasttaskend: Date | null, now: Date): boolean =>
  lasttaskend === null || addDays(lasttaskend, RELEASE_DAYS) > now;
