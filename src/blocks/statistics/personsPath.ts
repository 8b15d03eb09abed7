import type { CodeOf } from '#domain/base/enum.ts';
import { can, isHiddenField } from '#ui/api/session.ts';
import { paramsFrom, type FilterValue } from '#ui/router/filtersInAddress.ts';
import {
  getStatisticPersonPageList,
  NO_PLACE,
  resultMeasures,
  type Measure,
} from '#features/statistics/persons/persons.contract.ts';
import { getStatisticSheetPageList } from '#features/statistics/sheets/sheets.contract.ts';

/** The persons that a figure counts: a measure, its level, and the group in a figure by gender, grade or class. */
export interface CountedPersons {
  measure: CodeOf<typeof Measure>;
  value?: number;
  ofgender?: '00' | '01' | '02';
  /** '' for persons without a grade */
  ofgrade?: string;
  ofclass?: string;
}

/** Returns the path of the list behind a figure with these filters; undefined when the account may not see the list. */
export function personsPath(
  filters: Readonly<Record<string, FilterValue>>,
  { ofgrade, ofclass, ...counted }: CountedPersons,
): string | undefined {
  if (!can(getStatisticPersonPageList)) return undefined;
  if (resultMeasures.includes(counted.measure) && isHiddenField(getStatisticPersonPageList, 'overalllevel')) return undefined;
  const place = {
    ...(ofgrade === undefined ? {} : { ofgrade: ofgrade || NO_PLACE }),
    ...(ofclass === undefined ? {} : { ofclass: ofclass || NO_PLACE }),
  };
  return `/statistics/persons?${paramsFrom({ ...filters, ...counted, ...place }).toString()}`;
}

/** The sheets that a figure in 人次 counts, beyond its filters. */
export interface CountedSheets {
  scenecode?: string;
  /** 2025-09 */
  month?: string;
  isabnormal?: 1;
}

/** Returns the path of the list of sheets behind a figure with these filters; undefined when the account may not see the list. */
export function sheetsPath(filters: Readonly<Record<string, FilterValue>>, counted: CountedSheets = {}): string | undefined {
  if (!can(getStatisticSheetPageList)) return undefined;
  if (counted.isabnormal && isHiddenField(getStatisticSheetPageList, 'isabnormal')) return undefined;
  return `/statistics/sheets?${paramsFrom({ ...filters, ...counted }).toString()}`;
}
