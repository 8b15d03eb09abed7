import type { EarlierResult, FormFacts } from '#domain/scoring/condition.ts';
import { isTrue } from '#domain/scoring/condition.ts';
import type { Cond, Level, PersonFacts } from '#domain/scoring/scale.ts';

/** `asdr/1`: a rule over the forms of one exam (and earlier results) that raises a warning. */
export interface WarningRule {
  c: string;
  /** 1–4; `levels.ts` has the words */
  warninglevel: 1 | 2 | 3 | 4;
  when: Cond;
  /** meaning of the rule for staff */
  n?: string;
}

/**
 * R00, the floor under every form, also a form without wording or one that an institution made: a valid primary score of level 3
 * raises at least level 2, of level 4 at least level 3 (own product rule). `runRules` computes it; a condition cannot name all forms.
 */
export const floorRule: WarningRule = {
  c: 'R00',
  warninglevel: 2,
  n: '底线规则：任一有效量表的主要得分为重度或极重度',
  when: { any: [] },
};

export interface RuleContext {
  /** earlier results, in any order */
  history?: readonly EarlierResult[];
  person?: PersonFacts;
  flags?: readonly string[];
}

export interface RuleOutcome {
  hits: string[];
  /** 0: no warning */
  warninglevel: Level;
}

/**
 * The platform's rules. Cut-offs are those of each form (PHQ-9 Kroenke 2001, GAD-7 Spitzer 2006, EPDS and the >14 limits of the
 * Chinese perinatal consensus 2019). A PHQ-9 rise of 5 within 90 days is the usual clinically meaningful change.
 * A self-report score never gives level 4: only the acute answer of the staff-administered ASQ does.
 */
export const platformRules: readonly WarningRule[] = [
  {
    c: 'R01',
    warninglevel: 1,
    n: '任一主要量表为轻度（临界）',
    when: {
      any: [
        { form: 'PHQ9', level: 'total', eq: 1 },
        { form: 'GAD7', level: 'total', eq: 1 },
        { form: 'GDS15', level: 'total', eq: 1 },
        { form: 'K10', level: 'total', eq: 1 },
        { form: 'EPDS', level: 'total', eq: 1 },
      ],
    },
  },
  {
    c: 'R02',
    warninglevel: 2,
    n: '任一量表达到筛查阳性界值',
    when: {
      any: [
        { form: 'PHQ9', score: 'total', gte: 10 },
        { form: 'GAD7', score: 'total', gte: 10 },
        { form: 'EPDS', score: 'total', gte: 13 },
        { form: 'GDS15', score: 'total', gte: 9 },
        { form: 'CESD', score: 'total', gte: 20 },
        { form: 'K10', score: 'total', gte: 25 },
        { form: 'PCPTSD5', score: 'total', gte: 4 },
      ],
    },
  },
  {
    c: 'R03',
    warninglevel: 3,
    n: 'PHQ-9≥15、GAD-7≥15 或 EPDS≥20',
    when: {
      any: [
        { form: 'PHQ9', score: 'total', gte: 15 },
        { form: 'GAD7', score: 'total', gte: 15 },
        { form: 'EPDS', score: 'total', gte: 20 },
      ],
    },
  },
  {
    c: 'R04',
    warninglevel: 3,
    n: 'PHQ-9 第9题阳性且总分≥15',
    when: {
      all: [
        { form: 'PHQ9', item: 'q9', gte: 1 },
        { form: 'PHQ9', score: 'total', gte: 15 },
      ],
    },
  },
  {
    c: 'R05',
    warninglevel: 3,
    n: 'PHQ-9 第9题阳性且 GAD-7≥15',
    when: {
      all: [
        { form: 'PHQ9', item: 'q9', gte: 1 },
        { form: 'GAD7', score: 'total', gte: 15 },
      ],
    },
  },
  { c: 'R06', warninglevel: 2, n: 'PHQ-9 在90天内上升≥5分', when: { delta: { form: 'PHQ9', score: 'total', days: 90 }, gte: 5 } },
  {
    c: 'R07',
    warninglevel: 3,
    n: 'GDS-15≥12 且 PHQ-9 第9题阳性',
    when: {
      all: [
        { form: 'GDS15', score: 'total', gte: 12 },
        { form: 'PHQ9', item: 'q9', gte: 1 },
      ],
    },
  },
  { c: 'R08', warninglevel: 4, n: 'ASQ 急性阳性', when: { form: 'ASQ', alert: 'ASQ_ACUTE' } },
  { c: 'R09', warninglevel: 3, n: 'ASQ 非急性阳性', when: { form: 'ASQ', alert: 'ASQ_POS' } },
  {
    // Severe bands: DASS-21 Lovibond 1995, WHO-5 Topp 2015, PHQ-4 Kroenke 2009, PHQ-15 Kroenke 2002, K6 Kessler 2003, CBI Kristensen
    // 2005, SDS and SAS Chinese norms, MHT 周步成 1991. SCL-90 (a total above 250, a factor of 4) and observations: our own limits.
    c: 'R10',
    warninglevel: 2,
    n: '任一其他量表达到重度界值',
    when: {
      any: [
        { form: 'DASS21', score: 'dep', gte: 21 },
        { form: 'DASS21', score: 'anx', gte: 15 },
        { form: 'DASS21', score: 'str', gte: 26 },
        { form: 'WHO5', score: 'total', lte: 28 },
        { form: 'PHQ4', score: 'total', gte: 9 },
        { form: 'PHQ15', score: 'total', gte: 15 },
        { form: 'K6', score: 'total', gte: 13 },
        { form: 'CBI', score: 'personal', gte: 75 },
        { form: 'CBI', score: 'work', gte: 75 },
        { form: 'SDS', score: 'std', gte: 73 },
        { form: 'SAS', score: 'std', gte: 70 },
        { form: 'SCL90', score: 'total', gte: 251 },
        ...['som', 'obs', 'ips', 'dep', 'anx', 'hos', 'pho', 'par', 'psy'].map((score) => ({ form: 'SCL90', score, gte: 4 })),
        { form: 'MHT', score: 'total', gte: 65 },
        { form: 'TEACHOBS', score: 'nclear', gte: 5 },
        { form: 'CAREOBS', score: 'nclear', gte: 5 },
      ],
    },
  },
  {
    c: 'R11',
    warninglevel: 3,
    n: 'DASS-21 非常严重（抑郁≥28、焦虑≥20 或压力≥34），或 CBI 满分',
    when: {
      any: [
        { form: 'DASS21', score: 'dep', gte: 28 },
        { form: 'DASS21', score: 'anx', gte: 20 },
        { form: 'DASS21', score: 'str', gte: 34 },
        { form: 'CBI', score: 'personal', gte: 100 },
        { form: 'CBI', score: 'work', gte: 100 },
      ],
    },
  },
  floorRule,
];

/** Reasons of the jobs that judge open sheets. They are no conditions over a hand-in; all raise level 2 (own product rules). */
export const jobReasons = {
  /** PHQ-2 or GAD-2 of 3 or more (Kroenke 2003, 2007) */
  unfollowed: { c: 'R12', n: 'PHQ-2 或 GAD-2 阳性，后续量表未完成' },
  stopped: { c: 'R13', n: '停在安全相关题目，已答部分的得分已达到界值' },
  points: { c: 'R14', n: '未交卷，仅已答题目的得分就已较高' },
} as const;

/** The name of a platform rule or of a job's reason for staff; undefined for a rule of an institution. */
export const ruleName = (code: string): string | undefined =>
  [...platformRules, ...Object.values(jobReasons)].find((rule) => rule.c === code)?.n;

/** The level that a platform rule or a job's reason raises; undefined for a rule of an institution. */
export const findRuleLevel = (code: string): number | undefined =>
  platformRules.find((rule) => rule.c === code)?.warninglevel ??
  (Object.values(jobReasons).some((reason) => reason.c === code) ? 2 : undefined);

/** Whether a rule besides R00 reads the form, by one of its scores, levels, items or alerts. */
export const isReadByRule = (formcode: string, rules: readonly WarningRule[] = platformRules): boolean =>
  rules.some((rule) => new RegExp(`"form":"${formcode}"`).test(JSON.stringify(rule.when)));

/** The results of a form that rules read. `overalllevel` is the level of its valid primary scores and of its alerts. */
export type RuleFacts = FormFacts & { alertlevel: Level; overalllevel?: Level | null };

/**
 * The matching rules, in their order, and the warning level: the highest level of these rules and of the alerts of the forms.
 * R00 matches only where no alert and no rule before it asks for its level.
 */
export function runRules(
  rules: readonly WarningRule[],
  forms: Readonly<Record<string, RuleFacts>>,
  ctx: RuleContext = {},
): RuleOutcome {
  const facts = { forms, history: ctx.history ?? [], person: ctx.person ?? {}, flags: ctx.flags ?? [] };
  const hits: string[] = [];
  let warninglevel: Level = 0;
  for (const form of Object.values(forms)) if (form.alertlevel > warninglevel) warninglevel = form.alertlevel;
  for (const rule of rules) {
    const level = rule.c === floorRule.c ? floorLevel(Object.values(forms)) : isTrue(rule.when, facts) ? rule.warninglevel : 0;
    if (level === 0 || (rule.c === floorRule.c && level <= warninglevel)) continue;
    hits.push(rule.c);
    if (level > warninglevel) warninglevel = level;
  }
  return { hits, warninglevel };
}

/** The level that R00 requires. A level that an alert alone gives is no primary score; the alert raises more than R00 would. */
function floorLevel(forms: readonly RuleFacts[]): Level {
  const primary = Math.max(
    0,
    ...forms.map(({ overalllevel, alertlevel }) => ((overalllevel ?? 0) > alertlevel ? (overalllevel ?? 0) : 0)),
  );
  return primary >= 4 ? 3 : primary >= 3 ? 2 : 0;
}
