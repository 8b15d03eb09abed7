import type { Scale } from '#domain/scoring/scale.ts';

/**
 * GDS-15, for 60 years and older (Sheikh & Yesavage 1986). “否” scores on items 1, 5, 7, 11, 13. Levels as in the LOINC 48545-8
 * description: 0–4, 5–8, 9–11, 12–15. Up to three missing items are prorated (Stanford instructions).
 */
export const gds15: Scale = {
  schema: 'asds/1',
  formcode: 'GDS15',
  version: '1.1.0',
  formtype: '01',
  title: '老年抑郁量表简版（GDS-15）',
  entitle: 'Geriatric Depression Scale-15',
  tier: 'A',
  recall: '过去一周',
  instruction: '请选择最符合您最近一周感受的答案。',
  licencetext: '原量表部分由美国联邦资金支持完成，属公有领域；中文表述由本平台参照公开发表的中文简版编写。',
  citation:
    'Sheikh JI, Yesavage JA. Geriatric Depression Scale (GDS): recent evidence and development of a shorter version. Clin Gerontol. 1986;5:165-173.',
  minutes: 5,
  appids: ['000000004'],
  agemin: 60,
  loinc: { panel: '48543-3', total: '48545-8' },
  optionsets: {
    yn: [
      ['1', '是', 1],
      ['0', '否', 0],
    ],
  },
  items: [
    { c: 'q1', o: 'yn', t: '您对自己的生活基本满意吗？' },
    { c: 'q2', o: 'yn', t: '您是否放弃了许多活动和兴趣？' },
    { c: 'q3', o: 'yn', t: '您是否觉得生活空虚？' },
    { c: 'q4', o: 'yn', t: '您是否常常感到厌烦？' },
    { c: 'q5', o: 'yn', t: '您是否大部分时间精神都很好？' },
    { c: 'q6', o: 'yn', t: '您是否害怕会有不好的事情发生在自己身上？' },
    { c: 'q7', o: 'yn', t: '您是否大部分时间感到快乐？' },
    { c: 'q8', o: 'yn', t: '您是否常常感到无助？' },
    { c: 'q9', o: 'yn', t: '您是否宁愿待在家里，也不愿出门做些新鲜的事情？' },
    { c: 'q10', o: 'yn', t: '您是否觉得自己的记忆问题比大多数人多？' },
    { c: 'q11', o: 'yn', t: '您是否觉得现在活着是件很好的事？' },
    { c: 'q12', o: 'yn', t: '您是否觉得自己现在很没有价值？' },
    { c: 'q13', o: 'yn', t: '您是否觉得精力充沛？' },
    { c: 'q14', o: 'yn', t: '您是否觉得自己的处境没有希望？' },
    { c: 'q15', o: 'yn', t: '您是否觉得大多数人的处境比您好？' },
  ],
  reverse: ['q1', 'q5', 'q7', 'q11', 'q13'],
  scores: [
    {
      c: 'total',
      n: '抑郁总分',
      op: 'sum',
      of: 'q1..q15',
      miss: { max: 3, how: 'prorate' },
      post: [['round', 0]],
      min: 0,
      max: 15,
      primary: true,
      better: 'low',
      domain: '01',
    },
  ],
  bands: {
    total: [
      [0, 4, 0, '正常'],
      [5, 8, 1, '轻度'],
      [9, 11, 2, '中度'],
      [12, 15, 3, '重度'],
    ],
  },
  alerts: [
    {
      c: 'HOPELESS',
      when: {
        all: [
          { item: 'q14', eq: 1 },
          { score: 'total', gte: 9 },
        ],
      },
      level: 2,
      msg: '表达无望感且总分达到中度，建议当面询问自伤意念',
    },
  ],
  nextform: [
    {
      when: {
        any: [
          { score: 'total', gte: 9 },
          { item: 'q14', eq: 1 },
        ],
      },
      formcode: 'PHQ9',
    },
  ],
};
