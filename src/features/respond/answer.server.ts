import { ageOn } from '#domain/calendar.ts';
import { itemsAsked } from '#domain/report.facts.ts';
import type { Answers, FormResult, PersonFacts, Scale } from '#domain/scale.ts';
import { score } from '#domain/scoring.ts';
import { openItems } from '#domain/sitting.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Ctx } from '#server/handle.ts';
import { withScales } from '#features/form/definition.ts';
import { raiseFrom, resultsOf, triggerOf } from '#features/respond/alarm.server.ts';
import * as queries from '#features/respond/exam.queries.ts';
import { handInOf, personFacts } from '#features/respond/handIn.ts';
import * as contract from '#features/respond/respond.contract.ts';
import { noteRetest, type RetestResult } from '#features/warning/retest.queries.ts';

type Sheet = queries.SheetRow & { scale: Scale };

const entryOf = ({ session, origin }: Ctx<'respondent'>, code: string): queries.Entry => ({
  session,
  bound: origin.cookieHash,
  code,
});

function whoOf(sitting: queries.SittingRow, now: Date) {
  const age = sitting.birthday ? ageOn(sitting.birthday, now) : null;
  return { age, person: personFacts(sitting, age) };
}

/** Items on which an alert of a form depends; undefined when it depends on scores and so on all of them. */
const watched = new WeakMap<Scale, ReadonlySet<string> | undefined>();
function touchesAlert(scale: Scale, items: readonly string[]): boolean {
  if (!scale.alerts?.length) return false;
  if (!watched.has(scale)) {
    const byScore = scale.alerts.some((alert) => /"(score|level|count)"/.test(JSON.stringify(alert.when)));
    watched.set(scale, byScore ? undefined : new Set(scale.alerts.flatMap((alert) => itemsAsked(alert.when))));
  }
  const codes = watched.get(scale);
  return codes === undefined || items.some((item) => codes.has(item));
}

/** Forms an alert of which asks about one of the answers. */
const alertingForms = (forms: readonly Sheet[], answers: readonly queries.AnswerIn[]) =>
  forms.filter((form) =>
    touchesAlert(
      form.scale,
      answers.filter((answer) => answer.examformid === form.examformid).map((answer) => answer.c),
    ),
  );

/** Refuses answers the form never offered, before anything is written. */
function checkOffered(forms: readonly Sheet[], answers: readonly queries.AnswerIn[], person: PersonFacts) {
  for (const { examformid, scale } of forms) {
    const given = answers.filter((answer) => answer.examformid === examformid).map(({ c, value }) => [c, value]);
    const outcome = score(scale, Object.fromEntries(given) as Answers, person);
    if (outcome.kind === 'invalid')
      throw problems.invalid({ message: '有作答不在选项范围内，请重新选择' }, { field: outcome.items[0] });
  }
}

/** The forms as they stand once `answers` are saved; by sequence, so that a late repeat changes nothing. */
function withAnswers(forms: readonly Sheet[], answers: readonly queries.AnswerIn[]): Sheet[] {
  const sorted = [...answers].sort((a, b) => a.clientseq - b.clientseq);
  return forms.map((form) => ({
    ...form,
    answers: {
      ...form.answers,
      ...Object.fromEntries(
        sorted
          .filter((a) => a.examformid === form.examformid && a.clientseq >= (form.seqs[a.c] ?? -1))
          .map(({ c, value }) => [c, value]),
      ),
    } as Answers,
  }));
}

const saveAnswer = handle(contract.saveAnswer, async ({ examcode, answers }, ctx) => {
  const { scope, now } = ctx;
  const of = entryOf(ctx, examcode);
  const sitting = await queries.loadSitting(scope, of);
  if (!sitting) throw problems.notFound({ what: '作答记录' });
  if (sitting.status !== 1) throw problems.alreadySubmitted();
  const forms = await withScales(scope, sitting.forms);
  const { person } = whoOf(sitting, now);
  checkOffered(forms, answers, person);
  await queries.saveAnswers(scope, of, answers, now);
  const alerting = withAnswers(alertingForms(forms, answers), answers);
  if (alerting.length > 0)
    await raiseFrom(scope, sitting, triggerOf(sitting, resultsOf(alerting, person), person, now, 'items'), now);
  return { saved: answers.length };
});

/** Whether an answer is what was handed in, or had been overtaken by a newer one then. */
function isStored(forms: readonly queries.SheetRow[], { examformid, c, value, clientseq }: queries.AnswerIn): boolean {
  const form = forms.find((each) => each.examformid === examformid);
  return (
    form !== undefined && ((form.seqs[c] ?? -1) > clientseq || JSON.stringify(form.answers[c] ?? null) === JSON.stringify(value))
  );
}

const supportText = (sector: string, hotline: string) =>
  sector === 'edu'
    ? `谢谢你愿意说出自己的感受。如果现在很难受，可以随时找心理老师或信任的大人聊聊，也可以拨打 ${hotline}，全天都有人愿意听你说。`
    : `谢谢您愿意说出自己的感受。如果现在很难受，可以随时联系我们的工作人员，也可以拨打 ${hotline}，会有人耐心听您说。`;

const support = (sitting: Pick<queries.SittingRow, 'hotline' | 'hasalert' | 'overalllevel' | 'sector'>) => {
  const hotline = sitting.hotline ?? '12356';
  return {
    show: sitting.hasalert === 1 || (sitting.overalllevel ?? 0) >= 3,
    hotline,
    text: supportText(sitting.sector, hotline),
  };
};

function done(sitting: queries.SittingRow) {
  const showreport = sitting.isshow === 1;
  return { missing: [], done: true, showreport, reportcode: showreport ? sitting.reportcode : null, support: support(sitting) };
}

const doneNow = (sitting: queries.SittingRow, handIn: queries.HandIn, reportcode: string) =>
  done({
    ...sitting,
    overalllevel: handIn.overalllevel,
    hasalert: handIn.hasalert ? 1 : 0,
    reportcode,
    isshow: handIn.report.isshow,
  });

/** Results of a judged sitting by form code. */
const judgedResults = (forms: readonly Sheet[], handIn: queries.HandIn) =>
  Object.fromEntries(
    handIn.forms.flatMap(({ examformid, raw }) => {
      const form = forms.find((each) => each.examformid === examformid);
      return form ? [[form.formcode, { scale: form.scale, result: raw as FormResult }]] : [];
    }),
  );

const submitExam = handle(contract.submitExam, async ({ examcode, submitkey, answers }, ctx) => {
  const { scope, now } = ctx;
  const of = entryOf(ctx, examcode);
  const before = await queries.loadSitting(scope, of);
  if (!before) throw problems.notFound({ what: '作答记录' });
  if (before.status === 2) {
    // The same hand-in again (a double tap, a lost answer) gets the same answer; another one is refused.
    if (before.submitkey !== submitkey) throw problems.alreadySubmitted();
    if (answers.some((answer) => !isStored(before.forms, answer))) throw problems.otherAnswersSent();
    return done(before);
  }
  if (before.status !== 1) throw problems.alreadySubmitted();
  const scaled = await withScales(scope, before.forms);
  const { age, person } = whoOf(before, now);
  checkOffered(scaled, answers, person);
  const forms = withAnswers(scaled, answers);
  const missing = openItems(forms, person);
  if (missing.length > 0) {
    if (answers.length > 0) await queries.saveAnswers(scope, of, answers, now);
    const alerting = forms.filter((form) => form.scale.alerts?.length);
    await raiseFrom(scope, before, triggerOf(before, resultsOf(alerting, person), person, now, 'items'), now);
    return { missing, done: false, showreport: false, reportcode: null, support: { ...support(before), show: false } };
  }
  const handIn = handInOf(before, forms, person, age, submitkey, now);
  const trigger = triggerOf(before, judgedResults(forms, handIn), person, now, 'sitting', handIn.valid);
  // Raised first: writing ends with the institution's count, and whoever holds that makes the rest of the school wait.
  await raiseFrom(scope, before, trigger, now);
  if (before.opencase) await noteRetest(scope, retestOf(before, handIn));
  const reportcode = await queries.writeHandIn(scope, of, handIn, answers);
  if (reportcode === undefined) throw problems.outsideWindow({ why: '本次测评已结束，不能再交卷' });
  return doneNow(before, handIn, reportcode);
});

/** What the hand-in says to an open case of the same person. */
function retestOf({ cuserid, examcode, forms }: queries.SittingRow, handIn: queries.HandIn): RetestResult {
  const formcodeOf = new Map(forms.map((form) => [form.examformid, form.formcode]));
  const results = handIn.forms.map(({ examformid, raw }) => ({
    formcode: formcodeOf.get(examformid) ?? '',
    ...(raw as FormResult),
  }));
  const words = results.map(({ formcode, scores, labels }) =>
    [formcode.replace(/^([A-Z]{3,})(\d+)$/, '$1-$2'), scores['total'] != null && `${scores['total']} 分`, labels['total']]
      .filter(Boolean)
      .join(' '),
  );
  return { cuserid, examcode, valid: handIn.valid, words: words.join('，'), itempositive: handIn.hasalert, at: handIn.now };
}

export const answerHandlers = [saveAnswer, submitExam];
