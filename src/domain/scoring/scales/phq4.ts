import type { Scale } from '#domain/scoring/scale.ts';
import { twoWeeks } from '#domain/scoring/scales/options.ts';

/**
 * PHQ-4 = GAD-2 + PHQ-2. Levels 0–2, 3–5, 6–8, 9–12: Kroenke 2009. A subscale of 3 or more is positive.
 */
export const phq4: Scale = {
  schema: 'asds/1',
  formcode: 'PHQ4',
  version: '1.1.0',
  formtype: '01',
  title: '抑郁焦虑四题快筛（PHQ-4）',
  entitle: 'PHQ-4',
  tier: 'A',
  recall: '过去两周',
  instruction: '在过去两周里，您有多少时间受到以下问题的困扰？',
  licencetext: '辉瑞公司声明：复制、翻译、展示或分发本量表无需许可。',
  minutes: 1,
  agemin: 12,
  loinc: { total: '70272-0' },
  optionsets: { f4: twoWeeks },
  items: [
    { c: 'q1', o: 'f4', t: '感觉紧张、焦虑或急切' },
    { c: 'q2', o: 'f4', t: '不能够停止或控制担忧' },
    { c: 'q3', o: 'f4', t: '做事时提不起劲或没有兴趣' },
    { c: 'q4', o: 'f4', t: '感到心情低落、沮丧或绝望' },
  ],
  scores: [
    { c: 'total', n: '总分', op: 'sum', of: 'q1..q4', min: 0, max: 12, primary: true, better: 'low' },
    { c: 'gad2', n: '焦虑(GAD-2)', op: 'sum', of: 'q1,q2', min: 0, max: 6, domain: '02' },
    { c: 'phq2', n: '抑郁(PHQ-2)', op: 'sum', of: 'q3,q4', min: 0, max: 6, domain: '01' },
  ],
  bands: {
    total: [
      [0, 2, 0, '正常'],
      [3, 5, 1, '轻度'],
      [6, 8, 2, '中度'],
      [9, 12, 3, '重度'],
    ],
    gad2: [
      [0, 2, 0, '阴性'],
      [3, 6, 2, '阳性'],
    ],
    phq2: [
      [0, 2, 0, '阴性'],
      [3, 6, 2, '阳性'],
    ],
  },
  nextform: [
    { when: { level: 'phq2', gte: 2 }, formcode: 'PHQ9' },
    { when: { level: 'gad2', gte: 2 }, formcode: 'GAD7' },
  ],
};
