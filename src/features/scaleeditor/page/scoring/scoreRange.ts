import { isWhole, reachableScores } from '#domain/scoring/editor/reachable.ts';
import type { Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** The limits of a score over all answers. */
export interface ScoreRange {
  min: number;
  max: number;
  /** true: every score is a whole number */
  isWhole: boolean;
}

const ranges = new WeakMap<Scale, ReadonlyMap<string, ScoreRange>>();

/** The limits of every score. A draft may be unfinished; what cannot be computed yet has no limits. */
function findRanges(scale: Scale): ReadonlyMap<string, ScoreRange> {
  const known = ranges.get(scale);
  if (known) return known;
  let found = new Map<string, ScoreRange>();
  try {
    found = new Map(
      [...reachableScores(scale)].map(([code, reach]) => [code, { min: reach.min, max: reach.max, isWhole: isWhole(reach) }]),
    );
  } catch {
    // The checks name what is wrong.
  }
  ranges.set(scale, found);
  return found;
}

/** The limits of one score, or undefined. */
export const findRange = (scale: Scale, score: ScoreDef): ScoreRange | undefined => findRanges(scale).get(score.c);

/** The limits of all scores by code, for the bars of a result. */
export const rangesOf = (scale: Scale): Record<string, readonly [number, number]> =>
  Object.fromEntries([...findRanges(scale)].map(([code, { min, max }]) => [code, [min, max] as const]));

const digits = (value: number) => String(Math.round(value * 100) / 100);

/** The limits in words: `0–27`. */
export const describeRange = ({ min, max }: ScoreRange): string => (min === max ? digits(min) : `${digits(min)}–${digits(max)}`);
