import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';

/** The filters that kept figures exist for: all populations or one, all plans or one; all time, a school year or a term. */
export interface Choice {
  /** '*': all */
  appid: string;
  /** '*': all */
  plancode: string;
  /** '': all time */
  year: string;
  /** '': the whole year, or all time */
  term: string;
}

/** Filters that only the rows answer. */
const ROWS_ONLY = ['stagecode', 'taskcode', 'teamcode', 'gradecode', 'classname', 'begindate', 'enddate'] as const;

/** The choice that answers figures about persons; undefined where only the rows do. Conditions on institutions do not matter here. */
export function toChoice(filters: StatisticFilters): Choice | undefined {
  const { appid, appids, plancode, year = '', term = '' } = filters;
  if (ROWS_ONLY.some((key) => filters[key]) || (year === '' && term !== '')) return undefined;
  const permitted =
    appids === null ? (appid ?? '*') : appids.length === 1 && (!appid || appid === appids[0]) ? appids[0] : undefined;
  if (permitted === undefined || (plancode && permitted !== '*')) return undefined;
  return { appid: permitted, plancode: plancode ?? '*', year, term };
}

/** The choice that answers figures about sheets, whose days the kept figures know. */
export const toSheetChoice = (filters: StatisticFilters): Choice | undefined =>
  toChoice({ ...filters, begindate: undefined, enddate: undefined });

/** A choice to count. The rows of `sameAs`, which stands before it, are its rows too. */
export interface ChoiceToCount {
  choice: Choice;
  sameAs?: Choice;
}

const distinct = (values: readonly string[]) => [...new Set(values)].sort();

/** The choices with something to count: `used` are the populations, plans, years and terms of tasks and sheets, '' for none. */
export function toChoicesToCount(used: readonly Choice[]): ChoiceToCount[] {
  if (used.length === 0) return [];
  const years = distinct(used.map(({ year }) => year)).filter(Boolean);
  const periods = years.flatMap((year) => {
    const rows = used.filter((row) => row.year === year);
    const terms = distinct(rows.map(({ term }) => term));
    return [
      ...terms
        .filter(Boolean)
        .map((term) => ({ year, term, rows: rows.filter((row) => row.term === term), onlyTerm: undefined })),
      { year, term: '', rows, onlyTerm: terms.length === 1 && terms[0] ? terms[0] : undefined },
    ];
  });
  return [...periods, { year: '', term: '', rows: used, onlyTerm: undefined }].flatMap(({ rows, onlyTerm, ...period }) => {
    const all: Choice = { appid: '*', plancode: '*', ...period };
    const values = { appid: distinct(rows.map(({ appid }) => appid)), plancode: distinct(rows.map(({ plancode }) => plancode)) };
    const parts = (['appid', 'plancode'] as const).flatMap((key) => values[key].map((value) => ({ ...all, [key]: value })));
    return [all, ...parts].map((choice) => {
      if (onlyTerm) return { choice, sameAs: { ...choice, term: onlyTerm } };
      const isOnly =
        (choice.appid !== '*' && values.appid.length === 1) || (choice.plancode !== '*' && values.plancode.length === 1);
      return isOnly ? { choice, sameAs: all } : { choice };
    });
  });
}
