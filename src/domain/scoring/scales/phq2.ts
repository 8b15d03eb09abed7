import type { Scale } from '#domain/scoring/scale.ts';
import { twoWeeks } from '#domain/scoring/scales/options.ts';

/** PHQ-2: 3 or more is positive (Kroenke 2003), and the PHQ-9 follows in the same exam. */
export const phq2: Scale = {
  schema: 'asds/1',
  formcode: 'PHQ2',
  version: '1.0.0',
  formtype: '01',
  title: '抑郁两题快筛（PHQ-2）',
  entitle: 'PHQ-2',
  tier: 'A',
  recall: '过去两周',
  licencetext: '辉瑞公司声明：复制、翻译、展示或分发本量表无需许可。',
  minutes: 1,
  appids: ['000000002', '000000004'],
  agemin: 12,
  loinc: { panel: '55757-9', total: '55758-7' },
  optionsets: { f4: twoWeeks },
  items: [
    { c: 'q1', o: 'f4', loinc: '44250-9', t: '做事时提不起劲或没有兴趣' },
    { c: 'q2', o: 'f4', loinc: '44255-8', t: '感到心情低落、沮丧或绝望' },
  ],
  scores: [{ c: 'total', n: '总分', op: 'sum', of: 'q1..q2', min: 0, max: 6, primary: true, better: 'low', domain: '01' }],
  bands: {
    total: [
      [0, 2, 0, '阴性'],
      [3, 6, 2, '阳性'],
    ],
  },
  nextform: [{ when: { level: 'total', gte: 2 }, formcode: 'PHQ9' }],
};
