import { scoreExam, unansweredItems, type ExamResult } from '#domain/exam/exam.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { applyAnswers, assertOffered, canRaiseAlert, isStored } from '#features/respond/exam/answers.ts';
import { buildSubmission } from '#features/respond/exam/buildSubmission.ts';
import {
  findAnswersTakenBack,
  noteAnswersTakenBack,
  type AnswerTakenBack,
} from '#features/respond/exam/changedAnswer.queries.ts';
import { findDoubt } from '#features/respond/exam/doubt.ts';
import { takeLateAnswers } from '#features/respond/exam/lateAnswers.ts';
import { addNextForms } from '#features/respond/exam/nextForms.ts';
import { findTrigger, hasFreshAlert, raiseAlert, scoreForms, type Results } from '#features/respond/exam/raiseAlert.ts';
import { planRetest } from '#features/respond/exam/plannedRetest.ts';
import { personAt, supportFor, toSheet } from '#features/respond/exam/sitting.ts';
import * as contract from '#features/respond/respond.contract.ts';
import * as queries from '#features/respond/exam/submission.queries.ts';
import { noteRetest, type RetestResult } from '#features/warning/alerts/retest.queries.ts';

/** Answering and submitting. An answer and the alert it raises are stored in one transaction. */

const saveAnswer = handle(contract.saveAnswer, async ({ examcode, device, answers }, { scope, now }) => {
  const exam = await queries.loadExam(scope, examcode, now);
  if (!exam) throw problems.notFound({ what: '作答记录' });
  const scaledForms = await withScales(scope, exam.forms);
  assertOffered(scaledForms, answers);
  if (exam.status !== 1 || exam.islate) return takeLateAnswers(scope, exam, scaledForms, answers, now);
  const { person } = personAt(exam, now);
  const forms = scaledForms
    .filter(({ examformid }) => answers.some((answer) => answer.examformid === examformid))
    .map((form) => applyAnswers(form, answers, device));
  const results = scoreForms(
    forms.filter((form) => canRaiseAlert(form, answers)),
    person,
  );
  const takenBack = findAnswersTakenBack(forms, person);
  await queries.saveAnswers(scope, examcode, forms, markOf(results, takenBack), now);
  await raiseAlert(scope, exam, findTrigger(exam, results, person, now, 'items'), now, hasFreshAlert(scaledForms, forms, person));
  await noteAnswersTakenBack(scope, exam, takenBack, now);
  return { saved: answers.length };
});

const markOf = (results: Results, takenBack: readonly AnswerTakenBack[]): queries.AlertMark => ({
  alertlevel: Math.max(0, ...Object.values(results).map(({ result }) => result.alertlevel)),
  isChanged: takenBack.length > 0,
});

/** The response to a submission that is stored. A report that waits for the guardian is not shown. */
async function submitResponse(scope: Scope, exam: queries.LoadedExam, now: Date) {
  const report = await queries.findReportOfExam(scope, exam.examcode);
  const showreport = report?.isshow === 1;
  const reportcode = showreport ? report.reportcode : null;
  return { missing: [], sheets: [], done: true, showreport, reportcode, support: await supportFor(scope, exam, now) };
}

const submitExam = handle(contract.submitExam, async ({ examcode, device, submitkey, answers }, { scope, now }) => {
  const exam = await queries.loadExam(scope, examcode, now);
  if (!exam) throw problems.notFound({ what: '作答记录' });
  const scaledForms = await withScales(scope, exam.forms);
  assertOffered(scaledForms, answers);
  if (exam.status === 2 && exam.submitkey === submitkey) {
    // A repeat after a double tap or a lost response gets the same response; other answers with the same key are kept and refused.
    if (answers.every((answer) => isStored(exam.forms, answer))) return submitResponse(scope, exam, now);
    const { data } = await takeLateAnswers(scope, exam, scaledForms, answers, now);
    return problems.otherAnswersSent(undefined, { data });
  }
  if (exam.status !== 1 || exam.islate) return takeLateAnswers(scope, exam, scaledForms, answers, now);
  const { age, person } = personAt(exam, now);
  const forms = scaledForms.map((form) => applyAnswers(form, answers, device));
  const takenBack = findAnswersTakenBack(forms, person);
  const isFresh = hasFreshAlert(scaledForms, forms, person);
  const results = scoreForms(forms, person);
  const mark = markOf(results, takenBack);
  const missing = unansweredItems(forms, person);
  const added = missing.length > 0 ? [] : await addNextForms(scope, examcode, forms, results, { age, person, now });
  if (missing.length > 0 || added.length > 0) {
    if (answers.length > 0) await queries.saveAnswers(scope, examcode, forms, mark, now);
    // Short forms that are complete are judged at once: the person may leave before the longer form.
    await raiseAlert(scope, exam, findTrigger(exam, results, person, now, added.length > 0 ? 'exam' : 'items'), now, isFresh);
    await noteAnswersTakenBack(scope, exam, takenBack, now);
    // A page that lost the response with the added forms gets them again. A page ignores the forms that it has.
    const sheets = [...added, ...forms.filter((form) => Object.keys(form.answers).length === 0).map((form) => toSheet(form))];
    const support = { ...(await supportFor(scope, exam, now)), show: false };
    return { missing, sheets, done: false, showreport: false, reportcode: null, support };
  }
  const duration = Math.max(0, Math.round((now.getTime() - exam.starttime.getTime()) / 1000));
  const result = scoreExam(forms, person, duration);
  const review = await findDoubt(scope, exam, result, now);
  const submission = buildSubmission(exam, forms, result, { submitkey, mark, review, duration, age, now });
  // The case comes first. The submission locks the row of the institution's counts, and the other students wait for this row.
  await raiseAlert(scope, exam, findTrigger(exam, results, person, now, 'exam', result.valid), now, isFresh);
  if (exam.opencase) await noteRetest(scope, retestOf(exam, result, now));
  await noteAnswersTakenBack(scope, exam, takenBack, now);
  const reportcode = await queries.submitExam(scope, examcode, submission, now);
  // The authorization was withdrawn in this moment: the answers are kept and judged as late ones.
  if (reportcode === undefined) return takeLateAnswers(scope, exam, scaledForms, answers, now);
  await planRetest(scope, exam, result, now);
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
