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
