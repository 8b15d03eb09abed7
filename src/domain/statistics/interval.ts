/** z of a two-sided 95 % interval. */
const Z95 = 1.96;

/** A share with its 95 % interval, all as fractions of 1. */
export interface Interval {
  low: number;
  high: number;
}

/** `count` persons of `total`. */
export interface Share {
  count: number;
  total: number;
}

/** The share as a fraction of 1. The total is above 0. */
export const shareOf = ({ count, total }: Share): number => count / total;

/** From this number of persons a report prints the interval of a share (design/reports.md 5.3). */
export const SMALLEST_FOR_INTERVAL = 30;

/** Wilson's score interval of a share, 95 % (Wilson 1927). The total is above 0. */
export function wilsonInterval({ count, total }: Share): Interval {
  const p = count / total;
  const square = Z95 * Z95;
  const divisor = 1 + square / total;
  const centre = (p + square / (2 * total)) / divisor;
  const half = (Z95 * Math.sqrt((p * (1 - p)) / total + square / (4 * total * total))) / divisor;
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * The 95 % interval of the difference `to` − `from` of two independent shares: Newcombe 1998, method 10,
 * doi 10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
 */
export function newcombeInterval(from: Share, to: Share): Interval {
  const [before, after] = [wilsonInterval(from), wilsonInterval(to)];
  const [p, q] = [shareOf(from), shareOf(to)];
  const difference = q - p;
  return {
    low: difference - Math.hypot(q - after.low, before.high - p),
    high: difference + Math.hypot(after.high - q, p - before.low),
  };
}

/** Persons with a result both times. */
export interface PairedCounts {
  /** needed attention both times */
  always: number;
  /** needed attention the first time only */
  onlyfirst: number;
  /** needed attention the second time only */
  onlysecond: number;
  /** all persons with a valid result both times, above 0 */
  both: number;
}

/**
 * The 95 % interval of the difference of two shares of the same persons, the second minus the first: Newcombe 1998, method 10 for paired
 * data, Stat Med 17:2635, doi 10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C. It joins the Wilson intervals of both
 * shares by their correlation, which is corrected for continuity when it is positive.
 */
export function pairedInterval({ always, onlyfirst, onlysecond, both }: PairedCounts): Interval {
  const never = both - always - onlyfirst - onlysecond;
  const [first, second] = [always + onlyfirst, always + onlysecond];
  const [from, to] = [wilsonInterval({ count: first, total: both }), wilsonInterval({ count: second, total: both })];
  const [p, q] = [first / both, second / both];
  const product = first * (both - first) * second * (both - second);
  const covariance = always * never - onlyfirst * onlysecond;
  const corrected = covariance > 0 ? Math.max(0, covariance - both / 2) : covariance;
  const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
  const join = (a: number, b: number) => Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b));
  return { low: q - p - join(q - to.low, from.high - p), high: q - p + join(to.high - q, p - from.low) };
}
