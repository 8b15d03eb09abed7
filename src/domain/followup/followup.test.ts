import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { dueWords } from '#domain/followup/dueWords.ts';
import { nextDays, planSeries } from '#domain/followup/series.ts';

test('the time of a follow-up is said in days of the calendar', () => {
  const now = fromShanghai('2025-10-16 10:00');
  const words = (due: string) => dueWords(fromShanghai(due), fromShanghai(due) < now, now);
  expect(words('2025-10-14 23:00')).toBe('逾期 2 天');
  expect(words('2025-10-16 09:00')).toBe('今天 09:00 已过');
  expect(words('2025-10-16 17:00')).toBe('今天 17:00');
  expect(words('2025-10-17 00:30')).toBe('明天 00:30');
  expect(words('2025-10-20 09:00')).toBe('4 天后');
  expect(words('2025-11-20 09:00')).toBe('2025-11-20');
});

test('a re-test that may be done within a span is not overdue before its end', () => {
  expect(dueWords(fromShanghai('2025-10-14 17:00'), false, fromShanghai('2025-10-16 10:00'))).toBe('2025-10-14');
});

test('the next date follows the level: a day, a week, two weeks, four weeks', () => {
  expect([4, 3, 2, 1, 0].map(nextDays)).toEqual([1, 7, 14, 28, 28]);
});

test('a calendar without a working day moves no date', () => {
  const series = planSeries(
    fromShanghai('2025-10-18 09:00'),
    { everydays: 7, times: 2 },
    { calendar: { holidays: Array.from({ length: 60 }, (_, day) => day), workdays: [] } as never, caselevel: null },
  );
  expect(series).toHaveLength(2);
});
