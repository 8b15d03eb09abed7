import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { CompiledItem, CompiledScore } from '#domain/scoring/compiledScale.ts';
import { expand, isTrue } from '#domain/scoring/condition.ts';
import { bandOf, postStep, rawScore } from '#domain/scoring/scoring.ts';
import type { WorkingFacts } from '#domain/scoring/scoring.ts';
import type { Cond, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { reachOfItem } from '#domain/scoring/editor/reachable.ts';
import { atomsOf } from '#domain/scoring/editor/references.ts';

/** The score of an item: null for an answer without a number, undefined without an answer. */
export type ItemState = number | null | undefined;

/** The part of a form that decides about one condition: its items with their possible states, its scores and persons. */
export interface Slice {
  scale: Scale;
  cond: Cond;
  /** the condition is read before scores exist, as a display condition is */
  isBeforeScores: boolean;
  items: readonly CompiledItem[];
  states: readonly (readonly ItemState[])[];
  /** false: the states are a choice of many, such as a number between limits */
  isComplete: boolean;
  /** items that the condition names one by one */
  named: ReadonlySet<string>;
  scores: readonly CompiledScore[];
  persons: readonly PersonFacts[];
}

/** Collects what a condition depends on, directly or through scores, display conditions, skip rules and validity rules. */
export function sliceOf(scale: Scale, cond: Cond, isBeforeScores: boolean): Slice {
  const form = compileScale(scale);
  const items = new Set<string>();
  const scores = new Set<string>();
  const named = new Set<string>();
  const conds: Cond[] = [];
  let hasGaps = false;
  const addItem = (code: string) => {
    const item = form.byCode.get(code)?.item;
    if (!item || items.has(code)) return;
    items.add(code);
    if (item.showif) addCond(item.showif);
    for (const rule of scale.derive ?? []) if (code in rule.set) addCond(rule.if);
  };
  const addScore = (code: string) => {
    const score = form.scores.find(({ def }) => def.c === code);
    if (!score || scores.has(code)) return;
    scores.add(code);
    if (score.def.miss?.max) hasGaps = true;
    score.codes.forEach(addItem);
    for (const other of [score.def.ref, score.def.num, score.def.den]) if (other !== undefined) addScore(other);
    for (const step of score.def.post ?? [])
      if (step[0] === 'tscore') for (const { where } of scale.norms?.[step[1]] ?? []) if (where) addCond(where);
  };
  const addCond = (added: Cond) => {
    if (conds.includes(added)) return;
    conds.push(added);
    for (const atom of atomsOf(added)) {
      if ('form' in atom || 'delta' in atom || 'person' in atom) continue;
      if ('item' in atom) {
        if (added === cond) named.add(atom.item);
        addItem(atom.item);
      } else if ('count' in atom) expand(atom.count, scale.items).forEach(addItem);
      else if ('score' in atom) addScore(atom.score);
      else if ('level' in atom) addScore(atom.level);
      else for (const rule of scale.validity ?? []) addCond(rule.when);
    }
  };
  addCond(cond);

  const derived = new Set((scale.derive ?? []).flatMap((rule) => Object.keys(rule.set)));
  let isComplete = true;
  const chosen = form.items.filter(({ item }) => items.has(item.c));
  const states = chosen.map((item) => {
    const { values, wasCut } = statesOf(item, conds);
    if (wasCut) isComplete = false;
    const canBeOpen = hasGaps || !item.required || derived.has(item.item.c);
    return canBeOpen ? [undefined, ...values] : values;
  });
  return {
    scale,
    cond,
    isBeforeScores,
    items: chosen,
    states,
    isComplete,
    named,
    scores: form.scores.filter(({ def }) => scores.has(def.c)),
    persons: personsOf(scale, conds),
  };
}

/** The states of an item with an answer, lowest first. A number between limits stands for itself near the limits of conditions. */
function statesOf(item: CompiledItem, conds: readonly Cond[]): { values: ItemState[]; wasCut: boolean } {
  const reach = reachOfItem(item);
  const hasBlank = item.type === 1 && [...item.options.values()].includes(null);
  if (!reach) return { values: [null], wasCut: item.type === 0 && item.item.scored === true };
  const blank: ItemState[] = hasBlank ? [null] : [];
  if (reach.values && reach.values.length <= 60) return { values: [...blank, ...reach.values], wasCut: false };
  const limits = conds.flatMap(atomsOf).flatMap((atom) => {
    if (!('item' in atom) || atom.item !== item.item.c || 'form' in atom) return [];
    const { eq, ne, gte, gt, lte, lt } = atom;
    return [eq, ne, gte, gt, lte, lt].filter((limit) => typeof limit === 'number').flatMap((at) => [at - 1, at, at + 1]);
  });
  const near = limits.filter((at) => at >= reach.min && at <= reach.max && (reach.values?.includes(at) ?? true));
  const sorted = [...new Set([reach.min, ...near, reach.max])].sort((a, b) => a - b);
  return { values: sorted, wasCut: true };
}

/** Persons with every value that a condition names, and one value beside it. */
function personsOf(scale: Scale, conds: readonly Cond[]): PersonFacts[] {
  const values = new Map<string, Set<string | number | boolean | undefined>>();
  for (const atom of conds.flatMap(atomsOf)) {
    if (!('person' in atom)) continue;
    const set = values.get(atom.person) ?? new Set(atom.person === 'gender' ? ['01', '02'] : [undefined]);
    values.set(atom.person, set);
    for (const limit of [atom.eq, atom.ne, atom.gte, atom.gt, atom.lte, atom.lt, ...(atom.in ?? [])]) {
      if (limit === undefined) continue;
      for (const value of typeof limit === 'number' ? [limit - 1, limit, limit + 1] : [limit]) set.add(value);
    }
  }
  const [low, high] = [scale.agemin ?? 0, scale.agemax ?? 120];
  let persons: PersonFacts[] = [{}];
  for (const [key, set] of values) {
    const fitting = [...set].filter((value) => key !== 'age' || typeof value !== 'number' || (value >= low && value <= high));
    if (key === 'age' && scale.agemin !== undefined) fitting.push(scale.agemin);
    persons = persons.flatMap((person) => fitting.map((value) => ({ ...person, [key]: value }))).slice(0, 2000);
  }
  return persons;
}

/** What is known about a sheet with these item states; the same order of evaluation as `score`. */
export function factsOf(slice: Slice, picked: readonly ItemState[], person: PersonFacts): WorkingFacts {
  const { scale, items } = slice;
  const facts: WorkingFacts = { items: scale.items, itemscores: {}, scores: {}, levels: {}, flags: [], valid: true, person };
  const open = new Set<string>();
  items.forEach(({ item }, index) => {
    const state = picked[index];
    facts.itemscores[item.c] = state ?? null;
    if (state === undefined) open.add(item.c);
  });
  for (const rule of scale.derive ?? []) {
    if (!isTrue(rule.if, facts)) continue;
    for (const [code, option] of Object.entries(rule.set)) {
      if (open.delete(code)) facts.itemscores[code] = items.find(({ item }) => item.c === code)?.options.get(option) ?? null;
    }
  }
  if (slice.isBeforeScores) return facts;
  const notAsked = items.filter(({ item }) => item.showif && !isTrue(item.showif, facts)).map(({ item }) => item.c);
  for (const code of notAsked) facts.itemscores[code] = null;
  for (const score of slice.scores) {
    let { value } = rawScore(score, facts, (code) => notAsked.includes(code));
    for (const step of score.def.post ?? []) value = value === null ? null : postStep(scale, step, value, facts, score.def.c);
    facts.scores[score.def.c] = value;
    facts.levels[score.def.c] = value === null ? null : (bandOf(scale, score.def.c, value)?.[2] ?? null);
  }
  for (const rule of scale.validity ?? []) {
    if (!isTrue(rule.when, facts)) continue;
    facts.flags.push(rule.c);
    if (rule.action === 'invalid') facts.valid = false;
  }
  return facts;
}
