import { handle, type Handler } from '#server/dispatch/handle.ts';
import type { CallerOf } from '#server/dispatch/caller.ts';
import * as released from '#features/bureau/released.ts';
import { findReleasedTerms } from '#features/bureau/terms.ts';
import { getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';

/** The most terms of a trend. */
const MOST_TERMS = 8;

/** The figures of 数据分析 as an authority reads them. */
const releasedFigures = [
  handle(statistics.getAssessSchoolCount, (input, ctx) => released.countSchools(ctx, input)),
  handle(statistics.getAssessCount, (input, ctx) => released.countRows(ctx, input)),
  handle(statistics.getAssessPeopleCount, (input, ctx) => released.countPeople(ctx, input)),
  handle(statistics.getAssessPeopleCompleteCount, (input, ctx) => released.countCompletion(ctx, input)),
  handle(statistics.getAssessAbnormalCount, (input, ctx) => released.countAttention(ctx, input)),
  handle(statistics.getAssessGradeCountTrend, (input, ctx) => released.countGrades(ctx, input)),
  handle(statistics.getDepressedQuotaCountRatio, (input, ctx) => released.countDomain(ctx, input, '01')),
  handle(statistics.getAnxiousQuotaCountRatio, (input, ctx) => released.countDomain(ctx, input, '02')),
  handle(statistics.getManAndWomanAbnormalCountRatio, (input, ctx) => released.countGenders(ctx, input)),
  handle(statistics.getGradeReportCountRatio, (input, ctx) => released.countGradeLevels(ctx, input)),
  handle(statistics.getStatisticTime, (input, ctx) => released.findTime(ctx, input)),
  handle(getTermTrend, (input, ctx) => findReleasedTerms(ctx, input, MOST_TERMS)),
];

/** The handlers of figures that count rows, with the release for authorities. This alone decides who reads what. */
export const withReleasedFigures = (handlers: readonly Handler[]): Handler[] =>
  handlers.map((ofRows) => {
    const ofRelease = releasedFigures.find(({ action }) => action === ofRows.action);
    if (!ofRelease) return ofRows;
    const isAuthority = ({ caller }: { caller: CallerOf['staff'] }) => caller.musertype === '003';
    return { ...ofRows, run: (input, ctx) => (isAuthority(ctx) ? ofRelease : ofRows).run(input, ctx) };
  });
