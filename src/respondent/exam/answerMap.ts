import type { z } from 'zod';
import type { answerValue, Sheet } from '#features/respond/respond.contract.ts';

/**
 * The answers a respondent's page holds, and which of them the server does not have yet. Pure: every function returns a new book.
 * Of two answers to one question the one with the higher `seq` counts, on the page as on the server.
 */

export type AnswerValue = z.infer<typeof answerValue>;
/** One answer as `saveAnswer` and `submitExam` take it. */
export interface WireAnswer {
  examformid: number;
  c: string;
  value: AnswerValue;
  clientseq: number;
}
export interface SavedAnswer {
  value: AnswerValue;
  seq: number;
  /** the server has confirmed it */
  saved: boolean;
  /** why the server will never take it; the person has to answer anew */
  refused?: string;
}
/** Keyed by `examformid/c`. */
export type AnswerMap = Readonly<Record<string, SavedAnswer>>;

export const keyOf = (examformid: number, c: string) => `${examformid}/${c}`;

/** What the server has, as `startExam` tells it. */
export function answerMapOf(sheets: readonly Pick<Sheet, 'examformid' | 'answers' | 'seqs'>[]): AnswerMap {
  const book: Record<string, SavedAnswer> = {};
  for (const { examformid, answers, seqs } of sheets) {
    for (const c of Object.keys(answers)) {
      book[keyOf(examformid, c)] = { value: answers[c] as AnswerValue, seq: seqs[c] ?? 0, saved: true };
    }
  }
  return book;
}

const highest = (book: AnswerMap) => Object.keys(book).reduce((top, key) => Math.max(top, book[key]?.seq ?? 0), 0);

/** The book after the person answered; the new answer is later than every answer in it. Choosing the same again changes nothing. */
export function setAnswer(book: AnswerMap, examformid: number, c: string, value: AnswerValue): AnswerMap {
  const key = keyOf(examformid, c);
  const before = book[key];
  if (before && !before.refused && JSON.stringify(before.value) === JSON.stringify(value)) return book;
  return { ...book, [key]: { value, seq: highest(book) + 1, saved: false } };
}

/** The answer as if just given: it was thought to be saved and turned out not to be. A blank one stays as it is. */
export function markUnsaved(book: AnswerMap, examformid: number, c: string): AnswerMap {
  const entry = book[keyOf(examformid, c)];
  if (!entry || isBlank(entry.value)) return book;
  return { ...book, [keyOf(examformid, c)]: { value: entry.value, seq: highest(book) + 1, saved: false } };
}

/** Answers still to be sent, oldest first. */
export function pendingOf(book: AnswerMap): WireAnswer[] {
  return Object.keys(book)
    .flatMap((key) => {
      const entry = book[key];
      if (!entry || entry.saved || entry.refused !== undefined) return [];
      const slash = key.indexOf('/');
      return [{ examformid: Number(key.slice(0, slash)), c: key.slice(slash + 1), value: entry.value, clientseq: entry.seq }];
    })
    .sort((a, b) => a.clientseq - b.clientseq);
}

const mark = (book: AnswerMap, answers: readonly WireAnswer[], as: (entry: SavedAnswer) => SavedAnswer): AnswerMap => {
  const next: Record<string, SavedAnswer> = { ...book };
  for (const { examformid, c, clientseq } of answers) {
    const key = keyOf(examformid, c);
    const entry = next[key];
    // A newer choice made while the older one travelled is still to be sent.
    if (entry?.seq === clientseq) next[key] = as(entry);
  }
  return next;
};

/** The server confirmed these. */
export const markSaved = (book: AnswerMap, answers: readonly WireAnswer[]): AnswerMap =>
  mark(book, answers, ({ value, seq }) => ({ value, seq, saved: true }));

/** The server will never take these. */
export const markRefused = (book: AnswerMap, answers: readonly WireAnswer[], why: string): AnswerMap =>
  mark(book, answers, (entry) => ({ ...entry, refused: why }));

/**
 * The server's answers with those kept on the device. A kept answer that is newer wins and is sent again; one the server has a newer
 * (or the same) answer for is dropped.
 */
export function mergeAnswers(server: AnswerMap, answers: readonly WireAnswer[]): AnswerMap {
  const next: Record<string, SavedAnswer> = { ...server };
  for (const { examformid, c, value, clientseq } of answers) {
    const key = keyOf(examformid, c);
    const there = next[key];
    if (!there || clientseq > there.seq) next[key] = { value, seq: clientseq, saved: false };
  }
  return next;
}

/** Whether nothing was answered: null, empty text or an empty choice. */
export const isBlank = (value: AnswerValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Answers to one form by question code, as conditions ask them. */
export function answersOf(book: AnswerMap, examformid: number): Record<string, AnswerValue> {
  const prefix = `${examformid}/`;
  const answers: Record<string, AnswerValue> = {};
  for (const key of Object.keys(book)) {
    const entry = book[key];
    if (entry && key.startsWith(prefix)) answers[key.slice(prefix.length)] = entry.value;
  }
  return answers;
}
