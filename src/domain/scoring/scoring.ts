import { compare, isTrue } from '#domain/scoring/condition.ts';
import type { CompiledScore } from '#domain/scoring/compiledScale.ts';
import { itemScore, compileScale, invalidAnswers, unanswered } from '#domain/scoring/compiledScale.ts';
import type { Answers, Band, FormResult, Level, Outcome, PersonFacts, PostStep, Scale } from '#domain/scoring/scale.ts';

/** The answers as they count: those given, and those a skip rule fills for questions that were not asked. */
function withSkipped(scale: Scale, given: Answers, facts: WorkingFacts, rescore: (answers: Answers) => void): Answers {
  if (!scale.derive) return given;
  let answers: Answers = given;
  for (const rule of scale.derive) {
    if (!isTrue(rule.if, facts)) continue;
    const filled = { ...answers };
    for (const [code, option] of Object.entries(rule.set)) if (unanswered(filled[code])) filled[code] = option;
    answers = filled;
    rescore(answers);
  }
  return answers;
}

interface WorkingFacts extends Pick<FormResult, 'itemscores' | 'scores' | 'levels' | 'flags' | 'valid'> {
  items: Scale['items'];
  person: PersonFacts;
}

/**
 * Scores one filled-in form. Answers are option codes (several for a multiple choice, text or number for a fill-in).
 * - `invalid`: some answer was never offered; `items` names them and nothing is computed.
 * - `incomplete`: a required question is unanswered; scores are null unless their missing-rule allows them.
 * - `scored`: everything required is answered. Alerts are read from any answers.
 * Order: skip rules, applicability, item scores (some reversed), scores, bands, validity, alerts, overall level.
 */
export function score(scale: Scale, answers: Answers, person: PersonFacts = {}): Outcome {
  const form = compileScale(scale);
  const refused = invalidAnswers(form, answers);
  if (refused.length) return { kind: 'invalid', items: refused };

  const facts: WorkingFacts = { items: scale.items, itemscores: {}, scores: {}, levels: {}, flags: [], valid: true, person };
  const rescore = (given: Answers) => {
    for (const item of form.items) facts.itemscores[item.item.c] = itemScore(item, given[item.item.c]);
  };
  rescore(answers);
  const counted = withSkipped(scale, answers, facts, rescore);

  const off: string[] = [];
  for (const { item } of form.conditional) if (item.showif && !isTrue(item.showif, facts)) off.push(item.c);
  for (const code of off) facts.itemscores[code] = null;
  const notAsked = (code: string) => off.length > 0 && off.includes(code);

  const labels: FormResult['labels'] = {};
  const missing: FormResult['missing'] = {};
  for (const item of form.scores) {
    const raw = rawScore(item, facts, notAsked);
    let value = raw.value;
    for (const step of item.def.post ?? []) value = value === null ? null : postStep(scale, step, value, facts, item.def.c);
    const band = value === null ? undefined : bandOf(scale, item.def.c, value);
    facts.scores[item.def.c] = value;
    missing[item.def.c] = raw.missing;
    facts.levels[item.def.c] = band ? band[2] : null;
    labels[item.def.c] = band ? band[3] : null;
  }

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

  const { itemscores, scores, levels, flags, valid } = facts;
  const overalllevel = overallOf(scale, levels, valid, alertlevel);
  const open: string[] = [];
  for (const item of form.items) {
    if (item.required && unanswered(counted[item.item.c]) && !notAsked(item.item.c)) open.push(item.item.c);
  }
  const result = {
    itemscores,
    scores,
    levels,
    labels,
    missing,
    notapplicable: off,
    flags,
    alerts,
    alertlevel,
    valid,
    overalllevel,
  };
  return open.length ? { kind: 'incomplete', unanswered: open, ...result } : { kind: 'scored', ...result };
}

/** Codes of the forms that must follow this one in the same sitting, e.g. the PHQ-9 after a positive PHQ-2. */
export function nextForms(scale: Scale, result: FormResult, person: PersonFacts = {}): string[] {
  const facts = { ...result, items: scale.items, person };
  return (scale.nextform ?? []).filter((next) => isTrue(next.when, facts)).map((next) => next.formcode);
}

/** A score before its post steps, and how many of its applicable items have no number. */
export interface RawScore {
  value: number | null;
  missing: number;
  /** items that apply to this person */
  applicable: readonly string[];
}

/** `missing` above the allowed maximum, or no answered item at all, makes the value null. */
export function rawScore(
  { def, codes, weights }: CompiledScore,
  facts: Pick<WorkingFacts, 'itemscores' | 'scores'>,
  notAsked: (code: string) => boolean,
): RawScore {
  if (def.op === 'ref') return { value: facts.scores[def.ref ?? ''] ?? null, missing: 0, applicable: [] };
  if (def.op === 'ratio') {
    const num = facts.scores[def.num ?? ''] ?? null;
    const den = facts.scores[def.den ?? ''] ?? null;
    return { value: num === null || !den ? null : num / den, missing: 0, applicable: [] };
  }
  const applicable: string[] = [];
  const got: number[] = [];
  let weighted = def.b ?? 0;
  codes.forEach((code, index) => {
    if (notAsked(code)) return;
    applicable.push(code);
    const one = facts.itemscores[code] ?? null;
    if (one === null) return;
    got.push(one);
    // The weight belongs to the item: an item that does not apply takes its own weight away, not its neighbour's.
    weighted += (weights[index] ?? 0) * one;
  });
  const missing = applicable.length - got.length;
  if (missing > (def.miss?.max ?? 0) || got.length === 0) return { value: null, missing, applicable };
  let sum = 0;
  for (const one of got) sum += one;
  const value = (() => {
    switch (def.op) {
      case 'sum':
        return def.miss?.how === 'prorate' && missing ? (sum * applicable.length) / got.length : sum;
      case 'mean':
        return sum / got.length;
      case 'max':
        return Math.max(...got);
      case 'min':
        return Math.min(...got);
      case 'count':
        return got.filter((one) => compare(one, def.where ?? {})).length;
      case 'weighted':
        return weighted;
    }
  })();
  return { value, missing, applicable };
}

/** Half-up at `dp` decimals; the guard keeps 2.675 and the like from falling below the half in binary. */
const roundHalfUp = (value: number, dp: number) => Math.floor(value * 10 ** dp + 0.5 + 1e-9) / 10 ** dp;

/** One post step. Without a fitting norm a T score is null and the flag `nonorm:<score>` is set. */
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

/** The band a score value falls in; closed bands include their upper limit, half-open ones do not. */
export function bandOf(scale: Scale, code: string, value: number): Band | undefined {
  const halfopen = scale.bandmode?.[code] === 'halfopen';
  return scale.bands[code]?.find(
    ([lo, hi]) => (lo === null || value >= lo) && (hi === null || (halfopen ? value < hi : value <= hi)),
  );
}

/** Highest level of the primary scores and of the alerts; a sheet that is invalid keeps only its alerts. */
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
