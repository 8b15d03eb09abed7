import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { score } from '#domain/scoring/scoring.ts';
import { asq } from '#domain/scoring/scales/asq.ts';
import { AsqResult, findAsqFaults, hasAsqAnswers, triageAsq } from '#domain/warning/asqTriage.ts';

const CODES = ['1', '0', '9', null] as const;
type Code = (typeof CODES)[number];
/** Every combination of answers to questions 1 to 5: 4⁵ = 1024. */
const combinations = CODES.flatMap((q1) =>
  CODES.flatMap((q2) => CODES.flatMap((q3) => CODES.flatMap((q4) => CODES.map((q5) => ({ q1, q2, q3, q4, q5 }))))),
);
const first = ({ q1, q2, q3, q4 }: Record<'q1' | 'q2' | 'q3' | 'q4', Code>) => [q1, q2, q3, q4];
/** The word and level of the ASQ with `row` as the answers to questions 1 to 4. */
const triageOf = (row: string, q5: Code) => {
  const [q1, q2, q3, q4] = row.split(' ').map((code) => (code === '-' ? null : (code as Code)));
  const { result, level, isFinished } = triageAsq({ q1, q2, q3, q4, q5 });
  return [AsqResult.label(result), level, isFinished];
};

describe('the ASQ is', () => {
  it('acute and level 4 after a yes to question 5, whatever the other answers are', () => {
    for (const row of ['0 0 0 0', '1 1 1 1', '9 0 0 0', '- - - -', '0 0 - 0'])
      expect(triageOf(row, '1')).toEqual(['急性阳性', 4, true]);
  });

  it('acute until ruled out and level 4 after a refused question 5 with another yes or refusal', () => {
    expect(triageOf('1 0 0 0', '9')).toEqual(['急性待排除', 4, true]);
    expect(triageOf('9 - - -', '9')).toEqual(['急性待排除', 4, true]);
  });

  it('positive and level 3 after any yes or refusal with a no to question 5', () => {
    expect(triageOf('0 0 0 1', '0')).toEqual(['非急性阳性', 3, true]);
    expect(triageOf('9 0 0 0', '0')).toEqual(['非急性阳性', 3, true]);
  });

  it('positive but unfinished while question 5 has no answer (L13)', () => {
    expect(triageOf('1 1 1 1', null)).toEqual(['阳性·未完成', 3, false]);
    expect(triageOf('9 - - -', null)).toEqual(['阳性·未完成', 3, false]);
  });

  it('negative only after four answers no', () => {
    expect(triageOf('0 0 0 0', null)).toEqual(['阴性', 0, true]);
    expect(triageOf('0 0 0 0', '0')).toEqual(['阴性', 0, true]);
  });

  it('unfinished with a question left and no positive answer', () => {
    expect(triageOf('0 0 0 -', null)).toEqual(['未完成', 0, false]);
    expect(triageOf('- 0 0 0', '0')).toEqual(['未完成', 0, false]);
  });

  it('positive and level 3 when only question 5 was refused', () => {
    expect(triageOf('0 0 0 0', '9')).toEqual(['阳性', 3, true]);
    expect(triageOf('0 - 0 0', '9')).toEqual(['阳性', 3, true]);
  });
});

describe('among all 1024 combinations of answers', () => {
  it('none with a yes or a refusal is negative or unfinished without a level', () => {
    for (const answers of combinations)
      if (Object.values(answers).some((code) => code === '1' || code === '9'))
        expect(triageAsq(answers).level, JSON.stringify(answers)).toBeGreaterThanOrEqual(3);
  });

  it('only four answers no are negative, and no unfinished ASQ is', () => {
    for (const answers of combinations) {
      const isNegative = triageAsq(answers).result === AsqResult.negative;
      expect(isNegative).toBe(first(answers).every((code) => code === '0') && (answers.q5 === '0' || answers.q5 === null));
    }
  });

  it('the scored form raises the alert of the same level', () => {
    const levels = { ASQ_ACUTE: 4, ASQ_POS: 3 } as const;
    for (const answers of combinations) {
      const outcome = score(asq, answers);
      if (outcome.kind === 'invalid') throw new Error(JSON.stringify(answers));
      const [alert] = outcome.alerts as (keyof typeof levels)[];
      expect(outcome.alerts.length).toBeLessThanOrEqual(1);
      expect(alert ? levels[alert] : 0, JSON.stringify(answers)).toBe(triageAsq(answers).level);
    }
  });

  it('a worse answer never lowers the level', () => {
    const worse: Readonly<Record<string, readonly Code[]>> = { null: ['9', '1'], '0': ['9', '1'], '9': ['1'], '1': [] };
    fc.assert(
      fc.property(fc.constantFrom(...combinations), fc.constantFrom('q1', 'q2', 'q3', 'q4', 'q5'), (answers, code) => {
        for (const next of worse[String(answers[code as 'q1'])] ?? [])
          expect(triageAsq({ ...answers, [code]: next }).level).toBeGreaterThanOrEqual(triageAsq(answers).level);
      }),
      { numRuns: 2000 },
    );
  });
});

it('an ASQ without any answer was not asked, and an unknown item or answer is a fault', () => {
  expect(hasAsqAnswers({ q1: null, q4t: '' })).toBe(false);
  expect(hasAsqAnswers({ q5: '0' })).toBe(true);
  expect(findAsqFaults({ q1: '1', q4t: '半年前', q5: null })).toEqual([]);
  expect(findAsqFaults({ q1: '2', q6: '1' })).toEqual(['q1', 'q6']);
});
