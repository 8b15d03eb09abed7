import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeInLanes } from '#domain/consult/lanes.ts';

const lanesOf = (...things: [from: number, until: number][]) =>
  placeInLanes(things.map(([from, until]) => ({ from, until }))).map(({ lane, lanes }) => `${lane + 1}/${lanes}`);

test('things one after the other have the whole width', () => {
  expect(lanesOf([540, 590], [590, 640], [700, 750])).toEqual(['1/1', '1/1', '1/1']);
});

test('things at one time share the width, and the next ones have it whole again', () => {
  expect(lanesOf([540, 590], [540, 590], [540, 600], [600, 650])).toEqual(['1/3', '2/3', '3/3', '1/1']);
  expect(lanesOf([540, 660], [540, 590], [600, 650])).toEqual(['1/2', '2/2', '2/2']);
});

test('no two things of a lane share time, and every lane lies within the lanes', () => {
  const anyThing = fc
    .tuple(fc.nat(1400), fc.integer({ min: 1, max: 300 }))
    .map(([from, length]) => ({ from, until: from + length }));
  fc.assert(
    fc.property(fc.array(anyThing, { maxLength: 30 }), (things) => {
      const placed = placeInLanes(things);
      expect(placed).toHaveLength(things.length);
      for (const [index, one] of placed.entries()) {
        expect(one.lane).toBeLessThan(one.lanes);
        for (const other of placed.slice(index + 1)) {
          if (one.from >= other.until || other.from >= one.until) continue;
          expect(one.lane).not.toBe(other.lane);
          expect(one.lanes).toBe(other.lanes);
        }
      }
    }),
  );
});
