import type { Scale } from '#domain/scoring/scale.ts';

/**
 * Teacher’s checklist, our own and not standardised. The number of clear signs gives the level (0, 1–2, 3–4, ≥5).
 */
export const teachobs: Scale = {
  schema: 'asds/1',
  formcode: 'TEACHOBS',
  version: '1.0.0',
  formtype: '04',
  title: '教师观察清单（自编）',
  tier: 'S',
  recall: '近一个月',
  instruction: '请根据您对该生近一个月的观察填写；本清单为自编，未经标准化，仅用于提示关注。',
  licencetext: '自编，未经标准化，不作诊断依据。',
  minutes: 3,
  appids: ['000000002'],
  capturemode: 'staff',
  optionsets: {
    o3: [
      ['0', '未观察到', 0],
      ['1', '偶尔', 1],
      ['2', '明显', 2],
    ],
  },
  items: [
    { c: 'q1', o: 'o3', t: '情绪低落或容易哭泣' },
    { c: 'q2', o: 'o3', t: '容易激惹、与人冲突' },
    { c: 'q3', o: 'o3', t: '回避同学、独来独往' },
    { c: 'q4', o: 'o3', t: '学习成绩明显下滑' },
    { c: 'q5', o: 'o3', t: '缺勤、迟到或早退增多' },
    { c: 'q6', o: 'o3', t: '上课走神、嗜睡' },
    { c: 'q7', o: 'o3', t: '食欲或体重明显变化' },
    { c: 'q8', o: 'o3', t: '头痛、腹痛等身体不适主诉增多' },
    { c: 'q9', o: 'o3', t: '自我否定、无价值感的言语' },
    { c: 'q10', o: 'o3', t: '谈论死亡、告别或赠送心爱物品' },
    { c: 'q11', o: 'o3', t: '身上有可疑伤痕或刻意遮挡身体' },
    { c: 'q12', o: 'o3', t: '遭受欺凌、家庭重大变故等事件' },
  ],
  scores: [
    { c: 'total', n: '总分', op: 'sum', of: 'q1..q12', miss: { max: 2, how: 'zero' }, min: 0, max: 24 },
    { c: 'nclear', n: '明显条目数', op: 'count', of: 'q1..q12', where: { eq: 2 }, miss: { max: 2, how: 'zero' }, primary: true },
  ],
  bands: {
    nclear: [
      [0, 0, 0, '无明显异常'],
      [1, 2, 1, '一般关注'],
      [3, 4, 2, '重点关注'],
      [5, 12, 3, '建议专业评估'],
    ],
  },
  alerts: [
    { c: 'DEATHTALK', when: { item: 'q10', gte: 1 }, level: 3, msg: '观察到谈论死亡/告别行为，须当日核实' },
    { c: 'WOUND1', when: { item: 'q11', eq: 1 }, level: 2, msg: '可疑伤痕，须了解情况' },
    { c: 'WOUND2', when: { item: 'q11', eq: 2 }, level: 3, msg: '明显可疑伤痕，须当日核实并评估是否需强制报告' },
    { c: 'EVENT', when: { item: 'q12', eq: 2 }, level: 2, msg: '近期重大负性事件' },
  ],
};
