import { ageOn } from '#domain/base/calendar.ts';
import { scoreExam, unansweredItems, type ExamResult } from '#domain/exam/exam.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { applyAnswers, assertOffered, canRaiseAlert, isStored } from '#features/respond/exam/answers.ts';
import { buildSubmission, personFacts } from '#features/respond/exam/buildSubmission.ts';
import { raiseAlert, resultsByForm, scoreForms, findTrigger } from '#features/respond/exam/raiseAlert.ts';
import { findSupportText } from '#features/respond/entry/support.ts';
import * as contract from '#features/respond/respond.contract.ts';
import * as queries from '#features/respond/exam/submission.queries.ts';
import { noteRetest, type RetestResult } from '#features/warning/alerts/retest.queries.ts';

/** Answering and submitting. An answer and the alert it raises are stored in one transaction. */

/** The facts about the person at a time, with the age in years. */
function personAt(exam: queries.LoadedExam, now: Date) {
  const age = exam.birthday ? ageOn(exam.birthday, now) : null;
  return { age, person: personFacts(exam, age) };
}

const saveAnswer = handle(contract.saveAnswer, async ({ examcode, answers }, { scope, now }) => {
  const exam = await queries.loadExam(scope, examcode);
  if (!exam) throw problems.notFound({ what: '作答记录' });
  if (exam.status !== 1) throw problems.alreadySubmitted();
  const scaledForms = await withScales(scope, exam.forms);
  assertOffered(scaledForms, answers);
  const { person } = personAt(exam, now);
  const forms = scaledForms
    .filter(({ examformid }) => answers.some((answer) => answer.examformid === examformid))
    .map((form) => applyAnswers(form, answers));
  await queries.saveAnswers(scope, examcode, forms, now);
  const alertForms = forms.filter((form) => canRaiseAlert(form, answers));
  await raiseAlert(scope, exam, findTrigger(exam, scoreForms(alertForms, person), person, now, 'items'), now);
  return { saved: answers.length };
});

/** The support card of a person; its words are in domain/exam/support.ts. */
const supportFor = async (
  scope: Scope,
  exam: Pick<queries.LoadedExam, 'cuserid' | 'musercode' | 'hotline' | 'hasalert' | 'overalllevel' | 'sector'>,
  now: Date,
) => ({
  show: exam.hasalert === 1 || (exam.overalllevel ?? 0) >= 3,
  hotline: exam.hotline ?? '12356',
  text: await findSupportText(scope, exam, 'card', now),
});

/** The response to a submission that is stored. A report that waits for the guardian is not shown. */
async function submitResponse(scope: Scope, exam: queries.LoadedExam, now: Date) {
  const report = await queries.findReportOfExam(scope, exam.examcode);
  const showreport = report?.isshow === 1;
  const support = await supportFor(scope, exam, now);
  return { missing: [], done: true, showreport, reportcode: showreport ? report.reportcode : null, support };
}

const submitExam = handle(contract.submitExam, async ({ examcode, submitkey, answers }, { scope, now }) => {
  const exam = await queries.loadExam(scope, examcode);
  if (!exam) throw problems.notFound({ what: '作答记录' });
  if (exam.status === 2) {
    // A repeat after a double tap or a lost response gets the same response; another submission is refused.
    if (exam.submitkey !== submitkey) throw problems.alreadySubmitted();
    if (answers.some((answer) => !isStored(exam.forms, answer))) throw problems.otherAnswersSent();
    return submitResponse(scope, exam, now);
  }
  if (exam.status !== 1) throw problems.alreadySubmitted();
  const scaledForms = await withScales(scope, exam.forms);
  assertOffered(scaledForms, answers);
  const { age, person } = personAt(exam, now);
  const forms = scaledForms.map((form) => applyAnswers(form, answers));
  const missing = unansweredItems(forms, person);
  if (missing.length > 0) {
    if (answers.length > 0) await queries.saveAnswers(scope, examcode, forms, now);
    const alertForms = forms.filter((form) => form.scale.alerts?.length);
    await raiseAlert(scope, exam, findTrigger(exam, scoreForms(alertForms, person), person, now, 'items'), now);
    return {
      missing,
      done: false,
      showreport: false,
      reportcode: null,
      support: { ...(await supportFor(scope, exam, now)), show: false },
    };
  }
  const duration = Math.max(0, Math.round((now.getTime() - exam.starttime.getTime()) / 1000));
  const result = scoreExam(forms, person, duration);
  const submission = buildSubmission(exam, forms, result, { submitkey, duration, age, now });
  // The case comes first. The submission locks the row of the institution's counts, and the other students wait for this row.
  await raiseAlert(scope, exam, findTrigger(exam, resultsByForm(result.forms), person, now, 'exam', result.valid), now);
  if (exam.opencase) await noteRetest(scope, retestOf(exam, result, now));
  const reportcode = await queries.submitExam(scope, examcode, submission, now);
  if (reportcode === undefined) throw problems.outsideWindow({ why: '本次测评已结束，不能再交卷' });
  const { overalllevel, hasalert } = submission.exam;
  return submitResponse(scope, { ...exam, overalllevel, hasalert }, now);
});

/** The line that a submission adds to the person's open case. */
function retestOf({ cuserid, examcode }: queries.LoadedExam, result: ExamResult, time: Date): RetestResult {
  const texts = result.forms.map(({ scale, result: { scores, labels } }) =>
    [scale.formcode.replace(/^([A-Z]{3,})(\d+)$/, '$1-$2'), scores['total'] != null && `${scores['total']} 分`, labels['total']]
      .filter(Boolean)
      .join(' '),
  );
  return { cuserid, examcode, valid: result.valid, words: texts.join('，'), itempositive: result.hasalert, time };
}

export const answerHandlers = [saveAnswer, submitExam];
