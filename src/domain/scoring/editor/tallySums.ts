/** One possible sum, with the items that gave nothing to it. */
export interface Sum {
  sum: number;
  missing: number;
  notAsked: number;
}

/** The most steps of one calculation; a form beyond them shows only its limits. */
const allowedSteps = 30_000_000;
const sumsByKey = new Map<string, readonly Sum[] | undefined>();

/**
 * All sums of one value from each set, when up to `missing` sets have no answer and up to `notAsked` do not apply. The sets are
 * folded one after another, so 100 items need no combinations. Undefined when the numbers are too many.
 */
export function tallySums(sets: readonly (readonly number[])[], missing: number, notAsked: number): readonly Sum[] | undefined {
  const key = JSON.stringify([sets, missing, notAsked]);
  if (sumsByKey.has(key)) return sumsByKey.get(key);
  const sums = foldSets(sets, missing, notAsked);
  if (sumsByKey.size > 300) sumsByKey.clear();
  sumsByKey.set(key, sums);
  return sums;
}

function foldSets(sets: readonly (readonly number[])[], missing: number, notAsked: number): readonly Sum[] | undefined {
  const unit = [1, 10, 100, 1000, 10_000].find((candidate) =>
    sets.every((set) => set.every((value) => Math.abs(value * candidate - Math.round(value * candidate)) < 1e-7)),
  );
  if (unit === undefined) return undefined;
  const scaled = sets.map((set) => set.map((value) => Math.round(value * unit)));
  const low = scaled.reduce((sum, set) => sum + Math.min(0, ...set), 0);
  const high = scaled.reduce((sum, set) => sum + Math.max(0, ...set), 0);
  const width = high - low + 1;
  const states = (missing + 1) * (notAsked + 1);
  const choices = scaled.reduce((sum, set) => sum + set.length + 2, 0);
  if (width * states * choices > allowedSteps) return undefined;

  // A row for each number of missing and not asked items; the cell of a sum is 1 when the sum can occur.
  let rows: (Uint8Array | undefined)[] = Array.from({ length: states });
  const start = new Uint8Array(width);
  start[-low] = 1;
  rows[0] = start;
  for (const set of scaled) {
    const next: (Uint8Array | undefined)[] = Array.from({ length: states });
    rows.forEach((row, state) => {
      if (!row) return;
      for (const value of set) addShifted((next[state] ??= new Uint8Array(width)), row, value);
      const isAllowed = [state % (missing + 1) < missing, state + missing + 1 < states];
      if (isAllowed[0]) addShifted((next[state + 1] ??= new Uint8Array(width)), row, 0);
      if (isAllowed[1]) addShifted((next[state + missing + 1] ??= new Uint8Array(width)), row, 0);
    });
    rows = next;
  }
  return rows.flatMap((row, state) => {
    const absent = { missing: state % (missing + 1), notAsked: Math.floor(state / (missing + 1)) };
    if (!row || absent.missing + absent.notAsked >= sets.length) return [];
    return [...row.keys()].filter((cell) => row[cell]).map((cell) => ({ sum: (cell + low) / unit, ...absent }));
  });
}

function addShifted(into: Uint8Array, from: Uint8Array, shift: number): void {
  for (let cell = 0; cell < from.length; cell++) if (from[cell]) into[cell + shift] = 1;
}
