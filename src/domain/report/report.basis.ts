import { buildReport } from '#domain/report/report.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import type { Answers, FormResult, Scale } from '#domain/scoring/scale.ts';
import type { TrendTest } from '#domain/report/trend.ts';

/**
 * What a report says besides the answers and results of its sitting, kept as it was at hand-in: names change, people move, and a
 * report read years later still says what was true that day.
 */
export type ReportBasis = Omit<ReportFacts, 'reportcode' | 'forms'> & {
  /** earlier sittings of the same forms, by form code */
  previous: Readonly<Record<string, readonly TrendTest[]>>;
};

/** A questionnaire as it was handed in. */
export interface SubmittedForm {
  scale: Scale;
  answers: Answers;
  result: FormResult;
}

/** Both versions of a report, from its basis and the sheets as they were handed in. */
export const reportFrom = (
  reportcode: string,
  { previous, ...basis }: ReportBasis,
  forms: readonly SubmittedForm[],
): { staff: ReportContent; self: ReportContent } =>
  buildReport({
    ...basis,
    reportcode,
    forms: forms.map((form) => ({ ...form, previous: previous[form.scale.formcode] ?? [] })),
  });
