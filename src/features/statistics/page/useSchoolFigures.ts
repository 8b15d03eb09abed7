import type { z } from 'zod';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import type { Action, RequestOf } from '#contract/action.ts';
import type { SchoolTerm } from '#domain/statistics/term.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { compareTerms, getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';

/** Old figures stay visible, dimmed, while the new ones load; each card shows its own error. */
const calm = { quiet: true, keepPrevious: true } as const;

/** The filters that two terms share: no period, task or team. */
export const groupOf = ({ year: _y, term: _t, taskcode: _k, teamcode: _m, begindate: _b, enddate: _e, ...group }: Filters) =>
  group;

/** Reads figures of the institution's own rows. */
function useOwnFigures<A extends Action<z.ZodType, z.ZodType<object>>>(action: A, filters: RequestOf<A> | undefined) {
  const read = useActionQuery(action, filters, calm);
  return { ...read, data: read.data && statistics.toOwnFigures(read.data) };
}

/** Reads the figures of the page. The tiles come first; the charts are asked when the tiles are there. */
export function useSchoolFigures(filters: Filters | undefined) {
  const completion = useOwnFigures(statistics.getAssessPeopleCompleteCount, filters);
  const attention = useOwnFigures(statistics.getAssessAbnormalCount, filters);
  const rows = useOwnFigures(statistics.getAssessCount, filters);
  const schools = useActionQuery(statistics.getAssessSchoolCount, filters, calm);
  const hasTiles = [completion, attention, rows, schools].every(({ isFetched }) => isFetched);
  const later = hasTiles ? filters : undefined;
  return {
    completion,
    attention,
    rows,
    schools,
    time: useActionQuery(statistics.getStatisticTime, filters, calm),
    people: useOwnFigures(statistics.getAssessPeopleCount, later),
    grades: useOwnFigures(statistics.getAssessGradeCountTrend, later),
    gradeLevels: useOwnFigures(statistics.getGradeReportCountRatio, later),
    depressed: useOwnFigures(statistics.getDepressedQuotaCountRatio, later),
    anxious: useOwnFigures(statistics.getAnxiousQuotaCountRatio, later),
    genders: useOwnFigures(statistics.getManAndWomanAbnormalCountRatio, later),
    days: useActionQuery(statistics.getAssessDayCountTrend, later, calm),
    scenes: useActionQuery(statistics.getSceneCountTrend, later, calm),
    terms: useOwnFigures(getTermTrend, later && groupOf(later)),
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
