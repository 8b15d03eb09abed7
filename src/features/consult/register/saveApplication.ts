import { ConsultSource, type ConsultType } from '#domain/base/enums.ts';
import { applicableAnswers, findAnswerFaults, findApplicationTrigger, topicsOf } from '#domain/consult/application.ts';
import { waitingDue } from '#domain/consult/consult.ts';
import { findAgeRefusal } from '#domain/exam/questionFlow.ts';
import type { Answers } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { addConsult, addConsultLog, lockOpenApplication } from '#features/consult/consult.queries.ts';
import { sealAnswers } from '#features/consult/consultSeal.ts';
import { findConsultForms, isForPopulation, type ConsultForm } from '#features/consult/forms/forms.queries.ts';
import { requireApplicant, type Applicant } from '#features/consult/register/applicant.ts';
import type { ConsultAnswers } from '#features/consult/register/register.contract.ts';
import { findConsentState } from '#features/respond/entry/consentState.ts';
import { openCase, type OpenCaseResult } from '#features/warning/alerts/openCase.queries.ts';
import { findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';

type AppContext = Pick<Context, 'scope' | 'cipher' | 'now'>;

/** A registration that a person or staff enter. */
export interface Application {
  cuserid: string;
  source: (typeof ConsultSource.codes)[number];
  consulttype: (typeof ConsultType.codes)[number];
  /** topics that staff chose; those in the answers are added */
  topics?: readonly string[];
  formcode?: string | undefined;
  answers?: ConsultAnswers | undefined;
  /** the open case of this person that it comes from; the caller has checked it */
  warningcode?: string | undefined;
  /** the account that enters it; absent when the person does */
  operator?: { operator: string; operatorname: string };
}

/** A saved registration, and the case that its answers opened or joined; null without an alarm. */
export interface SavedApplication {
  consultid: number;
  person: Applicant;
  opened: OpenCaseResult | null;
}

/**
 * Saves a registration, and the case that its answers raise, in the caller's transaction. Works in the sessions of staff and of
 * respondents. Minors apply without the consent of a guardian; the registration is marked then. Throws 120002 with `faults` by question
 * for answers that the form refuses, 140001 for a second open application of the person, 110004 for a person without a name.
 */
export async function saveApplication(ctx: AppContext, application: Application): Promise<SavedApplication> {
  const { scope, cipher, now } = ctx;
  const { cuserid, source, consulttype } = application;
  const isOwn = source === ConsultSource.person;
  const person = await requireApplicant(scope, cuserid, now);
  if (person.isAnonymous && isOwn) throw problems.notAllowed();
  if (person.isAnonymous) throw problems.wrongState({ why: '匿名受测者不能登记咨询，请先为本人建档' });
  if (person.isGone) throw problems.wrongState({ why: '受测者已停用，不能登记咨询' });
  if (isOwn) await assertNoneOpen(ctx, cuserid);
  const form = application.formcode === undefined ? undefined : await requireOfferedForm(ctx, person, application.formcode);
  const answers = form ? checkAnswers(form, (application.answers ?? {}) as Answers, person) : {};
  const { isGuardianOpen, isRefused } = await findConsentState(scope, cuserid, ctx);
  const opened = form ? await raiseAlarm(ctx, person, form, answers) : null;
  const { trigger } = await findWarningSettings(scope, person.musercode);
  const { musercode } = person;
  const consultid = await addConsult(scope, {
    musercode,
    cuserid,
    source,
    consulttype,
    topics: [...new Set([...(application.topics ?? []), ...topicsOf(answers)])].sort(),
    ...(form && {
      formcode: form.formcode,
      formversion: form.formversion,
      answers: sealAnswers(cipher, musercode, answers as ConsultAnswers),
    }),
    guardianopen: isGuardianOpen || isRefused ? 1 : 0,
    warningcode: application.warningcode ?? opened?.warningcode ?? null,
    applytime: now,
    duetime: waitingDue(now, null, trigger.calendar),
    operator: application.operator?.operator ?? null,
    createtime: now,
  });
  await addConsultLog(
    ctx,
    { consultid, cuserid, musercode },
    {
      action: '登记',
      content: form ? `${ConsultSource.label(source)}；${form.title}` : ConsultSource.label(source),
      operator: application.operator?.operator ?? null,
      operatorname: application.operator?.operatorname ?? '本人',
      time: now,
    },
  );
  return { consultid, person, opened };
}

/** Refuses (140001) a second application while one of the person's own waits or is booked. Two at once wait for each other. */
async function assertNoneOpen({ scope }: AppContext, cuserid: string): Promise<void> {
  const status = await lockOpenApplication(scope, cuserid);
  if (status === undefined) return;
  throw problems.wrongState({
    why: status === '01' ? '申请已经收到，请等待回复' : '已有一次约好的咨询，结束后可以再次申请',
  });
}

/** The form, when the person's institution offers it for this person; refuses another one at its field. */
async function requireOfferedForm({ scope }: AppContext, person: Applicant, formcode: string): Promise<ConsultForm> {
  const [form] = await findConsultForms(scope, person.musercode, formcode);
  if (!form) throw problems.notFound({ what: '登记表' });
  const refusal = !form.enabled
    ? '这份登记表没有启用，请换一份'
    : !isForPopulation(form, person.appid)
      ? '这份登记表不适用于该人群，请换一份'
      : findAgeRefusal(form.scale, person.age);
  if (refusal) throw problems.invalid({ message: refusal }, { field: 'formcode' });
  return form;
}

/** The answers to the questions that apply. Refuses (120002) those that the form does not take; `faults` has a message by question. */
function checkAnswers({ scale }: ConsultForm, answers: Answers, { facts }: Applicant): Answers {
  const known = new Set(scale.items.map(({ c }) => c));
  const stranger = Object.keys(answers).find((c) => !known.has(c));
  if (stranger !== undefined) throw problems.invalid({ message: '登记表已更新，请重新打开后填写' }, { field: 'formcode' });
  const faults = findAnswerFaults(scale, answers, facts);
  const [first] = Object.entries(faults);
  if (first) {
    const [code, message] = first;
    const no = scale.items.findIndex(({ c }) => c === code) + 1;
    throw problems.invalid({ message: `第 ${no} 题：${message}` }, { field: `answers.${code}`, data: { faults } });
  }
  return applicableAnswers(scale, answers, facts);
}

/** Opens or joins the case of the alerts in the answers; null without an alert. */
async function raiseAlarm(
  { scope, now }: AppContext,
  person: Applicant,
  { scale, title }: ConsultForm,
  answers: Answers,
): Promise<OpenCaseResult | null> {
  const trigger = findApplicationTrigger(scale, answers, {
    person: person.facts,
    minlevel: person.minwarninglevel,
    formname: title,
  });
  if (!trigger) return null;
  const { cuserid, musercode, appid, sector } = person;
  return openCase(scope, { cuserid, musercode, appid, trigger, time: now, isMinor: isMinor(person, now), sector });
}
