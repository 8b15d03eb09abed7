import type { Scale } from '#domain/scoring/scale.ts';
import { yesOrNo } from '#domain/scoring/scales/options.ts';

/** Archive form of high-pressure occupations, without a score. Every question code is a field of the worker archive. */
export const workreg: Scale = {
  schema: 'asds/1',
  formcode: 'WORKREG',
  version: '1.0.1',
  formtype: '02',
  title: '职工建档表',
  tier: 'S',
  instruction: '请填写您的工作基本信息，用于建立健康档案；谁能看到什么写在知情同意书里。',
  licencetext: '自编，未经标准化，不作诊断依据。',
  minutes: 3,
  appids: ['000000003'],
  optionsets: {
    yn: yesOrNo,
    job: [
      ['01', '医护', null],
      ['02', '教师', null],
      ['03', '公安', null],
      ['04', '消防', null],
      ['05', '司乘', null],
      ['06', '一线职工', null],
      ['07', '管理', null],
      ['99', '其他', null],
    ],
    incident: [
      ['1', '是', 1],
      ['0', '否', 0],
    ],
  },
  items: [
    { c: 'unitname', type: 0, input: 0, t: '单位名称', maxlen: 64 },
    { c: 'deptname', type: 0, input: 0, t: '部门／科室', maxlen: 64 },
    { c: 'post', type: 0, input: 0, t: '岗位', maxlen: 32, required: false },
    { c: 'employeeno', type: 0, input: 0, t: '工号', maxlen: 32 },
    { c: 'jobtype', o: 'job', scored: false, t: '职业类别' },
    { c: 'workyears', type: 0, input: 1, t: '本岗位工作年限（年）', min: 0, max: 60 },
    { c: 'shiftwork', o: 'yn', scored: false, t: '是否轮班' },
    { c: 'weeklyhours', type: 0, input: 1, t: '平均每周工作小时数', min: 0, max: 112, required: false },
    { c: 'nightshifts', type: 0, input: 1, t: '平均每月夜班次数', min: 0, max: 31, required: false },
    { c: 'incident', o: 'incident', scored: false, t: '近一年工作中是否经历重大事件（事故、伤亡、冲突等）' },
    {
      c: 'incidentnote',
      type: 0,
      input: 0,
      t: '事件说明（可不填）',
      maxlen: 500,
      required: false,
      showif: { item: 'incident', eq: 1 },
    },
  ],
  scores: [],
  bands: {},
};
