import { compare, isTrue } from '#domain/scoring/condition.ts';
import type { CompiledScore } from '#domain/scoring/compiledScale.ts';
import { itemScore, compileScale, invalidAnswers, isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answers, Band, FormResult, Level, Outcome, PersonFacts, PostStep, Scale } from '#domain/scoring/scale.ts';

/** The answers that count: the submitted ones, and those that a skip rule sets for skipped questions. */
function withSkipped(scale: Scale, submitted: Answers, facts: WorkingFacts, rescore: (answers: Answers) => void): Answers {
  if (!scale.derive) return submitted;
  let answers: Answers = submitted;
  for (const rule of scale.derive) {
    if (!isTrue(rule.if, facts)) continue;
    const filled = { ...answers };
    for (const [code, option] of Object.entries(rule.set)) if (isUnanswered(filled[code])) filled[code] = option;
    answers = filled;
    rescore(answers);
  }
  return answers;
}

/** What is known about a form while it is scored. */
export interface WorkingFacts extends Pick<FormResult, 'itemscores' | 'scores' | 'levels' | 'flags' | 'valid'> {
  items: Scale['items'];
  person: PersonFacts;
}

/**
 * The outcome of one form. Answers are option codes (several for a multiple choice, text or number for a fill-in).
 * `invalid`: the form does not offer some answers. `incomplete`: a required question that applies has no answer; scores whose
 * missing-rule allows it are computed, the others are null. `scored`: all required questions are answered.
 * Any answered question can raise an alert. Order of evaluation: skip rules, questions not applicable, item scores (reversed
 * where listed), scores in their order, bands, validity, alerts, overall level.
 */
export function score(scale: Scale, answers: Answers, person: PersonFacts = {}): Outcome {
  const form = compileScale(scale);
  const invalidItems = invalidAnswers(form, answers);
  if (invalidItems.length) return { kind: 'invalid', items: invalidItems };

  const facts: WorkingFacts = { items: scale.items, itemscores: {}, scores: {}, levels: {}, flags: [], valid: true, person };
  const rescore = (current: Answers) => {
    for (const item of form.items) facts.itemscores[item.item.c] = itemScore(item, current[item.item.c]);
  };
  rescore(answers);
  const effectiveAnswers = withSkipped(scale, answers, facts, rescore);

  const notApplicable: string[] = [];
  for (const { item } of form.conditional) if (item.showif && !isTrue(item.showif, facts)) notApplicable.push(item.c);
  for (const code of notApplicable) facts.itemscores[code] = null;
  const isNotAsked = (code: string) => notApplicable.length > 0 && notApplicable.includes(code);

  const labels: FormResult['labels'] = {};
  const missing: FormResult['missing'] = {};
  for (const item of form.scores) {
    const raw = rawScore(item, facts, isNotAsked);
    let value = raw.value;
    for (const step of item.def.post ?? []) value = value === null ? null : postStep(scale, step, value, facts, item.def.c);
    const band = value === null ? undefined : bandOf(scale, item.def.c, value);
    facts.scores[item.def.c] = value;
    missing[item.def.c] = raw.missing;
    facts.levels[item.def.c] = band ? band[2] : null;
    labels[item.def.c] = band ? band[3] : null;
  }

  const { alerts, alertlevel, overalllevel } = concludeForm(scale, facts);
  const { itemscores, scores, levels, flags, valid } = facts;
  const openItems: string[] = [];
  for (const item of form.items) {
    if (item.required && isUnanswered(effectiveAnswers[item.item.c]) && !isNotAsked(item.item.c)) openItems.push(item.item.c);
  }
  const result = {
    itemscores,
    scores,
    levels,
    labels,
    missing,
    notapplicable: notApplicable,
    flags,
    alerts,
    alertlevel,
    valid,
    overalllevel,
  };
  return openItems.length ? { kind: 'incomplete', unanswered: openItems, ...result } : { kind: 'scored', ...result };
}

/** Judges computed or entered scores: validity (in `facts`), alerts and the overall level. */
export function concludeForm(
  scale: Scale,
  facts: WorkingFacts,
): Pick<FormResult, 'alerts' | 'overalllevel'> & { alertlevel: Level } {
  for (const rule of scale.validity ?? []) {
    if (!isTrue(rule.when, facts)) continue;
    facts.flags.push(rule.c);
    if (rule.action === 'invalid') facts.valid = false;
  }
  const alerts: string[] = [];
  let alertlevel: Level = 0;
  for (const alert of scale.alerts ?? []) {
    if (!isTrue(alert.when, facts)) continue;
    alerts.push(alert.c);
    if (alert.level > alertlevel) alertlevel = alert.level;
  }
  return { alerts, alertlevel, overalllevel: overallOf(scale, facts.levels, facts.valid, alertlevel) };
}

/** Codes of the forms that must follow this one in the same exam, e.g. the PHQ-9 after a positive PHQ-2. */
export function nextForms(scale: Scale, result: FormResult, person: PersonFacts = {}): string[] {
  const facts = { ...result, items: scale.items, person };
  return (scale.nextform ?? []).filter((next) => isTrue(next.when, facts)).map((next) => next.formcode);
}

/** A score before its post steps, and the number of its applicable items without a number. */
export interface RawScore {
  value: number | null;
  missing: number;
  /** items that apply to this person */
  applicable: readonly string[];
}

/** The score before its post steps. Its value is null without any answer, or with more missing items than allowed. */
export function rawScore(
  { def, codes, weights }: CompiledScore,
  facts: Pick<WorkingFacts, 'itemscores' | 'scores'>,
  isNotAsked: (code: string) => boolean,
): RawScore {
  if (def.op === 'ref') return { value: facts.scores[def.ref ?? ''] ?? null, missing: 0, applicable: [] };
  if (def.op === 'ratio') {
    const num = facts.scores[def.num ?? ''] ?? null;
    const den = facts.scores[def.den ?? ''] ?? null;
    return { value: num === null || !den ? null : num / den, missing: 0, applicable: [] };
  }
  const applicable: string[] = [];
  const values: number[] = [];
  let weighted = def.b ?? 0;
  codes.forEach((code, index) => {
    if (isNotAsked(code)) return;
    applicable.push(code);
    const value = facts.itemscores[code] ?? null;
    if (value === null) return;
    values.push(value);
    // The index of the item selects the weight, so an item that does not apply does not shift the weights of the others.
    weighted += (weights[index] ?? 0) * value;
  });
  const missing = applicable.length - values.length;
  if (missing > (def.miss?.max ?? 0) || values.length === 0) return { value: null, missing, applicable };
  let sum = 0;
  for (const value of values) sum += value;
  const value = (() => {
    switch (def.op) {
      case 'sum':
        return def.miss?.how === 'prorate' && missing ? (sum * applicable.length) / values.length : sum;
      case 'mean':
        return sum / values.length;
      case 'max':
        return Math.max(...values);
      case 'min':
        return Math.min(...values);
      case 'count':
        return values.filter((value) => compare(value, def.where ?? {})).length;
      case 'weighted':
        return weighted;
    }
  })();
  return { value, missing, applicable };
}

/** `value` rounded half up to `dp` decimals. The small addend corrects values such as 2.675, which binary stores below the half. */
const roundHalfUp = (value: number, dp: number) => Math.floor(value * 10 ** dp + 0.5 + 1e-9) / 10 ** dp;

/** The value after one post step. Without a suitable norm a T score is null and the flag `nonorm:<score>` is set. */
export function postStep(
  scale: Scale,
  step: PostStep,
  value: number,
  facts: Pick<WorkingFacts, 'flags' | 'person' | 'itemscores' | 'scores' | 'levels' | 'items' | 'valid'>,
  code: string,
): number | null {
  switch (step[0]) {
    case 'mul':
      return value * step[1];
    case 'add':
      return value + step[1];
    case 'floor':
      return Math.floor(value + 1e-9);
    case 'round':
      return roundHalfUp(value, step[1]);
    case 'clamp':
      return Math.min(step[2], Math.max(step[1], value));
    case 'tscore': {
      const norm = scale.norms?.[step[1]]?.find((candidate) => !candidate.where || isTrue(candidate.where, facts));
      if (norm) return roundHalfUp(50 + (10 * (value - norm.mean)) / norm.sd, 1);
      facts.flags.push(`nonorm:${code}`);
      return null;
    }
  }
}

/**
 * The band in force for a score value. Closed bands include their upper limit, half-open bands do not. The level is never lower than
 * by the definition, also for a value between two whole numbers.
 */
export function bandOf(scale: Scale, code: string, value: number): Band | undefined {
  const band = findBand(scale.bands[code], scale.bandmode?.[code], value);
  const floor = scale.inforce ? definitionBandOf(scale, code, value) : undefined;
  return floor && (!band || floor[2] > band[2]) ? floor : band;
}

/** The band of a score value by the definition, whatever institutions switched on. */
export const definitionBandOf = (scale: Scale, code: string, value: number): Band | undefined =>
  findBand((scale.inforce?.definition ?? scale.bands)[code], scale.bandmode?.[code], value);

const findBand = (bands: readonly Band[] | undefined, mode: 'closed' | 'halfopen' | undefined, value: number) =>
  bands?.find(
    ([low, high]) => (low === null || value >= low) && (high === null || (mode === 'halfopen' ? value < high : value <= high)),
  );

/** The highest level of the primary scores and of the alerts. For an invalid form only the alerts count. */
function overallOf(scale: Scale, levels: FormResult['levels'], valid: boolean, alertlevel: Level): Level | null {
  let highest: Level | null = null;
  if (valid) {
    for (const { c, primary } of scale.scores) {
      const level = primary ? (levels[c] ?? null) : null;
      if (level !== null && (highest === null || level > highest)) highest = level;
    }
  }
  if (highest === null) return alertlevel || null;
  return alertlevel > highest ? alertlevel : highest;
}
