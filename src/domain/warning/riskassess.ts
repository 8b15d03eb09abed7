import type { Level } from '#domain/scoring/scale.ts';

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
  /** 1 the ASQ asked by staff was acute (thoughts of suicide right now) */
  asqacute?: 0 | 1;
}

export interface RiskSuggestion {
  level: Level;
  /** reasons that the interviewer reads, in Chinese; empty at level 0 */
  reasons: string[];
}

/**
 * Each finding with its own level. The order of severity follows the triage of the Columbia screener. There, plan or intent, or
 * behaviour within three months, is high; method without intent, or earlier behaviour, is moderate; a wish to be dead is low
 * but followed up. The acute ASQ follows its own triage (immediate full evaluation). The numbers are the product's levels.
 */
const FINDINGS: readonly { level: Level; when: (i: RiskInterview) => boolean; reason: string }[] = [
  { level: 4, when: (i) => i.asqacute === 1, reason: 'ASQ 提示当前有自杀想法' },
  { level: 4, when: (i) => i.ideation >= 4, reason: '已有准备或实施行为' },
  { level: 4, when: (i) => i.ideation >= 3, reason: '自杀意念伴具体计划' },
  { level: 4, when: (i) => i.plan === 1 && i.means === 1, reason: '有计划且可获得实施工具' },
  { level: 4, when: (i) => i.attempthistory === 2, reason: '三个月内有自杀未遂或自伤行为' },
  { level: 4, when: (i) => i.infantharm === 1 && i.psychosis === 1, reason: '有伤害婴儿的想法并伴精神病性表现' },
  { level: 3, when: (i) => i.ideation >= 2, reason: '有主动自杀意念' },
  { level: 3, when: (i) => i.plan === 1, reason: '谈及具体计划' },
  { level: 3, when: (i) => i.infantharm === 1, reason: '有伤害婴儿的想法' },
  { level: 3, when: (i) => i.ideation >= 1 && i.attempthistory >= 1, reason: '有消极意念且既往有自杀未遂或自伤史' },
  { level: 3, when: (i) => i.ideation >= 1 && i.psychosis === 1, reason: '有消极意念并伴精神病性表现' },
  { level: 2, when: (i) => i.ideation >= 1, reason: '有消极（被动）意念' },
  { level: 2, when: (i) => i.attempthistory >= 1, reason: '既往有自杀未遂或自伤史' },
  { level: 2, when: (i) => i.psychosis === 1, reason: '有精神病性表现' },
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
