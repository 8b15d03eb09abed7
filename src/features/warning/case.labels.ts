import { fromShanghai } from '#domain/base/calendar.ts';
import type { Tone } from '#ui/display/badges.tsx';

/** Labels and small functions that the warning screens share. */

/** The time in milliseconds of a time on the wire (Shanghai wall clock), in any time zone of the reader's device. */
export const toInstant = (text: string | null): number | null => (text ? fromShanghai(text).getTime() : null);

export const STATE_TONES: Readonly<Record<string, Tone>> = {
  '01': 'red',
  '02': 'amber',
  '03': 'amber',
  '04': 'orange',
  '05': 'orange',
  '06': 'lime',
  '07': 'green',
  '08': 'gray',
};

/** The choices of the structured interview with their labels. */
export const RISK_CHOICES = {
  ideation: [
    { value: 0, label: '无' },
    { value: 1, label: '被动（不想活、希望消失）' },
    { value: 2, label: '主动，无计划' },
    { value: 3, label: '有具体计划' },
    { value: 4, label: '已有准备或实施行为' },
  ],
  attempthistory: [
    { value: 0, label: '无' },
    { value: 1, label: '既往有' },
    { value: 2, label: '三个月内有' },
  ],
  support: [
    { value: 0, label: '无人可依靠' },
    { value: 1, label: '有一些支持' },
    { value: 2, label: '支持充分' },
  ],
  conclusion: [
    { value: 0, label: '0 无明显风险' },
    { value: 1, label: '1 一般关注' },
    { value: 2, label: '2 重点关注' },
    { value: 3, label: '3 预警' },
    { value: 4, label: '4 危机' },
  ],
} as const;
export const findChoiceLabel = (question: keyof typeof RISK_CHOICES, value: number): string =>
  RISK_CHOICES[question].find((riskChoice) => riskChoice.value === value)?.label ?? String(value);

/** The effect of an intervention in the judgement of the counsellor, 1 to 5. */
export const EFFECTS = ['无效', '略有改善', '有改善', '明显改善', '很大改善'].map((label, index) => ({
  value: index + 1,
  label: `${index + 1} ${label}`,
}));

/** The word for the return after an illness: to school, to work, or home from hospital. */
export const returnLabel = (sector: string): string => (sector === 'edu' ? '复学' : sector === 'enterprise' ? '返岗' : '返回');

/** Yes-or-no findings of the interview. */
export const RISK_FLAGS = [
  ['plan', '谈及具体计划'],
  ['means', '可获得实施的工具或途径'],
  ['hopelessness', '绝望感明显'],
  ['psychosis', '精神病性表现'],
  ['substance', '物质使用问题'],
  ['abuse', '疑似侵害、忽视或欺凌'],
] as const;

export const PROTECTIVE = [
  '家人支持',
  '有信任的老师或朋友',
  '有未来打算',
  '愿意求助',
  '已在接受专业帮助',
  '信仰或责任感',
] as const;

/** Texts that staff may begin a talk with, by listener. They never call a screening result a diagnosis. */
export const SCRIPTS = {
  verify:
    '“最近看到你在问卷里提到有些难受，我想听听你这段时间过得怎么样。”\n先倾听，再直接、平静地询问是否有伤害自己的想法；不承诺绝对保密，说明为了安全需要一起告诉谁。',
  guardian:
    '“在学校近期的心理健康筛查中，孩子的状态提示需要更多关注。这不是诊断。”\n说明：① 请今晚起有人陪伴，收好药品、刀具等物品；② 不责备、不追问作答；③ 建议尽快到精神专科或心理门诊评估；④ 有紧急情况拨打 120/110，心理援助热线 12356。',
  plan: '1. 预警信号：\n2. 我能做的：\n3. 可以联系的人与电话：\n4. 环境安全（药品、刀具、高处）：\n5. 紧急联系：12356 / 120 / 110',
} as const;
