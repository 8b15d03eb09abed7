import { compileScale, isUnanswered, type CompiledItem } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, FormResult, Scale } from '#domain/scoring/scale.ts';

/** One answer as staff read it. */
export interface AnswerRow {
  no: number;
  title: string;
  optionlabel: string;
  value: string;
  score: number | null;
}

/** The labels of the chosen options; a filled-in value as it is; '' without an answer. */
function labelOf(scale: Scale, { item }: CompiledItem, answer: Answer | undefined): string {
  if (isUnanswered(answer)) return '';
  const labels = new Map((scale.optionsets[item.o ?? ''] ?? []).map(([code, label]) => [code, label]));
  return [answer]
    .flat()
    .map((code) => labels.get(String(code)) ?? String(code))
    .join('、');
}

/** The title of an item. A licensed questionnaire without its wording has numbers only. */
export const titleOf = (title: string, no: number): string => title || `第 ${no} 题`;

/** The answers of a sheet, one row an item. */
export const toAnswerRows = (scale: Scale, answers: Answers, raw: FormResult | null): AnswerRow[] =>
  compileScale(scale).items.map((compiled, index) => {
    const { c, t } = compiled.item;
    const answer = answers[c];
    return {
      no: index + 1,
      title: titleOf(t, index + 1),
      optionlabel: labelOf(scale, compiled, answer),
      value: isUnanswered(answer) ? '' : [answer].flat().join('、'),
      score: raw?.itemscores[c] ?? null,
    };
  });
