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

/** The effect of an intervention in the judgement of the counsellor, 1 to 5. */
export const EFFECTS = ['无效', '略有改善', '有改善', '明显改善', '很大改善'].map((label, index) => ({
  value: index + 1,
  label: `${index + 1} ${label}`,
}));

/** The word for the return after an illness: to school, to work, or home from hospital. */
export const returnLabel = (sector: string): string => (sector === 'edu' ? '复学' : sector === 'enterprise' ? '返岗' : '返回');

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
  verifyReport:
    '“这几天有人很关心你，我也想听听你过得怎么样。”\n先倾听，再直接、平静地询问是否有伤害自己的想法；不承诺绝对保密，说明为了安全需要一起告诉谁；不透露是谁上报的。',
} as const;

/** The words for the talk with a guardian or the family. They name a screening only when there was one. */
export const toGuardianScript = ({ isScreening, isMinor }: { isScreening: boolean; isMinor: boolean }): string => {
  const who = isMinor ? '孩子' : '家人';
  const reason = isScreening
    ? `在近期的心理健康筛查中，${who}的状态提示需要更多关注。`
    : `我们注意到${who}最近的状态需要更多关注。`;
  const caution = '先单独问过本人在家是否安全。监护人或家属疑似侵害人时不要告知：登记不告知的理由，并报告公安、民政。';
  return `${caution}\n“${reason}这不是诊断。”\n说明：① 请今晚起有人陪伴，收好药品、刀具等物品；② 不责备、不追问；③ 建议尽快到精神专科或心理门诊评估；④ 有紧急情况拨打 120/110，心理援助热线 12356。`;
};
