import { shanghaiTime } from '#domain/base/calendar.ts';
import { scoreExam, type ExamResult } from '#domain/exam/exam.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { findRecommendations } from '#features/content/recommendations.ts';
import type { AnsweredForm } from '#features/respond/exam/answers.ts';
import { buildSubmission } from '#features/respond/exam/buildSubmission.ts';
import { noteAnswersTakenBack, type AnswerTakenBack } from '#features/respond/exam/changedAnswer.queries.ts';
import { findDoubt } from '#features/respond/exam/doubt.ts';
import { planRetest } from '#features/respond/exam/plannedRetest.ts';
import { findTrigger, raiseAlert, type Results } from '#features/respond/exam/raiseAlert.ts';
import * as queries from '#features/respond/exam/submission.queries.ts';
import type { OpenCaseResult } from '#features/warning/alerts/openCase.queries.ts';
import { noteRetest, type RetestResult } from '#features/warning/alerts/retest.queries.ts';

/** A complete sheet: its answers or entered scores, and what happened while they were given. */
export interface CompleteSheet {
  forms: readonly AnsweredForm[];
  /** the results of the forms, with the alerts of every version of their answers */
  results: Results;
  person: PersonFacts;
  age: number | null;
  /** seconds; null for a sheet that staff typed in */
  duration: number | null;
  submitkey: string;
  mark: queries.AlertMark;
  takenBack: readonly AnswerTakenBack[];
  /** see `hasFreshAlert` */
  isFresh: boolean;
}

/** The alerts of a sitting, for the mark that its exam keeps. */
export const markOf = (results: Results, takenBack: readonly AnswerTakenBack[]): queries.AlertMark => ({
  alertlevel: Math.max(0, ...Object.values(results).map(({ result }) => result.alertlevel)),
  isChanged: takenBack.length > 0,
});

export interface HandedIn {
  reportcode: string;
  submission: queries.Submission;
  result: ExamResult;
  /** the case that the sheet opened or joined */
  opened: OpenCaseResult | null;
}

/**
 * Hands in a complete sheet of a respondent, or one that staff typed in: scores, case, results, report, roster and count, in the caller's
 * transaction. `testtime` is when the person was tested; clocks of a case begin now. Returns undefined when the authorization was
 * withdrawn meanwhile.
 */
export async function handIn(
  scope: Scope,
  exam: queries.LoadedExam,
  { forms, results, person, age, duration, submitkey, mark, takenBack, isFresh }: CompleteSheet,
  { now, testtime }: { now: Date; testtime: Date },
): Promise<HandedIn | undefined> {
  const result = scoreExam(forms, person, duration);
  const review = await findDoubt(scope, exam, result, now);
  const submission = buildSubmission(exam, forms, result, { submitkey, mark, review, duration, age, now: testtime });
  submission.report.basis.generatedat = shanghaiTime(now);
  // The case comes first. The submission locks the row of the institution's counts, and the other students wait for this row.
  const trigger = findTrigger(exam, results, person, testtime, 'exam', result.valid);
  const opened = await raiseAlert(scope, exam, trigger, now, isFresh);
  if (exam.opencase) await noteRetest(scope, retestOf(exam, result, now));
  await noteAnswersTakenBack(scope, exam, takenBack, now);
  const sheet = { isValid: result.valid, ...submission.exam, caselevel: opened && Number(opened.level) };
  submission.report.basis.contents = await findRecommendations(scope, exam, { ...sheet, hasalert: sheet.hasalert === 1 }, now);
  const reportcode = await queries.submitExam(scope, exam.examcode, submission, now);
  if (reportcode === undefined) return undefined;
  await planRetest(scope, exam, result, testtime);
  return { reportcode, submission, result, opened };
}

/** The line that a submission adds to the person's open case. */
function retestOf({ cuserid, examcode }: queries.LoadedExam, result: ExamResult, time: Date): RetestResult {
  const texts = result.forms.map(({ scale, result: { scores, labels } }) =>
    [scale.formcode.replace(/^([A-Z]{3,})(\d+)$/, '$1-$2'), scores['total'] != null && `${scores['total']} 分`, labels['total']]
      .filter(Boolean)
      .join(' '),
  );
  return { cuserid, examcode, valid: result.valid, words: texts.join('，'), itempositive: result.hasalert, time };
}
