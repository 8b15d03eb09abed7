import { platformRules, type WarningRule } from '#domain/warning/platformRules.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';

/** One clause of an institution's own rule: one condition of `asdr/1` about one form. */
export type Clause =
  | { form: string; score: string; gte?: number | undefined; lte?: number | undefined }
  | { form: string; level: string; gte: number }
  | { form: string; item: string; gte: number }
  | { form: string; alert: string }
  | { delta: { form: string; score: string; days: number }; gte: number };
/** The condition of an own rule: a list of clauses. All of them or any of them must hold. */
export type CustomCond = { all: readonly Clause[] } | { any: readonly Clause[] };

export interface CustomRule {
  rulecode: string;
  name: string;
  cond: CustomCond;
  warninglevel: 1 | 2 | 3;
  /** null: every population */
  appid: string | null;
}

const clausesOf = (cond: CustomCond): readonly Clause[] => ('all' in cond ? cond.all : cond.any);
const formOf = (clause: Clause): string => ('delta' in clause ? clause.delta.form : clause.form);

/**
 * The rules for a submission: the platform's rules first, then the own rules of the institution. An institution cannot change
 * or switch off the platform's rules. Own rules can only add warnings, and never of level 4.
 */
export function effectiveRules(own: readonly CustomRule[], appid: string | null): WarningRule[] {
  return [
    ...platformRules,
    ...own
      .filter((rule) => rule.appid === null || rule.appid === appid)
      .map((rule) => ({ c: rule.rulecode, n: rule.name, warninglevel: rule.warninglevel, when: rule.cond as Cond })),
  ];
}

/** The faults of a condition, in Chinese: forms, scores, items and alerts that do not exist. Empty when it has none. */
export function findRuleFaults(cond: CustomCond, scaleOf: (formcode: string) => Scale | undefined): string[] {
  return clausesOf(cond).flatMap((clause) => {
    const scale = scaleOf(formOf(clause));
    if (!scale) return [`没有量表 ${formOf(clause)}`];
    const score = 'delta' in clause ? clause.delta.score : 'score' in clause ? clause.score : undefined;
    if (score !== undefined && !scale.scores.some((def) => def.c === score)) return [`${scale.title}没有得分“${score}”`];
    if ('level' in clause && !scale.bands[clause.level]) return [`${scale.title}的“${clause.level}”没有分级`];
    if ('item' in clause && !scale.items.some((item) => item.c === clause.item))
      return [`${scale.title}没有条目“${clause.item}”`];
    if ('alert' in clause && !(scale.alerts ?? []).some((alert) => alert.c === clause.alert))
      return [`${scale.title}没有红线条目“${clause.alert}”`];
    if ('score' in clause && clause.gte === undefined && clause.lte === undefined) return ['请填写分数的上限或下限'];
    return [];
  });
}

/** The condition as a sentence for staff. */
export function describeRule(cond: CustomCond, scaleOf: (formcode: string) => Scale | undefined): string {
  const words = clausesOf(cond).map((clause) => {
    const scale = scaleOf(formOf(clause));
    const code = formOf(clause);
    // The code of a form that somebody made says nothing to a reader.
    const title = /^F\d{6}$/.test(code) && scale ? `“${scale.title}”` : code.replace(/^([A-Z]{3,})(\d+)$/, '$1-$2');
    const scoreName = (code: string) => {
      const foundScore = scale?.scores.find((score) => score.c === code);
      return code === 'total' ? '总分' : (foundScore?.n ?? code);
    };
    if ('delta' in clause) return `${title} ${scoreName(clause.delta.score)}在 ${clause.delta.days} 天内上升 ≥ ${clause.gte}`;
    if ('alert' in clause) return `${title} 触发红线条目 ${clause.alert}`;
    if ('item' in clause) return `${title} ${clause.item.replace(/^q(\d+)$/, '第 $1 题')}得分 ≥ ${clause.gte}`;
    if ('level' in clause) return `${title} ${scoreName(clause.level)}等级 ≥ ${clause.gte}`;
    const between = [clause.gte !== undefined && `≥ ${clause.gte}`, clause.lte !== undefined && `≤ ${clause.lte}`].filter(
      Boolean,
    );
    return `${title} ${scoreName(clause.score)} ${between.join(' 且 ')}`;
  });
  return words.join('all' in cond ? ' 且 ' : ' 或 ');
}
