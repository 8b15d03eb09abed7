import { applicableItems, type Questionnaire } from '#domain/exam/questionFlow.ts';
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

const isDay = (text: string) => {
  const time = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};

/** Parses a time range, `14:00-16:00`. Both ends without a time are no answer. */
function timeRangeIn(text: string): { value: AnswerValue } | { fault: string } {
  if (text === '-') return { value: null };
  const [from = '', to = '', ...rest] = text.split('-').map((part) => part.trim());
  const isTime = (part: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(part);
  if (!isTime(from) || !isTime(to) || rest.length > 0) return { fault: '请填写开始和结束时间，例如 14:00-16:00' };
  return from < to ? { value: `${from}-${to}` } : { fault: '结束时间应晚于开始时间' };
}

/** Parses a typed text as an answer, or returns the error message. Input types are those of the specification (0–8). */
export function fillIn(item: FormItem, text: string): { value: AnswerValue } | { fault: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  const input = item.input ?? 0;
  if (input === 1 || input === 2 || input === 7) {
    const value = Number(trimmed);
    if (!Number.isFinite(value) || !/^-?\d*\.?\d+$/.test(trimmed)) return { fault: '请填写数字' };
    if (input === 1 && !Number.isInteger(value)) return { fault: '请填写整数' };
    if (item.min !== undefined && value < item.min) return { fault: `请填写不小于 ${item.min} 的数字` };
    if (item.max !== undefined && value > item.max) return { fault: `请填写不大于 ${item.max} 的数字` };
    return { value };
  }
  if (item.maxlen !== undefined && Array.from(trimmed).length > item.maxlen) return { fault: `最多 ${item.maxlen} 个字` };
  if (input === 3 && !isDay(trimmed)) return { fault: '请填写正确的日期，例如 2025-03-08' };
  if (input === 4 && !/^([01]\d|2[0-3]):[0-5]\d/.test(trimmed)) return { fault: '请填写正确的时间，例如 08:30' };
  if (input === 5 && !(isDay(trimmed.slice(0, 10)) && /^[ T]([01]\d|2[0-3]):[0-5]\d/.test(trimmed.slice(10)))) {
    return { fault: '请填写正确的日期和时间，例如 2025-03-08 08:30' };
  }
  if (input === 6) return timeRangeIn(trimmed);
  if (item.pattern !== undefined && !new RegExp(`^(?:${item.pattern})$`, 'u').test(trimmed)) return { fault: '填写的格式不正确' };
  return { value: trimmed };
}
