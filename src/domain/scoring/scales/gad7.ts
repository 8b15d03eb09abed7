import type { Scale } from '#domain/scoring/scale.ts';
import { twoWeeks } from '#domain/scoring/scales/options.ts';

/**
 * GAD-7. Levels 0–4, 5–9, 10–14, 15–21: Spitzer 2006 (Arch Intern Med 166:1092). One missing item is prorated.
 */
export const gad7: Scale = {
  schema: 'asds/1',
  formcode: 'GAD7',
  version: '1.0.0',
  formtype: '01',
  title: '广泛性焦虑量表（GAD-7）',
  entitle: 'Generalized Anxiety Disorder-7',
  tier: 'A',
  recall: '过去两周',
  instruction: '在过去两周里，您有多少时间受到以下问题的困扰？',
  licencetext: '辉瑞公司声明：复制、翻译、展示或分发本量表无需许可。',
  citation:
    'Spitzer RL, Kroenke K, Williams JB, Löwe B. A brief measure for assessing generalized anxiety disorder: the GAD-7. Arch Intern Med. 2006;166(10):1092-1097.',
  minutes: 2,
  appids: ['000000001', '000000002', '000000003', '000000004'],
  agemin: 12,
  loinc: { panel: '69737-5', total: '70274-6' },
  optionsets: { f4: twoWeeks },
  items: [
    { c: 'q1', o: 'f4', loinc: '69725-0', t: '感觉紧张、焦虑或急切' },
    { c: 'q2', o: 'f4', loinc: '68509-9', t: '不能够停止或控制担忧' },
    { c: 'q3', o: 'f4', loinc: '69733-4', t: '对各种各样的事情担忧过多' },
    { c: 'q4', o: 'f4', loinc: '69734-2', t: '很难放松下来' },
    { c: 'q5', o: 'f4', loinc: '69735-9', t: '由于不安而无法静坐' },
    { c: 'q6', o: 'f4', loinc: '69689-8', t: '变得容易烦恼或急躁' },
    { c: 'q7', o: 'f4', loinc: '69736-7', t: '感到似乎将有可怕的事情发生而害怕' },
  ],
  scores: [
    {
      c: 'total',
      n: '焦虑总分',
      op: 'sum',
      of: 'q1..q7',
      miss: { max: 1, how: 'prorate' },
      post: [['round', 0]],
      min: 0,
      max: 21,
      primary: true,
      better: 'low',
      domain: '02',
    },
  ],
  bands: {
    total: [
      [0, 4, 0, '无焦虑症状'],
      [5, 9, 1, '轻度'],
      [10, 14, 2, '中度'],
      [15, 21, 3, '重度'],
    ],
  },
};
