import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BandSet, Level, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';
import { judgeChange, sumVerdicts, type PastSitting, type ReplayRule } from '#domain/warning/replay/replay.ts';

const phq9 = scaleOf('PHQ9') as Scale;

/** A sitting of 林小雨 with these options of the PHQ-9. */
function sittingWith(options: readonly number[], more: Partial<PastSitting> = {}): PastSitting {
  const answers = Object.fromEntries(phq9.items.map((item, index) => [item.c, String(options[index] ?? 0)]));
  const result = score(phq9, answers);
  if (result.kind === 'invalid') throw new Error('the form refuses the answers');
  return {
    examcode: 'E1',
    cuserid: 'C1',
    appid: '000000002',
    planroot: 'P1',
    person: { gender: '02', age: 15 },
    forms: [{ formcode: 'PHQ9', scale: phq9, answers, result }],
    history: [],
    minlevel: 2,
    ...more,
  };
}
const rule = (gte: number, more: Partial<ReplayRule> = {}): ReplayRule => ({
  rulecode: 'ZR1',
  name: '考前关注',
  cond: { all: [{ form: 'PHQ9', score: 'total', gte }] },
  warninglevel: 2,
  appid: null,
  plancode: null,
  ...more,
});
const bandset = (options: readonly [number, number | null, Level][]): BandSet => ({
  bandsetid: 7,
  quotacode: 'PHQ9.total',
  orgpath: 'M.',
  appid: null,
  gender: null,
  agemin: null,
  agemax: null,
  options: options.map(([minscore, maxscore, level]) => ({ minscore, maxscore, level, levelname: `${level}` })) as never,
});
const options = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 10, maxLength: 10 });

test('a new rule flags a sitting that the rules of today let pass, and a rule of another plan does not', () => {
  const sitting = sittingWith([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(judgeChange(sitting, [], { kind: 'rule', rules: [rule(8)] })).toEqual({ before: 0, after: 2, isJudged: true });
  expect(judgeChange(sitting, [], { kind: 'rule', rules: [rule(8, { plancode: 'P2' })] }).after).toBe(0);
});

test('stricter bands raise a sitting to the level that the platform’s rules give it, with the answers of its day', () => {
  const sitting = sittingWith([1, 1, 1, 1, 1, 1, 1, 1]);
  const set = bandset([
    [0, 4, 0],
    [5, 7, 1],
    [8, 27, 3],
  ]);
  // R00: a primary score of level 3 raises at least a warning of level 2.
  expect(judgeChange(sitting, [], { kind: 'bands', set })).toEqual({ before: 0, after: 2, isJudged: true });
});

test('no rule and no set of bands takes a sitting below the platform’s rules', () => {
  fc.assert(
    fc.property(options, fc.integer({ min: 0, max: 27 }), fc.integer({ min: 0, max: 4 }), (chosen, gte, level) => {
      const sitting = sittingWith(chosen);
      const floor = judgeChange(sitting, [], { kind: 'rule', rules: [] }).after;
      expect(judgeChange(sitting, [], { kind: 'rule', rules: [rule(gte)] }).after).toBeGreaterThanOrEqual(floor);
      const set = bandset([[0, 27, level as Level]]);
      expect(judgeChange(sitting, [], { kind: 'bands', set }).after).toBeGreaterThanOrEqual(floor);
    }),
  );
});

test('a new version judges the answers that it knows and says where it cannot', () => {
  const sitting = sittingWith([2, 2, 2, 2, 2, 0, 0, 0, 0, 0]);
  const stricter: Scale = { ...phq9, version: 'draft', bands: { total: [[0, 27, 4, '四级']] } };
  expect(judgeChange(sitting, [], { kind: 'version', scale: stricter }).after).toBeGreaterThan(
    judgeChange(sitting, [], { kind: 'version', scale: phq9 }).before - 1,
  );
  const longer: Scale = {
    ...phq9,
    version: 'draft',
    items: [...phq9.items, { c: 'q11', t: '新题', o: phq9.items[0]?.o as string }],
  };
  expect(judgeChange(sitting, [], { kind: 'version', scale: longer }).isJudged).toBe(false);
});

test('every person counts once, with the highest level, and work is estimated by week', () => {
  const verdict = (cuserid: string, before: Level, after: Level) => ({
    cuserid,
    examcode: `E${cuserid}`,
    before,
    after,
    isJudged: true,
  });
  const { figures, touched } = sumVerdicts(
    [verdict('1', 0, 2), verdict('1', 0, 0), verdict('2', 2, 0), verdict('3', 2, 3), verdict('4', 3, 2), verdict('5', 1, 1)],
    14,
  );
  expect(figures).toMatchObject({ sittings: 6, before: 4, after: 4, added: 1, removed: 1, raised: 1, lowered: 1 });
  // Before: 0.5 + 1 + 1 + 2 hours in two weeks; after: 1 + 2 + 1 + 0.5.
  expect(figures.hoursperweek).toEqual({ before: 2.3, after: 2.3 });
  expect(figures.casesperweek).toEqual({ before: 2, after: 2 });
  expect(touched.map(({ cuserid }) => cuserid)).toEqual(['3', '4', '1', '2']);
});
