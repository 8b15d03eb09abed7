import { daysFrom } from '#domain/base/calendar.ts';
import { Appid } from '#domain/base/enums.ts';
import type { Tone } from '#ui/display/badges.tsx';
import type { FormRow } from '#features/form/form.contract.ts';

/** The meaning of the four licence tiers, as a text for staff who want to use a form. */
export const tierTexts: Readonly<Record<FormRow['tier'], string>> = {
  A: '权利人声明可自由使用，文字已随系统提供，启用即可作答；报告末尾印出版权说明与出处。',
  B: '可免费使用，但附有条件（如非商业、注明出处）。由机构管理员确认接受后，本机构才能使用；不得对该量表单独收费。',
  C: '题目文字受版权保护，系统只含计分规则。机构上传获授权的文字与授权证明后方可在线作答；也可按持有的纸质量表录入得分。',
  S: '自编，未经标准化，不作诊断依据。',
};
/** Badge colours of the licence tiers. */
export const tierTones: Readonly<Record<FormRow['tier'], Tone>> = { A: 'green', B: 'amber', C: 'orange', S: 'gray' };

/** Formats populations: `学生、中老年`. A form without populations suits all of them. */
export const formatPopulations = (appids: readonly string[]): string =>
  appids.length ? appids.map((appid) => Appid.label(appid)).join('、') : '全部人群';

/** Formats an age range in whole years, inclusive: `12 岁及以上`, `9–18 岁`, or `不限年龄` without a limit. */
export function formatAgeRange(agemin: number | null, agemax: number | null): string {
  if (agemin !== null && agemax !== null) return `${agemin}–${agemax} 岁`;
  if (agemin !== null) return `${agemin} 岁及以上`;
  return agemax !== null ? `${agemax} 岁及以下` : '不限年龄';
}

/** Returns the path of a form's page. */
export const formPath = (formcode: string) => `/evaluating/scale/${formcode}`;

/** The source that the author states: that of the draft where the draft is shown, else that of the form. */
export const statedTier = (form: {
  version: string;
  tier: FormRow['tier'];
  definition: { tier: FormRow['tier'] };
}): FormRow['tier'] => (form.version === 'draft' ? form.definition.tier : form.tier);

/** From this many days before its last day a licence is shown as ending. */
const ENDING_DAYS = 30;

/** Describes the licence of a tier-C form on a day: until when it holds, and whether it must be renewed. */
export function describeLicence(expiredate: string | null, today: string): { text: string; isUrgent: boolean } {
  if (expiredate === null) return { text: '尚未登记授权', isUrgent: true };
  const left = daysFrom(today, expiredate);
  if (left < 0) return { text: `授权已于 ${expiredate} 到期，不能开始新的测评`, isUrgent: true };
  if (left > ENDING_DAYS) return { text: `已获授权，至 ${expiredate}`, isUrgent: false };
  return { text: `已获授权，至 ${expiredate}，${left === 0 ? '今天到期' : `还有 ${left} 天到期`}`, isUrgent: true };
}
