import { expect, test } from 'vitest';
import { formatCount, protectCount, protectCounts } from '#domain/base/suppression.ts';

test('a count below five is hidden, zero names nobody, and all others are rounded to five', () => {
  expect([0, 1, 4, 5, 7, 8, 12, 13].map(protectCount)).toEqual([0, null, null, 5, 5, 10, 10, 15]);
  expect([0, 3, 5, 1204].map((count) => formatCount(protectCount(count), true))).toEqual(['0', '少于 5', '约 5', '约 1,205']);
  expect(formatCount(1204)).toBe('1,204');
});

test('a hidden part takes the smallest others with it, until the sum tells none of them', () => {
  expect(protectCounts([40, 30, 20, 12])).toEqual({ total: 100, parts: [40, 30, 20, 10] });
  expect(protectCounts([40, 30, 12, 2])).toEqual({ total: 85, parts: [40, 30, null, null] });
  expect(protectCounts([40, 12, 12, 2])).toEqual({ total: 65, parts: [40, null, null, null] });
  expect(protectCounts([0, 40, 3, 3, 0, 6])).toEqual({ total: 50, parts: [0, 40, null, null, 0, null] });
});

test('when all parts have to be hidden, nobody reads which of them are zero', () => {
  expect(protectCounts([0, 2, 0])).toEqual({ total: null, parts: [null, null, null] });
  expect(protectCounts([38, 1, 0, 2])).toEqual({ total: 40, parts: [null, null, null, null] });
});

/** All lists of `length` counts up to `max`. */
const listsOf = (length: number, max: number): number[][] =>
  length === 0
    ? [[]]
    : listsOf(length - 1, max).flatMap((list) => Array.from({ length: max + 1 }, (_, count) => [...list, count]));

// A reader who knows the method can list every set of counts that looks the same. In none of these lists may a small count stand fast.
test.each([
  [2, 24],
  [3, 22],
  [4, 13],
  [5, 8],
])('of %i parts up to %i, no count of 1–4 follows from what is shown', (length, max) => {
  const looks = new Map<string, number[][]>();
  for (const parts of listsOf(length, max)) {
    const look = JSON.stringify(protectCounts(parts));
    const alike = looks.get(look) ?? [];
    alike.push(parts);
    looks.set(look, alike);
  }
  const certain: string[] = [];
  for (const [look, alike] of looks) {
    // Counts near the limit have neighbours that this list leaves out.
    if (alike.some((parts) => parts.some((count) => count > max - 3))) continue;
    for (let index = 0; index < length; index += 1) {
      const values = new Set(alike.map((parts) => parts[index]));
      const [only = 0] = values;
      if (values.size === 1 && only > 0 && only < 5) certain.push(`${look} tells ${only}`);
    }
  }
  expect(certain).toEqual([]);
  for (const look of looks.keys()) expect(look).not.toMatch(/[[,:][1-4][\],}]/);
});
