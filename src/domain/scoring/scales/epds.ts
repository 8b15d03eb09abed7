import type { Scale } from '#domain/scoring/scale.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';

/**
 * EPDS (Cox 1987), without wording. Option codes are printed positions 1–4. Cut-offs: 9/10 (Lee 1998; 仇剑崟 2001) and ≥13
 * (Chinese consensus 2019). The anxiety subscale (items 3, 4, 5) has the cut-off ≥6 (Matthey 2008).
 */
export const epds: Scale = expandSkeleton({
  schema: 'asds/1',
  formcode: 'EPDS',
  version: '1.0.0',
  formtype: '01',
  title: '爱丁堡产后抑郁量表（EPDS）',
  entitle: 'Edinburgh Postnatal Depression Scale',
  tier: 'C',
  recall: '过去七天',
  licencetext: '© 1987 The Royal College of Psychiatrists。网络使用、复制与分发须取得书面许可，条目文字由获授权机构提供。',
  citation:
    'Cox JL, Holden JM, Sagovsky R. Detection of postnatal depression: development of the 10-item Edinburgh Postnatal Depression Scale. Br J Psychiatry. 1987;150:782-786. 界值：孕产妇心理健康管理专家共识（2019）.',
  minutes: 3,
  appids: ['000000001'],
  loinc: { panel: '71354-5', total: '99046-5' },
  itemcount: 10,
  itemopt: 'desc',
  itemoptx: { q1: 'asc', q2: 'asc', q4: 'asc' },
  optionsets: {
    asc: [
      ['1', '', 0],
      ['2', '', 1],
      ['3', '', 2],
      ['4', '', 3],
    ],
    desc: [
      ['1', '', 3],
      ['2', '', 2],
      ['3', '', 1],
      ['4', '', 0],
    ],
  },
  scores: [
    { c: 'total', n: '总分', op: 'sum', of: 'q1..q10', min: 0, max: 30, primary: true, better: 'low', domain: '01' },
    { c: 'anx3', n: '焦虑分量表(3A)', op: 'sum', of: 'q3,q4,q5', min: 0, max: 9, domain: '02' },
  ],
  bands: {
    total: [
      [0, 9, 0, '筛查阴性'],
      [10, 12, 1, '临界（2—4周内复测）'],
      [13, 30, 2, '筛查阳性（需进一步评估）'],
    ],
    anx3: [
      [0, 5, 0, '阴性'],
      [6, 9, 2, '阳性'],
    ],
  },
  alerts: [
    { c: 'SELFHARM1', when: { item: 'q10', eq: 1 }, level: 2, msg: '第10题（自伤想法）阳性，须安排进一步评估' },
    { c: 'SELFHARM2', when: { item: 'q10', gte: 2 }, level: 3, msg: '第10题（自伤想法）较频繁，须当日评估' },
  ],
});
