import type { Answers, PersonFacts, Scale } from '#domain/scoring/scale.ts';

/** One worked example: answers in item order (`-` and missing ones are unanswered) and the expected values. */
export interface WorkedCase {
  form: string;
  id: string;
  /** option codes by item order */
  a?: string;
  /** the answer to every item, before `set` */
  fill?: string;
  set?: Readonly<Record<string, string>>;
  /** answers by item code */
  o?: Answers;
  p?: PersonFacts;
  /** `total` a score, `level.total` its level, `alerts` the exact list, `overall`, `valid`, `flags` */
  e: Readonly<Record<string, number | boolean | null | readonly string[]>>;
}

/** Worked examples of the published instruments; boundaries, missing answers, skip rules, reversal and alerts. */
export const workedCases: readonly WorkedCase[] = [
  { form: 'PHQ9', id: 'PHQ9-01', a: '0 0 0 0 0 0 0 0 0', e: { total: 0, 'level.total': 0, alerts: [], overall: 0 } },
  { form: 'PHQ9', id: 'PHQ9-02', a: '1 1 1 1 0 0 0 0 0', e: { total: 4, 'level.total': 0 } },
  { form: 'PHQ9', id: 'PHQ9-04', a: '1 1 1 1 1 1 1 2 0', e: { total: 9, 'level.total': 1, alerts: [] } },
  { form: 'PHQ9', id: 'PHQ9-05', a: '2 2 2 2 2 0 0 0 0', e: { total: 10, 'level.total': 2, nsym: 5 } },
  { form: 'PHQ9', id: 'PHQ9-07', a: '3 3 3 3 3 2 2 1 0', e: { total: 20, 'level.total': 4 } },
  { form: 'PHQ9', id: 'PHQ9-08', a: '3 3 3 3 3 3 3 3 3', e: { total: 27, 'level.total': 4, alerts: ['SI2'], overall: 4 } },
  { form: 'PHQ9', id: 'PHQ9-10 one missing → 8×9/8', a: '1 1 1 1 1 1 1 1 -', e: { total: 9, 'level.total': 1 } },
  { form: 'PHQ9', id: 'PHQ9-11 one missing, half-up 5×9/8=5.625→6', a: '1 1 1 1 1 0 0 0 -', e: { total: 6, 'level.total': 1 } },
  {
    form: 'PHQ9',
    id: 'PHQ9-13 incomplete but item 9 = 3 still alerts',
    a: '- - - 3 - - - - 3',
    e: { total: null, alerts: ['SI2'], overall: 3 },
  },
  { form: 'GAD7', id: 'GAD7-01', a: '0 0 0 0 0 0 0', e: { total: 0, 'level.total': 0 } },
  { form: 'GAD7', id: 'GAD7-02', a: '1 1 1 1 0 0 0', e: { total: 4, 'level.total': 0 } },
  { form: 'GAD7', id: 'GAD7-04', a: '2 2 2 2 2 0 0', e: { total: 10, 'level.total': 2 } },
  { form: 'GAD7', id: 'GAD7-05', a: '3 3 3 2 2 1 1', e: { total: 15, 'level.total': 3 } },
  { form: 'GAD7', id: 'GAD7-07 two missing', a: '2 2 2 2 2 - -', e: { total: null } },
  { form: 'PHQ4', id: 'PHQ4-01', a: '0 0 1 1', e: { total: 2, 'level.total': 0, phq2: 2, 'level.phq2': 0 } },
  { form: 'PHQ4', id: 'PHQ4-02', a: '0 0 2 1', e: { total: 3, 'level.total': 1, 'level.phq2': 2, 'level.gad2': 0 } },
  { form: 'PHQ4', id: 'PHQ4-04 missing', a: '1 - 1 1', e: { total: null, gad2: null, phq2: 2 } },
  { form: 'PHQ2', id: 'PHQ2-01', a: '0 0', e: { total: 0, 'level.total': 0 } },
  { form: 'PHQ2', id: 'PHQ2-02', a: '1 1', e: { total: 2, 'level.total': 0 } },
  { form: 'PHQ2', id: 'PHQ2-04', a: '3 -', e: { total: null } },
  { form: 'GAD2', id: 'GAD2-01', a: '0 0', e: { total: 0, 'level.total': 0 } },
  { form: 'GAD2', id: 'GAD2-02', a: '0 2', e: { total: 2, 'level.total': 0 } },
  { form: 'GAD2', id: 'GAD2-04', a: '3 3', e: { total: 6, 'level.total': 2 } },
  {
    form: 'PHQ15',
    id: 'PHQ15-01 male, item 4 n/a',
    a: '1 1 1 - 1 0 0 0 0 0 0 0 0 0 0',
    p: { gender: '01' },
    e: { total: 4, 'level.total': 0 },
  },
  {
    form: 'PHQ15',
    id: 'PHQ15-02 female',
    a: '1 1 1 1 1 0 0 0 0 0 0 0 0 0 0',
    p: { gender: '02' },
    e: { total: 5, 'level.total': 1 },
  },
  {
    form: 'PHQ15',
    id: 'PHQ15-04 female max 30',
    a: '2 2 2 2 2 2 2 2 2 2 2 2 2 2 2',
    p: { gender: '02' },
    e: { total: 30, 'level.total': 3 },
  },
  {
    form: 'PHQ15',
    id: 'PHQ15-05 female, item 4 missing: 10×15/14=10.71→11',
    a: '1 1 1 - 1 1 1 1 1 1 1 0 0 0 0',
    p: { gender: '02' },
    e: { total: 11, 'level.total': 2 },
  },
  { form: 'GDS15', id: 'GDS15-01 best', a: '1 0 0 0 1 0 1 0 0 0 1 0 1 0 0', e: { total: 0, 'level.total': 0 } },
  {
    form: 'GDS15',
    id: 'GDS15-02 all yes → 10',
    a: '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    e: { total: 10, 'level.total': 2, alerts: ['HOPELESS'] },
  },
  {
    form: 'GDS15',
    id: 'GDS15-04 worst',
    a: '0 1 1 1 0 1 0 1 1 1 0 1 0 1 1',
    e: { total: 15, 'level.total': 3, alerts: ['HOPELESS'] },
  },
  {
    form: 'GDS15',
    id: 'GDS15-05 3 missing, 4 of 12 → 4+4/12×3=5',
    a: '0 1 0 1 1 0 1 0 0 1 1 0 - - -',
    e: { total: 5, 'level.total': 1 },
  },
  {
    form: 'CESD',
    id: 'CESD-01 all 0 → 12 (four reversed)',
    a: '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0',
    e: { total: 12, 'level.total': 0, pos: 12, dep: 0 },
  },
  { form: 'CESD', id: 'CESD-02 best', a: '0 0 0 3 0 0 0 3 0 0 0 3 0 0 0 3 0 0 0 0', e: { total: 0, 'level.total': 0 } },
  { form: 'CESD', id: 'CESD-04 boundary 16', a: '1 1 1 3 1 1 1 3 1 1 1 3 1 1 1 3 1 1 1 1', e: { total: 16, 'level.total': 1 } },
  { form: 'CESD', id: 'CESD-05 worst', a: '3 3 3 0 3 3 3 0 3 3 3 0 3 3 3 0 3 3 3 3', e: { total: 60, 'level.total': 2, int: 6 } },
  { form: 'K10', id: 'K10-01 min', a: '1 1 1 1 1 1 1 1 1 1', e: { total: 10, 'level.total': 0, k6: 0 } },
  { form: 'K10', id: 'K10-02 skip rule fills q3,q6', a: '2 1 - 2 1 - 2 2 2 2', e: { total: 16, 'level.total': 0, k6: 4 } },
  { form: 'K10', id: 'K10-04 boundary 30', a: '3 3 3 3 3 3 3 3 3 3', e: { total: 30, 'level.total': 3, k6: 12, 'level.k6': 2 } },
  { form: 'K10', id: 'K10-05 max', a: '5 5 5 5 5 5 5 5 5 5', e: { total: 50, 'level.total': 3, k6: 24, 'level.k6': 3 } },
  { form: 'K6', id: 'K6-01', a: '0 0 0 0 0 0', e: { total: 0, 'level.total': 0 } },
  { form: 'K6', id: 'K6-02', a: '1 1 1 1 1 0', e: { total: 5, 'level.total': 2 } },
  { form: 'K6', id: 'K6-04', a: '3 2 2 2 2 2', e: { total: 13, 'level.total': 3 } },
  { form: 'ASQ', id: 'ASQ-01', a: '0 0 0 0', e: { pos: 0, 'level.pos': 0, alerts: [] } },
  { form: 'ASQ', id: 'ASQ-02 non-acute', a: '1 0 0 0 - 0', e: { pos: 1, 'level.pos': 3, alerts: ['ASQ_POS'] } },
  { form: 'ASQ', id: 'ASQ-04 refusal counts', a: '9 0 0 0 - 0', e: { pos: 1, alerts: ['ASQ_POS'] } },
  { form: 'PCPTSD5', id: 'PC5-01 no event → not applicable (null, level null)', a: '0', e: { total: null, 'level.total': null } },
  { form: 'PCPTSD5', id: 'PC5-02', a: '1 1 1 1 0 0', e: { total: 3, 'level.total': 1 } },
  {
    form: 'DASS21',
    id: 'DASS-01 all 0',
    a: '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0',
    e: { dep: 0, anx: 0, str: 0, overall: 0 },
  },
  {
    form: 'DASS21',
    id: 'DASS-02 all 1 → 14 each: D moderate, A moderate, S normal',
    a: '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    e: { dep: 14, 'level.dep': 2, anx: 14, 'level.anx': 2, str: 14, 'level.str': 0 },
  },
  {
    form: 'DASS21',
    id: 'DASS-04 one depression item missing: 6×7/6×2=14',
    a: '0 0 1 0 1 0 0 0 0 1 0 0 1 0 0 1 1 0 0 0 -',
    e: { dep: 14, 'level.dep': 2, anx: 0 },
  },
  { form: 'WHO5', id: 'WHO5-01', a: '5 5 5 5 5', e: { raw: 25, total: 100, 'level.total': 0 } },
  { form: 'WHO5', id: 'WHO5-02 raw 13 → 52', a: '3 3 3 2 2', e: { total: 52, 'level.total': 0 } },
  { form: 'WHO5', id: 'WHO5-04 raw 7 → 28', a: '2 2 1 1 1', e: { total: 28, 'level.total': 3 } },
  { form: 'WHO5', id: 'WHO5-05 missing', a: '2 2 1 1 -', e: { raw: null, total: null } },
  { form: 'PSS10', id: 'PSS-01 all 0 → 16', a: '0 0 0 0 0 0 0 0 0 0', e: { total: 16, 'level.total': 1 } },
  { form: 'PSS10', id: 'PSS-02 best', a: '0 0 0 4 4 0 4 4 0 0', e: { total: 0, 'level.total': 0 } },
  { form: 'PSS10', id: 'PSS-04 boundary 27', a: '3 3 3 2 2 3 1 1 3 2', e: { total: 27, 'level.total': 2 } },
  {
    form: 'CBI',
    id: 'CBI-01 all 0 except reversed w7 → work 14.3',
    a: '0 0 0 0 0 0 0 0 0 0 0 0 0',
    e: { personal: 0, work: 14.3, 'level.personal': 0 },
  },
  {
    form: 'CBI',
    id: 'CBI-02 all 50',
    a: '50 50 50 50 50 50 50 50 50 50 50 50 50',
    e: { personal: 50, 'level.personal': 2, work: 50, 'level.work': 2 },
  },
  { form: 'CBI', id: 'CBI-04 too few', a: '75 75 - - - - 0 0 0 - - - -', e: { personal: null, work: null } },
  {
    form: 'CBI',
    id: 'CBI-05 max',
    a: '100 100 100 100 100 100 100 100 100 100 100 100 0',
    e: { personal: 100, 'level.personal': 4, work: 100, 'level.work': 4 },
  },
  {
    form: 'EPDS',
    id: 'EPDS-01 best: first option on 1,2,4, last on the rest',
    a: '1 1 4 1 4 4 4 4 4 4',
    e: { total: 0, 'level.total': 0, alerts: [] },
  },
  {
    form: 'EPDS',
    id: 'EPDS-02 worst',
    a: '4 4 1 4 1 1 1 1 1 1',
    e: { total: 30, 'level.total': 2, anx3: 9, alerts: ['SELFHARM2'], overall: 3 },
  },
  {
    form: 'EPDS',
    id: 'EPDS-04 boundary 13, item 10 negative',
    a: '3 3 2 2 3 3 2 3 3 4',
    e: { total: 13, 'level.total': 2, alerts: [] },
  },
  {
    form: 'EPDS',
    id: 'EPDS-05 low total, item 10 hardly ever',
    a: '1 1 4 1 4 4 4 4 4 3',
    e: { total: 1, 'level.total': 0, alerts: ['SELFHARM1'], overall: 2 },
  },
  {
    form: 'SDS',
    id: 'SDS-01 all 1 → raw 10×1+10×4=50 → 62',
    a: '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    e: { raw: 50, std: 62, 'level.std': 1 },
  },
  { form: 'SDS', id: 'SDS-02 best', a: '1 4 1 1 4 4 1 1 1 1 4 4 1 4 1 4 4 4 1 4', e: { raw: 20, std: 25, 'level.std': 0 } },
  {
    form: 'SDS',
    id: 'SDS-04 raw 43 → 53.75 → 53 (floor)',
    a: '2 2 2 2 2 2 2 2 2 2 3 3 2 3 2 3 3 3 2 3',
    e: { raw: 43, std: 53, 'level.std': 1 },
  },
  {
    form: 'SDS',
    id: 'SDS-05 raw 42 → 52.5 → 52 (floor keeps it normal)',
    a: '2 2 2 1 2 2 2 2 2 2 3 3 2 3 2 3 3 3 2 3',
    e: { raw: 42, std: 52, 'level.std': 0 },
  },
  {
    form: 'SAS',
    id: 'SAS-01 all 1 → 15+20=35 → 43.75 → 43',
    a: '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    e: { raw: 35, std: 43, 'level.std': 0 },
  },
  {
    form: 'SAS',
    id: 'SAS-02 all 2 → 30+15=45 → 56',
    a: '2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2',
    e: { raw: 45, std: 56, 'level.std': 1 },
  },
  { form: 'SAS', id: 'SAS-04 worst', a: '4 4 4 4 1 4 4 4 1 4 4 4 1 4 4 4 1 4 1 4', e: { raw: 80, std: 100, 'level.std': 3 } },
  {
    form: 'SCL90',
    id: 'SCL-01 all 1',
    fill: '1',
    e: { total: 90, avg: 1, pos: 0, neg: 90, 'level.total': 0, dep: 1, overall: 0 },
  },
  {
    form: 'SCL90',
    id: 'SCL-02 all 2 → 180, pos 90, every factor 2',
    fill: '2',
    e: { total: 180, pos: 90, 'level.total': 1, 'level.dep': 1, som: 2 },
  },
  {
    form: 'SCL90',
    id: 'SCL-04 depression factor only: 13 items at 3 → 116, factor 3',
    fill: '1',
    set: {
      q5: '3',
      q14: '3',
      q15: '3',
      q20: '3',
      q22: '3',
      q26: '3',
      q29: '3',
      q30: '3',
      q31: '3',
      q32: '3',
      q54: '3',
      q71: '3',
      q79: '3',
    },
    e: { total: 116, dep: 3, 'level.dep': 2, pos: 13, 'level.total': 0, alerts: ['SI'] },
  },
  { form: 'MHT', id: 'MHT-01 all no', fill: '0', e: { total: 0, lie: 0, valid: true, overall: 0 } },
  { form: 'MHT', id: 'MHT-02 all yes → total 90 but invalid', fill: '1', e: { total: 90, lie: 10, valid: false, overall: null } },
  {
    form: 'MHT',
    id: 'MHT-04 lie 7 → warn only',
    fill: '0',
    set: { q82: '1', q84: '1', q86: '1', q88: '1', q90: '1', q92: '1', q94: '1' },
    e: { lie: 7, valid: true, flags: ['LIE_WARN'] },
  },
  {
    form: 'TDEMO',
    id: 'T-01 boy 13: raw 3+3+6+1=13 → T 62',
    a: '3 3 3 2',
    p: { gender: '01', age: 13 },
    e: { raw: 13, t: 62, 'level.t': 2 },
  },
  {
    form: 'TDEMO',
    id: 'T-02 girl 13 same raw → T 56.7',
    a: '3 3 3 2',
    p: { gender: '02', age: 13 },
    e: { t: 56.7, 'level.t': 0 },
  },
  { form: 'TEACHOBS', id: 'TO-01', a: '0 0 0 0 0 0 0 0 0 0 0 0', e: { total: 0, nclear: 0, overall: 0 } },
  {
    form: 'TEACHOBS',
    id: 'TO-02 three clear signs',
    a: '2 0 2 2 1 0 0 0 0 0 0 0',
    e: { total: 7, nclear: 3, 'level.nclear': 2, alerts: [] },
  },
  {
    form: 'CONSULTREG',
    id: 'REG-01 no score',
    o: { consultdate: '2025-10-08 09:30', topics: ['02', '06'], duration: 3, before: '0', detail: '入睡困难' },
    e: { overall: null, alerts: [] },
  },
];

/** The answers of a worked example for its form. */
export function answersOf(scale: Scale, { a, fill, set, o }: WorkedCase): Answers {
  if (o) return o;
  const tokens = a?.split(' ') ?? [];
  const answers = scale.items.map((item, index) => [item.c, fill ?? (tokens[index] === '-' ? null : tokens[index])] as const);
  return { ...Object.fromEntries(answers), ...set };
}
