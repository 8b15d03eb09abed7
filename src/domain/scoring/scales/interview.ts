import type { Scale } from '#domain/scoring/scale.ts';
import { yesOrNo } from '#domain/scoring/scales/options.ts';

/**
 * Structured crisis interview, which trained staff fill in face to face, with the codes of the risk assessment. The interviewer
 * decides the conclusion; it is never a sum. After a yes to `abuse` staff must report.
 */
export const interview: Scale = {
  schema: 'asds/1',
  formcode: 'INTERVIEW',
  version: '1.0.0',
  formtype: '03',
  purpose: '03',
  title: '危机访谈记录表',
  tier: 'S',
  instruction: '由受过培训的人员当面、单独访谈后填写；结论由访谈人员综合判断，不由分数得出。',
  licencetext: '自编，未经标准化，不作诊断依据。',
  minutes: 20,
  capturemode: 'staff',
  optionsets: {
    yn: yesOrNo,
    ideation: [
      ['0', '无', 0],
      ['1', '被动想法', 1],
      ['2', '主动想法、无计划', 2],
      ['3', '有计划', 3],
      ['4', '有准备或尝试', 4],
    ],
    attempt: [
      ['0', '无', null],
      ['1', '既往有过', null],
      ['2', '近三个月内有过', null],
    ],
    support: [
      ['0', '几乎没有', null],
      ['1', '有一些', null],
      ['2', '较好', null],
    ],
    protective: [
      ['01', '家人支持', null],
      ['02', '同伴支持', null],
      ['03', '师长或同事支持', null],
      ['04', '愿意求助', null],
      ['05', '对未来有期待', null],
      ['06', '有照顾他人的责任感', null],
      ['99', '其他', null],
    ],
    level: [
      ['0', '无明显风险', null],
      ['1', '一般关注', null],
      ['2', '重点关注', null],
      ['3', '预警', null],
      ['4', '危机', null],
    ],
  },
  items: [
    { c: 'time', type: 0, input: 5, t: '访谈时间' },
    { c: 'ideation', o: 'ideation', scored: false, t: '自杀想法' },
    { c: 'plan', o: 'yn', scored: false, t: '是否有具体计划', showif: { item: 'ideation', gte: 1 } },
    { c: 'means', o: 'yn', scored: false, t: '是否可接触到实施工具', showif: { item: 'ideation', gte: 1 } },
    { c: 'attempthistory', o: 'attempt', scored: false, t: '既往自杀尝试或自伤' },
    { c: 'hopelessness', o: 'yn', scored: false, t: '是否表达无望感' },
    { c: 'support', o: 'support', scored: false, t: '可获得的支持' },
    { c: 'psychosis', o: 'yn', scored: false, t: '是否有幻觉、妄想等表现' },
    { c: 'substance', o: 'yn', scored: false, t: '是否有酒精或药物滥用' },
    { c: 'infantharm', o: 'yn', scored: false, t: '是否有伤害婴儿的想法', showif: { person: 'appid', eq: '000000001' } },
    { c: 'abuse', o: 'yn', scored: false, t: '是否疑似遭受虐待、忽视、侵害或欺凌', showif: { not: { person: 'age', gte: 18 } } },
    { c: 'protective', type: 2, o: 'protective', scored: false, t: '保护因素（可多选）', required: false },
    { c: 'plantext', type: 0, input: 0, t: '安全计划', maxlen: 2000, required: false },
    { c: 'detail', type: 0, input: 0, t: '访谈记录', maxlen: 2000 },
    { c: 'conclusionlevel', o: 'level', scored: false, t: '访谈结论（综合判断）' },
  ],
  scores: [],
  bands: {},
};
