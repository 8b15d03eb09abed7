import { shanghaiTime } from '#domain/base/calendar.ts';
import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { buildReport } from '#domain/report/report.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import type { Answers, FormResult, Scale } from '#domain/scoring/scale.ts';
import type { TrendTest } from '#domain/report/trend.ts';

/**
 * The facts of a report besides the answers and results of its exam, as they were at submission. Names change and people
 * move, but a report must still show the facts of that day years later.
 */
export type ReportBasis = Omit<ReportFacts, 'reportcode' | 'forms'> & {
  /** earlier exams of the same forms, by form code */
  previous: Readonly<Record<string, readonly TrendTest[]>>;
};

/** A questionnaire at its submission. */
export interface SubmittedForm {
  scale: Scale;
  /** absent for scores that staff entered from a paper scale */
  answers?: Answers;
  result: FormResult;
}

/** The test with its local time. Bases of the first versions have UTC times, `…T…Z`. */
const inShanghaiTime = <T extends TrendTest>(test: T): T =>
  test.submittime.endsWith('Z') ? { ...test, submittime: shanghaiTime(new Date(test.submittime)) } : test;

/** The texts that were in force at one moment for one institution, and a mark of exactly this set. */
export interface TextsInForce {
  rows: readonly Commentary[];
  version: string;
}

/** The facts of a report, from its basis and the submitted forms. */
export const factsFrom = (
  reportcode: string,
  { previous, ...basis }: ReportBasis,
  forms: readonly SubmittedForm[],
): ReportFacts => ({
  ...basis,
  reportcode,
  forms: forms.map((form) => ({ ...form, previous: (previous[form.scale.formcode] ?? []).map(inShanghaiTime) })),
});

/** Both versions of a report, from its basis, the submitted forms and the texts in force at its hand-in. */
export const reportFrom = (
  reportcode: string,
  basis: ReportBasis,
  forms: readonly SubmittedForm[],
  { rows, version }: TextsInForce,
): { staff: ReportContent; self: ReportContent } => buildReport(factsFrom(reportcode, basis, forms), rows, version);
