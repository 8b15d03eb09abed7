import type { Band, Level, Scale } from '#domain/scoring/scale.ts';
import { put } from '#features/scaleeditor/page/edits/put.ts';

const LEVEL_NAMES = ['正常', '轻度', '中度', '中重度', '重度'] as const;

/** Changes the bands of a score. */
export function setBands(scale: Scale, code: string, bands: readonly Band[]): Scale {
  const { [code]: _before, ...rest } = scale.bands;
  return { ...scale, bands: bands.length ? { ...rest, [code]: bands } : rest };
}

/** The names and levels of a number of bands: the last of three is level 3. */
const levelsOf = (count: number): Level[] =>
  ([[], [0], [0, 2], [0, 1, 3], [0, 1, 2, 3], [0, 1, 2, 3, 4]][count] ?? []) as Level[];

/** Divides a range into bands of equal width. `isHigh`: a high score is good, so the lowest band has the highest level. */
export function divideRange(min: number, max: number, count: number, isHalfOpen: boolean, isHigh: boolean): Band[] {
  const levels = isHigh ? levelsOf(count).reverse() : levelsOf(count);
  const width = (max - min + (isHalfOpen ? 0 : 1)) / count;
  const begins = levels.map((_, index) => (isHalfOpen ? min + width * index : Math.round(min + width * index)));
  return levels.map((level, index): Band => {
    const next = begins[index + 1];
    const end = next === undefined ? (isHalfOpen ? null : max) : isHalfOpen ? next : next - 1;
    return [begins[index] ?? min, end, level, LEVEL_NAMES[level]];
  });
}

/** Splits a band in the middle. The second half gets the next level. */
export function splitBand(bands: readonly Band[], index: number, isHalfOpen: boolean, range: readonly [number, number]): Band[] {
  const band = bands[index];
  if (!band) return [...bands];
  const [lo, hi, level, label] = band;
  const from = lo ?? range[0];
  const to = hi ?? range[1];
  const middle = isHalfOpen ? (from + to) / 2 : Math.floor((from + to) / 2);
  const nextLevel = Math.min(4, level + 1) as Level;
  const halves: Band[] = [
    [lo, middle, level, label],
    [isHalfOpen ? middle : middle + 1, hi, nextLevel, LEVEL_NAMES[nextLevel]],
  ];
  return [...bands.slice(0, index), ...halves, ...bands.slice(index + 1)];
}

/** Joins a band with the next one. Level and name of the first stay. */
export function mergeBand(bands: readonly Band[], index: number): Band[] {
  const [first, second] = [bands[index], bands[index + 1]];
  if (!first || !second) return [...bands];
  return [...bands.slice(0, index), [first[0], second[1], first[2], first[3]], ...bands.slice(index + 2)];
}

/** Changes a limit of a band. The neighbour's limit follows where it touched, so that no gap appears. */
export function setLimit(
  bands: readonly Band[],
  index: number,
  end: 0 | 1,
  value: number | null,
  isHalfOpen: boolean,
): readonly Band[] {
  const band = bands[index];
  if (!band) return bands;
  const gap = isHalfOpen ? 0 : 1;
  const neighbourIndex = end === 0 ? index - 1 : index + 1;
  const neighbour = bands[neighbourIndex];
  const before = band[end];
  const touching = neighbour?.[end === 0 ? 1 : 0];
  const didTouch = before !== null && touching != null && (end === 0 ? touching + gap === before : before + gap === touching);
  return bands.map((old, at): Band => {
    if (at === index) return end === 0 ? [value, old[1], old[2], old[3]] : [old[0], value, old[2], old[3]];
    if (at !== neighbourIndex || !didTouch || value === null) return old;
    return end === 0 ? [old[0], value - gap, old[2], old[3]] : [value + gap, old[1], old[2], old[3]];
  });
}

/** Chooses whether bands include their upper limit, and moves the limits so that the bands still touch. */
export function setBandMode(scale: Scale, code: string, mode: 'closed' | 'halfopen'): Scale {
  const bandmode = { ...scale.bandmode, [code]: mode };
  const bands = scale.bands[code] ?? [];
  if ((scale.bandmode?.[code] ?? 'closed') === mode) return scale;
  const changed = bands.map(([lo, hi, level, label], index): Band => {
    const next = bands[index + 1]?.[0];
    if (next == null) return [lo, mode === 'halfopen' ? null : hi, level, label];
    return [lo, mode === 'halfopen' ? next : next - 1, level, label];
  });
  return put(setBands(scale, code, changed), { bandmode });
}
