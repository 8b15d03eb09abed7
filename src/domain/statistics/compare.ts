import {
  newcombeInterval,
  pairedInterval,
  shareOf,
  type Interval,
  type PairedCounts,
  type Share,
} from '#domain/statistics/interval.ts';
import { exactSignP, twoSidedP } from '#domain/statistics/normal.ts';

/** Comparing two screenings of one group (design/supplement-people-statistics.md section 10). */

/** Fewer valid results than this on either side are not compared. */
export const SMALLEST_TO_COMPARE = 30;
/** From this p value on a difference counts as random fluctuation. */
const SIGNIFICANCE = 0.05;
/** McNemar's test is exact below this number of persons whose result changed. */
const SMALLEST_FOR_CHI_SQUARE = 25;

/** The persons who took part both times, by their two results. */
export type Pairs = PairedCounts;

/** What makes two screenings comparable. */
export interface Screening extends Share {
  plancode: string;
  /** the forms with their versions, in a fixed order */
  forms: string;
  /** the institution's threshold of 需关注 */
  cutoff: number;
}

export type Test = 'z' | 'mcnemar' | 'exact';
export type Comparison =
  | { comparable: false; reason: string }
  | {
      comparable: true;
      /** the share of the second minus the share of the first, as a fraction of 1; of the pairs where these are tested */
      difference: number;
      interval: Interval;
      test: Test;
      /** the persons with both results are compared, not all persons of each screening */
      ispaired: boolean;
      /** z of the two-proportion test, χ² of McNemar's test; null for the exact test */
      statistic: number | null;
      p: number;
      isnoise: boolean;
      words: string;
    };

/** The z of two independent shares with the pooled share, and its two-sided p value. */
export function twoProportionTest(from: Share, to: Share): { z: number; p: number } {
  const pooled = (from.count + to.count) / (from.total + to.total);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / from.total + 1 / to.total));
  const z = error === 0 ? 0 : (shareOf(to) - shareOf(from)) / error;
  return { z, p: twoSidedP(z) };
}

/** McNemar's test of pairs: exact below 25 changed persons, else χ² with the continuity correction (Edwards 1948). */
export function mcnemarTest({ onlyfirst, onlysecond }: Pick<Pairs, 'onlyfirst' | 'onlysecond'>): {
  chisquare: number | null;
  p: number;
} {
  const changed = onlyfirst + onlysecond;
  if (changed < SMALLEST_FOR_CHI_SQUARE) return { chisquare: null, p: exactSignP(onlyfirst, changed) };
  const chisquare = Math.max(0, Math.abs(onlyfirst - onlysecond) - 1) ** 2 / changed;
  return { chisquare, p: twoSidedP(Math.sqrt(chisquare)) };
}

interface Tested {
  test: Test;
  statistic: number | null;
  p: number;
}

function testPairs(pairs: Pairs): Tested {
  const { chisquare, p } = mcnemarTest(pairs);
  return { test: chisquare === null ? 'exact' : 'mcnemar', statistic: chisquare, p };
}

function testShares(from: Share, to: Share): Tested {
  const { z, p } = twoProportionTest(from, to);
  return { test: 'z', statistic: z, p };
}

/** Why two screenings may not be compared; '' when they may. */
function incomparability(from: Screening, to: Screening): string {
  if (from.plancode !== to.plancode || from.forms !== to.forms) return '两次使用的方案或量表不同';
  if (from.cutoff !== to.cutoff) return '两次的需关注标准不同';
  if (Math.min(from.total, to.total) < SMALLEST_TO_COMPARE) return `有效人数不足 ${SMALLEST_TO_COMPARE} 人`;
  return '';
}

/**
 * Compares the share of persons who need attention. When half of the persons or more took part both times, their pairs are tested;
 * else the two shares. Difference and interval (Newcombe's) are of the same persons as the test.
 */
export function compareScreenings(from: Screening, to: Screening, pairs: Pairs): Comparison {
  const reason = incomparability(from, to);
  if (reason) return { comparable: false, reason };
  const isPaired = pairs.both * 2 >= Math.max(from.total, to.total);
  const interval = isPaired ? pairedInterval(pairs) : newcombeInterval(from, to);
  const difference = isPaired ? (pairs.onlysecond - pairs.onlyfirst) / pairs.both : shareOf(to) - shareOf(from);
  const { test, statistic, p } = isPaired ? testPairs(pairs) : testShares(from, to);
  const isnoise = p >= SIGNIFICANCE;
  return {
    comparable: true,
    difference,
    interval,
    test,
    ispaired: isPaired,
    statistic,
    p,
    isnoise,
    words: isnoise ? '差异在随机波动范围内' : '变化有统计学差异',
  };
}
