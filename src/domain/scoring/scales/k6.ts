import type { Scale } from '#domain/scoring/scale.ts';

/** K6: 13 or more is serious distress (Kessler 2003), 5–12 moderate (Prochaska 2012). */
export const k6: Scale = {
  schema: 'asds/1',
  formcode: 'K6',
  version: '1.1.0',
  formtype: '01',
  title: '凯斯勒心理困扰量表简版（K6）',
  entitle: 'K6',
  tier: 'A',
  recall: '过去四周',
  licencetext: '© Ronald C. Kessler 2003。使用免费、无需正式许可，须注明版权与出处。',
  citation:
    'Kessler RC, Andrews G, Colpe LJ, et al. Short screening scales to monitor population prevalences and trends in non-specific psychological distress. Psychol Med. 2002;32(6):959-976.',
  minutes: 2,
  agemin: 9,
  optionsets: {
    t5: [
      ['4', '所有时间', 4],
      ['3', '大部分时间', 3],
      ['2', '一部分时间', 2],
      ['1', '偶尔', 1],
      ['0', '从来没有', 0],
    ],
  },
  items: [
    { c: 'q1', o: 't5', loinc: '65189-3', t: '感到紧张' },
    { c: 'q2', o: 't5', loinc: '65190-1', t: '感到没有希望' },
    { c: 'q3', o: 't5', loinc: '65191-9', t: '感到坐立不安或烦躁' },
    { c: 'q4', o: 't5', t: '难过到什么都不能让您高兴起来' },
    { c: 'q5', o: 't5', t: '感到做每一件事都很费劲' },
    { c: 'q6', o: 't5', t: '感到自己没有价值' },
  ],
  scores: [{ c: 'total', n: '总分', op: 'sum', of: 'q1..q6', min: 0, max: 24, primary: true, better: 'low', domain: '03' }],
  bands: {
    total: [
      [0, 4, 0, '低'],
      [5, 12, 2, '中等'],
      [13, 24, 3, '严重'],
    ],
  },
  nextform: [{ when: { score: 'total', gte: 13 }, formcode: 'PHQ9' }],
};
