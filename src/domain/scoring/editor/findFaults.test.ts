import { describe, expect, it } from 'vitest';
import { emptyScale } from '#domain/scoring/editor/emptyScale.ts';
import { findFaults } from '#domain/scoring/editor/findFaults.ts';
import type { CheckContext } from '#domain/scoring/editor/checks/formFaults.ts';
import type { Item, Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { library } from '#domain/scoring/scales/library.ts';

const codesOf = (scale: Scale, kind: 'error' | 'notice', context?: CheckContext) =>
  findFaults(scale, context).flatMap((fault) => (fault.kind === kind ? [fault.code] : []));

describe('the shipped forms', () => {
  it.each(library.map((scale) => [scale.formcode, scale] as const))(
    '%s has no error except missing wording and alerts of level 4',
    (_code, scale) => {
      const allowed = ['items.text', 'options.label', 'alerts.level'];
      const errors = findFaults(scale).filter((fault) => fault.kind === 'error' && !allowed.includes(fault.code));
      expect(errors).toEqual([]);
    },
  );
});

/** A form of a school: four questions of 0–3 points, one total, two levels, one alert. */
const sleep: Scale = {
  ...emptyScale('01', '睡眠自评', ['000000002']),
  agemin: 12,
  optionsets: {
    f4: [
      ['0', '从不', 0],
      ['1', '偶尔', 1],
      ['2', '经常', 2],
      ['3', '几乎每天', 3],
    ],
  },
  items: [
    { c: 'q1', o: 'f4', t: '入睡困难' },
    { c: 'q2', o: 'f4', t: '夜里醒来' },
    { c: 'q3', o: 'f4', t: '早醒' },
    { c: 'q4', o: 'f4', t: '白天疲倦' },
  ],
  scores: [{ c: 'total', n: '总分', op: 'sum', of: 'q1..q4', primary: true, domain: '05' }],
  bands: {
    total: [
      [0, 5, 0, '良好'],
      [6, 12, 2, '需要关注'],
    ],
  },
  alerts: [{ c: 'A1', when: { item: 'q3', gte: 3 }, level: 2, msg: '几乎每天早醒，请面谈了解' }],
};
const withItem = (index: number, change: Partial<Item>): Scale => ({
  ...sleep,
  items: sleep.items.map((item, at) => (at === index ? { ...item, ...change } : item)),
});
const withScore = (change: Partial<ScoreDef>): Scale => ({ ...sleep, scores: [{ ...(sleep.scores[0] as ScoreDef), ...change }] });
const withBands = (...bands: (readonly [number | null, number | null, 0 | 1 | 2 | 3 | 4, string])[]): Scale => ({
  ...sleep,
  bands: { total: bands },
});
const withMore = (item: Item): Scale => ({ ...sleep, items: [...sleep.items, item] });

const plantedErrors: [code: string, what: string, scale: Scale][] = [
  ['items.text', 'a question without words', withItem(0, { t: ' ' })],
  ['items.none', 'a form without questions', emptyScale('01', '睡眠自评')],
  ['form.title', 'a form without a name', { ...sleep, title: '' }],
  ['options.label', 'an option without words', { ...sleep, optionsets: { f4: [['0', '', 0]] } }],
  ['items.twice', 'two questions of one code', withItem(1, { c: 'q1' })],
  [
    'options.twice',
    'two options of one code',
    {
      ...sleep,
      optionsets: {
        f4: [
          ['0', '从不', 0],
          ['0', '偶尔', 1],
        ],
      },
    },
  ],
  ['scores.twice', 'two scores of one code', { ...sleep, scores: [...sleep.scores, ...sleep.scores] }],
  ['items.options', 'a choice without options', withItem(0, { o: undefined } as never)],
  ['items.set', 'an unknown option set', withItem(0, { o: 'f9' })],
  ['scores.item', 'a score over an unknown question', withScore({ of: 'q1..q9' })],
  [
    'condition.unknown',
    'an alert about an unknown question',
    { ...sleep, alerts: [{ c: 'A', when: { item: 'q9', gte: 1 }, level: 1, msg: '请了解' }] },
  ],
  [
    'condition.empty',
    'an alert without a comparison',
    { ...sleep, alerts: [{ c: 'A', when: { item: 'q1' }, level: 1, msg: '请了解' }] },
  ],
  ['showif.later', 'a question shown by a later one', withItem(0, { showif: { item: 'q2', gte: 1 } })],
  ['showif.self', 'a question shown by itself', withItem(1, { showif: { item: 'q2', gte: 1 } })],
  ['condition.unknown', 'a question shown by a score', withItem(1, { showif: { score: 'total', gte: 1 } })],
  ['scores.later', 'a score that reads itself', withScore({ op: 'ref', ref: 'total' })],
  ['scores.weights', 'three weights for four questions', withScore({ op: 'weighted', w: [1, 1, 2] })],
  ['scores.miss', 'as many gaps as questions', withScore({ miss: { max: 4, how: 'zero' } })],
  ['items.pattern', 'a pattern that repeats a repetition', withMore({ c: 'no', type: 0, t: '学号', pattern: '(a+)+' })],
  ['bands.gap', 'a value between two bands', withBands([0, 4, 0, '良好'], [6, 12, 2, '需要关注'])],
  ['bands.gap', 'a value above the last band', withBands([0, 5, 0, '良好'], [6, 11, 2, '需要关注'])],
  ['bands.overlap', 'a value in two bands', withBands([0, 6, 0, '良好'], [6, 12, 2, '需要关注'])],
  ['bands.excess', 'a band beyond the highest value', withBands([0, 5, 0, '良好'], [6, 15, 2, '需要关注'])],
  ['bands.unreachable', 'a band above the highest value', withBands([0, 12, 0, '良好'], [13, 20, 2, '需要关注'])],
  ['bands.mode', 'closed bands over a mean', withScore({ op: 'mean' })],
  ['scores.range', 'a declared range that is too small', withScore({ min: 0, max: 10 })],
  ['showif.unreachable', 'a question that no answer shows', withItem(3, { showif: { item: 'q1', gte: 4 } })],
  [
    'alert.unreachable',
    'an alert that no answer raises',
    { ...sleep, alerts: [{ c: 'A', when: { score: 'total', gt: 12 }, level: 1, msg: '请了解' }] },
  ],
  [
    'validity.unreachable',
    'a validity rule that no answer meets',
    { ...sleep, validity: [{ c: 'V', when: { level: 'total', eq: 3 }, action: 'warn', msg: '请核对' }] },
  ],
  [
    'derive.option',
    'a skip rule with an unknown option',
    { ...sleep, derive: [{ if: { item: 'q1', eq: 0 }, set: { q2: '9' } }] },
  ],
  [
    'alerts.level',
    'an alert of level 4',
    { ...sleep, alerts: [{ c: 'A', when: { item: 'q3', gte: 3 }, level: 4, msg: '请了解' }] },
  ],
  ['form.scores', 'a record with a score', { ...sleep, formtype: '03' }],
  ['archive.unknown', 'an archive form with a question beside the archive', { ...sleep, formtype: '02', scores: [], bands: {} }],
  ['licence.citation', 'a free form without its source', { ...sleep, tier: 'A', licencetext: '' }],
  ['norms.sd', 'a norm without spread', { ...sleep, norms: { 初中: [{ mean: 5, sd: 0, source: '本校 2025' }] } }],
];

const plantedNotices: [code: string, what: string, scale: Scale][] = [
  ['bands.none', 'a form without levels', { ...sleep, bands: {} }],
  ['items.unused', 'a question in no score', withMore({ c: 'q5', o: 'f4', t: '多梦' })],
  ['scores.domain', 'a score of no domain', withScore({ domain: '08' })],
  ['items.alert', 'a sensitive question without an alert', withItem(0, { sensitive: true })],
  ['items.age', 'a sensitive question without a lowest age', { ...withItem(2, { sensitive: true }), agemin: undefined } as never],
  ['words.forbidden', 'a level with a forbidden word', withBands([0, 5, 0, '良好'], [6, 12, 2, '不正常'])],
  ['form.minutes', 'a form of 20 minutes', { ...sleep, minutes: 20 }],
];

describe('the checks of a school’s own form', () => {
  it('find nothing in a finished form', () => {
    expect(findFaults(sleep)).toEqual([]);
  });

  it.each(plantedErrors)('stop publishing with %s: %s', (code, _what, scale) => {
    expect(codesOf(scale, 'error')).toContain(code);
    expect(findFaults(scale).every(({ message }) => message.length <= 60)).toBe(true);
  });

  it.each(plantedNotices)('ask the author about %s: %s', (code, _what, scale) => {
    expect(codesOf(scale, 'notice')).toContain(code);
    expect(codesOf(scale, 'error')).toEqual([]);
  });

  it('name the place of a fault', () => {
    expect(findFaults(withBands([0, 5, 0, '良好'], [6, 15, 2, '需要关注']))).toEqual([
      {
        kind: 'error',
        code: 'bands.excess',
        place: { part: 'bands', code: 'total', index: 1 },
        message: '6—15 超出可能的分值 0—12',
      },
    ]);
  });

  it('accept half-open bands over a mean that touch one another', () => {
    const mean: Scale = {
      ...withScore({ op: 'mean' }),
      bandmode: { total: 'halfopen' },
      bands: {
        total: [
          [0, 1.5, 0, '良好'],
          [1.5, null, 2, '需要关注'],
        ],
      },
    };
    expect(codesOf(mean, 'error')).toEqual([]);
    const gap: Scale = {
      ...mean,
      bands: {
        total: [
          [0, 1.5, 0, '良好'],
          [2, null, 2, '需要关注'],
        ],
      },
    };
    expect(codesOf(gap, 'error')).toEqual(['bands.gap']);
    const short: Scale = {
      ...mean,
      bands: {
        total: [
          [0, 1.5, 0, '良好'],
          [1.5, 3, 2, '需要关注'],
        ],
      },
    };
    expect(codesOf(short, 'error')).toEqual(['bands.gap']);
  });

  it('count gaps in answers and half points of prorated sums', () => {
    const prorated = withScore({ miss: { max: 1, how: 'prorate' } });
    expect(codesOf(prorated, 'error')).toEqual(['bands.mode']);
    expect(codesOf(withScore({ miss: { max: 1, how: 'prorate' }, post: [['round', 0]] }), 'error')).toEqual([]);
  });

  it('let an archive form ask for the fields of its population, also for own fields', () => {
    const archive: Scale = {
      ...emptyScale('02', '新生建档表', ['000000002']),
      items: [
        { c: 'studentno', type: 0, t: '学号' },
        { c: 'enroldate', type: 0, input: 3, t: '入学日期' },
        { c: 'x1', type: 0, input: 1, t: '宿舍楼层' },
      ],
    };
    const own: CheckContext = { ownfields: { '000000002': [{ code: 'x1', title: '宿舍楼层', kind: 'integer' }] } };
    expect(codesOf(archive, 'error')).toEqual(['archive.unknown']);
    expect(codesOf(archive, 'error', own)).toEqual([]);
    const wrong: Scale = { ...archive, items: [{ c: 'enroldate', type: 0, t: '入学日期' }] };
    expect(codesOf(wrong, 'error', own)).toEqual(['archive.kind']);
  });

  it('ask for the accepted conditions and the proof of a licence', () => {
    const licence = { accepted: false, proof: false, expired: false };
    expect(codesOf({ ...sleep, tier: 'B' }, 'error', { licence })).toEqual(['licence.accept']);
    expect(codesOf({ ...sleep, tier: 'C' }, 'error', { licence })).toEqual(['licence.proof']);
    expect(codesOf({ ...sleep, tier: 'C' }, 'error', { licence: { ...licence, proof: true, expired: true } })).toEqual([
      'licence.expired',
    ]);
  });

  it('try 10,000 combinations and say so where there are more', () => {
    const item = (at: number): Item => ({ c: `q${at + 1}`, o: 'f4', t: '睡眠' });
    const long: Scale = {
      ...sleep,
      items: Array.from({ length: 40 }, (_, index) => item(index)),
      scores: [{ c: 'total', n: '总分', op: 'sum', of: 'q1..q40', primary: true, domain: '05' }],
      bands: {
        total: [
          [0, 60, 0, '良好'],
          [61, 120, 2, '需要关注'],
        ],
      },
      alerts: [
        {
          c: 'A',
          when: {
            all: [
              { score: 'total', eq: 77 },
              { item: 'q5', eq: 0 },
            ],
          },
          level: 1,
          msg: '请了解',
        },
      ],
    };
    expect(findFaults(long).map(({ code }) => code)).toEqual([]);
    const never: Scale = { ...long, alerts: [{ c: 'A', when: { score: 'total', gt: 120 }, level: 1, msg: '请了解' }] };
    expect(findFaults(never).map(({ kind, code }) => `${kind} ${code}`)).toEqual(['notice alert.unproven']);
  });
});
