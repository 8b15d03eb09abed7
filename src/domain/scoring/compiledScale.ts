import { findChoiceFault, findValueFault } from '#domain/scoring/answerValue.ts';
import { expand } from '#domain/scoring/condition.ts';
import type { Answer, Answers, Item, Scale, ScoreDef, Skeleton } from '#domain/scoring/scale.ts';

/** One item, prepared for scoring: option code → score, already reversed where the form reverses it. */
export interface CompiledItem {
  item: Item;
  type: 0 | 1 | 2;
  required: boolean;
  options: ReadonlyMap<string, number | null>;
  reversed: boolean;
  /** lowest + highest option score: a reversed score is this minus the printed score */
  flip: number;
}

export interface CompiledScore {
  def: ScoreDef;
  codes: readonly string[];
  /** weight of each of `codes`, for `weighted` */
  weights: readonly number[];
}

/** A definition prepared for scoring. Definitions are immutable, so the result is cached with the definition object. */
export interface CompiledScale {
  items: readonly CompiledItem[];
  byCode: ReadonlyMap<string, CompiledItem>;
  scores: readonly CompiledScore[];
  conditional: readonly CompiledItem[];
}

const compiledScales = new WeakMap<Scale, CompiledScale>();

/** The compiled definition, from the cache if it is there. */
export function compileScale(scale: Scale): CompiledScale {
  const cached = compiledScales.get(scale);
  if (cached) return cached;
  const items = scale.items.map((item) => compileItem(scale, item));
  const compiled: CompiledScale = {
    items,
    byCode: new Map(items.map((item) => [item.item.c, item])),
    scores: scale.scores.map((def) => ({
      def,
      codes: def.of === undefined ? [] : expand(def.of, scale.items),
      weights: def.w ?? [],
    })),
    conditional: items.filter((item) => item.item.showif),
  };
  compiledScales.set(scale, compiled);
  return compiled;
}

function compileItem(scale: Scale, item: Item): CompiledItem {
  const rows = (item.o === undefined ? undefined : scale.optionsets[item.o]) ?? [];
  const numbers = rows.map((row) => row[2]).filter((score) => score !== null);
  const flip = numbers.length ? Math.min(...numbers) + Math.max(...numbers) : 0;
  const reversed = scale.reverse?.includes(item.c) ?? false;
  const type = item.type ?? 1;
  // The sum of a multiple choice is reversed later, in `itemScore`.
  const shouldReverse = reversed && type === 1;
  const options = new Map(rows.map(([code, , score]) => [code, shouldReverse && score !== null ? flip - score : score]));
  return { item, type, required: item.required !== false, options, reversed, flip };
}

/** Whether the answer is missing: absent, null, empty text or an empty choice. */
export const isUnanswered = (answer: Answer | undefined): answer is null | undefined | '' =>
  answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);

/** The score of one answer that the form offers; null for answers without a number. */
export function itemScore(item: CompiledItem, answer: Answer | undefined): number | null {
  if (answer === undefined || answer === null || answer === '') return null;
  if (item.type === 0) return item.item.scored ? Number(answer) : null;
  if (typeof answer !== 'object') return item.options.get(String(answer)) ?? null;
  const sum = answer.reduce((total, code) => total + (item.options.get(code) ?? 0), 0);
  return item.reversed ? item.flip - sum : sum;
}

/** Item codes of answers that the form does not offer: unknown items, unknown options, fill-ins outside their limits. */
export function invalidAnswers(scale: CompiledScale, answers: Answers): string[] {
  const refused: string[] = [];
  for (const code in answers) {
    const answer = answers[code];
    const item = scale.byCode.get(code);
    if (!item) refused.push(code);
    else if (!isUnanswered(answer) && answer !== undefined && !isOffered(item, answer)) refused.push(code);
  }
  return refused;
}

function isOffered(item: CompiledItem, answer: NonNullable<Answer>): boolean {
  if (item.type === 1) return typeof answer !== 'object' && item.options.has(String(answer));
  if (item.type === 2) {
    return (
      typeof answer === 'object' &&
      new Set(answer).size === answer.length &&
      answer.every((code) => item.options.has(String(code))) &&
      findChoiceFault(item.item, answer) === null
    );
  }
  return typeof answer !== 'object' && findValueFault(item.item, answer) === null;
}

/** The definition of a skeleton with its items `q1…qn`. Their texts stay empty, because the licence owner supplies the wording. */
export function expandSkeleton({ itemcount, itemopt, itemoptx, ...scale }: Skeleton): Scale {
  const items = Array.from({ length: itemcount }, (_, index) => {
    const c = `q${index + 1}`;
    return { c, o: itemoptx?.[c] ?? itemopt, t: '' };
  });
  return { ...scale, items };
}
