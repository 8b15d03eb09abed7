import type { Staff } from '#server/dispatch/caller.ts';
import type { StatsScope } from '#server/db/scope.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import type { Source } from '#features/statistics/cells.queries.ts';
import { toChoice, toSheetChoice } from '#features/statistics/kept/choice.ts';
import { countChosenInstitutions, findKeptTime, isFresh, joinWholeSets } from '#features/statistics/kept/kept.queries.ts';

/** From this number of institutions on, PostgreSQL joins whole sets. For fewer it finds single rows by index. */
const MANY = 20;

/** Prepares a read of rows: over many institutions PostgreSQL joins whole sets. */
export async function prepareRows(
  scope: StatsScope,
  { isLeaf }: Pick<Staff, 'isLeaf'>,
  filters: StatisticFilters,
): Promise<void> {
  if (!isLeaf && (await countChosenInstitutions(scope, filters)) >= MANY) await joinWholeSets(scope);
}

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
  if (caller.isLeaf) return rows;
  const institutions = await countChosenInstitutions(scope, filters);
  const isKept = !caller.hasDataScope && institutions > 1 && (unit === 'persons' ? toChoice(filters) : toSheetChoice(filters));
  const datatime = isKept ? await findKeptTime(scope) : null;
  if (datatime && isFresh(datatime, now)) return { source: 'kept', datatime };
  if (institutions >= MANY) await joinWholeSets(scope);
  return rows;
}
