import type {
  Judgement,
  Limits,
  SheetAnswer,
  SheetAnswers,
  SheetPerson,
  Sum,
  SumStep,
  TableForm,
  Test,
} from '#domain/reconcile/tableForm.ts';

interface Working extends Pick<Judgement, 'points' | 'scores' | 'levels'> {
  answers: SheetAnswers;
  person: SheetPerson;
  order: readonly string[];
}

/** The item codes of `q1..q9`, `q1,q3..q5`; a range follows the order of the items. */
export function listItems(of: string, order: readonly string[] = []): string[] {
  return of.split(',').flatMap((part) => {
    const [first = '', last] = part.trim().split('..');
    if (last === undefined) return first === '' ? [] : [first];
    if (order.includes(first)) return order.slice(order.indexOf(first), order.indexOf(last) + 1);
    const stem = first.replace(/\d+$/, '');
    const from = Number(first.slice(stem.length));
    return Array.from({ length: Number(last.slice(stem.length)) - from + 1 }, (_, index) => `${stem}${from + index}`);
  });
}

/** Whether nothing was answered. */
export const isEmpty = (answer: SheetAnswer): answer is null | undefined | '' =>
  answer == null || answer === '' || (Array.isArray(answer) && answer.length === 0);

/** Whether a value lies within limits; a missing value does not. */
export function isWithin(value: unknown, limits: Limits): boolean {
  if (value === null || value === undefined) return false;
  const number = Number(value);
  return (
    (limits.eq === undefined || value === limits.eq) &&
    (limits.ne === undefined || value !== limits.ne) &&
    (limits.gte === undefined || number >= limits.gte) &&
    (limits.gt === undefined || number > limits.gt) &&
    (limits.lte === undefined || number <= limits.lte) &&
    (limits.lt === undefined || number < limits.lt) &&
    (limits.in === undefined || limits.in.includes(value as string | number))
  );
}

function holds(test: Test, facts: Working): boolean {
  if ('all' in test) return test.all.every((part) => holds(part, facts));
  if ('any' in test) return test.any.some((part) => holds(part, facts));
  if ('not' in test) return !holds(test.not, facts);
  if ('item' in test) return isWithin(facts.points[test.item], test);
  if ('answer' in test) return isWithin(facts.answers[test.answer], test);
  if ('score' in test) return isWithin(facts.scores[test.score], test);
  if ('level' in test) return isWithin(facts.levels[test.level], test);
  if ('person' in test) return isWithin(facts.person[test.person], test);
  const values = listItems(test.count, facts.order).filter((code) => isWithin(facts.points[code], test.where));
  return isWithin(values.length, test);
}

/** The points of one answer; null without an answer or for an option without points. */
function pointsOf(form: TableForm, item: string, answer: SheetAnswer, isReversed: boolean): number | null {
  if (isEmpty(answer)) return null;
  if (form.numbers?.includes(item)) return Number(answer);
  const options = form.pointsOf?.[item] ?? form.points;
  const codes = typeof answer === 'object' ? answer : [String(answer)];
  const chosen = codes.map((code) => options[code] ?? null);
  if (chosen.every((value) => value === null)) return null;
  const sum = chosen.reduce<number>((total, value) => total + (value ?? 0), 0);
  if (!isReversed) return sum;
  const all = Object.values(options).filter((value) => value !== null);
  return Math.min(...all) + Math.max(...all) - sum;
}

const roundHalfUp = (value: number, digits: number) => Math.floor(value * 10 ** digits + 0.5 + 1e-9) / 10 ** digits;

function applyStep(value: number, step: SumStep, facts: Working): number | null {
  if (step[0] === 'mul') return value * step[1];
  if (step[0] === 'add') return value + step[1];
  if (step[0] === 'floor') return Math.floor(value + 1e-9);
  if (step[0] === 'round') return roundHalfUp(value, step[1]);
  if (step[0] === 'clamp') return Math.min(step[2], Math.max(step[1], value));
  const norm = step[1].find(({ where }) => where === undefined || holds(where, facts));
  return norm ? roundHalfUp(50 + (10 * (value - norm.mean)) / norm.sd, 1) : null;
}

function addUp(sum: Sum, facts: Working, excluded: ReadonlySet<string>): number | null {
  const names = listItems(sum.of, facts.order);
  if (sum.op === 'same') return facts.scores[sum.of] ?? null;
  if (sum.op === 'ratio') {
    const [above, below] = names.map((name) => facts.scores[name] ?? null);
    return above == null || !below ? null : above / below;
  }
  const applicable = names.filter((name) => !excluded.has(name));
  const values = applicable.map((name) => facts.points[name] ?? null).filter((value) => value !== null);
  const missing = applicable.length - values.length;
  if (values.length === 0 || missing > (sum.missing ?? 0)) return null;
  const total = values.reduce((before, value) => before + value, 0);
  if (sum.op === 'sum') return sum.isProrated ? (total * applicable.length) / values.length : total;
  if (sum.op === 'mean') return total / values.length;
  if (sum.op === 'max') return Math.max(...values);
  if (sum.op === 'min') return Math.min(...values);
  if (sum.op === 'count') return values.filter((value) => isWithin(value, sum.where ?? {})).length;
  return names.reduce(
    (before, name, index) => before + (excluded.has(name) ? 0 : (sum.weights?.[index] ?? 0) * (facts.points[name] ?? 0)),
    sum.base ?? 0,
  );
}

/** The last entry of an ascending list that starts at or below the value. */
export const entryAt = <T>(list: readonly (readonly [from: number, T])[] | undefined, value: number | null): T | null =>
  value === null ? null : (list?.filter(([from]) => value >= from).at(-1)?.[1] ?? null);

/**
 * Judges one questionnaire by its row of the table: points, sums, levels and alerts. Unanswered items count as missing. A sum of
 * `entered` replaces the one of the answers.
 */
export function judgeForm(
  form: TableForm,
  given: SheetAnswers,
  person: SheetPerson = {},
  entered: Readonly<Record<string, number>> | null = null,
): Judgement {
  const order = listItems(form.items);
  const reversed = new Set(listItems(form.reversed ?? '', order));
  const facts: Working = { answers: given, person, order, points: {}, scores: {}, levels: {} };
  const readPoints = () => {
    for (const item of order) facts.points[item] = pointsOf(form, item, facts.answers[item], reversed.has(item));
  };
  readPoints();
  const skipped = new Set<string>();
  for (const { when, answers } of form.implied ?? []) {
    if (!holds(when, facts)) continue;
    for (const item of Object.keys(answers)) skipped.add(item);
    const missing = Object.entries(answers).filter(([item]) => isEmpty(facts.answers[item]));
    facts.answers = { ...facts.answers, ...Object.fromEntries(missing) };
    readPoints();
  }
  const excluded = new Set(Object.entries(form.only ?? {}).flatMap(([item, test]) => (holds(test, facts) ? [] : [item])));
  for (const item of excluded) facts.points[item] = null;
  for (const sum of form.sums) {
    const typed = sum.op === 'same' || sum.op === 'ratio' ? undefined : entered?.[sum.code];
    let value = typed ?? (entered && sum.op !== 'same' && sum.op !== 'ratio' ? null : addUp(sum, facts, excluded));
    if (typed === undefined) for (const step of sum.steps ?? []) if (value !== null) value = applyStep(value, step, facts);
    facts.scores[sum.code] = value;
    facts.levels[sum.code] = entryAt(sum.levels, value);
  }
  return {
    points: facts.points,
    scores: facts.scores,
    levels: facts.levels,
    alerts: (form.alerts ?? []).filter((alert) => holds(alert.when, facts)),
    isValid: form.invalid === undefined || !holds(form.invalid, facts),
    next:
      order.find((item) => !excluded.has(item) && !skipped.has(item) && !form.optional?.includes(item) && isEmpty(given[item])) ??
      null,
  };
}

/** The same option on 95 % of at least 20 single choices of a form with reversed items makes a sheet doubtful (own rule). */
const STRAIGHT = { items: 20, share: 0.95 };

/** Whether nearly all answers of a form are the same option, although some of its items are reversed. */
export function isStraight(form: TableForm, answers: SheetAnswers): boolean {
  const order = listItems(form.items);
  const reversed = listItems(form.reversed ?? '', order);
  const choices = (form.choices ?? order.filter((item) => !form.numbers?.includes(item))).filter(
    (item) => !isEmpty(answers[item]),
  );
  if (choices.length < STRAIGHT.items || !choices.some((item) => reversed.includes(item))) return false;
  const counts = new Map<string, number>();
  for (const item of choices) counts.set(String(answers[item]), (counts.get(String(answers[item])) ?? 0) + 1);
  return Math.max(...counts.values()) >= choices.length * STRAIGHT.share;
}
