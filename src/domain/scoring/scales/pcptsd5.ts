import type { Scale } from '#domain/scoring/scale.ts';

/**
 * PC-PTSD-5 (VA). Without an event the questions do not apply and there is no score. 4 or more is positive (Bovin 2021).
 */
export const pcptsd5: Scale = {
  schema: 'asds/1',
  formcode: 'PCPTSD5',
  version: '1.0.0',
  formtype: '01',
  title: '创伤后应激快筛（PC-PTSD-5）',
  entitle: 'Primary Care PTSD Screen for DSM-5',
  tier: 'A',
  recall: '过去一个月',
  instruction:
    '有时人们会经历特别可怕、恐怖或创伤性的事件，例如严重事故或火灾、人身攻击或性侵害、地震或洪水、战争、目睹他人被杀或重伤、亲人因凶杀或自杀去世。',
  licencetext: '美国退伍军人事务部编制，属政府作品，公有领域。',
  minutes: 2,
  appids: ['000000003'],
  agemin: 18,
  optionsets: {
    yn: [
      ['1', '是', 1],
      ['0', '否', 0],
    ],
  },
  items: [
    { c: 'q0', o: 'yn', scored: false, t: '您是否经历过此类事件？' },
    { c: 'q1', o: 'yn', showif: { item: 'q0', eq: 1 }, t: '做过与该事件有关的噩梦，或在不愿意时想起该事件？' },
    { c: 'q2', o: 'yn', showif: { item: 'q0', eq: 1 }, t: '努力不去想该事件，或刻意回避会让您想起它的情境？' },
    { c: 'q3', o: 'yn', showif: { item: 'q0', eq: 1 }, t: '持续保持警惕、戒备或容易受惊？' },
    { c: 'q4', o: 'yn', showif: { item: 'q0', eq: 1 }, t: '对他人、活动或周围环境感到麻木或疏离？' },
    { c: 'q5', o: 'yn', showif: { item: 'q0', eq: 1 }, t: '对该事件或由此产生的问题感到内疚，或不停责怪自己或他人？' },
  ],
  scores: [{ c: 'total', n: '阳性条目数', op: 'sum', of: 'q1..q5', primary: true, better: 'low', domain: '03' }],
  bands: {
    total: [
      [0, 2, 0, '阴性'],
      [3, 3, 1, '临界'],
      [4, 5, 2, '阳性'],
    ],
  },
};
