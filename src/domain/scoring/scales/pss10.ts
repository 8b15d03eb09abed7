import type { Scale } from '#domain/scoring/scale.ts';

/** PSS-10, without wording. Items 4, 5, 7, 8 are reversed. Levels: 0–13, 14–26, 27–40. */
export const pss10: Scale = {
  schema: 'asds/1',
  formcode: 'PSS10',
  version: '1.0.0',
  formtype: '01',
  title: '知觉压力量表（PSS-10）',
  entitle: 'Perceived Stress Scale-10',
  tier: 'B',
  recall: '过去一个月',
  licencetext: '© Sheldon Cohen。学术与教育用途无需许可，其他用途须取得授权；条目文字由使用机构提供。',
  minutes: 3,
  loinc: { total: '106860-0' },
  optionsets: {
    p5: [
      ['0', '从不', 0],
      ['1', '偶尔', 1],
      ['2', '有时', 2],
      ['3', '时常', 3],
      ['4', '总是', 4],
    ],
  },
  items: [
    { c: 'q1', o: 'p5', t: '' },
    { c: 'q2', o: 'p5', t: '' },
    { c: 'q3', o: 'p5', t: '' },
    { c: 'q4', o: 'p5', t: '' },
    { c: 'q5', o: 'p5', t: '' },
    { c: 'q6', o: 'p5', t: '' },
    { c: 'q7', o: 'p5', t: '' },
    { c: 'q8', o: 'p5', t: '' },
    { c: 'q9', o: 'p5', t: '' },
    { c: 'q10', o: 'p5', t: '' },
  ],
  reverse: ['q4', 'q5', 'q7', 'q8'],
  scores: [{ c: 'total', n: '压力总分', op: 'sum', of: 'q1..q10', min: 0, max: 40, primary: true, better: 'low', domain: '03' }],
  bands: {
    total: [
      [0, 13, 0, '低'],
      [14, 26, 1, '中'],
      [27, 40, 2, '高'],
    ],
  },
};
