import { expect, test } from 'vitest';
import { enterableScores, findEntryFaults, scoreEntered } from '#domain/exam/enteredScores.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import { bandOf, score } from '#domain/scoring/scoring.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import type { Scale } from '#domain/scoring/scale.ts';

const licensed = library.filter(({ tier }) => tier === 'C');
const epds = scaleOf('EPDS') as Scale;
/** The same numbers in every run. */
const randomFrom = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const faultsOf = (entered: Record<string, number>, answers = { q10: '4' }) =>
  findEntryFaults(epds, entered, answers).map(({ c }) => c);

test('a licensed scale asks for its totals, and for the question about self-harm', () => {
  expect(enterableScores(epds)).toMatchObject([
    { c: 'total', min: 0, max: 30, isWhole: true, isRequired: true },
    { c: 'anx3', min: 0, max: 9, isRequired: false },
  ]);
  expect(faultsOf({ total: 8 })).toEqual([]);
  expect(findEntryFaults(epds, { total: 8 }, {})).toEqual([{ c: 'q10', message: '请录入第 10 题' }]);
});

test('a score outside its range, a fraction, an unknown score and a sum below its question are refused', () => {
  expect(faultsOf({ total: 31 })).toEqual(['total']);
  expect(faultsOf({ total: -1 })).toEqual(['total']);
  expect(faultsOf({ total: 8.5 })).toEqual(['total']);
  expect(faultsOf({})).toEqual(['total']);
  expect(faultsOf({ total: 8, dep: 3 })).toEqual(['dep']);
  // The first option of question 10 has three points.
  expect(faultsOf({ total: 2 }, { q10: '1' })).toEqual(['total']);
  expect(faultsOf({ total: 3 }, { q10: '1' })).toEqual([]);
});

test('any entry of scores gives the level of the bands of the scale', () => {
  const random = randomFrom(20_251_123);
  for (const scale of licensed)
    for (let round = 0; round < 200; round += 1) {
      const entered = Object.fromEntries(
        enterableScores(scale).map(({ c, min, max, isWhole }) => {
          const value = min + random() * (max - min);
          return [c, isWhole ? Math.round(value) : Math.round(value * 100) / 100];
        }),
      );
      const result = scoreEntered(scale, entered, {}, { gender: '02', age: 15 });
      for (const [c, value] of Object.entries(entered)) {
        expect(result.scores[c]).toBe(value);
        expect(result.levels[c]).toBe(bandOf(scale, c, value)?.[2] ?? null);
      }
      const levels = scale.scores.flatMap(({ c, primary }) => (primary && result.levels[c] != null ? [result.levels[c]] : []));
      if (result.valid) expect(result.overalllevel).toBe(levels.length ? Math.max(...levels) : null);
    }
});

test('the scores of a whole sheet, entered, give the levels and alerts of its answers', () => {
  const random = randomFrom(7);
  for (const scale of licensed)
    for (let round = 0; round < 100; round += 1) {
      const answers = Object.fromEntries(
        compileScale(scale).items.map(({ item, options }) => {
          const codes = [...options.keys()];
          return [item.c, codes[Math.floor(random() * codes.length)] ?? ''];
        }),
      );
      const person = { gender: '01', age: 14 };
      const whole = score(scale, answers, person);
      if (whole.kind !== 'scored') throw new Error(`${scale.formcode} was not scored`);
      const entered = Object.fromEntries(enterableScores(scale).map(({ c }) => [c, whole.scores[c] as number]));
      expect(findEntryFaults(scale, entered, answers)).toEqual([]);
      const typed = scoreEntered(scale, entered, answers, person);
      expect([typed.scores, typed.levels, typed.labels, typed.flags]).toEqual([
        whole.scores,
        whole.levels,
        whole.labels,
        whole.flags,
      ]);
      expect([typed.alerts, typed.valid, typed.overalllevel]).toEqual([whole.alerts, whole.valid, whole.overalllevel]);
    }
});
