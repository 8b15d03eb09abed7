import type { Staff } from '#server/dispatch/caller.ts';
import { permittedPopulations } from '#server/security/population.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';

/**
 * Returns the filters with what the caller may count: the populations that it sees and, for staff of an institution without others below
 * it, that institution, so that PostgreSQL finds its rows by index.
 */
export const toCallerFilters = <Input extends Omit<StatisticFilters, 'appids'>>(
  caller: Staff,
  input: Input,
): Input & Pick<StatisticFilters, 'musercode' | 'appids'> => ({
  ...input,
  musercode: input.musercode ?? (caller.isLeaf ? caller.musercode : undefined),
  appids: permittedPopulations(caller, input.appid),
});
