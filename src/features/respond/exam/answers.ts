import { createHash } from 'node:crypto';
import { compileScale, invalidAnswers, isUnanswered } from '#domain/scoring/compiledScale.ts';
import { itemCodesOf } from '#domain/report/report.facts.ts';
import type { Answer, Answers, Cond, Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { AlertAnswer, ExamForm, StoredAnswers } from '#features/respond/exam/submission.queries.ts';

/** Pure rules for answers that a device sends. */

/** An answer as a device sends it; `clientseq` counts the changes on that device. */
export interface SentAnswer {
  examformid: number;
  c: string;
  value: unknown;
  clientseq: number;
}

/** A form with the scale that scores it. */
export type ScaledForm = ExamForm & { scale: Scale };

/** A changed answer to an alert item, with all answers of the form before and after the change. */
export interface AlertChange {
  c: string;
  before: Answers;
  after: Answers;
}

/** A form after the sent answers were applied to it. */
export interface AnsweredForm extends ScaledForm, StoredAnswers {
  /** the new answers that are in force; the others were overtaken by newer ones */
  late: readonly AlertAnswer[];
  /** every change of an answer to an alert item, in order. An answer that arrives overtaken counts as changed back at once. */
  changes: readonly AlertChange[];
}

const answersOf = (answers: readonly SentAnswer[], examformid: number) =>
  answers.filter((answer) => answer.examformid === examformid);

/** Refuses answers to a form outside the sitting, and answers outside the options of their form. Call it before a write. */
export function assertOffered(forms: readonly ScaledForm[], sentAnswers: readonly SentAnswer[]): void {
  const sitting = new Set(forms.map((form) => form.examformid));
  if (sentAnswers.some((answer) => !sitting.has(answer.examformid)))
    throw problems.invalid({ message: '有作答不属于本次测评，请刷新页面' }, { field: 'examformid' });
  for (const { examformid, scale } of forms) {
    const answers = Object.fromEntries(answersOf(sentAnswers, examformid).map(({ c, value }) => [c, value])) as Answers;
    const [field] = invalidAnswers(compileScale(scale), answers);
    if (field !== undefined) throw problems.invalid({ message: '有作答不在选项范围内，请重新选择' }, { field });
  }
}

/** The code of a device for one form. Codes of two forms do not show that one device filled in both. */
const codeOfDevice = (device: string | undefined, examformid: number) =>
  device ? createHash('sha256').update(`${device}:${examformid}`).digest('base64url').slice(0, 22) : '';

/** The answers that another device gave. An answer without a device belongs to no device; an empty one shows nothing. */
export function findAnswersElsewhere({ examformid, answers, devices }: ScaledForm, device: string | undefined): Answers {
  const code = codeOfDevice(device, examformid);
  const isElsewhere = (c: string) => !isUnanswered(answers[c]) && (code === '' || devices?.[c] !== code);
  return Object.fromEntries(Object.entries(answers).filter(([c]) => isElsewhere(c)));
}

/**
 * Applies sent answers to a form. The highest sequence number wins, so a late repeat changes nothing. The result lists every new
 * version of an answer to an alert item, also of an overtaken one, for the history and for the alerts.
 */
export function applyAnswers(form: ScaledForm, sentAnswers: readonly SentAnswer[], device?: string): AnsweredForm {
  const answers: Record<string, Answer | undefined> = { ...form.answers };
  const seqs: Record<string, number> = { ...form.seqs };
  const devices: Record<string, string> = {};
  const code = codeOfDevice(device, form.examformid);
  const alertanswers: AlertAnswer[] = [];
  const late: AlertAnswer[] = [];
  const changes: AlertChange[] = [];
  const { items } = alertItemsOf(form.scale);
  for (const { c, value, clientseq } of answersOf(sentAnswers, form.examformid).sort((a, b) => a.clientseq - b.clientseq)) {
    const version: AlertAnswer = { c, value: value as Answer, seq: clientseq };
    const isNew = !isSame(answers[c] ?? null, value);
    const sent = { ...answers, [c]: version.value };
    if (clientseq < (seqs[c] ?? -1)) {
      if (!items.has(c) || !isNew) continue;
      alertanswers.push(version);
      changes.push({ c, before: sent, after: { ...answers } });
      continue;
    }
    if (items.has(c) && !isSame(answers[c], value)) {
      alertanswers.push(version);
      changes.push({ c, before: { ...answers }, after: sent });
    }
    if (isNew) late.push(version);
    answers[c] = version.value;
    seqs[c] = clientseq;
    devices[c] = code;
  }
  return { ...form, answers, seqs, devices, alertanswers, late, changes };
}

const isSame = (stored: unknown, value: unknown) => JSON.stringify(stored) === JSON.stringify(value);

/** Tells whether a sent answer is the stored one, or a newer answer replaced it before the submission. */
export function isStored(forms: readonly ExamForm[], { examformid, c, value, clientseq }: SentAnswer): boolean {
  const form = forms.find((candidate) => candidate.examformid === examformid);
  return form !== undefined && ((form.seqs[c] ?? -1) > clientseq || isSame(form.answers[c] ?? null, value));
}

interface AlertItems {
  /** items in the condition of an alert */
  items: ReadonlySet<string>;
  /** an alert also depends on scores, so any answer may raise it */
  byScore: boolean;
}
const alertItemsByScale = new WeakMap<Scale, AlertItems>();

/** The items of a scale that can raise an alert. A published scale never changes, so the function computes them once. */
function alertItemsOf(scale: Scale): AlertItems {
  let items = alertItemsByScale.get(scale);
  if (!items) {
    const conditions: Cond[] = (scale.alerts ?? []).map((alert) => alert.when);
    items = {
      items: new Set(conditions.flatMap(itemCodesOf)),
      byScore: conditions.some((condition) => /"(score|level|count)"/.test(JSON.stringify(condition))),
    };
    alertItemsByScale.set(scale, items);
  }
  return items;
}

/** Tells whether one of the sent answers can raise an alert of the form. */
export function canRaiseAlert({ examformid, scale }: ScaledForm, answers: readonly SentAnswer[]): boolean {
  const { items, byScore } = alertItemsOf(scale);
  return answersOf(answers, examformid).some(({ c }) => byScore || items.has(c));
}
