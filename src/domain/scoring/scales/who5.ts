import type { Scale } from '#domain/scoring/scale.ts';

/**
 * WHO-5: raw score 0–25 × 4, higher is better. ≤50 is low, ≤28 markedly low (Topp 2015). No item may be missing.
 */
export const who5: Scale = {
  schema: 'asds/1',
  formcode: 'WHO5',
  version: '1.1.0',
  formtype: '01',
  title: '世界卫生组织五项身心健康指标（WHO-5）',
  entitle: 'WHO-5 Well-Being Index',
  tier: 'B',
  recall: '过去两周',
  instruction: '请选出最接近您过去两周感受的选项。',
  licencetext: 'WHO-5 © WHO 2024，CC BY-NC-SA 3.0 IGO；须注明出处，仅限免费使用，不得收费。',
  citation:
    'Topp CW, Østergaard SD, Søndergaard S, Bech P. The WHO-5 Well-Being Index: a systematic review of the literature. Psychother Psychosom. 2015;84(3):167-176.',
  minutes: 1,
  appids: ['000000001'],
  optionsets: {
    w6: [
      ['5', '所有时间', 5],
      ['4', '大部分时间', 4],
      ['3', '超过一半的时间', 3],
      ['2', '少于一半的时间', 2],
      ['1', '有时候', 1],
      ['0', '从未有过', 0],
    ],
  },
  items: [
    { c: 'q1', o: 'w6', t: '我感觉快乐、心情舒畅' },
    { c: 'q2', o: 'w6', t: '我感觉宁静和放松' },
    { c: 'q3', o: 'w6', t: '我感觉充满活力、精力充沛' },
    { c: 'q4', o: 'w6', t: '我睡醒时感到清新、得到了足够休息' },
    { c: 'q5', o: 'w6', t: '我每天的生活充满了有趣的事情' },
  ],
  scores: [
    { c: 'raw', n: '原始分', op: 'sum', of: 'q1..q5', min: 0, max: 25, domain: '06' },
    {
      c: 'total',
      n: '百分制得分',
      op: 'ref',
      ref: 'raw',
      post: [['mul', 4]],
      min: 0,
      max: 100,
      primary: true,
      better: 'high',
      domain: '06',
    },
  ],
  bands: {
    total: [
      [0, 28, 3, '明显偏低'],
      [29, 50, 2, '偏低'],
      [51, 100, 0, '良好'],
    ],
  },
};
