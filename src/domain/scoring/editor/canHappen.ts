import { isTrue } from '#domain/scoring/condition.ts';
import type { Cond, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { factsOf, sliceOf } from '#domain/scoring/editor/slice.ts';
import type { ItemState, Slice } from '#domain/scoring/editor/slice.ts';

/** The most combinations that are tried one by one. */
const ALL_TRIED = 10_000;
/** The most combinations that a search tries where there are more. */
const SEARCHED = 20_000;
const resultByKey = new Map<string, boolean | null>();

/**
 * Whether some answers make a condition true. Up to 10,000 combinations of the items asked are all tried. Above that a search looks
 * for one; null when it finds none. `isBeforeScores`: the condition shows a question.
 */
export function canHappen(scale: Scale, cond: Cond, isBeforeScores = false): boolean | null {
  const slice = sliceOf(scale, cond, isBeforeScores);
  const key = nameOf(slice);
  const known = resultByKey.get(key);
  if (known !== undefined) return known;
  const result = search(slice);
  if (resultByKey.size > 500) resultByKey.clear();
  resultByKey.set(key, result);
  return result;
}

/** Everything that decides about the condition, without any words of the form. */
function nameOf({ scale, cond, isBeforeScores, items, states, scores, persons }: Slice): string {
  const own = items.map(({ item, options, required }) => [item.c, item.showif, required, [...options]]);
  const codes = scores.map(({ def }) => def.c);
  const judged = codes.map((code) => [
    scale.bands[code]?.map(([low, high, level]) => [low, high, level]),
    scale.bandmode?.[code],
  ]);
  const rules = scale.validity?.map(({ c, when, action }) => [c, when, action]);
  const order = scale.items.map((item) => item.c);
  const rows = [cond, isBeforeScores, own, states, scores.map(({ def }) => def), judged, rules, scale.derive, scale.norms];
  return JSON.stringify([...rows, persons, order]);
}

function search(slice: Slice): boolean | null {
  const count = slice.states.reduce((product, states) => product * states.length, slice.persons.length);
  const isMet = (picked: readonly ItemState[], person: PersonFacts) => isTrue(slice.cond, factsOf(slice, picked, person));
  if (count <= ALL_TRIED) {
    if (triesAll(slice, isMet)) return true;
    return slice.isComplete ? false : null;
  }
  return climbs(slice, isMet) ? true : null;
}

type Test = (picked: readonly ItemState[], person: PersonFacts) => boolean;

/** Tries every combination of the states of all items. */
function triesAll({ states, persons }: Slice, isMet: Test): boolean {
  const places = states.map(() => 0);
  for (;;) {
    const picked = states.map((list, index) => list[places[index] ?? 0]);
    if (persons.some((person) => isMet(picked, person))) return true;
    let index = 0;
    for (; index < places.length; index++) {
      places[index] = (places[index] ?? 0) + 1;
      if ((places[index] ?? 0) < (states[index]?.length ?? 0)) break;
      places[index] = 0;
    }
    if (index === places.length) return false;
  }
}

/** Keeps the named items at each of their states, and raises all others one step at a time from the lowest to the highest. */
function climbs({ items, states, named, persons }: Slice, isMet: Test): boolean {
  const isNamed = items.map(({ item }) => named.has(item.c));
  const steps = states.reduce((sum, list, index) => sum + (isNamed[index] ? 0 : list.length), 1);
  const starts = combinationsOf(
    states.map((list, index) => (isNamed[index] ? list : list.slice(0, 1))),
    Math.max(1, Math.floor(SEARCHED / steps / persons.length)),
  );
  for (const start of starts) {
    for (const person of persons) {
      const picked = [...start];
      if (isMet(picked, person)) return true;
      for (const [index, list] of states.entries()) {
        if (isNamed[index]) continue;
        for (const state of list.slice(1)) {
          picked[index] = state;
          if (isMet(picked, person)) return true;
        }
      }
    }
  }
  return false;
}

/** Up to `limit` combinations of one state from each list. */
function combinationsOf(lists: readonly (readonly ItemState[])[], limit: number): ItemState[][] {
  let rows: ItemState[][] = [[]];
  for (const list of lists) rows = rows.flatMap((row) => list.map((state) => [...row, state])).slice(0, limit);
  return rows;
}
