import type { Scale } from '#domain/scoring/scale.ts';

/** A questionnaire of three questions with a total, levels and an alert, as an author has typed it. */
export const smallScale = (change: Partial<Scale> = {}): Scale => ({
  schema: 'asds/1',
  formcode: '',
  version: 'draft',
  formtype: '01',
  title: '校园适应自评',
  tier: 'S',
  recall: '最近两周',
  instruction: '请按最近两周的实际情况作答。',
  minutes: 2,
  optionsets: {
    often: [
      ['0', '从不', 0],
      ['1', '偶尔', 1],
      ['2', '经常', 2],
    ],
  },
  items: [
    { c: 'q1', t: '我难以融入班级', o: 'often' },
    { c: 'q2', t: '我对上学提不起劲', o: 'often' },
    { c: 'q3', t: '我觉得活着很累', o: 'often', sensitive: true },
  ],
  scores: [{ c: 'total', n: '总分', op: 'sum', of: 'q1..q3', min: 0, max: 6, primary: true, better: 'low', domain: '03' }],
  bands: {
    total: [
      [0, 2, 0, '平稳'],
      [3, 4, 1, '轻度困扰'],
      [5, 6, 2, '需要关心'],
    ],
  },
  alerts: [{ c: 'LIFE', when: { item: 'q3', gte: 2 }, level: 3, msg: '第3题选“经常”，须当日了解情况' }],
  ...change,
});
