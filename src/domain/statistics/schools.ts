import { adjustedShare, placeOf, type Place } from '#domain/statistics/funnel.ts';
import { shareOf, wilsonInterval, type Share } from '#domain/statistics/interval.ts';

/**
 * The figures of schools beside each other (design/supplement-people-statistics.md section 10). They come from released counts only;
 * a hidden count is null, and so is every figure that needs it.
 */

/** Below this number of valid results a school is not placed: one person more or less would move it. Our own rule. */
export const SMALLEST_TO_PLACE = 10;

type Count = number | null;

/** Released counts of a school or a region. */
export interface ReleasedCounts {
  /** 有效 */
  valid: Count;
  /** 需关注 */
  abnormal: Count;
  /** cases opened in the period, those without an overdue duty, and those closed */
  opened: Count;
  settled: Count;
  closed: Count;
}
/** The same by grade. */
export interface GradeCounts {
  gradecode: string;
  valid: Count;
  abnormal: Count;
}

/** The figures of a school or a region, in percent. */
export interface CareFigures {
  abnormalrate: Count;
  /** Wilson's 95 % interval */
  low: Count;
  high: Count;
  /** 结案率 = closed / opened */
  closerate: Count;
  /** 闭环率 = closed or open without an overdue duty / opened */
  looprate: Count;
}

/** A fraction of 1 in percent, to one decimal. */
const inPercent = (fraction: number): number => Math.round(fraction * 1000) / 10;

/** A share of visible counts; undefined when one is hidden or nobody is counted. */
const visibleShare = (count: Count, total: Count): Share | undefined =>
  count === null || total === null || total === 0 ? undefined : { count, total };
const rateOf = (count: Count, total: Count): Count => {
  const share = visibleShare(count, total);
  return share ? inPercent(shareOf(share)) : null;
};

/** The shares of a school or a region. */
export function careFiguresOf({ valid, abnormal, opened, settled, closed }: ReleasedCounts): CareFigures {
  const share = visibleShare(abnormal, valid);
  const interval = share && wilsonInterval(share);
  return {
    abnormalrate: share ? inPercent(shareOf(share)) : null,
    low: interval ? inPercent(interval.low) : null,
    high: interval ? inPercent(interval.high) : null,
    closerate: rateOf(closed, opened),
    looprate: rateOf(settled, opened),
  };
}

/** The place of a school in the funnel around the region's share; null when a count is hidden or the school is too small. */
export function placeOfSchool(school: ReleasedCounts, region: ReleasedCounts): Place | null {
  const [share, regional] = [visibleShare(school.abnormal, school.valid), visibleShare(region.abnormal, region.valid)];
  if (!share || !regional || share.total < SMALLEST_TO_PLACE) return null;
  return placeOf(share, shareOf(regional));
}

/**
 * The share of a school adjusted for its grades (O/E · p₀), in whole percent. Null when the region's share of one of its grades is
 * hidden, or how many persons of a grade have a valid result.
 */
export function adjustedRateOf(
  school: ReleasedCounts,
  grades: readonly GradeCounts[],
  region: ReleasedCounts,
  regionGrades: readonly GradeCounts[],
): Count {
  const [share, regional] = [visibleShare(school.abnormal, school.valid), visibleShare(region.abnormal, region.valid)];
  if (!share || !regional || share.total < SMALLEST_TO_PLACE) return null;
  const parts: { total: number; regional: number }[] = [];
  for (const { gradecode, valid } of grades) {
    if (valid === 0) continue;
    const whole = regionGrades.find((grade) => grade.gradecode === gradecode);
    const gradeShare = whole && visibleShare(whole.abnormal, whole.valid);
    if (valid === null || !gradeShare) return null;
    parts.push({ total: valid, regional: shareOf(gradeShare) });
  }
  const adjusted = adjustedShare(share.count, parts, shareOf(regional));
  return adjusted === null ? null : Math.round(adjusted * 100);
}

/** The order of two schools by a figure; a school without the figure comes last. */
export function compareFigures(a: Count, b: Count, isAscending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return isAscending ? a - b : b - a;
}
