import type { Scale } from '#domain/scoring/scale.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';
import { zungFrequency } from '#domain/scoring/scales/options.ts';

/**
 * Zung SAS, without wording. Standard score = whole part of 1.25 × raw (never rounded). Chinese limits: 50, 60, 70.
 */
export const sas: Scale = expandSkeleton({
  schema: 'asds/1',
  formcode: 'SAS',
  version: '1.0.0',
  formtype: '01',
  title: '焦虑自评量表（SAS）',
  entitle: 'Zung Self-Rating Anxiety Scale',
  tier: 'C',
  recall: '过去一周',
  licencetext: '© W. W. K. Zung。条目文字须由机构取得授权后提供。',
  minutes: 5,
  itemcount: 20,
  itemopt: 'z4',
  optionsets: { z4: zungFrequency },
  reverse: ['q5', 'q9', 'q13', 'q17', 'q19'],
  scores: [
    { c: 'raw', n: '粗分', op: 'sum', of: 'q1..q20', min: 20, max: 80, domain: '02' },
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
      domain: '02',
    },
  ],
  bands: {
    std: [
      [25, 49, 0, '正常'],
      [50, 59, 1, '轻度'],
      [60, 69, 2, '中度'],
      [70, 100, 3, '重度'],
    ],
  },
});
