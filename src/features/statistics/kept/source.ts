import type { Staff } from '#server/dispatch/caller.ts';
import type { StatsScope } from '#server/db/scope.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import type { Source } from '#features/statistics/cells.queries.ts';
import { toChoice, toSheetChoice } from '#features/statistics/kept/choice.ts';
import { countChosenInstitutions, findKeptTime, isFresh } from '#features/statistics/kept/kept.queries.ts';

/**
 * Where a figure counts. Kept figures answer callers with several institutions who see every person, for filters that there is a
 * choice for. `datatime`: up to when the source is complete.
 */
export async function chooseSource(
  scope: StatsScope,
  caller: Pick<Staff, 'isLeaf' | 'hasDataScope'>,
  filters: StatisticFilters,
  unit: 'persons' | 'sheets',
  now: Date,
): Promise<{ source: Source; datatime: Date }> {
  const rows = { source: 'rows', datatime: now } as const;
  if (caller.isLeaf || caller.hasDataScope) return rows;
  if (!(unit === 'persons' ? toChoice(filters) : toSheetChoice(filters))) return rows;
  const datatime = await findKeptTime(scope);
  if (!datatime || !isFresh(datatime, now)) return rows;
  return (await countChosenInstitutions(scope, filters)) > 1 ? { source: 'kept', datatime } : rows;
}
