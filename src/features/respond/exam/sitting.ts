import { ageOn } from '#domain/base/calendar.ts';
import { toQuestionnaire, withoutAnswered, type Questionnaire } from '#domain/exam/questionFlow.ts';
import type { Scope } from '#server/db/scope.ts';
import type { RespondentForm } from '#features/respond/respond.contract.ts';
import { findSupportText } from '#features/respond/entry/support.ts';
import { findAnswersElsewhere, type ScaledForm } from '#features/respond/exam/answers.ts';
import { personFacts } from '#features/respond/exam/buildSubmission.ts';
import type { LoadedExam } from '#features/respond/exam/submission.queries.ts';

/** What the page of a sitting needs: the facts about the person, the sheets and the support card. */

/** The facts about the person at a time, with the age in years. */
export function personAt(exam: Pick<LoadedExam, 'birthday' | 'gender' | 'gradecode'>, now: Date) {
  const age = exam.birthday ? ageOn(exam.birthday, now) : null;
  return { age, person: personFacts(exam, age) };
}

/** The questions of a form as the respondent's page shows them, without scores. */
export const toSheetItems = ({ items, optionsets }: Questionnaire): RespondentForm['items'] =>
  items.map(({ o, type, required, excl, ...item }) => ({
    ...item,
    ...(excl && { excl: [...excl] }),
    type: type ?? 1,
    required: required !== false,
    ...(o !== undefined && {
      options: (optionsets[o] ?? []).map(([code, label]): [string, string] => [code, label]),
    }),
  }));

/**
 * A form as the respondent's page shows it on a device, without scores. The questions answered on another device are left out, with
 * their answers: another person may know the name and the number.
 */
export function toSheet(form: ScaledForm, device?: string): RespondentForm {
  const { examformid, scale, answers, seqs } = form;
  const elsewhere = findAnswersElsewhere(form, device);
  const sheet = withoutAnswered(toQuestionnaire(scale), elsewhere);
  return {
    examformid,
    formcode: scale.formcode,
    formname: scale.title,
    recall: scale.recall ?? '',
    instruction: scale.instruction ?? '',
    licencetext: scale.licencetext ?? '',
    items: toSheetItems(sheet),
    derive: sheet.derive,
    elsewhere: Object.keys(elsewhere).length,
    answers: Object.fromEntries(Object.entries(answers).filter(([c]) => !(c in elsewhere))),
    seqs: { ...seqs },
  };
}

/**
 * The support card; its words are in domain/exam/support.ts. It stays for the sitting once an answer has raised an alert, also when
 * the answer is changed back.
 */
export const supportFor = async (
  scope: Scope,
  exam: Pick<LoadedExam, 'cuserid' | 'musercode' | 'hotline' | 'hasalert' | 'overalllevel' | 'sector'>,
  now: Date,
) => ({
  show: exam.hasalert === 1 || (exam.overalllevel ?? 0) >= 3,
  hotline: exam.hotline ?? '12356',
  text: await findSupportText(scope, exam, 'card', now),
});
