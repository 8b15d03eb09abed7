import type { Scale } from '#domain/scoring/scale.ts';

/** Registration for counselling, without a score. */
export const consultreg: Scale = {
  schema: 'asds/1',
  formcode: 'CONSULTREG',
  version: '1.0.0',
  formtype: '03',
  purpose: '01',
  title: '心理咨询登记表',
  tier: 'S',
  licencetext: '自编，未经标准化，不作诊断依据。',
  minutes: 5,
  optionsets: {
    yn: [
      ['1', '是', null],
      ['0', '否', null],
    ],
    topic: [
      ['01', '学业/工作压力', null],
      ['02', '情绪困扰', null],
      ['03', '人际关系', null],
      ['04', '家庭关系', null],
      ['05', '恋爱婚姻', null],
      ['06', '睡眠问题', null],
      ['07', '育儿/母婴', null],
      ['08', '健康担忧', null],
      ['99', '其他', null],
    ],
  },
  items: [
    { c: 'consultdate', type: 0, input: 5, t: '登记时间' },
    { c: 'topics', type: 2, o: 'topic', scored: false, t: '主要困扰（可多选）' },
    { c: 'duration', type: 0, input: 7, min: 0, max: 120, t: '持续时间（月）' },
    { c: 'before', o: 'yn', scored: false, t: '是否曾接受心理咨询或治疗' },
    { c: 'detail', type: 0, input: 0, maxlen: 1000, t: '情况描述' },
    { c: 'expect', type: 0, input: 0, required: false, maxlen: 500, t: '咨询期望' },
    { c: 'slot', type: 0, input: 6, required: false, t: '方便的时间段' },
    { c: 'area', type: 0, input: 8, required: false, t: '居住地区' },
  ],
  scores: [],
  bands: {},
};
