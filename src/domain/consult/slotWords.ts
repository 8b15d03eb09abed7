import { WEEKDAY_NAMES, weekdayOf } from '#domain/consult/slots.ts';

/** Booked times in words. All times are `YYYY-MM-DD HH:mm` in Asia/Shanghai. */

/** The day of a time: 10月13日 周一. */
export const dayWords = (time: string): string =>
  `${Number(time.slice(5, 7))}月${Number(time.slice(8, 10))}日 ${WEEKDAY_NAMES[weekdayOf(time.slice(0, 10))] ?? ''}`;

/** The begin and the end of a booking: 10月13日 周一 09:00–09:50; without an end only the begin. */
export const slotWords = (slotbegin: string, slotend: string | null): string =>
  `${dayWords(slotbegin)} ${slotbegin.slice(11, 16)}${slotend ? `–${slotend.slice(11, 16)}` : ''}`;
