import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBands, withBandsets } from '#domain/scoring/bandset/applyBandsets.ts';
import { findBandFaults, levelAt } from '#domain/scoring/bandset/checkBandset.ts';
import { bandOf, definitionBandOf } from '#domain/scoring/scoring.ts';
import type { BandOption, BandSet, Level, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';

const phq9 = scaleOf('PHQ9') as Scale;
const who5 = scaleOf('WHO5') as Scale;
const scl90 = scaleOf('SCL90') as Scale;
/** Every score that answers can reach, and for the half-open bands all with two decimals. */
const cases = [
  { scale: phq9, code: 'total', values: Array.from({ length: 28 }, (_, index) => index) },
  { scale: who5, code: 'total', values: Array.from({ length: 26 }, (_, index) => index * 4) },
  { scale: scl90, code: 'dep', values: Array.from({ length: 401 }, (_, index) => 1 + index / 100) },
];

/** Rows that cover the range without gaps, with any levels. */
const rowsOf = ({ scale, code }: (typeof cases)[number], cuts: readonly number[], levels: readonly number[]): BandOption[] => {
  const definition = scale.bands[code] ?? [];
  const isHalfOpen = scale.bandmode?.[code] === 'halfopen';
  const low = definition[0]?.[0] ?? 0;
  const high = definition.at(-1)?.[1] ?? null;
  const top = high ?? 5;
  const begins = [low, ...new Set(cuts.map((cut) => Math.round(low + cut * (top - low))))]
    .filter((begin, index, all) => begin >= low && begin < top && all.indexOf(begin) === index)
    .sort((a, b) => a - b);
  return begins.map((begin, index) => {
    const next = begins[index + 1];
    return {
      minscore: begin,
      maxscore: next === undefined ? high : isHalfOpen ? next : next - 1,
      level: (levels[index] ?? 0) as Level,
      levelname: `第${index + 1}级`,
    };
  });
};
const parts = fc.tuple(
  fc.constantFrom(...cases),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
  fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 6, maxLength: 6 }),
);
let lastid = 0;
const setOf = (scale: Scale, code: string, options: readonly BandOption[], orgpath: string): BandSet => ({
  bandsetid: ++lastid,
  quotacode: `${scale.formcode}.${code}`,
  orgpath,
  appid: null,
  gender: null,
  agemin: null,
  agemax: null,
  options,
});

test('no set that is accepted has a lower level than the definition or than the set above, at any score', () => {
  let accepted = 0;
  fc.assert(
    fc.property(parts, parts, ([given, cuts, levels], [, cutsAbove, levelsAbove]) => {
      const { scale, code, values } = given;
      const above = rowsOf(given, cutsAbove, levelsAbove);
      const options = rowsOf(given, cuts, levels);
      if (findBandFaults(scale, code, options, [{ insname: '上级', options: above }]).length > 0) return;
      accepted++;
      const isHalfOpen = scale.bandmode?.[code] === 'halfopen';
      for (const value of values) {
        const level = levelAt(toBands(options), value, isHalfOpen) ?? -1;
        expect(level).toBeGreaterThanOrEqual(definitionBandOf(scale, code, value)?.[2] ?? 0);
        expect(level).toBeGreaterThanOrEqual(levelAt(toBands(above), value, isHalfOpen) ?? 0);
      }
    }),
    { numRuns: 1200 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test('the level in force is never lower than the definition or than any set that applies, whatever was switched on', () => {
  fc.assert(
    fc.property(
      parts,
      parts,
      fc.double({ min: 0, max: 450, noNaN: true }),
      ([given, cuts, levels], [, cutsAbove, levelsAbove], any) => {
        const { scale, code, values } = given;
        const own = rowsOf(given, cuts, levels);
        const above = rowsOf(given, cutsAbove, levelsAbove);
        const sets = [setOf(scale, code, own, 'AS.P.S.'), setOf(scale, code, above, 'AS.P.')];
        const inforce = withBandsets(scale, sets, { appid: '000000002', person: {} });
        const isHalfOpen = scale.bandmode?.[code] === 'halfopen';
        for (const value of [...values, any]) {
          const level = bandOf(inforce, code, value)?.[2] ?? -1;
          const least = definitionBandOf(scale, code, value)?.[2];
          if (least === undefined) continue;
          expect(level).toBeGreaterThanOrEqual(least);
          if (values.includes(value))
            expect(level).toBe(Math.max(least, ...[own, above].map((rows) => levelAt(toBands(rows), value, isHalfOpen) ?? 0)));
        }
      },
    ),
    { numRuns: 200 },
  );
});
