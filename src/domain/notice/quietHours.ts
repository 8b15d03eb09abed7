import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';

/** The hours of a day in which messages that are not urgent wait. `from` may be later than `until`: the night lies between. */
export interface QuietHours {
  isOn: boolean;
  /** HH:mm, Shanghai */
  from: string;
  until: string;
}

/** The quiet hours of clinical-rules.md B, until the user chooses others. */
export const DEFAULT_QUIET_HOURS: QuietHours = { isOn: true, from: '22:00', until: '07:00' };

/** The quiet time that contains `time`, or null outside quiet hours. */
export function findQuietTime({ isOn, from, until }: QuietHours, time: Date): { start: Date; end: Date } | null {
  if (!isOn || from === until) return null;
  const clock = shanghaiTime(time).slice(11, 16);
  const dayOf = (days: number) => shanghaiDate(addDays(time, days));
  const between = (startDay: number, endDay: number) => ({
    start: fromShanghai(`${dayOf(startDay)} ${from}`),
    end: fromShanghai(`${dayOf(endDay)} ${until}`),
  });
  if (from < until) return clock >= from && clock < until ? between(0, 0) : null;
  if (clock >= from) return between(0, 1);
  return clock < until ? between(-1, 0) : null;
}

/**
 * Whether a message disturbs also in quiet hours: notices about cases of level 3 and 4 or with a self-harm answer, and notices
 * about warnings without a case (clinical-rules.md B: “Quiet 22–07 only for L≤2 without self-harm”).
 */
export const isUrgentNotice = (kind: string, warning: { level: number; itemtrigger: number } | null): boolean =>
  (kind === 'warning' || kind === 'overdue') && (warning === null || warning.level >= 3 || warning.itemtrigger === 1);

/**
 * The begin of the key of a notice about something of the same day or of the next hours. It leaves in quiet hours too: after them it may be
 * too late.
 */
export const SAME_DAY_KEY = 'today:';
