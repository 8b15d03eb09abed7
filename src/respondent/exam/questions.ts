import { applicableItems, type Questionnaire } from '#domain/exam/questionFlow.ts';
import { findValueFault } from '#domain/scoring/answerValue.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import type { RespondentForm } from '#features/respond/respond.contract.ts';
import { answersOf, isBlank, keyOf, type AnswerValue, type AnswerMap } from '#respondent/exam/answerMap.ts';

export type FormItem = RespondentForm['items'][number];
export interface Question {
  /** `examformid/c` */
  key: string;
  form: RespondentForm;
  item: FormItem;
}

/** Returns the questions to ask now, of all forms in order. Conditions on earlier answers add and remove questions. */
export function questionsOf(forms: readonly RespondentForm[], answerMap: AnswerMap, person: PersonFacts): Question[] {
  return forms.flatMap((form) => {
    const items = new Set(applicableItems(form as unknown as Questionnaire, answersOf(answerMap, form.examformid), person));
    return form.items.filter((item) => items.has(item.c)).map((item) => ({ key: keyOf(form.examformid, item.c), form, item }));
  });
}

/** Returns the number of questions that another device answered in these forms. */
export const countElsewhere = (forms: readonly RespondentForm[]): number => forms.reduce((sum, form) => sum + form.elsewhere, 0);

/** Returns the number of a question on the page. The questions answered on another device count, so that the numbers go on. */
export const numberOf = (forms: readonly RespondentForm[], questions: readonly Question[], question: Question): number =>
  questions.indexOf(question) + 1 + countElsewhere(forms.slice(0, forms.indexOf(question.form) + 1));

/**
 * Returns the name of a form on the page. The name of a scale (患者健康问卷抑郁量表 …) sounds like a diagnosis: the page shows a part number
 * instead. A form about the person keeps its name.
 */
export function nameOfPart(forms: readonly RespondentForm[], form: RespondentForm): string {
  if (!/量表|问卷|筛查/.test(form.formname)) return form.formname;
  return forms.length > 1 ? `第 ${forms.indexOf(form) + 1} 部分，共 ${forms.length} 部分` : '';
}

/** Says whether a question has a valid answer. */
export const isAnswered = ({ key }: Question, answerMap: AnswerMap): boolean => {
  const entry = answerMap[key];
  return entry !== undefined && entry.refused === undefined && !isBlank(entry.value);
};

/** Returns the required questions without an answer, in order. */
export const missingOf = (questions: readonly Question[], answerMap: AnswerMap): Question[] =>
  questions.filter((question) => question.item.required && !isAnswered(question, answerMap));

/** Returns the page of a question in its form, from 0: a question with `page` begins a new one. */
export const pageOf = ({ form, item }: Question): number =>
  form.items.slice(1, form.items.findIndex(({ c }) => c === item.c) + 1).filter(({ page }) => page).length;

/** Parses a typed text as an answer, or returns the error message. Input types are those of the specification (0–8). */
export function fillIn(item: FormItem, text: string): { value: AnswerValue } | { fault: string } {
  const input = item.input ?? 0;
  // Browsers write a date and a time with a T, and a time range without times is `-`.
  const trimmed = input === 5 ? text.trim().replace('T', ' ') : text.trim();
  if (trimmed === '' || (input === 6 && trimmed === '-')) return { value: null };
  const fault = findValueFault(item, trimmed);
  if (fault !== null) return { fault };
  return { value: input === 1 || input === 2 || input === 7 ? Number(trimmed) : trimmed };
}
