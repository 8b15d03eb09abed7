import type { Scale } from '#domain/scoring/scale.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';

/**
 * MHT (周步成 1991), without wording. A lie scale ≥8 makes the form invalid, and 7 gives a warning. A content scale ≥8 needs
 * counselling. Levels of the total of the 90 content items: 0–55, 56–64, ≥65.
 */
export const mht: Scale = expandSkeleton({
  schema: 'asds/1',
  formcode: 'MHT',
  version: '1.0.0',
  formtype: '01',
  title: '心理健康诊断测验（MHT）',
  entitle: 'Mental Health Test (Zhou)',
  tier: 'C',
  licencetext: '周步成等（华东师范大学，1991）修订，权利归出版方。条目文字须由机构取得授权后提供。',
  minutes: 20,
  appids: ['000000002'],
  itemcount: 100,
  itemopt: 'yn',
  optionsets: {
    yn: [
      ['1', '是', 1],
      ['0', '否', 0],
    ],
  },
  scores: [
    { c: 'lie', n: '效度量表', op: 'sum', of: 'q82,q84,q86,q88,q90,q92,q94,q96,q98,q100' },
    { c: 'study', n: '学习焦虑', op: 'sum', of: 'q1..q15', primary: true, domain: '02' },
    { c: 'social', n: '对人焦虑', op: 'sum', of: 'q16..q25', primary: true, domain: '02' },
    { c: 'lonely', n: '孤独倾向', op: 'sum', of: 'q26..q35', primary: true },
    { c: 'blame', n: '自责倾向', op: 'sum', of: 'q36..q45', primary: true },
    { c: 'sens', n: '过敏倾向', op: 'sum', of: 'q46..q55', primary: true },
    { c: 'body', n: '身体症状', op: 'sum', of: 'q56..q70', primary: true, domain: '04' },
    { c: 'fear', n: '恐怖倾向', op: 'sum', of: 'q71..q80', primary: true },
    { c: 'impulse', n: '冲动倾向', op: 'sum', of: 'q81,q83,q85,q87,q89,q91,q93,q95,q97,q99', primary: true },
    {
      c: 'total',
      n: '总分',
      op: 'sum',
      of: 'q1..q81,q83,q85,q87,q89,q91,q93,q95,q97,q99',
      min: 0,
      max: 90,
      primary: true,
      better: 'low',
    },
  ],
  bands: {
    total: [
      [0, 55, 0, '正常'],
      [56, 64, 1, '轻度'],
      [65, 90, 3, '需个别辅导'],
    ],
    study: [
      [0, 7, 0, '正常'],
      [8, 15, 2, '偏高'],
    ],
    social: [
      [0, 7, 0, '正常'],
      [8, 10, 2, '偏高'],
    ],
    lonely: [
      [0, 7, 0, '正常'],
      [8, 10, 2, '偏高'],
    ],
    blame: [
      [0, 7, 0, '正常'],
      [8, 10, 2, '偏高'],
    ],
    sens: [
      [0, 7, 0, '正常'],
      [8, 10, 2, '偏高'],
    ],
    body: [
      [0, 7, 0, '正常'],
      [8, 15, 2, '偏高'],
    ],
    fear: [
      [0, 7, 0, '正常'],
      [8, 10, 2, '偏高'],
    ],
    impulse: [
      [0, 7, 0, '正常'],
      [8, 10, 2, '偏高'],
    ],
  },
  validity: [
    { c: 'LIE_INVALID', when: { score: 'lie', gte: 8 }, action: 'invalid', msg: '效度量表得分过高，答卷可信度低，建议重测' },
    { c: 'LIE_WARN', when: { score: 'lie', eq: 7 }, action: 'warn', msg: '效度量表偏高，解释时需谨慎' },
  ],
});
