import { unansweredItems } from '#domain/exam/exam.ts';
import { withBandsInForce } from '#domain/scoring/bandset/applyBandsets.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { applyAnswers, assertOffered, canRaiseAlert, isStored } from '#features/respond/exam/answers.ts';
import { findAnswersTakenBack, noteAnswersTakenBack } from '#features/respond/exam/changedAnswer.queries.ts';
import { handIn, markOf } from '#features/respond/exam/handIn.ts';
import { takeLateAnswers } from '#features/respond/exam/lateAnswers.ts';
import { addNextForms } from '#features/respond/exam/nextForms.ts';
import { findTrigger, hasFreshAlert, raiseAlert, scoreForms } from '#features/respond/exam/raiseAlert.ts';
import { personAt, supportFor, toSheet } from '#features/respond/exam/sitting.ts';
import * as contract from '#features/respond/respond.contract.ts';
import * as queries from '#features/respond/exam/submission.queries.ts';

/** Answering and submitting. An answer and the alert it raises are stored in one transaction. */

const saveAnswer = handle(contract.saveAnswer, async ({ examcode, device, answers }, { scope, now }) => {
  const exam = await queries.loadExam(scope, examcode, now);
  if (!exam) throw problems.notFound({ what: '作答记录' });
  const { person } = personAt(exam, now);
  const scaledForms = withBandsInForce(await withScales(scope, exam.forms), exam, person);
  assertOffered(scaledForms, answers);
  if (exam.status !== 1 || exam.islate) return takeLateAnswers(scope, exam, scaledForms, answers, now);
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
  const { age, person } = personAt(exam, now);
  const scaledForms = withBandsInForce(await withScales(scope, exam.forms), exam, person);
  assertOffered(scaledForms, answers);
  if (exam.status === 2 && exam.submitkey === submitkey) {
    // A repeat after a double tap or a lost response gets the same response; other answers with the same key are kept and refused.
    if (answers.every((answer) => isStored(exam.forms, answer))) return submitResponse(scope, exam, now);
    const { data } = await takeLateAnswers(scope, exam, scaledForms, answers, now);
    return problems.otherAnswersSent(undefined, { data });
  }
  if (exam.status !== 1 || exam.islate) return takeLateAnswers(scope, exam, scaledForms, answers, now);
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
  const sheet = { forms, results, person, age, duration, submitkey, mark, takenBack, isFresh };
  const handedIn = await handIn(scope, exam, sheet, { now, testtime: now });
  // The authorization was withdrawn in this moment: the answers are kept and judged as late ones.
  if (handedIn === undefined) return takeLateAnswers(scope, exam, scaledForms, answers, now);
  const { overalllevel, hasalert } = handedIn.submission.exam;
  return submitResponse(scope, { ...exam, overalllevel, hasalert }, now);
});

export const answerHandlers = [saveAnswer, submitExam];
