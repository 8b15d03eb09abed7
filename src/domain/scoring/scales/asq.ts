import type { Cond, Scale } from '#domain/scoring/scale.ts';

/** A yes or a refusal to one of the first four questions. */
const isPositive: Cond = { count: 'q1..q4', where: { gte: 1 }, gte: 1 };

/**
 * NIMH ASQ. Only trained staff ask it: it verifies a warning and is never part of a self-service plan. A refused answer is
 * positive. A yes to question 5 is acute whatever the other answers are. A refused question 5 after a positive answer also
 * counts as acute (our own conservative rule). `domain/warning/asqTriage.ts` has the same triage with its words.
 */
export const asq: Scale = {
  schema: 'asds/1',
  formcode: 'ASQ',
  version: '1.1.0',
  formtype: '04',
  title: '自杀风险筛查提问（ASQ）',
  entitle: 'Ask Suicide-Screening Questions',
  tier: 'A',
  recall: '过去几周',
  instruction: '由受过培训的人员当面、单独询问。',
  licencetext: '美国国立精神卫生研究所（NIMH）ASQ 工具包，美国政府作品，可免费使用。仅限受过培训的人员当面询问。',
  minutes: 3,
  agemin: 8,
  capturemode: 'staff',
  optionsets: {
    ynr: [
      ['1', '是', 1],
      ['0', '否', 0],
      ['9', '拒绝回答', 1],
    ],
    now: [
      ['1', '是', 2],
      ['0', '否', 0],
      ['9', '拒绝回答', 1],
    ],
  },
  items: [
    { c: 'q1', o: 'ynr', t: '在过去几周里，你是否希望自己已经死了？' },
    { c: 'q2', o: 'ynr', t: '在过去几周里，你是否觉得如果你死了，你或你的家人会过得更好？' },
    { c: 'q3', o: 'ynr', t: '在过去一周里，你是否有过自杀的想法？' },
    { c: 'q4', o: 'ynr', t: '你是否曾经尝试过自杀？' },
    {
      c: 'q4t',
      type: 0,
      input: 0,
      scored: false,
      required: false,
      showif: { item: 'q4', eq: 1 },
      maxlen: 500,
      t: '如果是，方式与时间',
    },
    // Without a positive answer before, the question need not be asked. An answer that was given always counts.
    { c: 'q5', o: 'now', showif: { any: [isPositive, { item: 'q5', gte: 1 }] }, t: '你现在有自杀的想法吗？' },
  ],
  scores: [{ c: 'pos', n: '阳性条目', op: 'sum', of: 'q1..q4', primary: true, better: 'low', domain: '07' }],
  bands: {
    pos: [
      [0, 0, 0, '阴性'],
      [1, 4, 3, '阳性'],
    ],
  },
  alerts: [
    {
      c: 'ASQ_POS',
      when: {
        any: [{ all: [isPositive, { not: { item: 'q5', gte: 1 } }] }, { all: [{ not: isPositive }, { item: 'q5', eq: 1 }] }],
      },
      level: 3,
      msg: 'ASQ 阳性：须完成简要自杀安全评估；第5题未问的须补问',
    },
    {
      c: 'ASQ_ACUTE',
      when: { any: [{ item: 'q5', eq: 2 }, { all: [isPositive, { item: 'q5', eq: 1 }] }] },
      level: 4,
      msg: 'ASQ 急性阳性或待排除：立即启动危机处置，不得让当事人独处',
    },
  ],
};
