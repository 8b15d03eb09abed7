import { ageOn } from '#domain/base/calendar.ts';
import { toQuestionnaire } from '#domain/exam/questionFlow.ts';
import type { RespondentForm } from '#features/respond/respond.contract.ts';
import type { ScaledForm } from '#features/respond/exam/answers.ts';
import { personFacts } from '#features/respond/exam/buildSubmission.ts';
import type { LoadedExam } from '#features/respond/exam/submission.queries.ts';

/** What the page of a sitting needs: the facts about the person, the sheets and the support card. */

/** The facts about the person at a time, with the age in years. */
export function personAt(exam: Pick<LoadedExam, 'birthday' | 'gender' | 'gradecode'>, now: Date) {
  const age = exam.birthday ? ageOn(exam.birthday, now) : null;
  return { age, person: personFacts(exam, age) };
}

/** A form as the respondent's page shows it, without scores. */
export function toSheet({ examformid, scale, answers, seqs }: ScaledForm): RespondentForm {
  const sheet = toQuestionnaire(scale);
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
    seqs: { ...seqs },
  };
}

const supportText = (sector: string, hotline: string) =>
  sector === 'edu'
    ? `谢谢你愿意说出自己的感受。如果现在很难受，可以随时找心理老师或信任的大人聊聊，也可以拨打 ${hotline}，全天都有人愿意听你说。`
    : `谢谢您愿意说出自己的感受。如果现在很难受，可以随时联系我们的工作人员，也可以拨打 ${hotline}，会有人耐心听您说。`;

/** The support card. It stays for the sitting once an answer has raised an alert, also when the answer is changed back. */
export function supportFor(exam: Pick<LoadedExam, 'hotline' | 'hasalert' | 'overalllevel' | 'sector'>) {
  const hotline = exam.hotline ?? '12356';
  return {
    show: exam.hasalert === 1 || (exam.overalllevel ?? 0) >= 3,
    hotline,
    text: supportText(exam.sector, hotline),
  };
}
