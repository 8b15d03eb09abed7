import type { TableForm } from '#domain/reconcile/tableForm.ts';
import { checklist, content, dass, factor, from, oneTo, prorated, zeroTo, zung } from '#domain/reconcile/tableParts.ts';

/**
 * The table of 零漏报对账: for each shipped questionnaire the points, sums, levels, alerts and the cut-offs of warnings. It is
 * written by hand from section G of the clinical rules and the published cut-offs, and shares no line with the live definitions.
 * `levels` are the published bands (0 none … 4 very severe); `raises` are the warning levels of section G.
 */

/** PHQ-2 and GAD-2: 3 or more is positive (Kroenke 2003, 2007); the longer form must follow. */
const short: TableForm = {
  items: 'q1..q2',
  points: zeroTo(3),
  sums: [{ code: 'total', op: 'sum', of: 'q1..q2', isPrimary: true, levels: from('0:0 3:2') }],
};
/** An answer of yes (1) or a refusal (9) to one of the first four questions of the ASQ. */
const asqPositive = { count: 'q1..q4', where: { gte: 1 }, gte: 1 };

/** The major version of the questionnaires that the table describes. Another one is judged by its stored definition. */
export const TABLE_MAJOR = '1';

/** The table by form code. */
export const formTable: Readonly<Record<string, TableForm>> = {
  // Kroenke 2001; item 9 raises at any total.
  PHQ9: {
    items: 'q1..q9',
    points: zeroTo(3),
    sums: [
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q9',
        ...prorated(2),
        isPrimary: true,
        levels: from('0:0 5:1 10:2 15:3 20:4'),
        raises: from('5:1 10:2 15:3'),
      },
      { code: 'nsym', op: 'count', of: 'q1..q9', where: { gte: 2 }, missing: 2 },
    ],
    alerts: [
      { code: 'SI1', level: 2, when: { item: 'q9', eq: 1 } },
      { code: 'SI2', level: 3, when: { item: 'q9', gte: 2 } },
    ],
  },
  // Spitzer 2006.
  GAD7: {
    items: 'q1..q7',
    points: zeroTo(3),
    sums: [
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q7',
        ...prorated(1),
        isPrimary: true,
        levels: from('0:0 5:1 10:2 15:3'),
        raises: from('5:1 10:2 15:3'),
      },
    ],
  },
  PHQ2: short,
  GAD2: short,
  // Kroenke 2009.
  PHQ4: {
    items: 'q1..q4',
    points: zeroTo(3),
    sums: [
      { code: 'total', op: 'sum', of: 'q1..q4', isPrimary: true, levels: from('0:0 3:1 6:2 9:3'), raises: from('9:2') },
      { ...short.sums[0]!, code: 'gad2', of: 'q1,q2', isPrimary: false },
      { ...short.sums[0]!, code: 'phq2', of: 'q3,q4', isPrimary: false },
    ],
  },
  // Kroenke 2002; item 4 is for women.
  PHQ15: {
    items: 'q1..q15',
    points: zeroTo(2),
    only: { q4: { person: 'gender', eq: '02' } },
    sums: [
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q15',
        ...prorated(3),
        isPrimary: true,
        levels: from('0:0 5:1 10:2 15:3'),
        raises: from('15:2'),
      },
      { code: 'nsevere', op: 'count', of: 'q1..q15', where: { gte: 2 }, missing: 3 },
    ],
  },
  // Sheikh & Yesavage 1986; levels of LOINC 48545-8.
  GDS15: {
    items: 'q1..q15',
    points: zeroTo(1),
    reversed: 'q1,q5,q7,q11,q13',
    sums: [
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q15',
        ...prorated(3),
        isPrimary: true,
        levels: from('0:0 5:1 9:2 12:3'),
        raises: from('5:1 9:2'),
      },
    ],
    alerts: [
      {
        code: 'HOPELESS',
        level: 2,
        when: {
          all: [
            { item: 'q14', eq: 1 },
            { score: 'total', gte: 9 },
          ],
        },
      },
    ],
  },
  // Radloff 1977; Chinese convention 16 and 20.
  CESD: {
    items: 'q1..q20',
    points: zeroTo(3),
    reversed: 'q4,q8,q12,q16',
    sums: [
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q20',
        ...prorated(4),
        isPrimary: true,
        levels: from('0:0 16:1 20:2'),
        raises: from('20:2'),
      },
      { code: 'dep', op: 'sum', of: 'q3,q6,q9,q10,q14,q17,q18' },
      { code: 'pos', op: 'sum', of: 'q4,q8,q12,q16' },
      { code: 'som', op: 'sum', of: 'q1,q2,q5,q7,q11,q13,q20' },
      { code: 'int', op: 'sum', of: 'q15,q19' },
    ],
  },
  // Kessler 2002; bands of the Chinese student survey of 2019.
  K10: {
    items: 'q1..q10',
    points: oneTo(5),
    implied: [
      { when: { item: 'q2', eq: 1 }, answers: { q3: '1' } },
      { when: { item: 'q5', eq: 1 }, answers: { q6: '1' } },
    ],
    sums: [
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q10',
        ...prorated(1),
        isPrimary: true,
        levels: from('10:0 20:1 25:2 30:3'),
        raises: from('20:1 25:2'),
      },
      { code: 'k6', op: 'sum', of: 'q2,q4,q5,q8,q9,q10', steps: [['add', -6]], levels: from('0:0 5:2 13:3') },
    ],
  },
  // Kessler 2003: 13 or more is serious distress.
  K6: {
    items: 'q1..q6',
    points: zeroTo(4),
    sums: [{ code: 'total', op: 'sum', of: 'q1..q6', isPrimary: true, levels: from('0:0 5:2 13:3'), raises: from('13:2') }],
  },
  // Bovin 2021: 4 or more.
  PCPTSD5: {
    items: 'q0..q5',
    points: zeroTo(1),
    only: Object.fromEntries(['q1', 'q2', 'q3', 'q4', 'q5'].map((item) => [item, { item: 'q0', eq: 1 }])),
    sums: [{ code: 'total', op: 'sum', of: 'q1..q5', isPrimary: true, levels: from('0:0 3:1 4:2'), raises: from('4:2') }],
  },
  DASS21: {
    items: 'q1..q21',
    points: zeroTo(3),
    sums: [
      dass('dep', 'q3,q5,q10,q13,q16,q17,q21', [10, 14, 21, 28]),
      dass('anx', 'q2,q4,q7,q9,q15,q19,q20', [8, 10, 15, 20]),
      dass('str', 'q1,q6,q8,q11,q12,q14,q18', [15, 19, 26, 34]),
    ],
  },
  // Topp 2015: 28 or less is markedly low, 50 or less low. A high score is good.
  WHO5: {
    items: 'q1..q5',
    points: zeroTo(5),
    sums: [
      { code: 'raw', op: 'sum', of: 'q1..q5' },
      { code: 'total', op: 'same', of: 'raw', steps: [['mul', 4]], isPrimary: true, levels: from('0:3 29:2 51:0') },
    ],
  },
  PSS10: {
    items: 'q1..q10',
    points: zeroTo(4),
    reversed: 'q4,q5,q7,q8',
    sums: [{ code: 'total', op: 'sum', of: 'q1..q10', isPrimary: true, levels: from('0:0 14:1 27:2') }],
  },
  // Kristensen 2005: 50 moderate, 75 high, 100 severe.
  CBI: {
    items: 'p1,p2,p3,p4,p5,p6,w1,w2,w3,w4,w5,w6,w7',
    points: { 0: 0, 25: 25, 50: 50, 75: 75, 100: 100 },
    reversed: 'w7',
    sums: ['personal', 'work'].map((code) => ({
      code,
      op: 'mean',
      of: code === 'work' ? 'w1,w2,w3,w4,w5,w6,w7' : 'p1,p2,p3,p4,p5,p6',
      missing: 3,
      steps: [['round', 1]],
      isPrimary: true,
      levels: from('0:0 50:2 75:3 100:4'),
      raises: from('75:2 100:3'),
    })),
  },
  // Cox 1987; Chinese consensus 2019. Option codes are printed positions.
  EPDS: {
    items: 'q1..q10',
    points: { 1: 3, 2: 2, 3: 1, 4: 0 },
    pointsOf: Object.fromEntries(['q1', 'q2', 'q4'].map((item) => [item, { 1: 0, 2: 1, 3: 2, 4: 3 }])),
    sums: [
      { code: 'total', op: 'sum', of: 'q1..q10', isPrimary: true, levels: from('0:0 10:1 13:2'), raises: from('10:1 13:2 20:3') },
      { code: 'anx3', op: 'sum', of: 'q3,q4,q5', levels: from('0:0 6:2') },
    ],
    alerts: [
      { code: 'SELFHARM1', level: 2, when: { item: 'q10', eq: 1 } },
      { code: 'SELFHARM2', level: 3, when: { item: 'q10', gte: 2 } },
    ],
  },
  SDS: zung('q2,q5,q6,q11,q12,q14,q16,q17,q18,q20', [53, 63, 73]),
  SAS: zung('q5,q9,q13,q17,q19', [50, 60, 70]),
  SCL90: {
    items: 'q1..q90',
    points: oneTo(5),
    sums: [
      { code: 'total', op: 'sum', of: 'q1..q90', isPrimary: true, levels: from('90:0 161:1 201:2 251:3'), raises: from('251:2') },
      { code: 'avg', op: 'mean', of: 'q1..q90', steps: [['round', 2]] },
      {
        code: 'pos',
        op: 'count',
        of: 'q1..q90',
        where: { gte: 2 },
        isPrimary: true,
        levels: from('0:0 44:1'),
      },
      { code: 'neg', op: 'count', of: 'q1..q90', where: { eq: 1 } },
      factor('som', 'q1,q4,q12,q27,q40,q42,q48,q49,q52,q53,q56,q58'),
      factor('obs', 'q3,q9,q10,q28,q38,q45,q46,q51,q55,q65'),
      factor('ips', 'q6,q21,q34,q36,q37,q41,q61,q69,q73'),
      factor('dep', 'q5,q14,q15,q20,q22,q26,q29,q30,q31,q32,q54,q71,q79'),
      factor('anx', 'q2,q17,q23,q33,q39,q57,q72,q78,q80,q86'),
      factor('hos', 'q11,q24,q63,q67,q74,q81'),
      factor('pho', 'q13,q25,q47,q50,q70,q75,q82'),
      factor('par', 'q8,q18,q43,q68,q76,q83'),
      factor('psy', 'q7,q16,q35,q62,q77,q84,q85,q87,q88,q90'),
      { code: 'oth', op: 'mean', of: 'q19,q44,q59,q60,q64,q66,q89', steps: [['round', 2]] },
    ],
    alerts: [
      { code: 'SI1', level: 2, when: { item: 'q15', eq: 2 } },
      {
        code: 'SI',
        level: 3,
        when: {
          any: [
            { item: 'q15', gte: 3 },
            { item: 'q59', gte: 4 },
          ],
        },
      },
    ],
  },
  // 周步成 1991: a lie scale of 8 or more makes the sheet void; a total of 65 or more needs counselling.
  MHT: {
    items: 'q1..q100',
    points: zeroTo(1),
    invalid: { score: 'lie', gte: 8 },
    sums: [
      { code: 'lie', op: 'sum', of: 'q82,q84,q86,q88,q90,q92,q94,q96,q98,q100' },
      content('study', 'q1..q15'),
      content('social', 'q16..q25'),
      content('lonely', 'q26..q35'),
      content('blame', 'q36..q45'),
      content('sens', 'q46..q55'),
      content('body', 'q56..q70'),
      content('fear', 'q71..q80'),
      content('impulse', 'q81,q83,q85,q87,q89,q91,q93,q95,q97,q99'),
      {
        code: 'total',
        op: 'sum',
        of: 'q1..q81,q83,q85,q87,q89,q91,q93,q95,q97,q99',
        isPrimary: true,
        levels: from('0:0 56:1 65:3'),
        raises: from('65:2'),
      },
    ],
  },
  // NIMH ASQ, section D: a refusal counts as yes; yes to question 5 is acute whatever else.
  ASQ: {
    items: 'q1..q5',
    points: { 0: 0, 1: 1, 9: 1 },
    sums: [{ code: 'pos', op: 'sum', of: 'q1..q4', isPrimary: true, levels: from('0:0 1:3') }],
    alerts: [
      {
        code: 'ASQ_ACUTE',
        level: 4,
        when: { any: [{ answer: 'q5', eq: '1' }, { all: [{ answer: 'q5', eq: '9' }, asqPositive] }] },
      },
      {
        code: 'ASQ_POS',
        level: 3,
        when: {
          any: [
            { all: [asqPositive, { not: { answer: 'q5', in: ['1', '9'] } }] },
            { all: [{ not: asqPositive }, { answer: 'q5', eq: '9' }] },
          ],
        },
      },
    ],
  },
  TEACHOBS: {
    ...checklist('q1..q12'),
    alerts: [
      { code: 'DEATHTALK', level: 3, when: { item: 'q10', gte: 1 } },
      { code: 'WOUND1', level: 2, when: { item: 'q11', eq: 1 } },
      { code: 'WOUND2', level: 3, when: { item: 'q11', eq: 2 } },
      { code: 'EVENT', level: 2, when: { item: 'q12', eq: 2 } },
    ],
  },
  CAREOBS: {
    ...checklist('q1..q11'),
    alerts: [
      { code: 'DEATHTALK', level: 3, when: { item: 'q9', gte: 1 } },
      { code: 'WOUND1', level: 2, when: { item: 'q10', eq: 1 } },
      { code: 'WOUND2', level: 3, when: { item: 'q10', eq: 2 } },
      { code: 'EVENT', level: 2, when: { item: 'q11', eq: 2 } },
    ],
  },
};

/** The longer form that must follow a positive short one, and the score of the short form from which it is positive. */
export const shortForms: readonly { form: string; score: string; from: number; next: string }[] = [
  { form: 'PHQ2', score: 'total', from: 3, next: 'PHQ9' },
  { form: 'GAD2', score: 'total', from: 3, next: 'GAD7' },
];
