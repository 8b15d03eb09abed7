import { expect, test } from 'vitest';
import { SCROLL_MS, scrollPositionAt } from '#ui/display/scrollToTop.ts';

test('the way to the top takes 800 ms, begins and ends slowly and never turns back', () => {
  expect(SCROLL_MS).toBe(800);
  const way = Array.from({ length: 81 }, (_, index) => scrollPositionAt(1000, index * 10));
  expect([way[0], way[40], way[80], scrollPositionAt(1000, 900)]).toEqual([1000, 500, 0, 0]);
  for (const [index, position] of way.slice(1).entries()) expect(position).toBeLessThan(way[index] as number);
  expect(1000 - (way[1] as number)).toBeLessThan((way[40] as number) - (way[41] as number));
});
