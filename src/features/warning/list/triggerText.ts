import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { library } from '#domain/scoring/scales/library.ts';
import { findRuleLevel, ruleName } from '#domain/warning/platformRules.ts';

/** A primary score of the exam that raised a case last. */
export interface TriggerResult {
  formname: string;
  quotaname: string;
  score: number | null;
  level: number | null;
  levelname: string | null;
}
/** The institution's own rules by code. */
export type CustomRules = Readonly<Record<string, { name: string; level: number }>>;

/** The name of a rule for staff. `customRules` are the institution's own rules; a deleted one has no name. */
export const findRuleName = (rulecode: string, customRules: CustomRules | null = null): string =>
  ruleName(rulecode) ?? customRules?.[rulecode]?.name ?? rulecode;

const alertsByText = new Map(
  library.flatMap(({ title, alerts = [] }) => alerts.map(({ msg, level }) => [msg, { form: shortTitle(title), level }] as const)),
);

/** An alert in short: the form, the item and its theme, without the advice. */
export function shortenAlert(text: string): string {
  const alert = alertsByText.get(text);
  if (!alert) return text;
  const [theme = text] = text.split(/[，：]/);
  return theme.startsWith('第') ? `${alert.form} ${theme}` : theme;
}

/** Rules over the scores alone. Beside the scores they would only repeat them. */
const SCORE_RULES: readonly string[] = ['R00', 'R01', 'R02', 'R03', 'R10', 'R11'];

interface Triggers {
  alertmsgs: readonly string[];
  rulecodes: readonly string[];
  customrules: CustomRules | null;
}

/** The reasons of a case as text, the strongest first: alerts of single answers and rules. */
export function describeTriggers({ alertmsgs, rulecodes, customrules }: Triggers): string[] {
  const reasons = [
    ...alertmsgs.map((text) => ({ text, level: alertsByText.get(text)?.level ?? 4 })),
    ...rulecodes.map((code) => ({
      text: findRuleName(code, customrules),
      level: findRuleLevel(code) ?? customrules?.[code]?.level ?? 0,
    })),
  ];
  return [...new Set(reasons.sort((a, b) => b.level - a.level).map(({ text }) => text))];
}

/** The reasons of a case in one line of the list: the strongest reason of its own, the scores, and then the other reasons. */
export function summarizeTriggers(triggers: Triggers, results: readonly TriggerResult[]): string {
  const hasResults = results.some(({ level }) => (level ?? 0) >= 1);
  const repeated = new Set(hasResults ? SCORE_RULES.map((code) => ruleName(code)) : []);
  const [first, ...others] = describeTriggers(triggers)
    .filter((text) => !repeated.has(text))
    .map(shortenAlert);
  return [first, ...describeResults(results), ...others].filter(Boolean).join('；');
}

function describeResults(results: readonly TriggerResult[]): string[] {
  const isSingle = (formname: string) => results.filter((result) => result.formname === formname).length === 1;
  return results
    .filter(({ level }) => (level ?? 0) >= 1)
    .sort((a, b) => (b.level ?? 0) - (a.level ?? 0))
    .slice(0, 3)
    .map(({ formname, quotaname, score, levelname }) =>
      [shortTitle(formname), !isSingle(formname) && quotaname, `${score ?? '—'} 分`, levelname].filter(Boolean).join(' '),
    );
}
