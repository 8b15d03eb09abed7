import type { Clause } from '#domain/warning/customRule.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getWarningRuleForms } from '#features/warning/rules/rule.contract.ts';

/** A condition while it is entered: one flat row, whatever its kind. */
export interface RuleDraft {
  form: string;
  kind: 'score' | 'level' | 'item' | 'delta' | 'alert';
  /** code of the score, question or alert */
  code: string;
  gte: number;
  days: number;
  /** an upper bound set elsewhere; kept as it is */
  lte?: number | undefined;
}
export const NEW_CLAUSE: RuleDraft = { form: 'PHQ9', kind: 'score', code: 'total', gte: 7, days: 90 };

/** A stored condition as the row that edits it. */
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

/** The condition a row stands for. */
export function toClause({ form, kind, code, gte, days, lte }: RuleDraft): Clause {
  switch (kind) {
    case 'alert':
      return { form, alert: code };
    case 'item':
      return { form, item: code, gte };
    case 'level':
      return { form, level: code, gte: Math.min(4, Math.max(1, Math.round(gte))) };
    case 'delta':
      return { delta: { form, score: code, days }, gte };
    case 'score':
      return { form, score: code, gte, ...(lte !== undefined && { lte }) };
  }
}

/** What of a form can be asked, each with its choices. */
export function findKinds(form: ResponseOf<typeof getWarningRuleForms>[number] | undefined) {
  const scores = (form?.scores ?? []).map(({ c, n }) => ({ value: c, label: n }));
  const scoresWithLevels = (form?.scores ?? [])
    .filter((score) => score.levels.length > 0)
    .map(({ c, n }) => ({ value: c, label: n }));
  const kinds: { value: RuleDraft['kind']; label: string; of: { value: string; label: string }[] }[] = [
    { value: 'score', label: '得分', of: scores },
    { value: 'level', label: '等级', of: scoresWithLevels },
    { value: 'delta', label: '得分上升', of: scores },
    { value: 'item', label: '条目得分', of: (form?.items ?? []).map(({ c, t }) => ({ value: c, label: t })) },
    { value: 'alert', label: '红线条目', of: (form?.alerts ?? []).map(({ c, msg }) => ({ value: c, label: msg })) },
  ];
  return kinds.filter(({ of }) => of.length > 0);
}
