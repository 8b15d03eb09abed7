import type { Scale } from '#domain/scoring/scale.ts';
import { yesOrNo } from '#domain/scoring/scales/options.ts';

/** Record of one follow-up by staff, with the codes of the follow-up and without a score. */
export const followreg: Scale = {
  schema: 'asds/1',
  formcode: 'FOLLOWREG',
  version: '1.0.0',
  formtype: '03',
  purpose: '02',
  title: '随访登记表',
  tier: 'S',
  instruction: '由随访人员在每次随访后填写。',
  licencetext: '自编，未经标准化，不作诊断依据。',
  minutes: 5,
  capturemode: 'staff',
  optionsets: {
    yn: yesOrNo,
    method: [
      ['01', '面访', null],
      ['02', '电话', null],
      ['03', '微信', null],
      ['04', '家访', null],
      ['05', '复测', null],
    ],
    level: [
      ['0', '无明显困扰', null],
      ['1', '轻度', null],
      ['2', '中度', null],
      ['3', '重度', null],
      ['4', '危机', null],
    ],
    change: [
      ['01', '好转', null],
      ['02', '基本不变', null],
      ['03', '加重', null],
    ],
    area: [
      ['01', '睡眠', null],
      ['02', '饮食', null],
      ['03', '学习／工作', null],
      ['04', '人际交往', null],
      ['05', '家庭', null],
      ['06', '就医与用药依从', null],
    ],
  },
  items: [
    { c: 'donetime', type: 0, input: 5, t: '随访时间' },
    { c: 'method', o: 'method', scored: false, t: '随访方式' },
    { c: 'change', o: 'change', scored: false, t: '与上次相比' },
    { c: 'areas', type: 2, o: 'area', scored: false, t: '仍有困难的方面（可多选）', required: false },
    { c: 'ideation', o: 'yn', scored: false, t: '是否了解到自伤或自杀想法' },
    { c: 'currentlevel', o: 'level', scored: false, t: '当前程度（随访人员判断）' },
    { c: 'phq9total', type: 0, input: 1, t: 'PHQ-9 复测总分（如有）', min: 0, max: 27, required: false },
    { c: 'content', type: 0, input: 0, t: '随访记录', maxlen: 2000 },
    { c: 'nextduetime', type: 0, input: 5, t: '下次随访时间', required: false },
  ],
  scores: [],
  bands: {},
};
