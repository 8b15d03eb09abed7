import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticks } from '#ui/charts/scale.ts';

test('an axis starts at zero, rises in even round steps and reaches the highest value', () => {
  expect(ticks(27)).toEqual([0, 10, 20, 30]);
  expect(ticks(3)).toEqual([0, 1, 2, 3]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (max) => {
      const axis = ticks(max);
      expect(axis[0]).toBe(0);
      expect(axis.at(-1)).toBeGreaterThanOrEqual(max);
      expect(axis.length).toBeLessThanOrEqual(6);
    }),
  );
});
