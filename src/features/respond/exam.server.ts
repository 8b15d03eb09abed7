import { ageOn, shanghaiDate, shanghaiTime } from '#domain/calendar.ts';
import { needsGuardian, requiredScopes } from '#domain/consent.ts';
import { itemsAsked } from '#domain/report.facts.ts';
import type { Answers, FormResult, PersonFacts, Scale } from '#domain/scale.ts';
import { scaleOf } from '#domain/scales/library.ts';
import { withoutScores } from '#domain/sheet.ts';
import { score } from '#domain/scoring.ts';
import { openItems } from '#domain/sitting.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Ctx } from '#server/handle.ts';
import type { Scope } from '#server/scope.ts';
import { noteRetest, type RetestResult } from '#features/warning/retest.queries.ts';
import * as contract from '#features/respond/respond.contract.ts';
import { consentOf, ownFacts } from '#features/respond/entry.queries.ts';
import { raiseContact, raiseFrom } from '#features/respond/alarm.server.ts';
import { handInOf, personFacts } from '#features/respond/handIn.ts';
import * as queries from '#features/respond/exam.queries.ts';

/** Published versions never change, so each is parsed once per process. */
const definitions = new Map<string, Scale>();
async function scaleFor(scope: Scope, formcode: string, version: string): Promise<Scale> {
  const key = `${formcode}@${version}`;
  const known = definitions.get(key);
  if (known) return known;
  const shipped = scaleOf(formcode);
  const scale = shipped?.version === version ? shipped : await queries.findDefinition(scope, formcode, version);
  if (!scale) throw problems.notFound({ what: '量表' });
  definitions.set(key, scale);
  return scale;
}

const withScales = (scope: Scope, sheets: readonly queries.SheetRow[]) =>
  Promise.all(sheets.map(async (sheet) => ({ ...sheet, scale: await scaleFor(scope, sheet.formcode, sheet.formversion) })));

const getTasks = handle(contract.getTasks, async (_, { scope, caller }) =>
  (await queries.findTasks(scope, caller.cuserid)).map((row) => ({ ...row, endtime: row.endtime && shanghaiTime(row.endtime) })),
);

const startExam = handle(contract.startExam, async ({ cuserplanid }, ctx) => {
  const { scope, caller, now, origin } = ctx;
  const grant = await queries.findGrant(scope, cuserplanid);
  if (!grant) throw problems.notFound({ what: '测评任务' });
  const age = grant.birthday ? ageOn(grant.birthday, now) : null;
  const consentid = await agreed(scope, caller.cuserid, age);
  if (grant.rosterstatus === 3 || grant.rosterstatus === 9)
    throw problems.outsideWindow({ why: '你不在本次测评名单中，请联系老师' });
  if (grant.begintime && now < grant.begintime)
    throw problems.outsideWindow({ why: `测评将于 ${shanghaiTime(grant.begintime).slice(0, 16)} 开始` });
  if (grant.taskstatus !== null && (grant.taskstatus !== 1 || (grant.endtime && now > grant.endtime)))
    throw problems.outsideWindow({ why: '本次测评已结束，如需补测请联系老师' });
  if (grant.taskcode === null) demandGrant(grant, shanghaiDate(now));
  const record = await queries.openRecord(scope, grant, { age, consentid, now, ...origin });
  if (!record) throw problems.serverBusy();
  if (record.status === 2) throw problems.alreadySubmitted();
  const sheets = await withScales(scope, await queries.findSheets(scope, record.examcode));
  return {
    examcode: record.examcode,
    taskname: grant.taskname,
    resultshow: grant.resultshow === 1,
    person: personFacts(grant, age) as Record<string, string | number | null>,
    sheets: sheets.map(({ examformid, scale, answers, seqs }) => {
      const sheet = withoutScores(scale);
      return {
        examformid,
        formcode: scale.formcode,
        formname: scale.title,
        recall: scale.recall ?? '',
        instruction: scale.instruction ?? '',
        licencetext: scale.licencetext ?? '',
        items: sheet.items.map(({ o, type, required, ...item }) => ({
          ...item,
          type: type ?? 1,
          required: required !== false,
          ...(o !== undefined && {
            options: (sheet.optionsets[o] ?? []).map(([code, label]): [string, string] => [code, label]),
          }),
        })),
        derive: sheet.derive,
        answers: answers as Record<string, unknown>,
        seqs,
      };
    }),
  };
});

/** A grant outside tasks has days of its own and can be taken back. */
function demandGrant(grant: queries.GrantRow, today: string) {
  if (grant.grantstatus === 3) throw problems.outsideWindow({ why: '本次测评已取消，如有疑问请联系工作人员' });
  if (grant.grantstatus === 4 || (grant.grantstatus === 1 && grant.enddate && grant.enddate < today))
    throw problems.outsideWindow({ why: '本次测评已过有效期，如需测评请联系工作人员' });
  if (grant.begindate && today < grant.begindate) throw problems.outsideWindow({ why: `测评将于 ${grant.begindate} 开始` });
}

/** No answer without consent: processing and sensitive data agreed to, under 14 by a guardian too. */
async function agreed(scope: Scope, cuserid: string, age: number | null): Promise<number> {
  const own = await ownFacts(scope, cuserid);
  const consent = await consentOf(scope, cuserid, own?.consentversion ?? '1');
  if (consent.consentid === null || !requiredScopes.every((each) => consent.scopes.includes(each)))
    throw problems.consentMissing({ why: '请先阅读并同意知情同意书' });
  if (needsGuardian(age) && !consent.guardian) throw problems.consentMissing({ why: '未满 14 周岁，需要监护人同意后才能作答' });
  return consent.consentid;
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

/** Refuses answers the form never offered, before anything is written. */
function checkOffered(
  forms: readonly { examformid: number; scale: Scale }[],
  answers: readonly queries.AnswerIn[],
  person: PersonFacts,
) {
  for (const { examformid, scale } of forms) {
    const given = Object.fromEntries(
      answers.filter((answer) => answer.examformid === examformid).map(({ c, value }) => [c, value]),
    ) as Answers;
    const outcome = score(scale, given, person);
    if (outcome.kind === 'invalid')
      throw problems.invalid({ message: '有作答不在选项范围内，请重新选择' }, { field: outcome.items[0] });
  }
}

const saveAnswer = handle(contract.saveAnswer, async ({ examcode, answers }, ctx) => {
  const { scope, now } = ctx;
  const sitting = await queries.loadSitting(scope, examcode);
  if (!sitting) throw problems.notFound({ what: '作答记录' });
  if (sitting.status !== 1) throw problems.alreadySubmitted();
  const forms = await withScales(scope, sitting.forms);
  const person = personFacts(sitting, sitting.birthday ? ageOn(sitting.birthday, now) : null);
  checkOffered(forms, answers, person);
  await queries.saveAnswers(scope, examcode, answers, now);
  const alerting = forms.filter((form) =>
    touchesAlert(
      form.scale,
      answers.filter((answer) => answer.examformid === form.examformid).map((answer) => answer.c),
    ),
  );
  if (alerting.length > 0) await raiseFrom(scope, sitting, withAnswers(alerting, answers), person, now, 'items');
  return { saved: answers.length };
});

/** The forms as they stand once `answers` are saved; by sequence, so that a late repeat changes nothing. */
function withAnswers<T extends { examformid: number; answers: Answers; seqs: Record<string, number> }>(
  forms: readonly T[],
  answers: readonly queries.AnswerIn[],
): T[] {
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

const support = (sitting: queries.SittingRow) => {
  const hotline = sitting.hotline ?? '12356';
  return {
    show: sitting.hasalert === 1 || (sitting.overalllevel ?? 0) >= 3,
    hotline,
    text: supportText(sitting.sector, hotline),
  };
};

const submitExam = handle(contract.submitExam, async ({ examcode, submitkey, answers }, ctx: Ctx<'respondent'>) => {
  const { scope, now } = ctx;
  const before = await queries.loadSitting(scope, examcode, { handIn: true });
  if (!before) throw problems.notFound({ what: '作答记录' });
  if (before.status === 2) {
    // The same hand-in again (a double tap, a lost answer) gets the same answer; another one is refused.
    if (before.submitkey !== submitkey) throw problems.alreadySubmitted();
    if (answers.some((answer) => !isStored(before.forms, answer))) throw problems.otherAnswersSent();
    return done(before);
  }
  if (before.status !== 1) throw problems.alreadySubmitted();
  const scaled = await withScales(scope, before.forms);
  const age = before.birthday ? ageOn(before.birthday, now) : null;
  const person = personFacts(before, age);
  if (answers.length > 0) checkOffered(scaled, answers, person);
  const forms = withAnswers(scaled, answers);
  const missing = openItems(forms, person);
  if (missing.length > 0) {
    if (answers.length > 0) await queries.saveAnswers(scope, examcode, answers, now);
    await raiseFrom(
      scope,
      before,
      forms.filter((form) => form.scale.alerts?.length),
      person,
      now,
      'items',
    );
    return { missing, done: false, showreport: false, reportcode: null, support: { ...support(before), show: false } };
  }
  const handIn = handInOf({ ...before, forms: [] }, forms, person, age, submitkey, now);
  // Raised first: writing ends with the institution's count, and whoever holds that makes the rest of the school wait.
  await raiseFrom(scope, before, forms, person, now, 'sitting', { valid: handIn.valid });
  await noteRetest(scope, retestOf(before, handIn));
  if (!(await queries.writeHandIn(scope, handIn, answers))) throw problems.outsideWindow({ why: '本次测评已结束，不能再交卷' });
  return done({
    ...before,
    overalllevel: handIn.overalllevel,
    hasalert: handIn.hasalert ? 1 : 0,
    reportcode: handIn.report.reportcode,
    isshow: handIn.report.isshow,
  });
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

function done(sitting: queries.SittingRow) {
  const showreport = sitting.isshow === 1;
  return { missing: [], done: true, showreport, reportcode: showreport ? sitting.reportcode : null, support: support(sitting) };
}

const askForContact = handle(contract.askForContact, async ({ content }, ctx) => {
  const own = await ownFacts(ctx.scope, ctx.caller.cuserid);
  if (!own) throw problems.identityInvalid();
  await raiseContact(ctx.scope, own, content, ctx.now);
  return { text: own.sector === 'edu' ? '已经告诉心理老师，老师会尽快来找你。' : '已经告诉工作人员，我们会尽快联系您。' };
});

const getOwnReports = handle(contract.getOwnReports, async (_, { scope, caller }) =>
  (await queries.findOwnReports(scope, caller.cuserid)).map((row) => ({ ...row, createtime: shanghaiTime(row.createtime) })),
);
const getOwnReport = handle(contract.getOwnReport, async ({ reportcode }, ctx) => {
  const report = await queries.findOwnReport(ctx.scope, ctx.caller.cuserid, reportcode);
  if (!report) throw problems.notFound({ what: '报告' });
  ctx.note({ cuserids: [ctx.caller.cuserid], objectid: reportcode });
  return { reportcode, title: report.title, content: report.selfcontent, createtime: shanghaiTime(report.createtime) };
});

export const examHandlers = [getTasks, startExam, saveAnswer, submitExam, askForContact, getOwnReports, getOwnReport];
