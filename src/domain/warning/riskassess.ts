import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { levelName } from '#domain/warning/levels.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { AsqResult, type AsqResultCode } from '#domain/warning/asqTriage.ts';
import { isSinceNews } from '#domain/warning/warningfacts.ts';

/** Answers of the structured risk interview (访谈评估) that decide the level, in the codes of the wire. */
export interface RiskInterview {
  /** 0 none, 1 passive ("不想活"), 2 active without a plan, 3 with a plan, 4 preparation or attempt */
  ideation: 0 | 1 | 2 | 3 | 4;
  /** 1 the person described a concrete plan */
  plan: 0 | 1;
  /** 1 the means are within reach */
  means: 0 | 1;
  /** 0 never, 1 in the past, 2 within three months */
  attempthistory: 0 | 1 | 2;
  hopelessness: 0 | 1;
  /** 0 nobody to rely on, 1 some support, 2 enough support */
  support: 0 | 1 | 2;
  psychosis: 0 | 1;
  substance: 0 | 1;
  /** 1 thoughts of harming the infant (maternity) */
  infantharm: 0 | 1;
  /** 1 suspected abuse, neglect or bullying */
  abuse: 0 | 1;
  /** the result of the ASQ in this interview; null: not asked */
  asqresult: AsqResultCode | null;
}

export interface RiskSuggestion {
  level: Level;
  /** reasons that the interviewer reads, in Chinese; empty at level 0 */
  reasons: string[];
}

const isAsq = (interview: RiskInterview, ...results: AsqResultCode[]) =>
  interview.asqresult !== null && results.includes(interview.asqresult);

/**
 * Each finding with its own level. The order of severity follows the triage of the Columbia screener. There, plan or intent, or
 * behaviour within three months, is high; method without intent, or earlier behaviour, is moderate; a wish to be dead is low
 * but followed up. The ASQ follows its own triage (asqTriage.ts). The numbers are the product's levels (clinical-rules D).
 */
const FINDINGS: readonly { level: Level; when: (i: RiskInterview) => boolean; reason: string }[] = [
  { level: 4, when: (i) => isAsq(i, AsqResult.acute), reason: 'ASQ 提示当前有自杀想法' },
  { level: 4, when: (i) => isAsq(i, AsqResult.acutePossible), reason: 'ASQ 阳性且拒答第5题，尚不能排除当前有自杀想法' },
  { level: 4, when: (i) => i.ideation >= 4, reason: '已有准备或实施行为' },
  { level: 4, when: (i) => i.ideation >= 3, reason: '自杀意念伴具体计划' },
  { level: 4, when: (i) => i.plan === 1 && i.means === 1, reason: '有计划且可获得实施工具' },
  { level: 4, when: (i) => i.attempthistory === 2, reason: '三个月内有自杀未遂或自伤行为' },
  { level: 4, when: (i) => i.infantharm === 1 && i.psychosis === 1, reason: '有伤害婴儿的想法并伴精神病性表现' },
  {
    level: 3,
    when: (i) => isAsq(i, AsqResult.positive, AsqResult.positiveUnfinished, AsqResult.refused),
    reason: 'ASQ 阳性',
  },
  { level: 3, when: (i) => i.ideation >= 2, reason: '有主动自杀意念' },
  { level: 3, when: (i) => i.plan === 1, reason: '谈及具体计划' },
  { level: 3, when: (i) => i.infantharm === 1, reason: '有伤害婴儿的想法' },
  { level: 3, when: (i) => i.ideation >= 1 && i.attempthistory >= 1, reason: '有消极意念且既往有自杀未遂或自伤史' },
  { level: 3, when: (i) => i.ideation >= 1 && i.psychosis === 1, reason: '有消极意念并伴精神病性表现' },
  { level: 2, when: (i) => i.ideation >= 1, reason: '有消极（被动）意念' },
  { level: 2, when: (i) => i.attempthistory >= 1, reason: '既往有自杀未遂或自伤史' },
  { level: 2, when: (i) => i.psychosis === 1, reason: '有精神病性表现' },
  { level: 2, when: (i) => i.abuse === 1, reason: '疑似侵害、忽视或欺凌' },
];

/** Factors that aggravate any finding. */
const AGGRAVATORS: readonly { when: (i: RiskInterview) => boolean; reason: string }[] = [
  { when: (i) => i.hopelessness === 1, reason: '绝望感明显' },
  { when: (i) => i.support === 0, reason: '缺乏支持' },
  { when: (i) => i.substance === 1, reason: '物质使用问题' },
];

/**
 * The suggested level (0–4) of an interview, with its reasons; the interviewer decides (`conclusionlevel`). The gravest
 * finding sets the level. Without a finding, one aggravating factor gives level 1, and two or more give level 2.
 * With a finding, two or more factors raise the level by one. A worse answer never lowers the suggestion.
 */
export function suggestLevel(interview: RiskInterview): RiskSuggestion {
  const findings = FINDINGS.filter((finding) => finding.when(interview));
  const aggravating = AGGRAVATORS.filter((factor) => factor.when(interview)).map((factor) => factor.reason);
  const base = Math.max(0, ...findings.map((finding) => finding.level)) as Level;
  if (base === 0) return { level: Math.min(2, aggravating.length) as Level, reasons: aggravating };
  const isRaised = aggravating.length >= 2 && base < 4;
  return {
    level: (isRaised ? base + 1 : base) as Level,
    reasons: [
      ...findings.filter((finding) => finding.level === base).map((finding) => finding.reason),
      ...(isRaised ? aggravating : []),
    ],
  };
}

/** The least number of characters of the reason for a low conclusion (clinical-rules D). */
export const LOW_REASON_MIN = 20;
/** Hours within which a second person confirms a low conclusion. */
export const LOW_CONFIRM_HOURS = 24;
/** Days after a low conclusion before a new interview can meet a closing criterion. */
export const LOW_REPEAT_DAYS = 7;

/** Whether the conclusion is two levels below the suggestion, or at all below a suggestion of level 3 or 4. */
export const isLowConclusion = (conclusionlevel: number, suggestedlevel: number): boolean =>
  conclusionlevel < suggestedlevel && (suggestedlevel >= 3 || suggestedlevel - conclusionlevel >= 2);

/** Whether a reason for a low conclusion is long enough, counted in Unicode characters. */
export const isLowReasonSufficient = (reason: string): boolean => [...reason.trim()].length >= LOW_REASON_MIN;

/** The level of an interview that counts: the suggestion until a second person has confirmed a low conclusion. */
export function countedLevel(assess: { conclusionlevel: number; suggestedlevel: number | null }, isConfirmed: boolean): Level {
  const { conclusionlevel, suggestedlevel } = assess;
  const isPending = suggestedlevel !== null && isLowConclusion(conclusionlevel, suggestedlevel) && !isConfirmed;
  return (isPending ? suggestedlevel : conclusionlevel) as Level;
}

/** A low conclusion with its reason, as a second person reads it. */
export const describeLowConclusion = (
  { conclusionlevel, suggestedlevel, lowreason }: { conclusionlevel: number; suggestedlevel: number; lowreason: string },
  sector: string,
): string =>
  `访谈结论“${levelName(conclusionlevel, sector)}”低于系统建议“${levelName(suggestedlevel, sector)}”：${lowreason.trim()}`;

/** What the rules about low conclusions need of a case. */
interface InterviewFacts {
  newstime: Date;
  newsno: number;
  riskassess: readonly { time: Date; newsno: number; finished: boolean; islow: boolean; needssecond?: boolean }[];
}

/**
 * The low conclusions since the last news that wait for a second person, the earliest first. A later finished interview whose
 * conclusion is not low takes their place.
 */
export function pendingConclusions<F extends InterviewFacts>(facts: F): F['riskassess'][number][] {
  const counted = facts.riskassess.filter((assess) => isSinceNews(facts, assess));
  return counted
    .filter(
      ({ needssecond, time }) => needssecond && !counted.some((other) => other.finished && !other.islow && other.time > time),
    )
    .sort((a, b) => a.time.getTime() - b.time.getTime());
}

/**
 * Why the interviews cannot meet a criterion for closing or lowering because of a low conclusion since the last news, in
 * Chinese; '' when they can. A low conclusion never meets one, also after its confirmation. A new interview at least seven days
 * later can.
 */
export function missingRepeatInterview(facts: InterviewFacts): string {
  const counted = facts.riskassess.filter((assess) => isSinceNews(facts, assess));
  const lowTimes = counted.filter(({ islow }) => islow).map(({ time }) => time.getTime());
  if (lowTimes.length === 0) return '';
  const until = addDays(new Date(Math.max(...lowTimes)), LOW_REPEAT_DAYS);
  const isRepeated = counted.some(({ finished, islow, time }) => finished && !islow && time >= until);
  return isRepeated ? '' : `有一次评估结论低于系统建议，须在${shanghaiDate(until)}及以后再做一次访谈评估`;
}

/** The answers of the interview with their labels. */
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
} as const;

/** The label of an answer; an unknown value is its own label. */
export const findChoiceLabel = (question: keyof typeof RISK_CHOICES, value: number): string =>
  RISK_CHOICES[question].find((choice) => choice.value === value)?.label ?? String(value);

/** The yes-or-no findings of the interview with their labels. */
export const RISK_FLAGS = [
  ['plan', '谈及具体计划'],
  ['means', '可获得实施的工具或途径'],
  ['hopelessness', '绝望感明显'],
  ['psychosis', '精神病性表现'],
  ['substance', '物质使用问题'],
  ['abuse', '疑似侵害、忽视或欺凌'],
] as const;

/**
 * The findings of an interview as one text for the case log. The questions about suicide and abuse appear with every answer,
 * also with a no. The other findings appear when they are present.
 */
export function describeInterview(
  interview: RiskInterview,
  { suggestedlevel, conclusionlevel }: { suggestedlevel: number; conclusionlevel: number },
  sector: string,
): string {
  const others = [
    interview.hopelessness === 1 && '绝望感明显',
    interview.psychosis === 1 && '精神病性表现',
    interview.substance === 1 && '物质使用问题',
    interview.infantharm === 1 && '有伤害婴儿的想法',
  ].filter((text) => text !== false);
  return [
    `结论：${levelName(conclusionlevel, sector)}（系统建议 ${levelName(suggestedlevel, sector)}）`,
    [
      `自杀意念：${findChoiceLabel('ideation', interview.ideation)}`,
      `具体计划：${interview.plan === 1 ? '有' : '无'}`,
      `可获得的工具：${interview.means === 1 ? '有' : '无'}`,
      `自伤或自杀未遂：${findChoiceLabel('attempthistory', interview.attempthistory)}`,
      `ASQ：${interview.asqresult ? AsqResult.label(interview.asqresult) : '未询问'}`,
      `疑似侵害、忽视或欺凌：${interview.abuse === 1 ? '是' : '否'}`,
      `支持：${findChoiceLabel('support', interview.support)}`,
    ].join('；'),
    others.length > 0 && `其他发现：${others.join('、')}`,
  ]
    .filter((text) => text !== false)
    .join('。');
}
