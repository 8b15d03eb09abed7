import type { Scale } from '#domain/scoring/scale.ts';

/**
 * K10 (Kessler). Bands of China’s 2019 national student survey: ≤19, 20–24, 25–29, ≥30. After the answer “从来没有” to the
 * question before, items 3 and 6 are skipped and score 1. K6 uses items 2, 4, 5, 8, 9, 10, scored 0–4.
 */
export const k10: Scale = {
  schema: 'asds/1',
  formcode: 'K10',
  version: '1.1.0',
  formtype: '01',
  title: '凯斯勒心理困扰量表（K10）',
  entitle: 'Kessler Psychological Distress Scale',
  tier: 'A',
  recall: '过去四周',
  instruction: '在过去四周里，您有多少时间出现以下感受？',
  licencetext: '© Ronald C. Kessler 2003。使用免费、无需正式许可，须注明版权与出处。',
  citation:
    'Kessler RC, Andrews G, Colpe LJ, et al. Short screening scales to monitor population prevalences and trends in non-specific psychological distress. Psychol Med. 2002;32(6):959-976. 中国学生分级：中华流行病学杂志 2023;44(10):1537.',
  minutes: 3,
  appids: ['000000001', '000000002', '000000003', '000000004'],
  agemin: 9,
  optionsets: {
    t5: [
      ['5', '所有时间', 5],
      ['4', '大部分时间', 4],
      ['3', '一部分时间', 3],
      ['2', '偶尔', 2],
      ['1', '从来没有', 1],
    ],
  },
  items: [
    { c: 'q1', o: 't5', t: '无缘无故地感到疲乏' },
    { c: 'q2', o: 't5', t: '感到紧张' },
    { c: 'q3', o: 't5', t: '紧张到什么都无法让您平静下来' },
    { c: 'q4', o: 't5', t: '感到没有希望' },
    { c: 'q5', o: 't5', t: '感到坐立不安或烦躁' },
    { c: 'q6', o: 't5', t: '坐立不安到无法静坐' },
    { c: 'q7', o: 't5', t: '感到情绪低落' },
    { c: 'q8', o: 't5', t: '感到做每一件事都很费劲' },
    { c: 'q9', o: 't5', t: '难过到什么都不能让您高兴起来' },
    { c: 'q10', o: 't5', t: '感到自己没有价值' },
  ],
  derive: [
    { if: { item: 'q2', eq: 1 }, set: { q3: '1' } },
    { if: { item: 'q5', eq: 1 }, set: { q6: '1' } },
  ],
  scores: [
    {
      c: 'total',
      n: '心理困扰总分',
      op: 'sum',
      of: 'q1..q10',
      miss: { max: 1, how: 'prorate' },
      post: [['round', 0]],
      min: 10,
      max: 50,
      primary: true,
      better: 'low',
      domain: '03',
    },
    { c: 'k6', n: 'K6', op: 'sum', of: 'q2,q4,q5,q8,q9,q10', post: [['add', -6]], min: 0, max: 24, domain: '03' },
  ],
  bands: {
    total: [
      [10, 19, 0, '无明显心理困扰'],
      [20, 24, 1, '轻度'],
      [25, 29, 2, '中度'],
      [30, 50, 3, '重度'],
    ],
    k6: [
      [0, 4, 0, '低'],
      [5, 12, 2, '中等'],
      [13, 24, 3, '严重'],
    ],
  },
  nextform: [{ when: { score: 'total', gte: 25 }, formcode: 'PHQ9' }],
};
