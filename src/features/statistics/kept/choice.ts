import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';

/** The filters that kept figures exist for: all populations or one, all plans or one, all time or a term. */
export interface Choice {
  /** '*': all */
  appid: string;
  /** '*': all */
  plancode: string;
  /** '': all time */
  year: string;
  /** '': all time */
  term: string;
}

/** Filters that only the rows answer. */
const ROWS_ONLY = ['stagecode', 'taskcode', 'teamcode', 'gradecode', 'classname', 'begindate', 'enddate'] as const;

/** The choice that answers figures about persons; undefined where only the rows do. Conditions on institutions do not matter here. */
export function toChoice(filters: StatisticFilters): Choice | undefined {
  const { appid, appids, plancode, year = '', term = '' } = filters;
  if (ROWS_ONLY.some((key) => filters[key]) || (year === '') !== (term === '')) return undefined;
  const permitted =
    appids === null ? (appid ?? '*') : appids.length === 1 && (!appid || appid === appids[0]) ? appids[0] : undefined;
  if (permitted === undefined || (plancode && permitted !== '*')) return undefined;
  return { appid: permitted, plancode: plancode ?? '*', year, term };
}

/** The choice that answers figures about sheets, whose days the kept figures know. */
export const toSheetChoice = (filters: StatisticFilters): Choice | undefined =>
  toChoice({ ...filters, begindate: undefined, enddate: undefined });
