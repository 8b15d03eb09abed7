import type { Clause } from '#domain/warning/customRule.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getWarningRuleForms } from '#features/warning/rules/rule.contract.ts';

/** A condition in the form: one flat row for every kind. */
export interface RuleDraft {
  form: string;
  kind: 'score' | 'level' | 'item' | 'delta' | 'alert';
  /** code of the score, question or alert */
  code: string;
  /** as typed: a text where it is no number; the check of the request refuses it */
  gte: number | string | undefined;
  days: number | string | undefined;
  /** an upper bound, which the form does not show and does not change */
  lte?: number | undefined;
}
/** The draft of a new condition. */
export const NEW_CLAUSE: RuleDraft = { form: 'PHQ9', kind: 'score', code: 'total', gte: 7, days: 90 };

/** The draft of a stored condition. */
export function toRuleDraft(clause: Clause): RuleDraft {
  if ('delta' in clause)
    return {
      ...NEW_CLAUSE,
      form: clause.delta.form,
      kind: 'delta',
      code: clause.delta.score,
      gte: clause.gte,
      days: clause.delta.days,
    };
  if ('alert' in clause) return { ...NEW_CLAUSE, form: clause.form, kind: 'alert', code: clause.alert };
  if ('item' in clause) return { ...NEW_CLAUSE, form: clause.form, kind: 'item', code: clause.item, gte: clause.gte };
  if ('level' in clause) return { ...NEW_CLAUSE, form: clause.form, kind: 'level', code: clause.level, gte: clause.gte };
  return { ...NEW_CLAUSE, form: clause.form, kind: 'score', code: clause.score, gte: clause.gte ?? 0, lte: clause.lte };
}

/** The condition of a draft. */
export function toClause({ form, kind, code, lte, ...draft }: RuleDraft): Clause {
  const [gte, days] = [draft.gte as number, draft.days as number];
  switch (kind) {
    case 'alert':
      return { form, alert: code };
    case 'item':
      return { form, item: code, gte };
    case 'level':
      return { form, level: code, gte };
    case 'delta':
      return { delta: { form, score: code, days }, gte };
    case 'score':
      return { form, score: code, gte, ...(lte !== undefined && { lte }) };
  }
}

/** Returns what is wrong with the numbers of a draft, in words. A level is 1–4, a period at most a year. */
export function findDraftFaults({ kind, gte, days }: RuleDraft): { gte?: string; days?: string } {
  const isWithin = (value: unknown, min: number, max: number) => typeof value === 'number' && value >= min && value <= max;
  const isLevel = kind === 'level';
  return {
    ...(isLevel && !(isWithin(gte, 1, 4) && Number.isInteger(gte)) && { gte: '等级为 1–4' }),
    ...(!isLevel && kind !== 'alert' && !isWithin(gte, -999, 9999) && { gte: '请填写 -999 到 9,999 的数值' }),
    ...(kind === 'delta' && !(isWithin(days, 1, 366) && Number.isInteger(days)) && { days: '天数为 1–366' }),
  };
}

/** The kinds of condition that a form allows, each with its choices. */
export function findKinds(form: ResponseOf<typeof getWarningRuleForms>[number] | undefined) {
  const scores = (form?.scores ?? []).map(({ c, n }) => ({ value: c, label: n }));
  const scoresWithLevels = (form?.scores ?? [])
    .filter((score) => score.levels.length > 0)
    .map(({ c, n }) => ({ value: c, label: n }));
  const kinds: { value: RuleDraft['kind']; label: string; choices: { value: string; label: string }[] }[] = [
    { value: 'score', label: '得分', choices: scores },
    { value: 'level', label: '等级', choices: scoresWithLevels },
    { value: 'delta', label: '得分上升', choices: scores },
    { value: 'item', label: '条目得分', choices: (form?.items ?? []).map(({ c, t }) => ({ value: c, label: t })) },
    { value: 'alert', label: '红线条目', choices: (form?.alerts ?? []).map(({ c, msg }) => ({ value: c, label: msg })) },
  ];
  return kinds.filter(({ choices }) => choices.length > 0);
}
