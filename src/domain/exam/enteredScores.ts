import { isTrue } from '#domain/scoring/condition.ts';
import { compileScale, isUnanswered, itemScore } from '#domain/scoring/compiledScale.ts';
import type { Answers, Cond, FormResult, Item, PersonFacts, Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { scoreRange } from '#domain/scoring/scales/library.ts';
import { bandOf, concludeForm, postStep, type WorkingFacts } from '#domain/scoring/scoring.ts';

/** Scores that staff read off a licensed paper scale, by the code of the score (scales.md, 2.1: score-entry mode). */
export type EnteredScores = Readonly<Record<string, number>>;

/** A score that staff enter: a total or a factor. */
export interface EnterableScore {
  c: string;
  n: string;
  min: number;
  max: number;
  /** a whole number; else up to two decimals */
  isWhole: boolean;
  isRequired: boolean;
}

/** A score that follows from another one is computed and not entered. */
const isComputed = ({ op }: ScoreDef) => op === 'ref' || op === 'ratio';

/** The totals and factors of a scale that staff enter. All that decide the level or the validity are required. */
export function enterableScores(scale: Scale): EnterableScore[] {
  const deciding = JSON.stringify([scale.validity ?? [], scale.alerts ?? []]);
  const sources = new Set(scale.scores.filter(isComputed).flatMap(({ ref, num, den }) => [ref, num, den]));
  return scale.scores.flatMap((def) => {
    const [min, max] = scoreRange(scale, def);
    if (isComputed(def) || min === null || max === null) return [];
    const isRequired = def.primary === true || sources.has(def.c) || deciding.includes(`"score":"${def.c}"`);
    return [{ c: def.c, n: def.n, min, max, isWhole: def.op === 'sum' || def.op === 'count', isRequired }];
  });
}

const itemsOf = (cond: Cond): string[] => {
  if ('all' in cond) return cond.all.flatMap(itemsOf);
  if ('any' in cond) return cond.any.flatMap(itemsOf);
  if ('not' in cond) return itemsOf(cond.not);
  return 'item' in cond ? [cond.item] : [];
};

/** The questions that can raise an alert. Staff enter their answers too, because no total shows them. */
export function alertItems(scale: Scale): Item[] {
  const codes = new Set((scale.alerts ?? []).flatMap(({ when }) => itemsOf(when)));
  return scale.items.filter(({ c }) => codes.has(c));
}

export interface EntryFault {
  /** the code of the score or of the question */
  c: string;
  message: string;
}

/** What is wrong with entered scores and answers of a scale; empty when they can be scored. */
export function findEntryFaults(scale: Scale, entered: EnteredScores, answers: Answers): EntryFault[] {
  const scores = enterableScores(scale);
  const faults: EntryFault[] = [];
  for (const c of Object.keys(entered))
    if (!scores.some((score) => score.c === c)) faults.push({ c, message: '这份量表没有这个得分' });
  for (const { c, n, min, max, isWhole, isRequired } of scores) {
    const value = entered[c];
    if (value === undefined) {
      if (isRequired) faults.push({ c, message: `请录入${n}` });
    } else if (!(value >= min && value <= max)) faults.push({ c, message: `${n}应在 ${min}–${max} 之间` });
    else if (isWhole && !Number.isInteger(value)) faults.push({ c, message: `${n}应为整数` });
    else {
      const least = leastSum(scale, c, answers);
      if (value < least) faults.push({ c, message: `${n}不会低于 ${least}，与录入的题目不符，请核对` });
    }
  }
  for (const { c } of alertItems(scale))
    if (isUnanswered(answers[c])) faults.push({ c, message: `请录入第 ${scale.items.findIndex((item) => item.c === c) + 1} 题` });
  return faults;
}

/** The lowest value of a sum with the given answers; other questions count with their lowest option. */
function leastSum(scale: Scale, code: string, answers: Answers): number {
  const form = compileScale(scale);
  const compiled = form.scores.find(({ def }) => def.c === code);
  if (compiled?.def.op !== 'sum') return Number.NEGATIVE_INFINITY;
  return compiled.codes.reduce((sum, c) => {
    const item = form.byCode.get(c);
    if (!item) return sum;
    const numbers = [...item.options.values()].filter((value) => value !== null);
    return sum + (itemScore(item, answers[c]) ?? Math.min(...numbers));
  }, 0);
}

/**
 * The result of entered scores: the level of each score by the bands of the scale, alerts of scores and of the given answers. Scores
 * that follow from others are computed. Other questions have no score.
 */
export function scoreEntered(scale: Scale, entered: EnteredScores, answers: Answers, person: PersonFacts = {}): FormResult {
  const form = compileScale(scale);
  const itemscores = Object.fromEntries(form.items.map((item) => [item.item.c, itemScore(item, answers[item.item.c])]));
  const facts: WorkingFacts = { items: scale.items, itemscores, scores: {}, levels: {}, flags: [], valid: true, person };
  const labels: FormResult['labels'] = {};
  const missing: FormResult['missing'] = {};
  for (const def of scale.scores) {
    const value = isComputed(def) ? computed(scale, def, facts) : (entered[def.c] ?? null);
    const band = value === null ? undefined : bandOf(scale, def.c, value);
    facts.scores[def.c] = value;
    facts.levels[def.c] = band ? band[2] : null;
    labels[def.c] = band ? band[3] : null;
    missing[def.c] = 0;
  }
  const notapplicable = form.conditional
    .filter(({ item }) => item.showif !== undefined && !isTrue(item.showif, facts))
    .map(({ item }) => item.c);
  const { alerts, alertlevel, overalllevel } = concludeForm(scale, facts);
  const { scores, levels, flags, valid } = facts;
  return { itemscores, scores, levels, labels, missing, notapplicable, flags, alerts, alertlevel, valid, overalllevel };
}

/** A score that follows from entered ones. */
function computed(scale: Scale, def: ScoreDef, facts: WorkingFacts): number | null {
  const at = (code: string | undefined) => facts.scores[code ?? ''] ?? null;
  const [num, den] = [at(def.num), at(def.den)];
  const start = def.op === 'ref' ? at(def.ref) : num === null || !den ? null : num / den;
  return (def.post ?? []).reduce<number | null>(
    (value, step) => (value === null ? null : postStep(scale, step, value, facts, def.c)),
    start,
  );
}
