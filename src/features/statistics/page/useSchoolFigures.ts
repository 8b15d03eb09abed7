import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import type { SchoolTerm } from '#domain/statistics/term.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { compareTerms, getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';

/** Old figures stay visible, dimmed, while the new ones load; each card shows its own error. */
const calm = { quiet: true, keepPrevious: true } as const;

/** The filters that two terms share: no period, task or team. */
export const groupOf = ({ year: _y, term: _t, taskcode: _k, teamcode: _m, begindate: _b, enddate: _e, ...group }: Filters) =>
  group;

/** Reads the figures of the page. The tiles come first; the charts are asked when the tiles are there. */
export function useSchoolFigures(filters: Filters | undefined) {
  const completion = useActionQuery(statistics.getAssessPeopleCompleteCount, filters, calm);
  const attention = useActionQuery(statistics.getAssessAbnormalCount, filters, calm);
  const rows = useActionQuery(statistics.getAssessCount, filters, calm);
  const schools = useActionQuery(statistics.getAssessSchoolCount, filters, calm);
  const hasTiles = [completion, attention, rows, schools].every(({ isFetched }) => isFetched);
  const later = hasTiles ? filters : undefined;
  return {
    completion,
    attention,
    rows,
    schools,
    time: useActionQuery(statistics.getStatisticTime, filters, calm),
    people: useActionQuery(statistics.getAssessPeopleCount, later, calm),
    grades: useActionQuery(statistics.getAssessGradeCountTrend, later, calm),
    gradeLevels: useActionQuery(statistics.getGradeReportCountRatio, later, calm),
    depressed: useActionQuery(statistics.getDepressedQuotaCountRatio, later, calm),
    anxious: useActionQuery(statistics.getAnxiousQuotaCountRatio, later, calm),
    genders: useActionQuery(statistics.getManAndWomanAbnormalCountRatio, later, calm),
    days: useActionQuery(statistics.getAssessDayCountTrend, later, calm),
    scenes: useActionQuery(statistics.getSceneCountTrend, later, calm),
    terms: useActionQuery(getTermTrend, later && groupOf(later), calm),
  };
}
export type SchoolFigures = ReturnType<typeof useSchoolFigures>;

/** Reads the comparison of the chosen term with an earlier one; nothing is asked without a term, or with a task, team or dates. */
export function useComparison(filters: Filters | undefined, before: SchoolTerm | undefined) {
  const isWhole = filters && !filters.taskcode && !filters.teamcode && !filters.begindate && !filters.enddate;
  const { year, term } = filters ?? {};
  return useActionQuery(
    compareTerms,
    isWhole && year && term && before
      ? { ...groupOf(filters), year, term, beforeyear: before.year, beforeterm: before.term }
      : undefined,
    { quiet: true },
  );
}
