import type { Scale } from '#domain/scoring/scale.ts';
import { twoWeeks } from '#domain/scoring/scales/options.ts';

/** GAD-2: 3 or more is positive (Kroenke 2007). */
export const gad2: Scale = {
  schema: 'asds/1',
  formcode: 'GAD2',
  version: '1.1.0',
  formtype: '01',
  title: '焦虑两题快筛（GAD-2）',
  entitle: 'GAD-2',
  tier: 'A',
  recall: '过去两周',
  licencetext: '辉瑞公司声明：复制、翻译、展示或分发本量表无需许可。',
  minutes: 1,
  appids: ['000000002'],
  agemin: 12,
  optionsets: { f4: twoWeeks },
  items: [
    { c: 'q1', o: 'f4', loinc: '69725-0', t: '感觉紧张、焦虑或急切' },
    { c: 'q2', o: 'f4', loinc: '68509-9', t: '不能够停止或控制担忧' },
  ],
  scores: [{ c: 'total', n: '总分', op: 'sum', of: 'q1..q2', min: 0, max: 6, primary: true, better: 'low', domain: '02' }],
  bands: {
    total: [
      [0, 2, 0, '阴性'],
      [3, 6, 2, '阳性'],
    ],
  },
  nextform: [{ when: { level: 'total', gte: 2 }, formcode: 'GAD7' }],
};
