import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shares, ticks } from '#ui/charts/scale.ts';

test('shares of a bar are whole percents that add up to 100', () => {
  expect(shares([30, 6, 4, 2, 1])).toEqual([70, 14, 9, 5, 2]);
  expect(shares([0, 0])).toEqual([0, 0]);
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 8 }), (parts) => {
      const total = parts.reduce((sum, part) => sum + part, 0);
      const percents = shares(parts);
      expect(percents.reduce((sum, part) => sum + part, 0)).toBe(total === 0 ? 0 : 100);
      percents.forEach((percent, at) => expect(Math.abs(percent - ((parts[at] ?? 0) / (total || 1)) * 100)).toBeLessThan(1));
    }),
  );
});

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
