import { defineEnum } from '#domain/base/enum.ts';
import type { CodeOf } from '#domain/base/enum.ts';

/** The result of the ASQ in an interview (clinical-rules D). */
export const AsqResult = defineEnum({
  acute: ['01', '急性阳性'],
  acutePossible: ['02', '急性待排除'],
  positive: ['03', '非急性阳性'],
  positiveUnfinished: ['04', '阳性·未完成'],
  refused: ['05', '阳性'],
  negative: ['06', '阴性'],
  unfinished: ['07', '未完成'],
});
export type AsqResultCode = CodeOf<typeof AsqResult>;

/** Answers to the ASQ by item: '1' yes, '0' no, '9' refused; null, '' or absent: not answered. `q4t` is a text. */
export type AsqAnswers = Readonly<Record<string, string | null | undefined>>;

export interface AsqTriage {
  result: AsqResultCode;
  /** the least level that the result suggests; 0 when it suggests none */
  level: 0 | 3 | 4;
  /** false: the assessment stays due, because answers that decide are missing */
  isFinished: boolean;
}

const FIRST_QUESTIONS = ['q1', 'q2', 'q3', 'q4'] as const;
const QUESTIONS = [...FIRST_QUESTIONS, 'q5'] as const;

const TRIAGES: Readonly<Record<AsqResultCode, Omit<AsqTriage, 'result'>>> = {
  '01': { level: 4, isFinished: true },
  '02': { level: 4, isFinished: true },
  '03': { level: 3, isFinished: true },
  '04': { level: 3, isFinished: false },
  '05': { level: 3, isFinished: true },
  '06': { level: 0, isFinished: true },
  '07': { level: 0, isFinished: false },
};

/**
 * The result of the ASQ by the triage of the NIMH toolkit: a yes to question 5 is acute, any other yes or refusal is positive.
 * A refused question 5 after a positive answer counts as acute until it is ruled out; this is our own conservative rule.
 * An unfinished ASQ is never negative.
 */
export function triageAsq(answers: AsqAnswers): AsqTriage {
  const result = findAsqResult(answers);
  return { result, ...TRIAGES[result] };
}

function findAsqResult(answers: AsqAnswers): AsqResultCode {
  const now = answers['q5'];
  if (now === '1') return AsqResult.acute;
  const isPositive = FIRST_QUESTIONS.some((code) => answers[code] === '1' || answers[code] === '9');
  if (now === '9') return isPositive ? AsqResult.acutePossible : AsqResult.refused;
  if (isPositive) return now === '0' ? AsqResult.positive : AsqResult.positiveUnfinished;
  return FIRST_QUESTIONS.every((code) => answers[code] === '0') ? AsqResult.negative : AsqResult.unfinished;
}

/** Whether somebody answered at least one question of the ASQ. */
export const hasAsqAnswers = (answers: AsqAnswers | null | undefined): answers is AsqAnswers =>
  answers != null && QUESTIONS.some((code) => Boolean(answers[code]));

/** Whether staff asked the ASQ and it is negative. */
export const isAsqNegative = (answers: AsqAnswers | null | undefined): boolean =>
  hasAsqAnswers(answers) && findAsqResult(answers) === AsqResult.negative;

/** The items with an answer that the ASQ does not have. */
export function findAsqFaults(answers: AsqAnswers): string[] {
  return Object.entries(answers)
    .filter(([code, answer]) => {
      if (answer == null || answer === '' || code === 'q4t') return false;
      return !(QUESTIONS as readonly string[]).includes(code) || !['0', '1', '9'].includes(answer);
    })
    .map(([code]) => code);
}

/**
 * The alert codes of forms that ask the person directly about suicide or self-harm. An interview after other forms begins with
 * the ASQ. Hopelessness and the observations of others do not count here, because nobody has asked the person.
 */
export const isSelfHarmAlert = (code: string): boolean => /^(SI|SELFHARM|ASQ)/.test(code);
