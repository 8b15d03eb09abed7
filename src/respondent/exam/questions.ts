import { applicableItems, type Questionnaire } from '#domain/exam/questionFlow.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import type { Sheet } from '#features/respond/respond.contract.ts';
import { answersOf, isBlank, keyOf, type AnswerValue, type AnswerMap } from '#respondent/exam/answerMap.ts';

export type SheetItem = Sheet['items'][number];
export interface Question {
  /** `examformid/c` */
  key: string;
  sheet: Sheet;
  item: SheetItem;
}

/** The questions to ask now, through all forms in their order: conditions on earlier answers add and remove some. */
export function questionsOf(sheets: readonly Sheet[], book: AnswerMap, person: PersonFacts): Question[] {
  return sheets.flatMap((sheet) => {
    const items = new Set(applicableItems(sheet as unknown as Questionnaire, answersOf(book, sheet.examformid), person));
    return sheet.items.filter((item) => items.has(item.c)).map((item) => ({ key: keyOf(sheet.examformid, item.c), sheet, item }));
  });
}

/**
 * What a form is called on the page. Names of scales (患者健康问卷抑郁量表 …) tell what is being looked for and sound like a verdict:
 * they are parts of the assessment here; a form about the person keeps its name.
 */
export function nameOfPart(sheets: readonly Sheet[], sheet: Sheet): string {
  if (!/量表|问卷|筛查/.test(sheet.formname)) return sheet.formname;
  return sheets.length > 1 ? `第 ${sheets.indexOf(sheet) + 1} 部分，共 ${sheets.length} 部分` : '';
}

/** Whether a question has an answer that counts. */
export const isAnswered = ({ key }: Question, book: AnswerMap): boolean => {
  const entry = book[key];
  return entry !== undefined && entry.refused === undefined && !isBlank(entry.value);
};

/** Required questions without an answer, in the order they are asked. */
export const missingOf = (questions: readonly Question[], book: AnswerMap): Question[] =>
  questions.filter((question) => question.item.required && !isAnswered(question, book));

const isDay = (text: string) => {
  const time = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};

/** What a typed text means as an answer, or what is wrong with it. Input types are those of the specification (0–8). */
export function fillIn(item: SheetItem, text: string): { value: AnswerValue } | { fault: string } {
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
  if (item.pattern !== undefined && !new RegExp(`^(?:${item.pattern})$`, 'u').test(trimmed)) return { fault: '填写的格式不正确' };
  return { value: trimmed };
}
