import { ageOn, daysBetween } from '#domain/base/calendar.ts';
import { effectiveRules } from '#domain/warning/customRule.ts';
import type { Answers, FormResult, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { score } from '#domain/scoring/scoring.ts';
import { triggerFromForms, type WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';
import { openCase, type OpenedCase } from '#features/warning/alerts/openCase.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';
import type { LoadedExam } from '#features/respond/exam/submission.queries.ts';

/** A scale with what came of it. */
interface ScaleResult {
  scale: Scale;
  result: FormResult;
}
type Results = Readonly<Record<string, ScaleResult>>;

/** Results by form code, of forms that are scored. */
export const resultsByForm = (forms: readonly ScaleResult[]): Results =>
  Object.fromEntries(forms.map(({ scale, result }) => [scale.formcode, { scale, result }]));

/** Results by form code, of forms that may be answered in part. */
export const resultsOf = (forms: readonly { scale: Scale; answers: Answers }[], person: PersonFacts): Results =>
  resultsByForm(
    forms.flatMap(({ scale, answers }) => {
      const outcome = score(scale, answers, person);
      return outcome.kind === 'invalid' ? [] : [{ scale, result: outcome as FormResult }];
    }),
  );

/**
 * What results call for; null when nobody has to be notified. `items`: while answering, from single answers only; `exam`: at the
 * submission, from everything. An exam in doubt still alerts on its answers, but not on its scores.
 */
export const triggerOf = (
  exam: LoadedExam,
  results: Results,
  person: PersonFacts,
  now: Date,
  when: 'items' | 'exam',
  valid = true,
): WarningTrigger | null =>
  triggerFromForms(results, {
    rules: when === 'exam' && valid ? effectiveRules(exam.rules, exam.appid) : [],
    person,
    history: exam.history
      .filter((test) => test.valid)
      .map((test) => ({
        form: test.formcode,
        daysago: daysBetween(new Date(test.submittime), now),
        scores: test.scores as Record<string, number>,
      })),
    minlevel: exam.minwarninglevel,
  });

/** Opens or joins the case that answers call for, in the transaction that stores them. */
export async function raiseAlert(
  scope: Scope,
  exam: LoadedExam,
  trigger: WarningTrigger | null,
  now: Date,
): Promise<OpenedCase | null> {
  if (!trigger) return null;
  const { cuserid, musercode, appid, examcode, sector, birthday } = exam;
  return openCase(scope, {
    cuserid,
    musercode,
    appid,
    examcode,
    trigger,
    at: now,
    minor: isMinor({ birthday, appid }, now),
    sector,
  });
}

/** The person asked to be contacted: a case of level 2, which the staff on duty answer within a day. */
export const raiseContact = (
  scope: Scope,
  own: { cuserid: string; musercode: string; appid: string; sector: string; birthday: string | null },
  content: string,
  time: Date,
) =>
  openCase(scope, {
    cuserid: own.cuserid,
    musercode: own.musercode,
    appid: own.appid,
    at: time,
    sector: own.sector,
    minor: own.birthday ? ageOn(own.birthday, time) < 18 : own.appid === '000000002',
    trigger: {
      source: '05',
      level: 2,
      itemtrigger: true,
      rulecodes: [],
      alerts: [],
      alertmsgs: [content ? `本人请求联系：${content}` : '本人请求联系'],
    },
  });
