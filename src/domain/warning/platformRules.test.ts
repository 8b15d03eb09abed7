import { describe, expect, it } from 'vitest';
import type { RuleContext } from '#domain/warning/platformRules.ts';
import { isReadByRule, runRules, platformRules } from '#domain/warning/platformRules.ts';
import type { FormResult, Level, Scale } from '#domain/scoring/scale.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
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

/** The result of one form that gets the same option everywhere, and others where `set` says so. */
function filled(formcode: string, fill: string, set: Record<string, string> = {}): Record<string, FormResult> {
  const scale = scaleOf(formcode) as Scale;
  const outcome = score(scale, Object.fromEntries(scale.items.map(({ c }) => [c, set[c] ?? fill])));
  if (outcome.kind === 'invalid') throw new Error(`${formcode} refused ${outcome.items.join()}`);
  return { [formcode]: outcome };
}
const itemsOf = (codes: string, option: string) => Object.fromEntries(codes.split(',').map((code) => [code, option]));
const fiveDepressionItems = itemsOf('q3,q5,q10,q13,q16', '3');

describe('the worst bands of the other forms', () => {
  it.each<[string, Record<string, FormResult>, string[], Level]>([
    ['DASS-21 depression 30', filled('DASS21', '0', fiveDepressionItems), ['R10', 'R11'], 3],
    ['DASS-21 depression 24', filled('DASS21', '0', itemsOf('q3,q5,q10,q13', '3')), ['R10'], 2],
    ['DASS-21 anxiety 14', filled('DASS21', '0', itemsOf('q2,q4,q7,q9,q15,q19,q20', '1')), [], 0],
    ['WHO-5 of 0', filled('WHO5', '0'), ['R10'], 2],
    ['WHO-5 of 60', filled('WHO5', '3'), [], 0],
    ['PHQ-4 of 12', filled('PHQ4', '3'), ['R10'], 2],
    ['PHQ-15 of 30', filled('PHQ15', '2'), ['R10'], 2],
    ['K6 of 24', filled('K6', '4'), ['R10'], 2],
    ['K6 of 12', filled('K6', '2'), [], 0],
    ['CBI of 100', filled('CBI', '100', { w7: '0' }), ['R10', 'R11'], 3],
    ['CBI of 75', filled('CBI', '75', { w7: '25' }), ['R10'], 2],
    ['SCL-90 item 15 “a little”', filled('SCL90', '1', { q15: '2' }), [], 2],
    ['SCL-90 item 15 “moderately”', filled('SCL90', '1', { q15: '3' }), [], 3],
    ['SCL-90 of 270', filled('SCL90', '3', { q15: '1', q59: '1' }), ['R10'], 2],
    ['SCL-90 with one factor of 4', filled('SCL90', '1', itemsOf('q13,q25,q47,q50,q70,q75,q82', '4')), ['R10'], 2],
    ['a carer who saw five clear signs', filled('CAREOBS', '0', itemsOf('q1,q2,q3,q4,q5', '2')), ['R10'], 2],
  ])('%s', (_title, forms, hits, warninglevel) => {
    expect(runRules(platformRules, forms)).toEqual({ hits, warninglevel });
  });

  it('do not count for an MHT whose lie scale is too high', () => {
    const { MHT } = filled('MHT', '1');
    expect(MHT).toMatchObject({ valid: false, overalllevel: null });
  });
});

describe('the floor rule R00', () => {
  const home = (level: Level, alertlevel: Level = 0) => ({
    ZF01: { scores: {}, levels: {}, itemscores: {}, alerts: [], alertlevel, overalllevel: Math.max(level, alertlevel) as Level },
  });

  it('raises level 2 for a severe and level 3 for a very severe score of a form that an institution made', () => {
    expect(runRules(platformRules, home(2))).toEqual({ hits: [], warninglevel: 0 });
    expect(runRules(platformRules, home(3))).toEqual({ hits: ['R00'], warninglevel: 2 });
    expect(runRules(platformRules, home(4))).toEqual({ hits: ['R00'], warninglevel: 3 });
  });

  it('stays silent where an alert asks for as much, and never gives level 4', () => {
    expect(runRules(platformRules, home(3, 2))).toEqual({ hits: [], warninglevel: 2 });
    expect(runRules(platformRules, home(4, 2))).toEqual({ hits: ['R00'], warninglevel: 3 });
  });

  it('leaves no form of the library silent at its worst', () => {
    const worst = library
      .filter((scale) => scale.scores.some((def) => def.primary))
      .flatMap((scale) =>
        [1, -1].map((sign) => {
          const answers = scale.items.map(({ c, o, type }) => {
            const options = compileScale(scale).byCode.get(c)?.options ?? new Map<string, number | null>();
            const ranked = [...options].sort(([, a], [, b]) => sign * ((b ?? 0) - (a ?? 0)));
            return [c, o === undefined || type === 0 ? null : ranked[0]?.[0]] as const;
          });
          return { scale, result: score(scale, Object.fromEntries(answers)) as FormResult };
        }),
      );
    const severe = worst.filter(({ result }) => result.valid && (result.overalllevel ?? 0) >= 3);
    expect(new Set(severe.map(({ scale }) => scale.formcode)).size).toBeGreaterThan(14);
    const silent = severe.filter(
      ({ scale, result }) =>
        runRules(platformRules, { [scale.formcode]: result }).warninglevel < (result.overalllevel as number) - 1,
    );
    expect(silent.map(({ scale }) => scale.formcode)).toEqual([]);
  });

  it('is the only rule that reads the PSS-10 and a form of an institution', () => {
    expect(['PHQ9', 'DASS21', 'WHO5', 'SCL90', 'PHQ15'].map((code) => isReadByRule(code))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['PSS10', 'ZF01'].map((code) => isReadByRule(code))).toEqual([false, false]);
  });
});
