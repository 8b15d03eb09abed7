import type { Share } from '#domain/statistics/interval.ts';

/** How far a school lies from the region: within random fluctuation, outside 95 % or outside 99.8 % limits. */
export type Place = '波动内' | '偏离' | '明显偏离';

/** Limits of a funnel plot as z (Spiegelhalter 2005, doi 10.1002/sim.1970). */
const WARNING_Z = 1.96;
const ACTION_Z = 3.09;

/** The z of a school's share against the region's share. Zero when the region's share is 0 or 1. */
export function funnelZ(school: Share, regional: number): number {
  const error = Math.sqrt((regional * (1 - regional)) / school.total);
  return error === 0 ? 0 : (school.count / school.total - regional) / error;
}

/** The words for a school's place in the funnel. */
export function placeOf(school: Share, regional: number): Place {
  const distance = Math.abs(funnelZ(school, regional));
  if (distance <= WARNING_Z) return '波动内';
  return distance <= ACTION_Z ? '偏离' : '明显偏离';
}

/** The limits of the funnel for `total` persons, as fractions of 1. */
export function funnelLimits(total: number, regional: number): { warning: [number, number]; action: [number, number] } {
  const error = Math.sqrt((regional * (1 - regional)) / total);
  const between = (z: number): [number, number] => [Math.max(0, regional - z * error), Math.min(1, regional + z * error)];
  return { warning: between(WARNING_Z), action: between(ACTION_Z) };
}

/**
 * The share of a school adjusted for its grades: observed / expected × the region's share, as a fraction of 1. Expected is the sum
 * over grades of the region's share of that grade. Null when nothing is expected.
 */
export function adjustedShare(
  observed: number,
  grades: readonly { total: number; regional: number }[],
  regional: number,
): number | null {
  const expected = grades.reduce((sum, grade) => sum + grade.total * grade.regional, 0);
  return expected === 0 ? null : (observed / expected) * regional;
}
