import type { Cmp, Cond, Item, Level, Of, PersonFacts } from '#domain/scoring/scale.ts';

/** What a rule over several forms may know about one form that was filled in. */
export interface FormFacts {
  scores: Readonly<Record<string, number | null>>;
  levels: Readonly<Record<string, Level | null>>;
  itemscores: Readonly<Record<string, number | null>>;
  alerts: readonly string[];
}

/** An earlier result of the same person; `daysago` in whole calendar days before the present one. */
export interface EarlierResult {
  form: string;
  daysago: number;
  scores: Readonly<Record<string, number | null>>;
}

/** Everything a condition may ask. While a single form is scored there are no `forms`; a rule over forms has no `items`. */
export interface Facts {
  items?: readonly Item[];
  itemscores?: Readonly<Record<string, number | null>>;
  scores?: Readonly<Record<string, number | null>>;
  levels?: Readonly<Record<string, Level | null>>;
  flags?: readonly string[];
  valid?: boolean;
  person?: PersonFacts;
  forms?: Readonly<Record<string, FormFacts | undefined>>;
  history?: readonly EarlierResult[];
}

const expansions = new WeakMap<readonly Item[], Map<Of, readonly string[]>>();

/**
 * Item codes meant by `"q1..q9"`, `"q1,q3..q5"` or `["q1","q2"]`, in the order written. A range runs over the items in the
 * order of the form, so `q1..q4` of a form with q4t behind q4 ends at q4.
 */
export function expand(of: Of, items: readonly Item[]): readonly string[] {
  let knownExpansion = expansions.get(items);
  if (!knownExpansion) expansions.set(items, (knownExpansion = new Map()));
  const before = knownExpansion.get(of);
  if (before) return before;
  const codes = items.map((item) => item.c);
  const parts = typeof of === 'string' ? of.split(',') : of;
  const list = parts.flatMap((part) => {
    const range = /^(.+)\.\.(.+)$/.exec(part.trim());
    if (!range) return [part.trim()];
    return codes.slice(codes.indexOf(range[1] ?? ''), codes.indexOf(range[2] ?? '') + 1);
  });
  knownExpansion.set(of, list);
  return list;
}

/** Whether `value` passes every comparison of `cmp`; null and absent values pass none. */
export function compare(value: string | number | boolean | null | undefined, cmp: Cmp): boolean {
  if (value === null || value === undefined) return false;
  if (cmp.eq !== undefined && value !== cmp.eq) return false;
  if (cmp.ne !== undefined && value === cmp.ne) return false;
  if (cmp.gte !== undefined && !(Number(value) >= cmp.gte)) return false;
  if (cmp.gt !== undefined && !(Number(value) > cmp.gt)) return false;
  if (cmp.lte !== undefined && !(Number(value) <= cmp.lte)) return false;
  if (cmp.lt !== undefined && !(Number(value) < cmp.lt)) return false;
  if (cmp.in !== undefined && !cmp.in.some((item) => item === value)) return false;
  return true;
}

/** Whether a condition holds for the facts. What a condition asks and the facts do not know, does not hold. */
export function isTrue(cond: Cond, facts: Facts): boolean {
  if ('all' in cond) return cond.all.every((item) => isTrue(item, facts));
  if ('any' in cond) return cond.any.some((item) => isTrue(item, facts));
  if ('not' in cond) return !isTrue(cond.not, facts);
  if ('flag' in cond) return facts.flags?.includes(cond.flag) ?? false;
  if ('valid' in cond) return facts.valid === cond.valid;
  if ('delta' in cond) return hasRisen(cond, facts);
  if ('form' in cond) {
    const form = facts.forms?.[cond.form];
    if (!form) return false;
    if ('alert' in cond) return form.alerts.includes(cond.alert);
    if ('score' in cond) return compare(form.scores[cond.score], cond);
    if ('level' in cond) return compare(form.levels[cond.level], cond);
    return compare(form.itemscores[cond.item], cond);
  }
  if ('item' in cond) return compare(facts.itemscores?.[cond.item], cond);
  if ('score' in cond) return compare(facts.scores?.[cond.score], cond);
  if ('level' in cond) return compare(facts.levels?.[cond.level], cond);
  if ('person' in cond) return compare(facts.person?.[cond.person], cond);
  let count = 0;
  for (const code of expand(cond.count, facts.items ?? [])) if (compare(facts.itemscores?.[code], cond.where)) count++;
  return compare(count, cond);
}

/** Present score minus that of the latest earlier result not older than `days`; without either the condition is false. */
function hasRisen(cond: Extract<Cond, { delta: unknown }>, facts: Facts): boolean {
  const { form, score, days } = cond.delta;
  const now = facts.forms?.[form]?.scores[score];
  const earlier = (facts.history ?? []).filter((result) => result.form === form && result.daysago <= days);
  const before = earlier.sort((a, b) => a.daysago - b.daysago)[0]?.scores[score];
  return now == null || before == null ? false : compare(now - before, cond);
}
