import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asq } from '#domain/scoring/scales/asq.ts';
import { cesd } from '#domain/scoring/scales/cesd.ts';
import { dass21 } from '#domain/scoring/scales/dass21.ts';
import { gds15 } from '#domain/scoring/scales/gds15.ts';
import { k10 } from '#domain/scoring/scales/k10.ts';
import { library } from '#domain/scoring/scales/library.ts';
import { phq15 } from '#domain/scoring/scales/phq15.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import {
  findAgeRefusal,
  assessAnswerQuality,
  applicableItems,
  visibleItems,
  toQuestionnaire,
  withoutAnswered,
} from '#domain/exam/questionFlow.ts';

const sameAnswers = (count: number, code: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index + 1}`, code]));

describe('the questionnaire that the server sends to a respondent', () => {
  it.each(library.map((scale) => [scale.formcode, scale] as const))(
    '%s carries no score, band, alert or norm',
    (_code, scale) => {
      const questionnaire = toQuestionnaire(scale);
      for (const secret of ['scores', 'bands', 'alerts', 'reverse', 'norms', 'validity', 'nextform'])
        expect(questionnaire).not.toHaveProperty(secret);
      for (const rows of Object.values(questionnaire.optionsets)) for (const row of rows) expect(row).toHaveLength(2);
      expect(questionnaire.items.map((item) => item.c)).toEqual(scale.items.map((item) => item.c));
      for (const item of questionnaire.items) expect(item).not.toHaveProperty('scored');
      expect(JSON.stringify(questionnaire)).not.toMatch(/"(where|better|primary|msg)"/);
    },
  );

  it.each(library.map((scale) => [scale.formcode, scale] as const))(
    '%s: the page and the server ask the same questions',
    (_c, scale) => {
      const questionnaire = toQuestionnaire(scale);
      const choices = scale.items.filter((item) => (item.type ?? 1) === 1);
      const arbitrary = fc.record(
        Object.fromEntries(
          choices.map((item) => [
            item.c,
            fc.option(fc.constantFrom(...(scale.optionsets[item.o ?? ''] ?? []).map(([code]) => code))),
          ]),
        ),
      );
      const person = fc.record({ gender: fc.constantFrom('01', '02', null), age: fc.option(fc.integer({ min: 6, max: 90 })) });
      fc.assert(
        fc.property(arbitrary, person, (answers, facts) => {
          const onServer = visibleItems(scale, answers, facts).map((item) => item.c);
          expect(applicableItems(questionnaire, answers, facts)).toEqual(onServer);
        }),
        { numRuns: 40 },
      );
    },
  );
});

describe('a form that goes on at another device', () => {
  it.each(library.map((scale) => [scale.formcode, scale] as const))('%s: asks the same remaining questions', (_c, scale) => {
    const questionnaire = toQuestionnaire(scale);
    const choices = scale.items.filter((item) => (item.type ?? 1) === 1);
    const codesOf = (o: string | undefined) => (scale.optionsets[o ?? ''] ?? []).map(([code]) => code);
    const given = choices.map((item) =>
      fc.record({
        c: fc.constant(item.c),
        code: fc.constantFrom(...codesOf(item.o)),
        place: fc.constantFrom('here', 'there', 'no'),
      }),
    );
    fc.assert(
      fc.property(fc.tuple(...given), fc.record({ gender: fc.constantFrom('01', '02', null) }), (rows, person) => {
        const answersAt = (...places: string[]) =>
          Object.fromEntries(rows.filter(({ place }) => places.includes(place)).map(({ c, code }) => [c, code]));
        const there = answersAt('there');
        const rest = withoutAnswered(questionnaire, there);
        expect(rest.items.map((item) => item.c).filter((c) => c in there)).toEqual([]);
        expect(applicableItems(rest, answersAt('here'), person)).toEqual(
          applicableItems(questionnaire, answersAt('here', 'there'), person).filter((c) => !(c in there)),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('a questionnaire shows', () => {
  it('the function item of the PHQ-9 after any reported symptom', () => {
    expect(visibleItems(phq9, sameAnswers(9, '0')).map((item) => item.c)).not.toContain('q10');
    expect(visibleItems(phq9, { ...sameAnswers(9, '0'), q4: '1' }).map((item) => item.c)).toContain('q10');
  });

  it('the women’s item of the PHQ-15 to women only', () => {
    expect(visibleItems(phq15, {}, { gender: '02' })).toHaveLength(15);
    expect(visibleItems(phq15, {}, { gender: '01' })).toHaveLength(14);
  });

  it('items 3 and 6 of the K10 only when the question before is not answered “从来没有”', () => {
    expect(applicableItems(toQuestionnaire(k10), { q2: '1', q5: '1' })).toEqual([
      'q1',
      'q2',
      'q4',
      'q5',
      'q7',
      'q8',
      'q9',
      'q10',
    ]);
    expect(applicableItems(toQuestionnaire(k10), { q2: '2', q5: '3' })).toHaveLength(10);
  });

  it('question 5 of the ASQ after a yes or a refused answer', () => {
    const questionnaire = toQuestionnaire(asq);
    expect(applicableItems(questionnaire, { q1: '0', q2: '0', q3: '0', q4: '0' })).toEqual(['q1', 'q2', 'q3', 'q4']);
    expect(applicableItems(questionnaire, { q1: '9' })).toContain('q5');
    expect(applicableItems(questionnaire, { q4: '1' })).toEqual(['q1', 'q2', 'q3', 'q4', 'q4t', 'q5']);
  });
});

describe('the check of answer patterns', () => {
  it('flags an exam with less than a second per question', () => {
    expect(assessAnswerQuality(phq9, sameAnswers(9, '0'), 8)).toEqual({
      isTooFast: true,
      isStraightlining: false,
      reasons: ['作答过快：9题用时8秒，平均每题不足1秒'],
    });
    expect(assessAnswerQuality(phq9, sameAnswers(9, '0'), 9).isTooFast).toBe(false);
  });

  it('does not check the speed of a paper form', () => {
    expect(assessAnswerQuality(phq9, sameAnswers(9, '0'), null).reasons).toEqual([]);
  });

  it('flags the same option in all questions of the CES-D, which has reversed questions', () => {
    expect(assessAnswerQuality(cesd, sameAnswers(20, '2'), 300).reasons).toEqual([
      '规律作答：20题中有20题选择同一选项，且含反向计分题',
    ]);
    expect(assessAnswerQuality(cesd, { ...sameAnswers(20, '2'), q7: '1' }, 300).isStraightlining).toBe(true);
    expect(assessAnswerQuality(cesd, { ...sameAnswers(20, '2'), q7: '1', q8: '1' }, 300).isStraightlining).toBe(false);
  });

  it('accepts the same option in all questions of short forms and of forms without reversed questions', () => {
    expect(assessAnswerQuality(dass21, sameAnswers(21, '0'), 300).isStraightlining).toBe(false);
    expect(assessAnswerQuality(gds15, sameAnswers(15, '1'), 300).isStraightlining).toBe(false);
  });
});

describe('the age limits of a form', () => {
  it('exclude persons outside the range but no person of unknown age', () => {
    expect(findAgeRefusal(gds15, 59)).toBe('老年抑郁量表简版（GDS-15）适用于60岁及以上');
    expect(findAgeRefusal(gds15, 60)).toBeNull();
    expect(findAgeRefusal(phq15, 17)).toMatch('18岁');
    expect(findAgeRefusal(k10, 9)).toBeNull();
    expect(findAgeRefusal(phq9, null)).toBeNull();
  });
});
