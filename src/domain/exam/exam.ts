import type { EarlierResult } from '#domain/scoring/condition.ts';
import { recordLevel } from '#domain/scoring/mentalState.ts';
import type { Answers, FormResult, Level, Outcome, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { score } from '#domain/scoring/scoring.ts';
import { assessAnswerQuality, visibleItems } from '#domain/exam/questionFlow.ts';
import { scoreEntered, type EnteredScores } from '#domain/exam/enteredScores.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';

/** One questionnaire of an exam with its answers so far. */
export interface ExamForm {
  examformid: number;
  scale: Scale;
  answers: Answers;
  /** scores that staff entered from a paper scale; then `answers` has only the items of alerts */
  entered?: EnteredScores | null | undefined;
}

export interface ExamResult {
  forms: { examformid: number; scale: Scale; answers: Answers; result: FormResult }[];
  /** false: doubtful (存疑). Statistics leave the exam out and staff review it; its alerts still count. */
  valid: boolean;
  invalidreason: string | null;
  overalllevel: Level | null;
  hasalert: boolean;
  alertlevel: 0 | Level;
}

/** The outcome of a form: of its answers, or of the scores that staff entered. */
export const scoreForm = ({ scale, answers, entered }: Omit<ExamForm, 'examformid'>, person: PersonFacts): Outcome =>
  entered ? { kind: 'scored', ...scoreEntered(scale, entered, answers, person) } : score(scale, answers, person);

/** The required questions without an answer, and the answers that the form does not offer. Any of them blocks the submission. */
export function unansweredItems(forms: readonly ExamForm[], person: PersonFacts): { examformid: number; c: string }[] {
  return forms.flatMap(({ examformid, scale, answers, entered }) => {
    if (entered) return [];
    const outcome = score(scale, answers, person);
    if (outcome.kind === 'invalid') return outcome.items.map((c) => ({ examformid, c }));
    return visibleItems(scale, answers, person)
      .filter((item) => item.required !== false && isUnanswered(answers[item.c]))
      .map((item) => ({ examformid, c: item.c }));
  });
}

/**
 * The result of a whole exam. `seconds` is null when the time means nothing (paper, staff entry). A doubtful answer
 * pattern marks the exam but never discards it. Throws RangeError for an answer that the form does not offer.
 */
export function scoreExam(forms: readonly ExamForm[], person: PersonFacts, seconds: number | null): ExamResult {
  const scoredForms = forms.map(({ examformid, scale, answers, entered }) => {
    const outcome = scoreForm({ scale, answers, entered }, person);
    if (outcome.kind === 'invalid') throw new RangeError(`${scale.formcode}: answers never offered: ${outcome.items.join(', ')}`);
    const { kind: _, ...result } = outcome;
    return { examformid, scale, answers, result: result as FormResult };
  });
  const answeredCount = forms.reduce(
    (n, { scale, answers }) => n + scale.items.filter((item) => !isUnanswered(answers[item.c])).length,
    0,
  );
  const doubts = [
    ...(seconds !== null && answeredCount > 0 && seconds < answeredCount
      ? [`作答过快：${answeredCount}题共用时${seconds}秒`]
      : []),
    ...scoredForms.flatMap(({ scale, answers }) => assessAnswerQuality(scale, answers, null).reasons),
    ...scoredForms.flatMap(({ scale, result }) =>
      result.valid
        ? []
        : (scale.validity ?? [])
            .filter((rule) => rule.action === 'invalid' && result.flags.includes(rule.c))
            .map((rule) => rule.msg),
    ),
  ];
  const results = scoredForms.map((form) => form.result);
  const alertlevel = Math.max(0, ...results.map((result) => result.alertlevel)) as 0 | Level;
  return {
    forms: scoredForms,
    valid: doubts.length === 0,
    invalidreason: doubts.length ? doubts.join('；') : null,
    overalllevel: recordLevel(results),
    hasalert: alertlevel > 0,
    alertlevel,
  };
}

export type { EarlierResult };
