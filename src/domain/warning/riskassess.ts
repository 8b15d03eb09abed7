import type { Level } from '#domain/scoring/scale.ts';

/** Answers of the structured risk interview (访谈评估) that bear on the level. The wire's codes. */
export interface RiskInterview {
  /** 0 none, 1 passive ("不想活"), 2 active without a plan, 3 with a plan, 4 preparation or attempt */
  ideation: 0 | 1 | 2 | 3 | 4;
  /** 1 a concrete plan was described */
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
  /** why, in the words the interviewer reads; empty at level 0 */
  reasons: string[];
}

/**
 * Each finding and the level it calls for by itself. The order of severity is that of the Columbia screener's triage
 * (plan or intent, or behaviour within three months: high; method without intent or earlier behaviour: moderate; a wish to
 * be dead: low but followed up) and of the ASQ (acute: immediate full evaluation); the numbers are the product's levels.
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

/** What makes any finding weigh more. */
const AGGRAVATORS: readonly { when: (i: RiskInterview) => boolean; reason: string }[] = [
  { when: (i) => i.hopelessness === 1, reason: '绝望感明显' },
  { when: (i) => i.support === 0, reason: '缺乏支持' },
  { when: (i) => i.substance === 1, reason: '物质使用问题' },
];

/**
 * The level (0–4) the interview speaks for, with its reasons; the interviewer decides (`conclusionlevel`). The gravest
 * finding sets the level. Aggravating factors: one alone, without a finding, is level 1 and two are level 2; two or more
 * beside a finding raise it by one. A worse answer never lowers the suggestion.
 */
export function suggestedLevel(interview: RiskInterview): RiskSuggestion {
  const foundFindings = FINDINGS.filter((finding) => finding.when(interview));
  const aggravating = AGGRAVATORS.filter((factor) => factor.when(interview)).map((factor) => factor.reason);
  const base = Math.max(0, ...foundFindings.map((finding) => finding.level)) as Level;
  if (base === 0) return { level: Math.min(2, aggravating.length) as Level, reasons: aggravating };
  const raised = aggravating.length >= 2 && base < 4;
  return {
    level: (raised ? base + 1 : base) as Level,
    reasons: [
      ...foundFindings.filter((finding) => finding.level === base).map((finding) => finding.reason),
      ...(raised ? aggravating : []),
    ],
  };
}
