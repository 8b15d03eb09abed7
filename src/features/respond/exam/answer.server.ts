import { ageOn } from '#domain/base/calendar.ts';
import { scoreExam, unansweredItems, type ExamResult } from '#domain/exam/exam.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { applyAnswers, assertOffered, canRaiseAlert, isStored } from '#features/respond/exam/answers.ts';
import { buildSubmission, personFacts } from '#features/respond/exam/buildSubmission.ts';
import { raiseAlert, resultsByForm, scoreForms, findTrigger } from '#features/respond/exam/raiseAlert.ts';
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

const supportText = (sector: string, hotline: string) =>
  sector === 'edu'
    ? `谢谢你愿意说出自己的感受。如果现在很难受，可以随时找心理老师或信任的大人聊聊，也可以拨打 ${hotline}，全天都有人愿意听你说。`
    : `谢谢您愿意说出自己的感受。如果现在很难受，可以随时联系我们的工作人员，也可以拨打 ${hotline}，会有人耐心听您说。`;

const supportFor = (exam: Pick<queries.LoadedExam, 'hotline' | 'hasalert' | 'overalllevel' | 'sector'>) => {
  const hotline = exam.hotline ?? '12356';
  return {
    show: exam.hasalert === 1 || (exam.overalllevel ?? 0) >= 3,
    hotline,
    text: supportText(exam.sector, hotline),
  };
};

/** The response to a submission that is stored. */
function submitResponse(
  exam: Pick<queries.LoadedExam, 'hotline' | 'hasalert' | 'overalllevel' | 'sector'>,
  report: { reportcode: string; isshow: number } | undefined,
) {
  const showreport = report?.isshow === 1;
  return { missing: [], done: true, showreport, reportcode: showreport ? report.reportcode : null, support: supportFor(exam) };
}

const submitExam = handle(contract.submitExam, async ({ examcode, submitkey, answers }, { scope, now }) => {
  const exam = await queries.loadExam(scope, examcode);
  if (!exam) throw problems.notFound({ what: '作答记录' });
  if (exam.status === 2) {
    // A repeat after a double tap or a lost response gets the same response; another submission is refused.
    if (exam.submitkey !== submitkey) throw problems.alreadySubmitted();
    if (answers.some((answer) => !isStored(exam.forms, answer))) throw problems.otherAnswersSent();
    return submitResponse(exam, await queries.findReportOfExam(scope, examcode));
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
    return { missing, done: false, showreport: false, reportcode: null, support: { ...supportFor(exam), show: false } };
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
  return submitResponse({ ...exam, overalllevel, hasalert }, { reportcode, isshow: submission.report.isshow });
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
