import { expand } from '#domain/scoring/condition.ts';
import type { Answer, Answers, Item, Scale, ScoreDef, Skeleton } from '#domain/scoring/scale.ts';

/** One item with what scoring needs at hand: option code → score, already reversed where the form reverses it. */
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

/** A definition prepared once; definitions are immutable, so it is kept as long as the definition object lives. */
export interface CompiledScale {
  items: readonly CompiledItem[];
  byCode: ReadonlyMap<string, CompiledItem>;
  scores: readonly CompiledScore[];
  conditional: readonly CompiledItem[];
}

const compiledScales = new WeakMap<Scale, CompiledScale>();

/** The prepared form of a definition. */
export function compileScale(scale: Scale): CompiledScale {
  const before = compiledScales.get(scale);
  if (before) return before;
  const items = scale.items.map((item) => compileItem(scale, item));
  const madeScale: CompiledScale = {
    items,
    byCode: new Map(items.map((item) => [item.item.c, item])),
    scores: scale.scores.map((def) => ({
      def,
      codes: def.of === undefined ? [] : expand(def.of, scale.items),
      weights: def.w ?? [],
    })),
    conditional: items.filter((item) => item.item.showif),
  };
  compiledScales.set(scale, madeScale);
  return madeScale;
}

function compileItem(scale: Scale, item: Item): CompiledItem {
  const rows = (item.o === undefined ? undefined : scale.optionsets[item.o]) ?? [];
  const numbers = rows.map((row) => row[2]).filter((score) => score !== null);
  const flip = numbers.length ? Math.min(...numbers) + Math.max(...numbers) : 0;
  const reversed = scale.reverse?.includes(item.c) ?? false;
  const type = item.type ?? 1;
  // A multiple choice is reversed as a whole, after its chosen options are added up.
  const turn = reversed && type === 1;
  const options = new Map(rows.map(([code, , score]) => [code, turn && score !== null ? flip - score : score]));
  return { item, type, required: item.required !== false, options, reversed, flip };
}

/** Whether nothing was answered: absent, null, empty text or an empty choice. */
export const unanswered = (answer: Answer | undefined): answer is null | undefined | '' =>
  answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);

/** Score of one answer that the form offered; null for what carries no number. */
export function itemScore(item: CompiledItem, answer: Answer | undefined): number | null {
  if (answer === undefined || answer === null || answer === '') return null;
  if (item.type === 0) return item.item.scored ? Number(answer) : null;
  if (typeof answer !== 'object') return item.options.get(String(answer)) ?? null;
  const sum = answer.reduce((total, code) => total + (item.options.get(code) ?? 0), 0);
  return item.reversed ? item.flip - sum : sum;
}

/** Codes of answers the form never offered: unknown items, options outside the set, fill-ins outside their limits. */
export function invalidAnswers(scale: CompiledScale, answers: Answers): string[] {
  const refused: string[] = [];
  for (const code in answers) {
    const answer = answers[code];
    const one = scale.byCode.get(code);
    if (!one) refused.push(code);
    else if (!unanswered(answer) && answer !== undefined && !isOffered(one, answer)) refused.push(code);
  }
  return refused;
}

function isOffered(item: CompiledItem, answer: NonNullable<Answer>): boolean {
  if (item.type === 1) return typeof answer !== 'object' && item.options.has(String(answer));
  if (item.type === 2) {
    return (
      typeof answer === 'object' &&
      new Set(answer).size === answer.length &&
      answer.every((code) => item.options.has(String(code)))
    );
  }
  return typeof answer !== 'object' && isFilledIn(item.item, answer);
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const time = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** A real calendar day: `2025-02-30` reads back as another day. */
function isDay(text: string): boolean {
  if (!day.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

function isFilledIn(item: Item, answer: string | number): boolean {
  const text = String(answer);
  if (item.maxlen !== undefined && [...text].length > item.maxlen) return false;
  if (item.pattern !== undefined && !new RegExp(`^(?:${item.pattern})$`, 'u').test(text)) return false;
  const input = item.input ?? 0;
  if (item.scored || input === 1 || input === 2 || input === 7) {
    const value = typeof answer === 'number' ? answer : text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value) || (input === 1 && !Number.isInteger(value))) return false;
    return (item.min === undefined || value >= item.min) && (item.max === undefined || value <= item.max);
  }
  if (input === 3) return isDay(text);
  if (input === 4) return time.test(text);
  if (input === 5) return isDay(text.slice(0, 10)) && /[ T]/.test(text.charAt(10)) && time.test(text.slice(11));
  return true;
}

/** Items `q1…qn` of a form whose wording its owner has to supply; their texts stay empty. */
export function expandSkeleton({ itemcount, itemopt, itemoptx, ...scale }: Skeleton): Scale {
  const items = Array.from({ length: itemcount }, (_, at) => {
    const c = `q${at + 1}`;
    return { c, o: itemoptx?.[c] ?? itemopt, t: '' };
  });
  return { ...scale, items };
}
