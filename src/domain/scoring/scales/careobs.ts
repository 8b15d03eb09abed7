import type { Scale } from '#domain/scoring/scale.ts';

/**
 * Carer’s checklist about an older adult, our own and not standardised. The number of clear signs gives the level (0, 1–2, 3–4, ≥5).
 */
export const careobs: Scale = {
  schema: 'asds/1',
  formcode: 'CAREOBS',
  version: '1.1.0',
  formtype: '04',
  title: '照护者观察清单（自编）',
  tier: 'S',
  recall: '近一个月',
  instruction: '请根据您对老人近一个月的观察填写；本清单为自编，未经标准化，仅用于提示关注。',
  licencetext: '自编，未经标准化，不作诊断依据。',
  minutes: 3,
  appids: ['000000004'],
  capturemode: 'staff',
  optionsets: {
    o3: [
      ['0', '未观察到', 0],
      ['1', '偶尔', 1],
      ['2', '明显', 2],
    ],
  },
  items: [
    { c: 'q1', o: 'o3', t: '情绪低落、常叹气或流泪' },
    { c: 'q2', o: 'o3', t: '容易烦躁、发脾气' },
    { c: 'q3', o: 'o3', t: '不愿见人，活动或聚会明显减少' },
    { c: 'q4', o: 'o3', t: '对以往喜欢的事情失去兴趣' },
    { c: 'q5', o: 'o3', t: '睡眠明显变差或整日昏睡' },
    { c: 'q6', o: 'o3', t: '食量或体重明显变化' },
    { c: 'q7', o: 'o3', t: '反复诉说身体不适' },
    { c: 'q8', o: 'o3', t: '自责、觉得拖累家人等言语' },
    { c: 'q9', o: 'o3', t: '谈论不想活、交代后事或拒绝进食服药' },
    { c: 'q10', o: 'o3', t: '身上有可疑伤痕或刻意遮挡身体' },
    { c: 'q11', o: 'o3', t: '近期丧亲、搬迁等重大变故' },
  ],
  scores: [
    { c: 'total', n: '总分', op: 'sum', of: 'q1..q11', miss: { max: 2, how: 'zero' }, min: 0, max: 22 },
    {
      c: 'nclear',
      n: '明显条目数',
      op: 'count',
      of: 'q1..q11',
      where: { eq: 2 },
      miss: { max: 2, how: 'zero' },
      min: 0,
      max: 11,
      primary: true,
      better: 'low',
    },
  ],
  bands: {
    nclear: [
      [0, 0, 0, '无明显异常'],
      [1, 2, 1, '一般关注'],
      [3, 4, 2, '重点关注'],
      [5, 11, 3, '建议专业评估'],
    ],
  },
  alerts: [
    { c: 'DEATHTALK', when: { item: 'q9', gte: 1 }, level: 3, msg: '观察到谈论不想活、交代后事或拒绝进食服药，须当日核实' },
    { c: 'WOUND1', when: { item: 'q10', eq: 1 }, level: 2, msg: '可疑伤痕，须了解情况' },
    { c: 'WOUND2', when: { item: 'q10', eq: 2 }, level: 3, msg: '明显可疑伤痕，须当日核实并评估是否需强制报告' },
    { c: 'EVENT', when: { item: 'q11', eq: 2 }, level: 2, msg: '近期重大变故，须了解情况' },
  ],
};
