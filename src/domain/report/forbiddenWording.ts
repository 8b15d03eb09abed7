/**
 * Words that no report, comment, suggestion or generated text may contain (design/reports.md 5.2). A screening result
 * describes symptoms and distress. It never names a disease, promises an outcome or recommends a drug.
 */

/** The readers of a text: `self` the respondent and the guardian, `staff` qualified staff, `group` readers of a group report. */
export type Audience = 'self' | 'staff' | 'group';

export interface ForbiddenWord {
  /** stable code, shown with the refusal of a text */
  c: string;
  pattern: RegExp;
  /** audiences of the rule; absent: all */
  audience?: readonly Audience[];
  /** reason for the author of the text, in Chinese */
  why: string;
}

/** Generic names, common brand names and the usual stems of psychotropic drugs. */
const drugs = new RegExp(
  [
    '西汀|曲林|西酞普兰|法辛|米氮平|曲唑酮|阿戈美拉汀|米安色林|阿米替林|多塞平|氟伏沙明|安非他酮',
    '西泮|唑仑|唑吡坦|佐匹克隆|丁螺环酮|坦度螺酮',
    '奥氮平|喹硫平|利培酮|阿立哌唑|氯氮平|碳酸锂|丙戊酸|拉莫三嗪',
    '百忧解|左洛复|赛乐特|来士普|怡诺思|欣百达|黛力新|褪黑素',
  ].join('|'),
);

/** All rules for forbidden words. */
export const forbiddenPatterns: readonly ForbiddenWord[] = [
  { c: 'SUFFER', pattern: /患有/, why: '筛查不能说明患病' },
  { c: 'CONFIRMED', pattern: /确诊/, why: '只有精神科医师可以下诊断' },
  { c: 'DIAGNOSED', pattern: /诊断为/, why: '只有精神科医师可以下诊断' },
  { c: 'PATIENT', pattern: /(抑郁|焦虑)症患者/, why: '受测者不是患者' },
  // 抑郁症状 and the factor name 精神病性 are allowed, because they name symptoms and not a disease.
  { c: 'DISEASE', pattern: /(抑郁|焦虑|强迫|恐惧)症(?!状)|双相|精神分裂/, why: '只写症状，不写疾病名称' },
  { c: 'PSYCHOSIS', pattern: /精神病(?!性)/, why: '不使用疾病标签' },
  { c: 'NOTNORMAL', pattern: /不正常/, why: '不使用评判性用语' },
  { c: 'PROBLEMPUPIL', pattern: /问题学生/, why: '不使用评判性用语' },
  { c: 'CERTAIN', pattern: /一定/, why: '筛查结果不作保证' },
  { c: 'MUSTMEDICATE', pattern: /必须(服药|吃药|用药)/, why: '用药由医师决定' },
  { c: 'MARKED', pattern: /显著/, why: '变化的大小按公布的界值说明' },
  { c: 'DRUG', pattern: drugs, why: '不得出现药品名称' },
  { c: 'SUICIDAL', pattern: /自杀/, audience: ['self'], why: '给本人的文字使用“伤害自己的念头”' },
  { c: 'ABNORMAL', pattern: /异常/, audience: ['self'], why: '给本人和家长的文字使用“关注”' },
];

export interface ForbiddenFind {
  c: string;
  /** the matching words of the text */
  word: string;
  /** position in the text, in UTF-16 units */
  index: number;
  why: string;
}

/** The broken rules, in their order; empty when that audience may read the text. */
export function findForbidden(text: string, audience: Audience = 'self'): ForbiddenFind[] {
  return forbiddenPatterns.flatMap((rule) => {
    if (rule.audience && !rule.audience.includes(audience)) return [];
    const hit = rule.pattern.exec(text);
    return hit ? [{ c: rule.c, word: hit[0], index: hit.index, why: rule.why }] : [];
  });
}

/** The greatest length of a paragraph of a report, in characters. */
export const paragraphLimit = 150;
