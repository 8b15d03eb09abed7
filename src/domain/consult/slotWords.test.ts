import { expect, test } from 'vitest';
import { dayWords, slotWords } from '#domain/consult/slotWords.ts';

test('a booked time reads as day, weekday and clock; the end of a year and a Sunday too', () => {
  expect(dayWords('2025-10-13 09:00')).toBe('10月13日 周一');
  expect(slotWords('2025-10-13 09:00', '2025-10-13 09:50')).toBe('10月13日 周一 09:00–09:50');
  expect(slotWords('2026-01-04 09:00:00', null)).toBe('1月4日 周日 09:00');
});
