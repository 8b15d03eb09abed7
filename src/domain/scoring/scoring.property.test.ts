import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { FormResult, Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { library, scoreRange } from '#domain/scoring/scales/library.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { postStep, score } from '#domain/scoring/scoring.ts';

const scored = library.filter((scale) => scale.scores.length > 0);
const choices = (scale: Scale) => compileScale(scale).items.filter((item) => item.type === 1);

/** Random answers to the single choices of a form; with `hasGaps`, some questions stay unanswered. */
const randomAnswers = (scale: Scale, hasGaps: boolean) =>
  fc.record(
    Object.fromEntries(
      choices(scale).map((choice) => {
        const code = fc.constantFrom(...choice.options.keys());
        return [choice.item.c, hasGaps ? fc.option(code, { freq: 6 }) : code];
      }),
    ),
  );

const people = fc.record({ gender: fc.constantFrom('01', '02'), age: fc.integer({ min: 9, max: 90 }) });

const numbers = (scale: Scale, answers: Record<string, string | null>, person = {}): FormResult => {
  const outcome = score(scale, answers, person);
  if (outcome.kind === 'invalid') throw new Error(`${scale.formcode} refused ${outcome.items.join()}`);
  return outcome;
};

describe.each(scored.map((scale) => [scale.formcode, scale] as const))('any answers to %s', (_code, scale) => {
  it('give scores within their limits, and each score with bands exactly one level', () => {
    fc.assert(
      fc.property(randomAnswers(scale, true), people, (answers, person) => {
        const result = numbers(scale, answers, person);
        for (const def of scale.scores) {
          const value = result.scores[def.c] ?? null;
          const [low, high] = scoreRange(scale, def);
          if (value === null) continue;
          if ((low !== null && value < low) || (high !== null && value > high)) return false;
          if (scale.bands[def.c] && result.levels[def.c] === null) return false;
        }
        return true;
      }),
      { numRuns: 60 },
    );
  });

  it('never give a better sum or mean after a worse answer to one question', () => {
    const upward = scale.scores.filter((def) => (def.op === 'sum' || def.op === 'mean') && def.better === 'low');
    fc.assert(
      fc.property(randomAnswers(scale, false), fc.nat(), fc.nat(), (answers, itemIndex, worse) => {
        const items = choices(scale);
        const item = items[itemIndex % items.length];
        if (!item) return false;
        // Items of skip rules and conditions change which items count, so the property does not apply to them.
        const bound = JSON.stringify([scale.derive ?? [], scale.items.map((item) => item.showif ?? null)]);
        if (bound.includes(`"${item.item.c}"`)) return true;
        const before = item.options.get(answers[item.item.c] ?? '') ?? 0;
        const [code, after] = [...item.options][worse % item.options.size] ?? ['', 0];
        const first = numbers(scale, answers);
        const second = numbers(scale, { ...answers, [item.item.c]: code });
        return upward.every(({ c }) => {
          const [a, b] = [first.scores[c] ?? null, second.scores[c] ?? null];
          if (a === null || b === null) return a === b;
          return (after ?? 0) >= before ? b >= a : b <= a;
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('reversed questions', () => {
  const reversing = scored.filter((scale) => scale.reverse?.length);

  it.each(reversing.map((scale) => [scale.formcode, scale] as const))(
    'of %s score like mirrored answers on the form without reversal, and mirroring twice changes nothing',
    (_code, scale) => {
      const plain: Scale = { ...scale, reverse: [] };
      const printed = compileScale(plain).byCode;
      const mirror = (answers: Record<string, string>) => {
        const turned = { ...answers };
        for (const code of scale.reverse ?? []) {
          const options = [...(printed.get(code)?.options ?? [])].map(([option, value]) => [option, value ?? 0] as const);
          const sum = Math.min(...options.map(([, value]) => value)) + Math.max(...options.map(([, value]) => value));
          const now = options.find(([option]) => option === answers[code])?.[1] ?? 0;
          turned[code] = options.find(([, value]) => value === sum - now)?.[0] ?? '';
        }
        return turned;
      };
      fc.assert(
        fc.property(randomAnswers(scale, false), (drawn) => {
          const answers = drawn as Record<string, string>;
          expect(numbers(scale, answers).scores).toEqual(numbers(plain, mirror(answers)).scores);
          expect(mirror(mirror(answers))).toEqual(answers);
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe('the bands of a form', () => {
  /** All possible values of the score on a complete form. */
  function reachable(scale: Scale, def: ScoreDef): number[] {
    const codes = compileScale(scale).scores.find((candidate) => candidate.def === def)?.codes ?? [];
    let raw: number[];
    if (def.op === 'ref') raw = reachable(scale, scale.scores.find((candidate) => candidate.c === def.ref) as ScoreDef);
    else if (def.op === 'count') raw = Array.from({ length: codes.length + 1 }, (_, index) => index);
    else {
      let sums = new Set([0]);
      for (const code of codes) {
        const options = [...(compileScale(scale).byCode.get(code)?.options.values() ?? [])].map((value) => value ?? 0);
        sums = new Set([...sums].flatMap((sum) => options.map((value) => sum + value)));
      }
      raw = [...sums].map((sum) => (def.op === 'mean' ? sum / codes.length : sum));
    }
    const facts = { items: scale.items, itemscores: {}, scores: {}, levels: {}, flags: [], valid: true, person: {} };
    return raw.map((value) => (def.post ?? []).reduce((v, step) => postStep(scale, step, v, facts, def.c) ?? v, value));
  }

  it('contain every possible value of a score exactly once', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const scale of scored) {
      for (const def of scale.scores) {
        const bands = scale.bands[def.c];
        if (!bands) continue;
        const halfopen = scale.bandmode?.[def.c] === 'halfopen';
        for (const value of reachable(scale, def)) {
          const hits = bands.filter(
            ([lo, hi]) => (lo === null || value >= lo) && (hi === null || (halfopen ? value < hi : value <= hi)),
          );
          checked++;
          if (hits.length !== 1) wrong.push(`${scale.formcode}.${def.c} ${value}: ${hits.length} bands`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(1500);
  });

  it('belong to scores of the form, and every primary score has bands', () => {
    for (const scale of scored) {
      const codes = scale.scores.map((def) => def.c);
      expect(codes).toEqual(expect.arrayContaining(Object.keys(scale.bands)));
      for (const def of scale.scores) if (def.primary) expect(scale.bands[def.c]?.length).toBeGreaterThan(1);
    }
  });
});

describe('item 9 of the PHQ-9', () => {
  it('always alerts when positive, with any other answers', () => {
    fc.assert(
      fc.property(randomAnswers(phq9, true), fc.constantFrom('1', '2', '3'), (answers, item9) => {
        const result = numbers(phq9, { ...answers, q9: item9 });
        return result.alerts.join() === (item9 === '1' ? 'SI1' : 'SI2') && (result.overalllevel ?? 0) >= (item9 === '1' ? 2 : 3);
      }),
    );
  });

  it('raises no alert when it is negative or unanswered', () => {
    fc.assert(
      fc.property(randomAnswers(phq9, true), fc.constantFrom('0', null), (answers, item9) => {
        return numbers(phq9, { ...answers, q9: item9 }).alerts.length === 0;
      }),
    );
  });
});
