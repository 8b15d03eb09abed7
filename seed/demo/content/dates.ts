import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { Chance } from '#seed/demo/content/random.ts';

/** Times of the demonstration, all counted from its anchor, the moment that is "now" in it. */
export interface Moments {
  now: Date;
  /** so many days from today at a Shanghai wall clock `HH:mm` */
  day: (days: number, clock?: string) => Date;
}

export const momentsOf = (anchor: Date): Moments => ({
  now: anchor,
  day: (days, clock = '08:00') => fromShanghai(`${shanghaiDate(addDays(anchor, days))} ${clock}`),
});

/** A time of the wire, to the minute. */
export const minuteOf = (time: Date) => shanghaiTime(time).slice(0, 16);
export const minutesLater = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000);

/** When somebody sits down in a window: lessons of a working day where the window has any, else within it. */
export function lessonTime(chance: Chance, from: Date, to: Date, hours: readonly number[] = [9, 10, 14, 15]): Date {
  const days = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 86_400_000)) + 1;
  for (let tries = 0; tries < 60; tries++) {
    const date = shanghaiDate(addDays(from, chance.whole(0, days)));
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    const time = new Date(
      fromShanghai(`${date} 00:00`).getTime() + chance.pick(hours) * 3_600_000 + chance.whole(0, 3_599) * 1000,
    );
    if (weekday >= 1 && weekday <= 5 && time > from && time < to) return time;
  }
  return new Date(from.getTime() + Math.floor(chance.next() * (to.getTime() - from.getTime())));
}

/** The stage and term of the school year a day lies in. */
export function termOf(time: Date): { term: '1' | '2'; stagecode: 'XS01' | 'XS02'; season: '秋季' | '春季' } {
  const month = Number(shanghaiDate(time).slice(5, 7));
  return month >= 8 || month === 1
    ? { term: '1', stagecode: 'XS01', season: '秋季' }
    : { term: '2', stagecode: 'XS02', season: '春季' };
}
