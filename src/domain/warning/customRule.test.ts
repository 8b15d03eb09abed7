import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectiveRules, findRuleFaults, describeRule, type CustomRule } from '#domain/warning/customRule.ts';
import { runRules, platformRules } from '#domain/warning/platformRules.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';

const own: CustomRule = {
  rulecode: 'ZR000001',
  name: '考前关注',
  cond: { all: [{ form: 'PHQ9', score: 'total', gte: 7 }] },
  warninglevel: 2,
  appid: '000000002',
};
const phq9Result = (total: number, q9 = 0) => ({
  PHQ9: { scores: { total }, levels: { total: 1 as Level }, itemscores: { q9 }, alerts: [], alertlevel: 0 as Level },
});

test('a school’s own rule raises a warning that the platform’s rules do not, for its population only', () => {
  expect(runRules(effectiveRules([], '000000002'), phq9Result(8)).warninglevel).toBe(1);
  expect(runRules(effectiveRules([own], '000000002'), phq9Result(8))).toEqual({ hits: ['R01', 'ZR000001'], warninglevel: 2 });
  expect(runRules(effectiveRules([own], '000000003'), phq9Result(8)).warninglevel).toBe(1);
});

test('a custom rule never removes a trigger of the platform’s rules', () => {
  const level = fc.constantFrom(1, 2, 3) as fc.Arbitrary<1 | 2 | 3>;
  const rules: fc.Arbitrary<CustomRule[]> = fc.array(
    fc
      .record({ gte: fc.integer({ min: 0, max: 27 }), warninglevel: level, code: fc.integer({ min: 1, max: 999 }) })
      .map(({ gte, warninglevel, code }): CustomRule => ({
        ...own,
        rulecode: `ZR${code}`,
        warninglevel,
        cond: { any: [{ form: 'PHQ9', score: 'total', gte }] },
      })),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(rules, fc.integer({ min: 0, max: 27 }), fc.integer({ min: 0, max: 3 }), (added, total, q9) => {
      const floor = runRules(platformRules, phq9Result(total, q9));
      const outcome = runRules(effectiveRules(added, '000000002'), phq9Result(total, q9));
      expect(outcome.warninglevel).toBeGreaterThanOrEqual(floor.warninglevel);
      expect(outcome.hits).toEqual(expect.arrayContaining(floor.hits));
      if (floor.warninglevel < 4) expect(outcome.warninglevel).toBeLessThan(4);
    }),
  );
});

test('a rule about an unknown form, score or item is refused with a message', () => {
  const faults = (clause: object) => findRuleFaults({ any: [clause as never] }, scaleOf);
  expect(faults({ form: 'NONE', score: 'total', gte: 1 })).toEqual(['没有量表 NONE']);
  expect(faults({ form: 'PHQ9', item: 'q11', gte: 1 })[0]).toContain('没有条目');
  expect(faults({ form: 'PHQ9', score: 'total' })).toEqual(['请填写分数的上限或下限']);
  expect(faults({ form: 'PHQ9', alert: 'ASQ_ACUTE' })[0]).toContain('没有红线条目');
  expect(faults({ delta: { form: 'GAD7', score: 'total', days: 30 }, gte: 4 })).toEqual([]);
});

test('a rule is shown to staff as a sentence', () => {
  expect(
    describeRule(
      {
        all: [
          { form: 'PHQ9', score: 'total', gte: 7, lte: 9 },
          { form: 'PHQ9', item: 'q6', gte: 2 },
          { delta: { form: 'GAD7', score: 'total', days: 30 }, gte: 4 },
        ],
      },
      scaleOf,
    ),
  ).toBe('PHQ-9 总分 ≥ 7 且 ≤ 9 且 PHQ-9 第 6 题得分 ≥ 2 且 GAD-7 总分在 30 天内上升 ≥ 4');
});
