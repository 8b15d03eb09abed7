import type { EarlierResult, FormFacts } from '#domain/scoring/condition.ts';
import { isTrue } from '#domain/scoring/condition.ts';
import type { Cond, Level, PersonFacts } from '#domain/scoring/scale.ts';

/** `asdr/1`: a rule over the forms of one exam (and earlier results) that raises a warning. */
export interface WarningRule {
  c: string;
  /** 1 一般关注, 2 重点关注, 3 预警, 4 危机 */
  warninglevel: 1 | 2 | 3 | 4;
  when: Cond;
  /** meaning of the rule for staff */
  n?: string;
}

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
];

/** The matching rules, in their order, and the warning level: the highest level of these rules and of the alerts of the forms. */
export function runRules(
  rules: readonly WarningRule[],
  forms: Readonly<Record<string, FormFacts & { alertlevel: Level }>>,
  ctx: RuleContext = {},
): RuleOutcome {
  const facts = { forms, history: ctx.history ?? [], person: ctx.person ?? {}, flags: ctx.flags ?? [] };
  const hit = rules.filter((rule) => isTrue(rule.when, facts));
  let warninglevel: Level = 0;
  for (const level of [...Object.values(forms).map((form) => form.alertlevel), ...hit.map((rule) => rule.warninglevel)]) {
    if (level > warninglevel) warninglevel = level;
  }
  return { hits: hit.map((rule) => rule.c), warninglevel };
}
