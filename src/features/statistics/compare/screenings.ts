import type { Pairs, Screening } from '#domain/statistics/compare.ts';
import { cutoffOf } from '#domain/statistics/cutoff.ts';
import type { StatsScope } from '#server/db/scope.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { countTwoTerms, type TermCounts } from '#features/statistics/compare/compare.queries.ts';

const toScreening = (counts: TermCounts, threshold: number): Screening => ({
  count: counts.abnormal,
  total: counts.complete,
  plancode: counts.plans,
  forms: counts.forms,
  cutoff: cutoffOf({ ...counts, threshold }),
});

/** Two screenings as the page 数据分析 and group reports compare them, with the persons who took part in both. */
export async function readScreenings(scope: StatsScope, before: StatisticFilters, now: StatisticFilters) {
  const { before: earlier, now: later, pairs, threshold } = await countTwoTerms(scope, before, now);
  const { both, always, onlybefore, onlynow } = pairs;
  return {
    ...{ earlier, later },
    ...{ from: toScreening(earlier, threshold), to: toScreening(later, threshold) },
    pairs: { both, always, onlyfirst: onlybefore, onlysecond: onlynow } satisfies Pairs,
  };
}
