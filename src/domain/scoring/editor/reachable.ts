import { compare } from '#domain/scoring/condition.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { CompiledItem, CompiledScale } from '#domain/scoring/compiledScale.ts';
import type { PostStep, Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { tallySums } from '#domain/scoring/editor/tallySums.ts';

/** The values that a score can take. `values` is null where there are too many to list; then only the limits are known. */
export interface Reach {
  values: readonly number[] | null;
  min: number;
  max: number;
}

/** The values of one item score; `values` is null for any number between the limits. */
type ItemReach = Reach;

/** The most values that are listed one by one. */
const listedValues = 5000;

/** Whether every value is a whole number. */
export const isWhole = (reach: Reach): boolean => reach.values?.every(Number.isInteger) ?? false;

const clean = (value: number) => Math.round(value * 1e9) / 1e9;

function reachOf(values: Iterable<number>): Reach | undefined {
  const list = [...new Set([...values].map(clean))].sort((a, b) => a - b);
  const [min, max] = [list[0], list.at(-1)];
  if (min === undefined || max === undefined || Number.isNaN(min)) return undefined;
  return { values: list.length > listedValues ? null : list, min, max };
}

const rangeOf = (ends: readonly number[]): Reach | undefined =>
  ends.length && ends.every(Number.isFinite) ? { values: null, min: Math.min(...ends), max: Math.max(...ends) } : undefined;

/**
 * The values of every score, with missing answers as the rules allow them. Items count as independent of one another; a value that
 * a condition between two items prevents is therefore listed too.
 */
export function reachableScores(scale: Scale): ReadonlyMap<string, Reach> {
  const form = compileScale(scale);
  const itemReach = new Map(form.items.map((item) => [item.item.c, reachOfItem(item)]));
  const reaches = new Map<string, Reach>();
  for (const score of form.scores) {
    const raw = rawReach(score.def, score.codes, form, itemReach, reaches);
    const reach = (score.def.post ?? []).reduce<Reach | undefined>(
      (before, step) => before && afterStep(scale, step, before),
      raw,
    );
    if (reach && !reaches.has(score.def.c)) reaches.set(score.def.c, reach);
  }
  return reaches;
}

/** The scores that the answers to one item can have; undefined for an item without numbers. */
export function reachOfItem({ item, type, options, reversed, flip }: CompiledItem): ItemReach | undefined {
  if (type === 0) {
    if (!item.scored || item.min === undefined || item.max === undefined || item.max < item.min) return undefined;
    const step = item.input === 1 ? 1 : item.input === 7 ? (item.step ?? 1) : 0;
    const count = step > 0 ? Math.floor((item.max - item.min) / step + 1e-9) : Infinity;
    if (count >= listedValues) return rangeOf([item.min, item.max]);
    const first = item.min;
    return reachOf(Array.from({ length: count + 1 }, (_, index) => first + index * step));
  }
  if (type === 1) return reachOf([...options.values()].filter((score) => score !== null));
  const sums = sumsOfChoice([...options], item.excl ?? [], item.minsel ?? 1, item.maxsel ?? options.size);
  return reachOf(reversed ? [...sums].map((sum) => flip - sum) : sums);
}

/** The sums of a multiple choice: between `minsel` and `maxsel` options, or one option that excludes the others. */
function sumsOfChoice(
  options: readonly (readonly [string, number | null])[],
  excl: readonly string[],
  minsel: number,
  maxsel: number,
): Set<number> {
  let byCount: Set<number>[] = [new Set([0])];
  for (const [code, score] of options) {
    if (excl.includes(code)) continue;
    const next = byCount.map((sums) => new Set(sums));
    byCount.forEach((sums, count) => {
      if (count >= maxsel) return;
      next[count + 1] ??= new Set();
      for (const sum of sums) next[count + 1]?.add(clean(sum + (score ?? 0)));
    });
    byCount = next;
  }
  const alone = options.filter(([code]) => excl.includes(code)).map(([, score]) => score ?? 0);
  return new Set([...byCount.slice(Math.max(1, minsel)).flatMap((sums) => [...sums]), ...alone]);
}

/** The values of a score before its post steps. */
function rawReach(
  def: ScoreDef,
  codes: readonly string[],
  form: CompiledScale,
  itemReach: ReadonlyMap<string, ItemReach | undefined>,
  reaches: ReadonlyMap<string, Reach>,
): Reach | undefined {
  if (def.op === 'ref') return reaches.get(def.ref ?? '');
  if (def.op === 'ratio') return ratioReach(reaches.get(def.num ?? ''), reaches.get(def.den ?? ''));
  const items = codes.map((code, index) => {
    const reach = itemReach.get(code);
    return reach && def.op === 'weighted' ? scaled(reach, def.w?.[index] ?? 0) : reach;
  });
  if (!items.length || !items.every((item) => item !== undefined)) return undefined;
  const conditional = codes.filter((code) => form.byCode.get(code)?.item.showif).length;
  const missing = Math.min(def.miss?.max ?? 0, codes.length - 1);
  if (def.op === 'max' || def.op === 'min') return extremeReach(items, def.op, conditional + missing > 0);
  const sets = def.op === 'count' ? items.map((item) => countReach(item, def)) : items;
  return summedReach(def, sets, missing, conditional);
}

/** The values of a sum, a mean, a weighted sum or a count, from the reachable values of its items. */
function summedReach(def: ScoreDef, sets: readonly ItemReach[], missing: number, conditional: number): Reach | undefined {
  const sums = sets.every((set) => set.values)
    ? tallySums(
        sets.map((set) => set.values ?? []),
        missing,
        conditional,
      )
    : undefined;
  const base = def.op === 'weighted' ? (def.b ?? 0) : 0;
  const rawOf = (sum: number, absent: number, notAsked: number) => {
    const applicable = sets.length - notAsked;
    const answered = applicable - absent;
    if (def.op === 'mean') return sum / answered;
    if (def.op === 'sum' && def.miss?.how === 'prorate' && absent) return (sum * applicable) / answered;
    return sum + base;
  };
  if (sums) return reachOf(sums.map(({ sum, missing: absent, notAsked }) => rawOf(sum, absent, notAsked)));
  // Too many values: the limits, with every item that may be absent at nought.
  const canLeaveOut = missing + conditional > 0;
  if (def.op === 'mean') return rangeOf(sets.flatMap((set) => [set.min, set.max]));
  const end = (side: 'min' | 'max', pick: typeof Math.min) =>
    sets.reduce((sum, set) => sum + (canLeaveOut ? pick(0, set[side]) : set[side]), base);
  return rangeOf([end('min', Math.min), end('max', Math.max)]);
}

const countReach = (item: ItemReach, def: ScoreDef): ItemReach => {
  if (!item.values) return { values: [0, 1], min: 0, max: 1 };
  return reachOf(item.values.map((value) => (compare(value, def.where ?? {}) ? 1 : 0))) ?? item;
};

function scaled({ values, min, max }: Reach, factor: number): Reach {
  const ends = [min * factor, max * factor];
  const list = values?.map((value) => clean(value * factor)) ?? null;
  return { values: list && [...new Set(list)], min: Math.min(...ends), max: Math.max(...ends) };
}

function extremeReach(items: readonly ItemReach[], op: 'max' | 'min', canLeaveOut: boolean): Reach | undefined {
  const floor = canLeaveOut ? -Infinity : Math.max(...items.map((item) => item.min));
  const ceiling = canLeaveOut ? Infinity : Math.min(...items.map((item) => item.max));
  const isPossible = (value: number) => (op === 'max' ? value >= floor : value <= ceiling);
  if (items.every((item) => item.values)) return reachOf(items.flatMap((item) => item.values ?? []).filter(isPossible));
  const [low, high] = [Math.min(...items.map((item) => item.min)), Math.max(...items.map((item) => item.max))];
  return rangeOf(op === 'max' ? [Math.max(low, floor), high] : [low, Math.min(high, ceiling)]);
}

function ratioReach(num: Reach | undefined, den: Reach | undefined): Reach | undefined {
  if (!num || !den) return undefined;
  if (num.values && den.values && num.values.length * den.values.length <= 50_000) {
    const divisors = den.values.filter((value) => value !== 0);
    return reachOf(num.values.flatMap((value) => divisors.map((divisor) => value / divisor)));
  }
  if (den.min <= 0 && den.max >= 0) return undefined;
  return rangeOf([num.min, num.max].flatMap((value) => [value / den.min, value / den.max]));
}

/** The values after one post step. A T score has the values of every norm. */
function afterStep(scale: Scale, step: PostStep, reach: Reach): Reach | undefined {
  const apply = (change: (value: number) => number): Reach | undefined =>
    reach.values ? reachOf(reach.values.map(change)) : rangeOf([change(reach.min), change(reach.max)]);
  const round = (value: number, dp: number) => Math.floor(value * 10 ** dp + 0.5 + 1e-9) / 10 ** dp;
  switch (step[0]) {
    case 'mul':
      return apply((value) => value * step[1]);
    case 'add':
      return apply((value) => value + step[1]);
    case 'floor':
      return allBetween(apply((value) => Math.floor(value + 1e-9)));
    case 'round':
      return step[1] === 0 ? allBetween(apply((value) => round(value, 0))) : apply((value) => round(value, step[1]));
    case 'clamp':
      return apply((value) => Math.min(step[2], Math.max(step[1], value)));
    case 'tscore': {
      const norms = (scale.norms?.[step[1]] ?? []).filter((norm) => norm.sd > 0);
      const parts = norms.map((norm) => apply((value) => round(50 + (10 * (value - norm.mean)) / norm.sd, 1)));
      if (!parts.length || !parts.every((part) => part !== undefined)) return undefined;
      if (parts.every((part) => part.values)) return reachOf(parts.flatMap((part) => part.values ?? []));
      return rangeOf(parts.flatMap((part) => [part.min, part.max]));
    }
  }
}

/** Whole numbers between two limits can be listed. */
function allBetween(reach: Reach | undefined): Reach | undefined {
  if (!reach || reach.values || reach.max - reach.min >= listedValues) return reach;
  return reachOf(Array.from({ length: reach.max - reach.min + 1 }, (_, index) => reach.min + index));
}
