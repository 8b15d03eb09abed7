import type { Scale } from '#domain/scoring/scale.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';

/**
 * SCL-90, scored 1–5 as in China, without wording. A factor score is the mean of its items. Positive is a total >160, more than
 * 43 positive items, or a factor ≥2. The alert thresholds of items 15 (2 and 3) and 59 are our own.
 */
export const scl90: Scale = expandSkeleton({
  schema: 'asds/1',
  formcode: 'SCL90',
  version: '1.1.0',
  formtype: '01',
  title: '90项症状清单（SCL-90）',
  entitle: 'Symptom Checklist-90',
  tier: 'C',
  recall: '过去一周',
  licencetext: 'SCL-90-R © L. R. Derogatis / Pearson。条目文字须由机构取得授权后提供。',
  minutes: 20,
  itemcount: 90,
  itemopt: 's5',
  optionsets: {
    s5: [
      ['1', '没有', 1],
      ['2', '很轻', 2],
      ['3', '中等', 3],
      ['4', '偏重', 4],
      ['5', '严重', 5],
    ],
  },
  scores: [
    { c: 'total', n: '总分', op: 'sum', of: 'q1..q90', min: 90, max: 450, primary: true, better: 'low' },
    { c: 'avg', n: '总均分', op: 'mean', of: 'q1..q90', post: [['round', 2]] },
    { c: 'pos', n: '阳性项目数', op: 'count', of: 'q1..q90', where: { gte: 2 }, primary: true },
    { c: 'neg', n: '阴性项目数', op: 'count', of: 'q1..q90', where: { eq: 1 } },
    {
      c: 'som',
      n: '躯体化',
      op: 'mean',
      of: 'q1,q4,q12,q27,q40,q42,q48,q49,q52,q53,q56,q58',
      post: [['round', 2]],
      primary: true,
      domain: '04',
    },
    { c: 'obs', n: '强迫', op: 'mean', of: 'q3,q9,q10,q28,q38,q45,q46,q51,q55,q65', post: [['round', 2]], primary: true },
    { c: 'ips', n: '人际关系敏感', op: 'mean', of: 'q6,q21,q34,q36,q37,q41,q61,q69,q73', post: [['round', 2]], primary: true },
    {
      c: 'dep',
      n: '抑郁',
      op: 'mean',
      of: 'q5,q14,q15,q20,q22,q26,q29..q32,q54,q71,q79',
      post: [['round', 2]],
      primary: true,
      domain: '01',
    },
    {
      c: 'anx',
      n: '焦虑',
      op: 'mean',
      of: 'q2,q17,q23,q33,q39,q57,q72,q78,q80,q86',
      post: [['round', 2]],
      primary: true,
      domain: '02',
    },
    { c: 'hos', n: '敌对', op: 'mean', of: 'q11,q24,q63,q67,q74,q81', post: [['round', 2]], primary: true },
    { c: 'pho', n: '恐怖', op: 'mean', of: 'q13,q25,q47,q50,q70,q75,q82', post: [['round', 2]], primary: true },
    { c: 'par', n: '偏执', op: 'mean', of: 'q8,q18,q43,q68,q76,q83', post: [['round', 2]], primary: true },
    { c: 'psy', n: '精神病性', op: 'mean', of: 'q7,q16,q35,q62,q77,q84,q85,q87,q88,q90', post: [['round', 2]], primary: true },
    { c: 'oth', n: '其他', op: 'mean', of: 'q19,q44,q59,q60,q64,q66,q89', post: [['round', 2]] },
  ],
  bandmode: {
    som: 'halfopen',
    obs: 'halfopen',
    ips: 'halfopen',
    dep: 'halfopen',
    anx: 'halfopen',
    hos: 'halfopen',
    pho: 'halfopen',
    par: 'halfopen',
    psy: 'halfopen',
  },
  bands: {
    total: [
      [90, 160, 0, '阴性'],
      [161, 200, 1, '轻度'],
      [201, 250, 2, '中度'],
      [251, 450, 3, '明显'],
    ],
    pos: [
      [0, 43, 0, '阴性'],
      [44, 90, 1, '阳性'],
    ],
    som: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    obs: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    ips: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    dep: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    anx: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    hos: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    pho: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    par: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
    psy: [
      [1, 2, 0, '正常'],
      [2, 3, 1, '轻度'],
      [3, 4, 2, '中度'],
      [4, null, 3, '重度'],
    ],
  },
  alerts: [
    { c: 'SI1', when: { item: 'q15', eq: 2 }, level: 2, msg: 'SCL-90 第15题（结束生命的想法）为“很轻”，须尽快面谈核实' },
    {
      c: 'SI',
      when: {
        any: [
          { item: 'q15', gte: 3 },
          { item: 'q59', gte: 4 },
        ],
      },
      level: 3,
      msg: 'SCL-90 第15/59题提示自杀相关意念',
    },
  ],
});
