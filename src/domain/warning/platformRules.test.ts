import { describe, expect, it } from 'vitest';
import type { RuleContext } from '#domain/warning/platformRules.ts';
import { runRules, platformRules } from '#domain/warning/platformRules.ts';
import type { FormResult } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';

/** The results of forms whose answers are option codes in item order. */
function results(sheets: Record<string, string>): Record<string, FormResult> {
  return Object.fromEntries(
    Object.entries(sheets).map(([code, row]) => {
      const scale = scaleOf(code);
      if (!scale) throw new Error(`no form ${code}`);
      const codes = row.split(' ');
      const answers = Object.fromEntries(scale.items.map((item, index) => [item.c, codes[index] === '-' ? null : codes[index]]));
      const outcome = score(scale, answers);
      if (outcome.kind === 'invalid') throw new Error(`${code} refused`);
      return [code, outcome];
    }),
  );
}

const noSymptoms = '0 0 0 0 0 0 0 0 0';
const cases: readonly [string, Record<string, string>, RuleContext, { hits: string[]; warninglevel: number }][] = [
  ['RU-01 a positive item 9 alone', { PHQ9: '0 1 0 0 0 0 0 0 1' }, {}, { hits: [], warninglevel: 2 }],
  ['RU-02 PHQ-9 of 15 without item 9', { PHQ9: '2 2 2 2 2 2 2 1 0' }, {}, { hits: ['R02', 'R03'], warninglevel: 3 }],
  [
    'RU-03 item 9 with a severe GAD-7',
    { PHQ9: '2 2 1 1 1 1 1 0 1', GAD7: '3 3 3 2 2 1 1' },
    {},
    { hits: ['R02', 'R03', 'R05'], warninglevel: 3 },
  ],
  ['RU-04 maternity EPDS 11, item 10 negative', { EPDS: '2 2 2 3 3 3 3 3 4 4' }, {}, { hits: ['R01'], warninglevel: 1 }],
  ['RU-05 acute ASQ', { ASQ: '1 0 1 0 - 1' }, {}, { hits: ['R08'], warninglevel: 4 }],
  [
    'RU-06 PHQ-9 rose from 3 to 9 in 30 days',
    { PHQ9: '1 1 1 1 1 1 1 2 0' },
    { history: [{ form: 'PHQ9', daysago: 30, scores: { total: 3 } }] },
    { hits: ['R01', 'R06'], warninglevel: 2 },
  ],
  ['RU-07 no symptoms', { PHQ9: noSymptoms, GAD7: '0 0 0 0 0 0 0' }, {}, { hits: [], warninglevel: 0 }],
];

describe('the shipped warning rules', () => {
  it.each(cases)('%s', (_id, sheets, ctx, expected) => {
    expect(runRules(platformRules, results(sheets), ctx)).toEqual(expected);
  });

  it('compare with the latest earlier result, also in an unsorted history', () => {
    const history = [
      { form: 'PHQ9', daysago: 80, scores: { total: 1 } },
      { form: 'PHQ9', daysago: 10, scores: { total: 8 } },
      { form: 'GAD7', daysago: 5, scores: { total: 0 } },
    ];
    expect(runRules(platformRules, results({ PHQ9: '1 1 1 1 1 1 1 2 0' }), { history }).hits).toEqual(['R01']);
  });

  it('ignore a result older than 90 days', () => {
    const history = [{ form: 'PHQ9', daysago: 91, scores: { total: 0 } }];
    expect(runRules(platformRules, results({ PHQ9: '1 1 1 1 1 1 1 2 0' }), { history }).hits).toEqual(['R01']);
  });

  it('reach level 4 only through the acute answer of the ASQ, never through a self-report', () => {
    const worst = {
      PHQ9: '3 3 3 3 3 3 3 3 3',
      GAD7: '3 3 3 3 3 3 3',
      EPDS: '4 4 1 4 1 1 1 1 1 1',
      GDS15: '0 1 1 1 0 1 0 1 1 1 0 1 0 1 1',
    };
    expect(runRules(platformRules, results(worst)).warninglevel).toBe(3);
    expect(platformRules.filter((rule) => rule.warninglevel === 4).map((rule) => rule.c)).toEqual(['R08']);
  });

  it('use only forms, scores and items of the library', () => {
    const unknown = [...JSON.stringify(platformRules).matchAll(/"form":"(\w+)"(?:,"(score|level|item)":"(\w+)")?/g)].filter(
      ([, form, kind, code]) => {
        const scale = scaleOf(form ?? '');
        if (!scale) return true;
        if (!kind) return false;
        return !(kind === 'item' ? scale.items : scale.scores).some((item) => item.c === code);
      },
    );
    expect(unknown).toEqual([]);
  });
});
