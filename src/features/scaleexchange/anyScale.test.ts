import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSheets } from '#domain/scoring/exchange/readSheets.ts';
import { writeSheets } from '#domain/scoring/exchange/writeSheets.ts';
import { definition } from '#features/scaleeditor/definition.contract.ts';
import { anyScale } from '#testing/scales/anyScale.ts';

// Every generated scale is one that the editor lets through. Seeds give independent draws.
const anyPublishable = fc
  .integer({ min: 1, max: 1_000_000 })
  .map((seed) => fc.sample(anyScale, { numRuns: 1, seed }).at(0))
  .filter((scale) => scale !== undefined);

test('any scale that the editor lets through comes back unchanged from its worksheets', () => {
  fc.assert(
    fc.property(anyPublishable, (scale) => {
      const { scale: back, faults } = readSheets(writeSheets(scale));
      expect(faults.filter(({ kind }) => kind === 'error')).toEqual([]);
      expect(back).toEqual(scale);
    }),
  );
});

test('any scale that the editor lets through comes back unchanged from JSON', () => {
  fc.assert(
    fc.property(anyPublishable, (scale) => {
      expect(definition.parse(JSON.parse(JSON.stringify(scale)))).toEqual(scale);
    }),
  );
});
