import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { Random } from '#seed/demo/content/random.ts';

/** The times of the demonstration, relative to its anchor, the time of "now" in it. */
export interface DemoDates {
  now: Date;
  /** `days` days after today (negative: before) at `HH:mm` in Shanghai */
  day: (days: number, clock?: string) => Date;
}

/** Returns the times of a demonstration with this anchor. */
export const datesOf = (anchor: Date): DemoDates => ({
  now: anchor,
  day: (days, clock = '08:00') => fromShanghai(`${shanghaiDate(addDays(anchor, days))} ${clock}`),
});

/** Returns a time as requests have it, to the minute. */
export const minuteOf = (time: Date) => shanghaiTime(time).slice(0, 16);
/** Returns the time some minutes later. */
export const minutesLater = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000);

/** Returns a random time between `from` and `to`: at one of `hours` on a working day, if there is one. */
export function lessonTime(random: Random, from: Date, to: Date, hours: readonly number[] = [9, 10, 14, 15]): Date {
  const days = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 86_400_000)) + 1;
  for (let tries = 0; tries < 60; tries++) {
    const date = shanghaiDate(addDays(from, random.integer(0, days)));
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    const time = new Date(
      fromShanghai(`${date} 00:00`).getTime() + random.pick(hours) * 3_600_000 + random.integer(0, 3_599) * 1000,
    );
    if (weekday >= 1 && weekday <= 5 && time > from && time < to) return time;
  }
  return new Date(from.getTime() + Math.floor(random.next() * (to.getTime() - from.getTime())));
}

/** Returns the term of a day and its stage. */
export function termOf(time: Date): { term: '1' | '2'; stagecode: 'XS01' | 'XS02'; season: '秋季' | '春季' } {
  const month = Number(shanghaiDate(time).slice(5, 7));
  return month >= 8 || month === 1
    ? { term: '1', stagecode: 'XS01', season: '秋季' }
    : { term: '2', stagecode: 'XS02', season: '春季' };
}
