import type { z } from 'zod';
import type { answerValue, RespondentForm } from '#features/respond/respond.contract.ts';

/**
 * The answers on a respondent's page, and whether the server has each of them. The functions are pure: each returns a new map. Of
 * two answers to one question the one with the higher `seq` counts, on the page and on the server.
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
  /** the server has confirmed this answer */
  saved: boolean;
  /** the reason of a permanent refusal; the respondent has to answer again */
  refused?: string;
}
/** Keyed by `examformid/c`. */
export type AnswerMap = Readonly<Record<string, SavedAnswer>>;

export const keyOf = (examformid: number, c: string) => `${examformid}/${c}`;

/**
 * Returns the answers that the server has, as `startExam` sends them. An answer of another device has only its number: newer answers
 * of this device get a higher one.
 */
export function answerMapOf(forms: readonly Pick<RespondentForm, 'examformid' | 'answers' | 'seqs'>[]): AnswerMap {
  const answerMap: Record<string, SavedAnswer> = {};
  for (const { examformid, answers, seqs } of forms) {
    for (const c of Object.keys({ ...seqs, ...answers })) {
      answerMap[keyOf(examformid, c)] = { value: (answers[c] ?? null) as AnswerValue, seq: seqs[c] ?? 0, saved: true };
    }
  }
  return answerMap;
}

const highestSeq = (answerMap: AnswerMap) =>
  Object.keys(answerMap).reduce((top, key) => Math.max(top, answerMap[key]?.seq ?? 0), 0);

/** Returns the map with a new answer, which gets the highest `seq`. The same answer again changes nothing. */
export function setAnswer(answerMap: AnswerMap, examformid: number, c: string, value: AnswerValue): AnswerMap {
  const key = keyOf(examformid, c);
  const before = answerMap[key];
  if (before && !before.refused && JSON.stringify(before.value) === JSON.stringify(value)) return answerMap;
  return { ...answerMap, [key]: { value, seq: highestSeq(answerMap) + 1, saved: false } };
}

/** Marks an answer as unsent, because the server reports it missing. A blank answer stays as it is. */
export function markUnsaved(answerMap: AnswerMap, examformid: number, c: string): AnswerMap {
  const entry = answerMap[keyOf(examformid, c)];
  if (!entry || isBlank(entry.value)) return answerMap;
  return { ...answerMap, [keyOf(examformid, c)]: { value: entry.value, seq: highestSeq(answerMap) + 1, saved: false } };
}

/** Returns the answers that are not sent yet, oldest first. */
export function pendingOf(answerMap: AnswerMap): WireAnswer[] {
  return Object.keys(answerMap)
    .flatMap((key) => {
      const entry = answerMap[key];
      if (!entry || entry.saved || entry.refused !== undefined) return [];
      const slash = key.indexOf('/');
      return [{ examformid: Number(key.slice(0, slash)), c: key.slice(slash + 1), value: entry.value, clientseq: entry.seq }];
    })
    .sort((a, b) => a.clientseq - b.clientseq);
}

const mark = (answerMap: AnswerMap, answers: readonly WireAnswer[], change: (entry: SavedAnswer) => SavedAnswer): AnswerMap => {
  const next: Record<string, SavedAnswer> = { ...answerMap };
  for (const { examformid, c, clientseq } of answers) {
    const key = keyOf(examformid, c);
    const entry = next[key];
    // A newer choice may have replaced this one in the meantime: it still has to be sent.
    if (entry?.seq === clientseq) next[key] = change(entry);
  }
  return next;
};

/** Marks the answers that the server has confirmed. */
export const markSaved = (answerMap: AnswerMap, answers: readonly WireAnswer[]): AnswerMap =>
  mark(answerMap, answers, ({ value, seq }) => ({ value, seq, saved: true }));

/** Marks the answers that the server has refused for good. */
export const markRefused = (answerMap: AnswerMap, answers: readonly WireAnswer[], reason: string): AnswerMap =>
  mark(answerMap, answers, (entry) => ({ ...entry, refused: reason }));

/**
 * Merges the server's answers with the draft of the device. A newer draft answer replaces the server's and is sent again. A draft
 * answer that is not newer is dropped.
 */
export function mergeAnswers(server: AnswerMap, answers: readonly WireAnswer[]): AnswerMap {
  const next: Record<string, SavedAnswer> = { ...server };
  for (const { examformid, c, value, clientseq } of answers) {
    const key = keyOf(examformid, c);
    const existing = next[key];
    if (!existing || clientseq > existing.seq) next[key] = { value, seq: clientseq, saved: false };
  }
  return next;
}

/** Says whether a value is no answer: null, empty text or an empty choice. */
export const isBlank = (value: AnswerValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the answers to one form by question code, as the conditions need them. */
export function answersOf(answerMap: AnswerMap, examformid: number): Record<string, AnswerValue> {
  const prefix = `${examformid}/`;
  const answers: Record<string, AnswerValue> = {};
  for (const key of Object.keys(answerMap)) {
    const entry = answerMap[key];
    if (entry && key.startsWith(prefix)) answers[key.slice(prefix.length)] = entry.value;
  }
  return answers;
}
