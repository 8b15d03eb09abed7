import type { Pairs, Screening } from '#domain/statistics/compare.ts';
import { cutoffOf } from '#domain/statistics/cutoff.ts';
import type { StatsScope } from '#server/db/scope.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { countPairs, countTerm, type TermCounts } from '#features/statistics/compare/compare.queries.ts';

const toScreening = (counts: TermCounts): Screening => ({
  count: counts.abnormal,
  total: counts.complete,
  plancode: counts.plans,
  forms: counts.forms,
  cutoff: cutoffOf(counts),
});

/** Two screenings as the page 数据分析 and group reports compare them, with the persons who took part in both. */
export async function readScreenings(scope: StatsScope, before: StatisticFilters, now: StatisticFilters) {
  const [earlier, later] = [await countTerm(scope, before), await countTerm(scope, now)];
  const { both, always, onlybefore, onlynow } = await countPairs(scope, before, now);
  const pairs: Pairs = { both, always, onlyfirst: onlybefore, onlysecond: onlynow };
  return { earlier, later, from: toScreening(earlier), to: toScreening(later), pairs };
}
