import { useActionQuery } from '#ui/api/useAction.ts';
import { getSchoolComparison } from '#features/bureau/bureau.contract.ts';
import type { BureauFilters } from '#features/bureau/page/useBureauFilters.ts';
import { getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';

/** Old figures stay visible, dimmed, while the new ones load; each card shows its own error. */
const calm = { quiet: true, keepPrevious: true } as const;

export type Order = Pick<Parameters<typeof useActionQuery<typeof getSchoolComparison>>[1] & object, 'orderby' | 'isasc'>;

/** Reads the figures of the authority's page. Results are asked after the first answer says that they are released. */
export function useBureauFigures(filters: BureauFilters | undefined, order: Order) {
  const schools = useActionQuery(getSchoolComparison, filters && { ...filters, ...order }, calm);
  const completion = useActionQuery(statistics.getAssessPeopleCompleteCount, filters, calm);
  const attention = useActionQuery(statistics.getAssessAbnormalCount, filters, calm);
  const isReleased = schools.data !== undefined && (schools.data.datatime !== '' || attention.data?.valid != null);
  const later = schools.data ? filters : undefined;
  const released = isReleased ? later : undefined;
  const { year: _year, term: _term, ...place } = filters ?? {};
  return {
    schools,
    completion,
    attention,
    isReleased,
    grades: useActionQuery(statistics.getAssessGradeCountTrend, later, calm),
    depressed: useActionQuery(statistics.getDepressedQuotaCountRatio, released, calm),
    anxious: useActionQuery(statistics.getAnxiousQuotaCountRatio, released, calm),
    genders: useActionQuery(statistics.getManAndWomanAbnormalCountRatio, released, calm),
    terms: useActionQuery(getTermTrend, later && place, calm),
  };
}
export type BureauFigures = ReturnType<typeof useBureauFigures>;
