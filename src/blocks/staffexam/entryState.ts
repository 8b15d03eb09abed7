import { applicableItems } from '#domain/exam/questionFlow.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answers, PersonFacts } from '#domain/scoring/scale.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getStaffExam } from '#features/staffexam/staffexam.contract.ts';

/** What staff have typed in: answers, and scores as texts, by questionnaire. */
export interface Typed {
  answers: Answers;
  scores: Readonly<Record<string, string>>;
}
export type TypedSheets = Readonly<Record<string, Typed>>;
export type EntrySheets = ResponseOf<typeof getStaffExam>['sheets'];
export type EntrySheet = EntrySheets[number];

export const nothingTyped: Typed = { answers: {}, scores: {} };
export const isTyped = (sheets: TypedSheets): boolean =>
  Object.values(sheets).some(
    ({ answers, scores }) =>
      Object.values(answers).some((answer) => !isUnanswered(answer)) || Object.values(scores).some(Boolean),
  );

/** The sheets of a request: only answers to questions that apply, and scores as numbers. */
export const toRequest = (sheets: EntrySheets, typed: TypedSheets, person: PersonFacts) =>
  sheets.map(({ formcode, questionnaire, scores }) => {
    const { answers, scores: texts } = typed[formcode] ?? nothingTyped;
    const applicable = applicableItems(questionnaire, answers, person);
    const given = Object.entries(answers).filter(([c, answer]) => applicable.includes(c) && !isUnanswered(answer));
    const numbers = scores.filter(({ c }) => (texts[c] ?? '').trim() !== '').map(({ c }) => [c, Number(texts[c])]);
    return {
      formcode,
      answers: Object.fromEntries(given) as Record<string, string | number | string[]>,
      scores: Object.fromEntries(numbers) as Record<string, number>,
    };
  });

/** A question or score that differs between both times of typing in. */
export interface Difference {
  formcode: string;
  part: 'answers' | 'scores';
  c: string;
  /** where staff find it: the score, or the number of the question */
  title: string;
  first: string;
  second: string;
}

/** The differences between both times of typing in, in the order of the paper. */
export function findDifferences(sheets: EntrySheets, first: TypedSheets, second: TypedSheets): Difference[] {
  return sheets.flatMap(({ formcode, formname, questionnaire, scores }) => {
    const [one, two] = [first[formcode] ?? nothingTyped, second[formcode] ?? nothingTyped];
    const labelOf = (c: string, value: unknown) => {
      const item = questionnaire.items.find((candidate) => candidate.c === c);
      const option = (questionnaire.optionsets[item?.o ?? ''] ?? []).find(([code]) => code === String(value));
      return value == null || value === '' ? '未填' : (option?.[1] ?? String(value));
    };
    const ofScores = scores.map(({ c, n }) => ({
      part: 'scores' as const,
      c,
      title: n,
      values: [one.scores[c] ?? '', two.scores[c] ?? ''],
    }));
    const ofAnswers = questionnaire.items.map(({ c, t }, index) => ({
      part: 'answers' as const,
      c,
      title: /^第 \d+ 题$/.test(t) ? t : `第 ${index + 1} 题`,
      values: [one.answers[c] ?? '', two.answers[c] ?? ''],
    }));
    return [...ofScores, ...ofAnswers]
      .filter(({ values: [a, b] }) => String(a) !== String(b))
      .map(({ part, c, title, values: [a, b] }) => ({
        formcode,
        part,
        c,
        title: `${formname} ${title}`,
        first: labelOf(c, a),
        second: labelOf(c, b),
      }));
  });
}

/** One of two typed sheets with a single value of the other. */
export function withValueOf(sheets: TypedSheets, other: TypedSheets, { formcode, part, c }: Difference): TypedSheets {
  const sheet = sheets[formcode] ?? nothingTyped;
  const value = (other[formcode] ?? nothingTyped)[part][c] ?? (part === 'scores' ? '' : null);
  return { ...sheets, [formcode]: { ...sheet, [part]: { ...sheet[part], [c]: value } } };
}
