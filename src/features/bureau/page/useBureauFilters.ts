import { useCallback, useMemo } from 'react';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { paramsFrom, requestFrom, type FilterValue } from '#ui/router/filtersInAddress.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { getSchoolComparison, type getReleaseOptions } from '#features/bureau/bureau.contract.ts';

export type BureauFilters = Omit<RequestOf<typeof getSchoolComparison>, 'orderby' | 'isasc'>;
export type Options = ResponseOf<typeof getReleaseOptions>;

/** Another population has other terms and schools; another district has other schools. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  appid: ['year', 'term', 'districtcode', 'musercode'],
  districtcode: ['musercode'],
};

/** The filters of the authority's page. They live in the address. Without a term the page opens on the newest. */
export function useBureauFilters(options: Options | undefined) {
  const [params, setParams] = useSearchParams();
  const chosen = useMemo(() => requestFrom(getSchoolComparison.request, params) as BureauFilters, [params]);
  const filters = useMemo<BureauFilters | undefined>(() => {
    if (!options) return undefined;
    const [newest] = options.periods;
    const { appid, districtcode, musercode } = chosen;
    const period =
      chosen.year && chosen.term ? { year: chosen.year, term: chosen.term } : newest && { year: newest.year, term: newest.term };
    return {
      appid: appid ?? options.appid,
      ...period,
      ...(districtcode && { districtcode }),
      ...(musercode && { musercode }),
    };
  }, [chosen, options]);
  const set = useCallback(
    (change: Readonly<Record<string, FilterValue>>) =>
      setParams((newest) => {
        const before = requestFrom(getSchoolComparison.request, newest) as Record<string, FilterValue>;
        const cleared = Object.keys(change).flatMap((key) => (DEPENDENTS[key] ?? []).map((name) => [name, undefined] as const));
        return paramsFrom({ ...before, ...Object.fromEntries(cleared), ...change });
      }),
    [setParams],
  );
  const reset = useCallback(() => setParams({}), [setParams]);
  return { filters, set, reset, isChanged: params.size > 0 };
}

/** The path of the page with these filters. */
export const bureauPath = (filters: BureauFilters): string => `/statistics/statistics?${paramsFrom({ ...filters }).toString()}`;
