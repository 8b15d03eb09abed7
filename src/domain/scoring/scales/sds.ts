import type { Scale } from '#domain/scoring/scale.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';
import { zungFrequency } from '#domain/scoring/scales/options.ts';

/**
 * Zung SDS, without wording. Standard score = whole part of 1.25 × raw (never rounded). Chinese limits: 53, 63, 73.
 */
export const sds: Scale = expandSkeleton({
  schema: 'asds/1',
  formcode: 'SDS',
  version: '1.0.0',
  formtype: '01',
  title: '抑郁自评量表（SDS）',
  entitle: 'Zung Self-Rating Depression Scale',
  tier: 'C',
  recall: '过去一周',
  licencetext: '© W. W. K. Zung。条目文字须由机构取得授权后提供。',
  minutes: 5,
  itemcount: 20,
  itemopt: 'z4',
  optionsets: { z4: zungFrequency },
  reverse: ['q2', 'q5', 'q6', 'q11', 'q12', 'q14', 'q16', 'q17', 'q18', 'q20'],
  scores: [
    { c: 'raw', n: '粗分', op: 'sum', of: 'q1..q20', min: 20, max: 80, domain: '01' },
    {
      c: 'std',
      n: '标准分',
      op: 'ref',
      ref: 'raw',
      post: [['mul', 1.25], ['floor']],
      min: 25,
      max: 100,
      primary: true,
      better: 'low',
      domain: '01',
    },
  ],
  bands: {
    std: [
      [25, 52, 0, '正常'],
      [53, 62, 1, '轻度'],
      [63, 72, 2, '中度'],
      [73, 100, 3, '重度'],
    ],
  },
});
