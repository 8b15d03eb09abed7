import { useCallback, useMemo } from 'react';
import type { RequestOf } from '#contract/action.ts';
import { openingPeriod } from '#domain/statistics/term.ts';
import { paramsFrom, requestFrom, type FilterValue } from '#ui/router/filtersInAddress.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { getAssessCount } from '#features/statistics/statistics.contract.ts';

export type Filters = RequestOf<typeof getAssessCount>;
type Opening = { today: string; terms: readonly { year: string; term: string }[] };

/** The parameter of the address that says: every period. Without it and without a period the page opens on the current term. */
const PERIOD = 'period';
/** A filter by one of these says already which period the figures cover. */
const PERIOD_FILTERS = ['year', 'term', 'begindate', 'enddate', 'taskcode', 'teamcode'] as const;

/** What another institution, grade or task makes meaningless. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  musercode: ['taskcode', 'gradecode', 'classname', 'plancode'],
  categorycode: ['taskcode', 'gradecode', 'classname', 'plancode'],
  gradecode: ['classname'],
};
const clearDependents = (change: Readonly<Record<string, FilterValue>>): Record<string, FilterValue> =>
  Object.fromEntries(Object.keys(change).flatMap((key) => (DEPENDENTS[key] ?? []).map((name) => [name, undefined])));

/**
 * The filters of a page of statistics. They live in the address. `opening` are the terms with tasks: an address without a period then
 * means the current term, the latest term with tasks, or 12 months.
 */
export function useStatisticFilters(opening: Opening | undefined) {
  const [params, setParams] = useSearchParams();
  const chosen = useMemo(() => requestFrom(getAssessCount.request, params) as Filters, [params]);
  const hasPeriod = params.get(PERIOD) === 'all' || PERIOD_FILTERS.some((key) => chosen[key]);
  const isOpen = hasPeriod || opening !== undefined;
  /** What the calls get; undefined until the page knows its period. */
  const filters = useMemo<Filters | undefined>(() => {
    if (hasPeriod || !opening) return hasPeriod ? chosen : undefined;
    return { ...chosen, ...openingPeriod(opening.today, opening.terms) };
  }, [chosen, hasPeriod, opening]);
  const set = useCallback(
    (change: Readonly<Record<string, FilterValue>>) =>
      setParams((newest) => {
        const before = requestFrom(getAssessCount.request, newest) as Record<string, FilterValue>;
        // The period that the page has opened on stays when another filter changes.
        const next = { ...(filters ?? {}), ...before, ...clearDependents(change), ...change };
        const isAll = newest.get(PERIOD) === 'all' && !PERIOD_FILTERS.some((key) => change[key]);
        const hasNone = PERIOD_FILTERS.every((key) => !next[key]);
        return paramsFrom({ ...next, [PERIOD]: isAll || hasNone ? 'all' : undefined });
      }),
    [setParams, filters],
  );
  const reset = useCallback(() => setParams({}), [setParams]);
  return { filters: isOpen ? filters : undefined, set, reset, isChanged: params.size > 0 };
}
