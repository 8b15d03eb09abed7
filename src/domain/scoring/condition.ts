import type { Cmp, Cond, Item, Level, Of, PersonFacts } from '#domain/scoring/scale.ts';

/** The facts about one answered form for a rule over several forms. */
export interface FormFacts {
  scores: Readonly<Record<string, number | null>>;
  levels: Readonly<Record<string, Level | null>>;
  itemscores: Readonly<Record<string, number | null>>;
  alerts: readonly string[];
}

/** An earlier result of the same person. `daysago` is in whole calendar days before the present result. */
export interface EarlierResult {
  form: string;
  daysago: number;
  scores: Readonly<Record<string, number | null>>;
}

/** All facts for a condition. Scoring of a single form has no `forms`; a rule over several forms has no `items`. */
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
 * The item codes of `"q1..q9"`, `"q1,q3..q5"` or `["q1","q2"]`, in the written order. A range follows the order of the items
 * in the form, so `q1..q4` of a form with q4t after q4 ends at q4.
 */
export function expand(of: Of, items: readonly Item[]): readonly string[] {
  let expansionsOfItems = expansions.get(items);
  if (!expansionsOfItems) expansions.set(items, (expansionsOfItems = new Map()));
  const cached = expansionsOfItems.get(of);
  if (cached) return cached;
  const codes = items.map((item) => item.c);
  const parts = typeof of === 'string' ? of.split(',') : of;
  const list = parts.flatMap((part) => {
    const range = /^(.+)\.\.(.+)$/.exec(part.trim());
    if (!range) return [part.trim()];
    return codes.slice(codes.indexOf(range[1] ?? ''), codes.indexOf(range[2] ?? '') + 1);
  });
  expansionsOfItems.set(of, list);
  return list;
}

/** Whether `value` passes every comparison of `cmp`. Null and absent values never pass. */
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

/** Whether a condition is true for the facts. A condition about an unknown fact is false. */
export function isTrue(cond: Cond, facts: Facts): boolean {
  if ('all' in cond) return cond.all.every((item) => isTrue(item, facts));
  if ('any' in cond) return cond.any.some((item) => isTrue(item, facts));
  if ('not' in cond) return !isTrue(cond.not, facts);
  if ('flag' in cond) return facts.flags?.includes(cond.flag) ?? false;
  if ('valid' in cond) return facts.valid === cond.valid;
  if ('delta' in cond) return isDeltaMet(cond, facts);
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

/** Whether the change since the latest earlier result within `days` meets the condition; false without one of the two scores. */
function isDeltaMet(cond: Extract<Cond, { delta: unknown }>, facts: Facts): boolean {
  const { form, score, days } = cond.delta;
  const now = facts.forms?.[form]?.scores[score];
  const earlier = (facts.history ?? []).filter((result) => result.form === form && result.daysago <= days);
  const before = earlier.sort((a, b) => a.daysago - b.daysago)[0]?.scores[score];
  return now == null || before == null ? false : compare(now - before, cond);
}
