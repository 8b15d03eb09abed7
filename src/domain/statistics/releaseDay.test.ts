import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { isAwaited, releaseDayOf } from '#domain/statistics/releaseDay.ts';

const autumn = { year: '2025-2026', term: '1' };
const endOf = (date: string) => fromShanghai(`${date} 23:59:00`);

test('the results of a term come out 7 days after the last task of all schools, in the next night', () => {
  expect(releaseDayOf(autumn, [endOf('2025-09-30'), endOf('2025-10-10')])).toBe('2025-10-18');
  expect(releaseDayOf(autumn, [fromShanghai('2025-10-10 00:00:00')])).toBe('2025-10-17');
});

test('while a school has no task, or tasks last beyond the term, they come out 7 days after the term', () => {
  expect(releaseDayOf(autumn, [endOf('2025-09-30'), null])).toBe('2026-02-08');
  expect(releaseDayOf(autumn, [endOf('2026-03-30')])).toBe('2026-02-08');
  expect(releaseDayOf(autumn, [])).toBe('2026-02-08');
});

test('the results of a quarter come out 7 days after the quarter', () => {
  expect(releaseDayOf({ year: '2025', term: 'Q4' }, [endOf('2025-10-10')])).toBe('2026-01-08');
  expect(releaseDayOf({ year: '', term: '' }, [])).toBe('');
});

test('the release waits for a school without a task and for one whose last task has ended less than 7 days ago', () => {
  const now = fromShanghai('2025-10-08 10:00:00');
  expect([null, endOf('2025-10-03'), endOf('2025-09-30')].map((end) => isAwaited(end, now))).toEqual([true, true, false]);
});
