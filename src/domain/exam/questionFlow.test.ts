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
import { ageRefusal, answerQuality, applicableItems, visibleItems, withoutScores } from '#domain/exam/questionFlow.ts';

const same = (count: number, code: string) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at + 1}`, code]));

describe('the form data of a respondent’s page', () => {
  it.each(library.map((scale) => [scale.formcode, scale] as const))(
    '%s carries no score, band, alert or norm',
    (_code, scale) => {
      const sheet = withoutScores(scale);
      for (const secret of ['scores', 'bands', 'alerts', 'reverse', 'norms', 'validity', 'nextform'])
        expect(sheet).not.toHaveProperty(secret);
      for (const rows of Object.values(sheet.optionsets)) for (const row of rows) expect(row).toHaveLength(2);
      expect(sheet.items.map((item) => item.c)).toEqual(scale.items.map((item) => item.c));
      for (const item of sheet.items) expect(item).not.toHaveProperty('scored');
      expect(JSON.stringify(sheet)).not.toMatch(/"(where|better|primary|msg)"/);
    },
  );

  it.each(library.map((scale) => [scale.formcode, scale] as const))(
    '%s asks the same questions on the page as on the server',
    (_c, scale) => {
      const sheet = withoutScores(scale);
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
          expect(applicableItems(sheet, answers, facts)).toEqual(onServer);
        }),
        { numRuns: 40 },
      );
    },
  );
});

describe('the shown questions', () => {
  it('the function item of the PHQ-9 once any symptom was reported', () => {
    expect(visibleItems(phq9, same(9, '0')).map((item) => item.c)).not.toContain('q10');
    expect(visibleItems(phq9, { ...same(9, '0'), q4: '1' }).map((item) => item.c)).toContain('q10');
  });

  it('the women’s item of the PHQ-15 of women only', () => {
    expect(visibleItems(phq15, {}, { gender: '02' })).toHaveLength(15);
    expect(visibleItems(phq15, {}, { gender: '01' })).toHaveLength(14);
  });

  it('not items 3 and 6 of the K10 after a “从来没有” before them', () => {
    expect(applicableItems(withoutScores(k10), { q2: '1', q5: '1' })).toEqual(['q1', 'q2', 'q4', 'q5', 'q7', 'q8', 'q9', 'q10']);
    expect(applicableItems(withoutScores(k10), { q2: '2', q5: '3' })).toHaveLength(10);
  });

  it('question 5 of the ASQ after a yes or a refusal', () => {
    const sheet = withoutScores(asq);
    expect(applicableItems(sheet, { q1: '0', q2: '0', q3: '0', q4: '0' })).toEqual(['q1', 'q2', 'q3', 'q4']);
    expect(applicableItems(sheet, { q1: '9' })).toContain('q5');
    expect(applicableItems(sheet, { q4: '1' })).toEqual(['q1', 'q2', 'q3', 'q4', 'q4t', 'q5']);
  });
});

describe('doubtful answering patterns', () => {
  it('flags less than a second per question', () => {
    expect(answerQuality(phq9, same(9, '0'), 8)).toEqual({
      toofast: true,
      straightlining: false,
      reasons: ['作答过快：9题用时8秒，平均每题不足1秒'],
    });
    expect(answerQuality(phq9, same(9, '0'), 9).toofast).toBe(false);
  });

  it('has no speed for a paper form', () => {
    expect(answerQuality(phq9, same(9, '0'), null).reasons).toEqual([]);
  });

  it('sees the same option through the reversed questions of the CES-D', () => {
    expect(answerQuality(cesd, same(20, '2'), 300).reasons).toEqual(['规律作答：20题中有20题选择同一选项，且含反向计分题']);
    expect(answerQuality(cesd, { ...same(20, '2'), q7: '1' }, 300).straightlining).toBe(true);
    expect(answerQuality(cesd, { ...same(20, '2'), q7: '1', q8: '1' }, 300).straightlining).toBe(false);
  });

  it('takes “nothing at all” throughout for an honest answer where no question is reversed, and on short forms', () => {
    expect(answerQuality(dass21, same(21, '0'), 300).straightlining).toBe(false);
    expect(answerQuality(gds15, same(15, '1'), 300).straightlining).toBe(false);
  });
});

describe('age limits', () => {
  it('exclude persons outside the age range, and nobody of unknown age', () => {
    expect(ageRefusal(gds15, 59)).toBe('老年抑郁量表简版（GDS-15）适用于60岁及以上');
    expect(ageRefusal(gds15, 60)).toBeNull();
    expect(ageRefusal(phq15, 17)).toMatch('18岁');
    expect(ageRefusal(k10, 9)).toBeNull();
    expect(ageRefusal(phq9, null)).toBeNull();
  });
});
