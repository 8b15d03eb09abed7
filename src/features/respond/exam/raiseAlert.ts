import { daysBetween } from '#domain/base/calendar.ts';
import { scoreForm } from '#domain/exam/exam.ts';
import { effectiveRules } from '#domain/warning/customRule.ts';
import { isSameMajor } from '#domain/scoring/majorVersion.ts';
import type { FormResult, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { score } from '#domain/scoring/scoring.ts';
import { triggerFromForms, type WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';
import { openCase, type OpenCaseResult } from '#features/warning/alerts/openCase.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';
import type { AnsweredForm, ScaledForm } from '#features/respond/exam/answers.ts';
import type { LoadedExam } from '#features/respond/exam/submission.queries.ts';

/** A scale with the result of its form. */
interface ScaleResult {
  scale: Scale;
  result: FormResult;
}
export type Results = Readonly<Record<string, ScaleResult>>;

/** The results of scored forms, by form code. */
export const resultsByForm = (forms: readonly ScaleResult[]): Results =>
  Object.fromEntries(forms.map(({ scale, result }) => [scale.formcode, { scale, result }]));

/** The results of forms that may be incomplete, by form code, with the alerts of every version of their answers. */
export const scoreForms = (forms: readonly AnsweredForm[], person: PersonFacts): Results =>
  resultsByForm(
    forms.flatMap((form) => {
      const outcome = scoreForm(form, person);
      if (outcome.kind === 'invalid') return [];
      return [{ scale: form.scale, result: withAllAlerts(outcome as FormResult, form, person) }];
    }),
  );

/** The result with the alerts of every version of the answers that was just sent: an answer changed back has been given all the same. */
export function withAllAlerts(result: FormResult, { scale, changes }: AnsweredForm, person: PersonFacts): FormResult {
  const outcomes = changes.flatMap(({ before, after }) => [before, after]).map((answers) => score(scale, answers, person));
  const others = outcomes.flatMap((outcome) => (outcome.kind === 'invalid' ? [] : [outcome]));
  if (others.length === 0) return result;
  return {
    ...result,
    alerts: [...new Set([...result.alerts, ...others.flatMap((other) => other.alerts)])],
    alertlevel: Math.max(result.alertlevel, ...others.map((other) => other.alertlevel)) as FormResult['alertlevel'],
  };
}

/**
 * The trigger of the results; null when they call for no case. `items` looks at single answers only, while the person answers;
 * `exam` looks at everything, at the submission. An invalid exam still alerts on its answers, but not on its scores.
 */
export const findTrigger = (
  exam: LoadedExam,
  results: Results,
  person: PersonFacts,
  now: Date,
  when: 'items' | 'exam',
  isValid = true,
): WarningTrigger | null => triggerFromForms(results, contextOf(exam, person, now, when === 'exam' && isValid));

const versionOf = (forms: LoadedExam['forms'], formcode: string) => forms.find((form) => form.formcode === formcode)?.formversion;

/** The rules, the earlier results and the lowest level of an exam. */
export const contextOf = (
  exam: Pick<LoadedExam, 'rules' | 'appid' | 'forms' | 'history' | 'minwarninglevel'>,
  person: PersonFacts,
  now: Date,
  hasRules: boolean,
) => ({
  rules: hasRules ? effectiveRules(exam.rules, exam.appid) : [],
  person,
  history: exam.history
    // A rise between two major versions is no rise: the same answers could score differently.
    .filter((test) => test.valid && isSameMajor(test.formversion, versionOf(exam.forms, test.formcode)))
    .map((test) => ({
      form: test.formcode,
      daysago: daysBetween(new Date(test.submittime), now),
      scores: test.scores as Record<string, number>,
    })),
  minlevel: exam.minwarninglevel,
});

/**
 * Whether an answer raises an alert that the stored answers did not raise. After an answer was taken back this is the person's new
 * sign, although an earlier trigger of the exam contains the alert. Pure.
 */
export const hasFreshAlert = (stored: readonly ScaledForm[], forms: readonly AnsweredForm[], person: PersonFacts): boolean =>
  forms.some(({ examformid, scale, answers }) => {
    const before = stored.find((form) => form.examformid === examformid)?.answers ?? {};
    const [outcome, next] = [score(scale, before, person), score(scale, answers, person)];
    if (outcome.kind === 'invalid' || next.kind === 'invalid') return false;
    return next.alerts.some((alert) => !outcome.alerts.includes(alert));
  });

/**
 * Opens or joins the case of a trigger, in the transaction that stores the answers; null without a trigger. `isFresh`: see
 * `hasFreshAlert`.
 */
export async function raiseAlert(
  scope: Scope,
  exam: Pick<LoadedExam, 'cuserid' | 'musercode' | 'appid' | 'examcode' | 'sector' | 'birthday'>,
  trigger: WarningTrigger | null,
  now: Date,
  isFresh = false,
): Promise<OpenCaseResult | null> {
  if (!trigger) return null;
  const { cuserid, musercode, appid, examcode, sector, birthday } = exam;
  return openCase(scope, {
    cuserid,
    musercode,
    appid,
    examcode,
    trigger,
    isFresh,
    time: now,
    isMinor: isMinor({ birthday, appid }, now),
    sector,
  });
}

/** Opens a case of level 2 for a person who asks for contact; the staff on duty answer within a day. */
export const raiseContact = (
  scope: Scope,
  respondent: { cuserid: string; musercode: string; appid: string; sector: string; birthday: string | null },
  content: string,
  time: Date,
) =>
  openCase(scope, {
    cuserid: respondent.cuserid,
    musercode: respondent.musercode,
    appid: respondent.appid,
    time,
    sector: respondent.sector,
    isMinor: isMinor(respondent, time),
    trigger: {
      source: '05',
      level: 2,
      itemtrigger: true,
      rulecodes: [],
      alerts: [],
      alertmsgs: [content ? `本人请求联系：${content}` : '本人请求联系'],
    },
  });
