import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canHappen } from '#domain/scoring/editor/canHappen.ts';
import { findFaults } from '#domain/scoring/editor/findFaults.ts';
import { reachableScores } from '#domain/scoring/editor/reachable.ts';
import { buildReport } from '#domain/report/report.ts';
import { reportFactsOf } from '#domain/report/report.fixture.ts';
import { bandOf, score } from '#domain/scoring/scoring.ts';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { anyAnswers, anyScale } from '#testing/scales/anyScale.ts';

const anySheet = (hasGaps: boolean) =>
  anyScale.chain((scale) => anyAnswers(scale, hasGaps).map((answers) => [scale, answers] as const));
const girl = { gender: '02', age: 14 } as const;
const resultOf = (scale: Scale, answers: Answers) => {
  const outcome = score(scale, answers, girl);
  if (outcome.kind === 'invalid') throw new Error(`refused ${outcome.items.join()}`);
  return outcome;
};
const isClose = (a: number, b: number) => Math.abs(a - b) < 1e-6;

describe('any scale without errors', () => {
  it('takes any answers that it offers, and its report is written', () => {
    fc.assert(
      fc.property(anySheet(false), ([scale, answers]) => {
        const result = resultOf(scale, answers);
        const { staff, self } = buildReport(reportFactsOf([{ scale, result, answers }]));
        expect(staff.sections.length).toBeGreaterThan(2);
        expect(self.sections.length).toBeGreaterThan(2);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  it('gives only values that its author was shown, each with a level, also with gaps in the answers', () => {
    fc.assert(
      fc.property(anySheet(true), ([scale, answers]) => {
        const result = resultOf(scale, answers);
        const reaches = reachableScores(scale);
        for (const { c } of scale.scores) {
          const value = result.scores[c] ?? null;
          if (value === null) continue;
          const reach = reaches.get(c);
          expect(
            reach?.values?.some((listed) => isClose(listed, value)),
            `${c} ${value}`,
          ).not.toBe(false);
          expect(value).toBeGreaterThanOrEqual((reach?.min ?? 0) - 1e-6);
          expect(value).toBeLessThanOrEqual((reach?.max ?? 0) + 1e-6);
          expect(result.levels[c], `${c} ${value}`).not.toBeNull();
        }
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  it('has a level for every value that a score can take', () => {
    fc.assert(
      fc.property(anyScale, (scale) => {
        for (const [code, reach] of reachableScores(scale))
          for (const value of reach.values ?? []) expect(bandOf(scale, code, value), `${code} ${value}`).toBeDefined();
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });

  it('raises no alert that the check calls impossible', () => {
    fc.assert(
      fc.property(anySheet(false), fc.integer({ min: -2, max: 30 }), ([scale, answers], limit) => {
        const result = resultOf(scale, answers);
        for (const { c } of scale.scores) {
          const when = { score: c, gte: limit };
          if ((result.scores[c] ?? -Infinity) >= limit) expect(canHappen(scale, when)).not.toBe(false);
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

describe('a fault planted in any scale', () => {
  const plants: [name: string, code: string, plant: (scale: Scale) => Scale | undefined][] = [
    [
      'a question loses its words',
      'items.text',
      (scale) => ({ ...scale, items: [{ ...scale.items[0], t: '' } as never, ...scale.items.slice(1)] }),
    ],
    ['a question occurs twice', 'items.twice', (scale) => ({ ...scale, items: [...scale.items, scale.items[0] as never] })],
    [
      'a score reads an unknown question',
      'scores.item',
      (scale) => ({ ...scale, scores: [...scale.scores, { c: 'x', n: '附加', op: 'sum', of: 'q99' }] }),
    ],
    [
      'a band is lost',
      'bands.gap',
      (scale) =>
        scale.bands['total']?.length === 2
          ? { ...scale, bands: { ...scale.bands, total: scale.bands['total'].slice(1) } }
          : undefined,
    ],
    [
      'a band is doubled',
      'bands.overlap',
      (scale) =>
        scale.bands['total']?.length === 2
          ? { ...scale, bands: { ...scale.bands, total: [...scale.bands['total'], scale.bands['total'][0] as never] } }
          : undefined,
    ],
    [
      'an alert waits for an impossible score',
      'alert.unreachable',
      (scale) =>
        scale.scores.length && scale.items.length < 5
          ? { ...scale, alerts: [{ c: 'X', when: { score: 'total', gt: 10_000 }, level: 1, msg: '请了解' }] }
          : undefined,
    ],
  ];

  it.each(plants)('is found: %s (%s)', (_name, code, plant) => {
    fc.assert(
      fc.property(anyScale, (scale) => {
        const planted = plant(scale);
        fc.pre(planted !== undefined);
        expect(findFaults(planted).map((fault) => fault.code)).toContain(code);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});
