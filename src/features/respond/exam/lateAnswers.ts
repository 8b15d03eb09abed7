import { scoreExam } from '#domain/exam/exam.ts';
import { problems, type Problem } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { applyAnswers, type ScaledForm, type SentAnswer } from '#features/respond/exam/answers.ts';
import { findAnswersTakenBack, noteAnswersTakenBack } from '#features/respond/exam/changedAnswer.queries.ts';
import { findTrigger, hasFreshAlert, raiseAlert, resultsByForm, withAllAlerts } from '#features/respond/exam/raiseAlert.ts';
import { personAt, supportFor } from '#features/respond/exam/sitting.ts';
import * as queries from '#features/respond/exam/submission.queries.ts';

/**
 * Keeps answers that arrive after the window, after the task was ended or after the submission, and judges single answers and scores
 * of everything known. Then it returns the refusal (150003, or 150004 after the submission) with the number of answers kept and the
 * support card. The caller returns the problem, so that the transaction commits; a thrown problem would roll the answers back.
 */
export async function takeLateAnswers(
  scope: Scope,
  exam: queries.LoadedExam,
  scaledForms: readonly ScaledForm[],
  answers: readonly SentAnswer[],
  now: Date,
): Promise<Problem> {
  const { examcode } = exam;
  const { person } = personAt(exam, now);
  const stored = scaledForms.map((form) => ({
    ...form,
    answers: { ...form.answers, ...form.lateanswers },
    seqs: { ...form.seqs, ...form.lateseqs },
  }));
  const forms = stored.map((form) => applyAnswers(form, answers));
  const isOpen = exam.status === 1;
  const result = scoreExam(forms, person, null);
  const results = result.forms.map((form, index) => ({
    scale: form.scale,
    result: withAllAlerts(form.result, forms[index]!, person),
  }));
  const takenBack = findAnswersTakenBack(forms, person);
  const alertlevel = Math.max(0, ...results.map((form) => form.result.alertlevel));
  // A repeated call after the submission brings nothing new. Its answers were judged when they arrived.
  const hasNews = isOpen || forms.some((form) => form.late.length > 0 || form.alertanswers.length > 0);
  if (hasNews) {
    const trigger = findTrigger(exam, resultsByForm(results), person, now, 'exam', result.valid);
    const late = trigger && { ...trigger, alertmsgs: [...trigger.alertmsgs, '作答在测评结束或交卷后到达'] };
    const mark = { alertlevel, isChanged: takenBack.length > 0 };
    if (isOpen) await queries.saveAnswers(scope, examcode, forms, mark, now);
    else await queries.addLateAnswers(scope, examcode, forms, mark, now);
    await raiseAlert(scope, exam, late, now, hasFreshAlert(stored, forms, person));
    await noteAnswersTakenBack(scope, exam, takenBack, now);
  }
  const level = Math.max(exam.overalllevel ?? 0, result.overalllevel ?? 0) as 0 | 1 | 2 | 3 | 4;
  const support = await supportFor(scope, { ...exam, hasalert: alertlevel > 0 ? 1 : exam.hasalert, overalllevel: level }, now);
  const more = { data: { saved: answers.length, support } };
  if (!isOpen) return problems.alreadySubmitted(undefined, more);
  const who = exam.sector === 'edu' ? '老师' : '工作人员';
  return problems.outsideWindow({ why: `本次测评已结束。刚才的作答已经保存，${who}能看到；如需补测请联系${who}` }, more);
}
