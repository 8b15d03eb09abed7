import type { EarlierResult } from '#domain/scoring/condition.ts';
import { recordLevel } from '#domain/scoring/mentalState.ts';
import type { Answers, FormResult, Level, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { score } from '#domain/scoring/scoring.ts';
import { answerQuality, visibleItems } from '#domain/exam/questionFlow.ts';
import { unanswered } from '#domain/scoring/compiledScale.ts';

/** One questionnaire of a sitting with what was answered so far. */
export interface ExamForm {
  examformid: number;
  scale: Scale;
  answers: Answers;
}

export interface ExamResult {
  forms: { examformid: number; scale: Scale; answers: Answers; result: FormResult }[];
  /** false: kept apart (存疑), out of statistics, looked at by a person; alerts count all the same */
  valid: boolean;
  invalidreason: string | null;
  overalllevel: Level | null;
  hasalert: boolean;
  alertlevel: 0 | Level;
}

/** Required questions nobody answered yet, and answers that were never offered. Nothing is handed in while there are any. */
export function unansweredItems(forms: readonly ExamForm[], person: PersonFacts): { examformid: number; c: string }[] {
  return forms.flatMap(({ examformid, scale, answers }) => {
    const outcome = score(scale, answers, person);
    if (outcome.kind === 'invalid') return outcome.items.map((c) => ({ examformid, c }));
    return visibleItems(scale, answers, person)
      .filter((item) => item.required !== false && unanswered(answers[item.c]))
      .map((item) => ({ examformid, c: item.c }));
  });
}

/**
 * Scores a whole sitting. `seconds` is null when the time says nothing (paper, staff entry). Doubt about how a sheet was
 * filled in marks the sitting, it never discards it. Throws RangeError for an answer that was never offered.
 */
export function scoreExam(forms: readonly ExamForm[], person: PersonFacts, seconds: number | null): ExamResult {
  const judged = forms.map(({ examformid, scale, answers }) => {
    const outcome = score(scale, answers, person);
    if (outcome.kind === 'invalid') throw new RangeError(`${scale.formcode}: answers never offered: ${outcome.items.join(', ')}`);
    const { kind: _, ...result } = outcome;
    return { examformid, scale, answers, result: result as FormResult };
  });
  const answeredCount = forms.reduce(
    (n, { scale, answers }) => n + scale.items.filter((item) => !unanswered(answers[item.c])).length,
    0,
  );
  const doubts = [
    ...(seconds !== null && answeredCount > 0 && seconds < answeredCount
      ? [`作答过快：${answeredCount}题共用时${seconds}秒`]
      : []),
    ...judged.flatMap(({ scale, answers }) => answerQuality(scale, answers, null).reasons),
    ...judged.flatMap(({ scale, result }) =>
      result.valid
        ? []
        : (scale.validity ?? [])
            .filter((rule) => rule.action === 'invalid' && result.flags.includes(rule.c))
            .map((rule) => rule.msg),
    ),
  ];
  const results = judged.map((form) => form.result);
  const alertlevel = Math.max(0, ...results.map((result) => result.alertlevel)) as 0 | Level;
  return {
    forms: judged,
    valid: doubts.length === 0,
    invalidreason: doubts.length ? doubts.join('；') : null,
    overalllevel: recordLevel(results),
    hasalert: alertlevel > 0,
    alertlevel,
  };
}

export type { EarlierResult };
