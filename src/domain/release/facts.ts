/** A fact about counts: the sum of the terms is at least `min`, or equals it. */
export interface Fact {
  terms: readonly Term[];
  min: number;
  isEqual?: boolean;
}
export type Term = readonly [key: string, factor: number];

/** A count that a reader can compute, such as 有效 − 需关注. */
export type Sum = readonly Term[];

/** The whole numbers between which a count must lie. Without a limit `max` is Infinity. */
export interface Bounds {
  min: number;
  max: number;
}

/** A reader who knows the facts and the visible counts: finds the bounds of a sum of counts. Every count is 0 or more. */
export type Reader = (sum: Sum) => Bounds;
/** Makes a reader; `count` tells the visible counts. */
export type MakeReader = (facts: readonly Fact[], hidden: ReadonlySet<string>, count: (key: string) => number) => Reader;

/** Whether bounds tell of single persons: exactly one value, or 1 to 4. */
export const isIsolated = ({ min, max }: Bounds): boolean => min === max || isFewForSure({ min, max });
/** Whether a count is certainly one of 1 to 4. */
export const isFewForSure = ({ min, max }: Bounds): boolean => min >= 1 && max <= 4;
