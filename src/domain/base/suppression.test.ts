import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount, hideSmallCount, hideSmallParts } from '#domain/base/suppression.ts';

test('a count below five is hidden, and zero names nobody', () => {
  expect([0, 1, 4, 5, 12].map(hideSmallCount)).toEqual([0, null, null, 5, 12]);
  expect([0, 3, 5].map((count) => formatCount(hideSmallCount(count)))).toEqual(['0', '<5', '5']);
});

test('a single hidden part takes the smallest other part with it, because the sum would tell it', () => {
  expect(hideSmallParts([0, 2, 9, 6])).toEqual([0, null, 9, null]);
  expect(hideSmallParts([1, 2, 9, 6])).toEqual([null, null, 9, 6]);
  expect(hideSmallParts([0, 2, 0])).toEqual([0, null, 0]);
  expect(hideSmallParts([7, 9])).toEqual([7, 9]);
});

test('no part below five is shown, and the shown parts and the sum never tell one hidden part of several', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }), (parts) => {
      const shown = hideSmallParts(parts);
      shown.forEach((count) => expect(count === null || count === 0 || count >= 5).toBe(true));
      const hidden = parts.filter((_, index) => shown[index] === null);
      if (hidden.length === 1) expect(parts.filter((count) => count > 0)).toEqual(hidden);
    }),
  );
});
