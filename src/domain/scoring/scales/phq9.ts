import type { Scale } from '#domain/scoring/scale.ts';
import { twoWeeks } from '#domain/scoring/scales/options.ts';

/**
 * PHQ-9. Levels 0–4, 5–9, 10–14, 15–19, 20–27: Kroenke 2001 (J Gen Intern Med 16:606). The person mean replaces up to two missing
 * items. Item 10 (function) is not scored. A positive answer to item 9 raises an alert at any total.
 */
export const phq9: Scale = {
  schema: 'asds/1',
  formcode: 'PHQ9',
  version: '1.0.0',
  formtype: '01',
  title: '患者健康问卷抑郁量表（PHQ-9）',
  entitle: 'Patient Health Questionnaire-9',
  tier: 'A',
  recall: '过去两周',
  instruction: '在过去两周里，您有多少时间受到以下任何问题的困扰？请选择最符合的一项。',
  licencetext: '辉瑞公司声明：复制、翻译、展示或分发本量表无需许可。',
  citation:
    'Kroenke K, Spitzer RL, Williams JBW. The PHQ-9: validity of a brief depression severity measure. J Gen Intern Med. 2001;16(9):606-613.',
  minutes: 3,
  appids: ['000000001', '000000002', '000000003', '000000004'],
  agemin: 12,
  loinc: { panel: '44249-1', total: '44261-6' },
  optionsets: {
    f4: twoWeeks,
    diff: [
      ['0', '毫无困难', 0],
      ['1', '有点困难', 1],
      ['2', '非常困难', 2],
      ['3', '极度困难', 3],
    ],
  },
  items: [
    { c: 'q1', o: 'f4', loinc: '44250-9', t: '做事时提不起劲或没有兴趣' },
    { c: 'q2', o: 'f4', loinc: '44255-8', t: '感到心情低落、沮丧或绝望' },
    { c: 'q3', o: 'f4', loinc: '44259-0', t: '入睡困难、睡不安稳或睡眠过多' },
    { c: 'q4', o: 'f4', loinc: '44254-1', t: '感觉疲倦或没有活力' },
    { c: 'q5', o: 'f4', loinc: '44251-7', t: '食欲不振或吃太多' },
    { c: 'q6', o: 'f4', loinc: '44258-2', t: '觉得自己很糟，或觉得自己很失败，或让自己、家人失望' },
    { c: 'q7', o: 'f4', loinc: '44252-5', t: '对事物专注有困难，例如阅读报纸或看电视时' },
    {
      c: 'q8',
      o: 'f4',
      loinc: '44253-3',
      t: '动作或说话速度缓慢到别人已经察觉；或正好相反，烦躁或坐立不安、动来动去的情况更胜于平常',
    },
    { c: 'q9', o: 'f4', loinc: '44260-8', t: '有不如死掉或用某种方式伤害自己的念头' },
    {
      c: 'q10',
      o: 'diff',
      loinc: '69722-7',
      scored: false,
      required: false,
      showif: { count: 'q1..q9', where: { gte: 1 }, gte: 1 },
      t: '以上问题在您工作、处理家务或与他人相处时造成了多大的困难？',
    },
  ],
  scores: [
    {
      c: 'total',
      n: '抑郁总分',
      op: 'sum',
      of: 'q1..q9',
      miss: { max: 2, how: 'prorate' },
      post: [['round', 0]],
      min: 0,
      max: 27,
      primary: true,
      better: 'low',
      domain: '01',
    },
    { c: 'nsym', n: '症状条目数(≥2)', op: 'count', of: 'q1..q9', where: { gte: 2 }, miss: { max: 2, how: 'zero' }, domain: '01' },
  ],
  bands: {
    total: [
      [0, 4, 0, '无抑郁症状'],
      [5, 9, 1, '轻度'],
      [10, 14, 2, '中度'],
      [15, 19, 3, '中重度'],
      [20, 27, 4, '重度'],
    ],
  },
  alerts: [
    {
      c: 'SI1',
      when: { item: 'q9', eq: 1 },
      level: 2,
      msg: '第9题（自伤/自杀意念）有阳性回答（好几天），须尽快由专业人员面谈核实',
    },
    { c: 'SI2', when: { item: 'q9', gte: 2 }, level: 3, msg: '第9题（自伤/自杀意念）一半以上天数或几乎每天，须当日核实' },
  ],
};
