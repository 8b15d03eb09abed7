import type { AiFacts } from '#domain/report/ai/aiFacts.ts';

/** The version of the instructions below. A change of their words is a new version, so that no old text is taken for a new one. */
export const promptVersion = 'report-1';

/** The lengths of the parts of a text, in characters. */
export const AI_LIMITS = { summary: 300, factor: 80, advice: 80, talk: 220, factors: 5, adviceMin: 3, adviceMax: 5 } as const;

/** One message of the conversation with the provider. */
export interface AiMessage {
  role: 'system' | 'user';
  content: string;
}

const instructions = ({ call, family }: AiFacts): string =>
  [
    '你是心理测评报告撰写助手。只改写给出的事实，不补充事实，不推测原因。',
    `写给接受测评的人，称呼用“${call}”，语气温和、平实、克制。`,
    '不下诊断，不写疾病名称，不谈用药，不评判，不保证结果，不使用“一定”“显著”“异常”。',
    '不写事实之外的任何数字；不写伤害自己的方式；不写姓名、学校、单位、电话。',
    family ? '' : '不提家人、家庭、伴侣。',
    '只用简体中文，不用英文、网址、标记符号。',
    '只输出一个对象，恰好四个键：summary（综合解读，不超过300字）、factors（可能的影响因素，数组，最多5条，每条不超过80字，没有则为空数组）、',
    'advice（具体建议，数组，3到5条，每条不超过80字）、talk（沟通话术，工作人员与本人谈话时可以这样说，不超过220字）。',
  ].join('');

/** The conversation for one report. The facts are its only content. */
export const aiMessages = (facts: AiFacts): AiMessage[] => [
  { role: 'system', content: instructions(facts) },
  { role: 'user', content: JSON.stringify(facts) },
];
