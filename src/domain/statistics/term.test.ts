import { expect, test } from 'vitest';
import { shiftDate } from '#domain/base/calendar.ts';
import { lastYearOf, openingPeriod, termBefore, termOf } from '#domain/statistics/term.ts';

/** Every day of two school years. */
const days = Array.from({ length: 731 }, (_, index) => shiftDate('2024-08-01', index));

test('every day from August to January is the first term, every day from February to July the second', () => {
  for (const day of days)
    expect([day, termOf(day).term]).toEqual([day, [2, 3, 4, 5, 6, 7].includes(Number(day.slice(5, 7))) ? '2' : '1']);
});

test('a school year runs from 1 August to 31 July, so January belongs to the year begun before', () => {
  for (const day of days.slice(0, 365)) expect([day, termOf(day).year]).toEqual([day, '2024-2025']);
  for (const day of days.slice(365, 730)) expect([day, termOf(day).year]).toEqual([day, '2025-2026']);
  expect([days[364], days[365], days[729], days[730]]).toEqual(['2025-07-31', '2025-08-01', '2026-07-31', '2026-08-01']);
});

test.each([
  ['2025-07-31', '2024-2025', '2'],
  ['2025-08-01', '2025-2026', '1'],
  ['2025-12-31', '2025-2026', '1'],
  ['2026-01-01', '2025-2026', '1'],
  ['2026-01-31', '2025-2026', '1'],
  ['2026-02-01', '2025-2026', '2'],
  ['2028-02-29', '2027-2028', '2'],
])('%s lies in %s, term %s', (day, year, term) => {
  expect(termOf(day)).toEqual({ year, term });
});

const autumn = { year: '2025-2026', term: '1' };
const spring = { year: '2025-2026', term: '2' };
const earlier = { year: '2024-2025', term: '2' };

test('a page opens on the current term when it has tasks', () => {
  expect(openingPeriod('2026-01-15', [spring, autumn, earlier])).toEqual(autumn);
});

test('a page opens on the latest begun term with tasks when the current one has none', () => {
  expect(openingPeriod('2026-03-01', [earlier, autumn])).toEqual(autumn);
  expect(openingPeriod('2025-10-01', [earlier, spring])).toEqual(earlier);
});

test('without a term with tasks a page opens on 12 months up to today', () => {
  expect(openingPeriod('2025-10-08', [])).toEqual({ begindate: '2024-10-09', enddate: '2025-10-08' });
  expect(openingPeriod('2025-10-08', [spring])).toEqual(lastYearOf('2025-10-08'));
  expect(lastYearOf('2028-02-29')).toEqual({ begindate: '2027-03-01', enddate: '2028-02-29' });
});

test('the term before is the latest earlier one with tasks', () => {
  expect(termBefore([earlier, spring, autumn], spring)).toEqual(autumn);
  expect(termBefore([earlier, spring], spring)).toEqual(earlier);
  expect(termBefore([spring], autumn)).toBe(undefined);
});
