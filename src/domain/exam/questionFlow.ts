import { compare, expand, isTrue } from '#domain/scoring/condition.ts';
import { itemScore, compileScale, isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { CompiledScale } from '#domain/scoring/compiledScale.ts';
import type { Answers, Cmp, Cond, Item, PersonFacts, Scale } from '#domain/scoring/scale.ts';

/** The condition of a question in option codes, because the page of a respondent knows no scores. */
export type QuestionnaireCond =
  | { all: readonly QuestionnaireCond[] }
  | { any: readonly QuestionnaireCond[] }
  | { not: QuestionnaireCond }
  | { item: string; codes: readonly string[] }
  | ({ chosen: readonly { item: string; codes: readonly string[] }[] } & Cmp)
  | ({ person: string } & Cmp);

export type QuestionnaireItem = Omit<Item, 'scored' | 'loinc' | 'sensitive' | 'showif'> & { showif?: QuestionnaireCond };

/** A form as its respondent may see it: questions and option labels. It has no scores, bands, alerts or norms. */
export interface Questionnaire {
  formcode: string;
  version: string;
  formtype: Scale['formtype'];
  title: string;
  recall?: string;
  instruction?: string;
  licencetext?: string;
  citation?: string;
  minutes?: number;
  optionsets: Readonly<Record<string, readonly (readonly [code: string, label: string])[]>>;
  items: readonly QuestionnaireItem[];
  /** answers that make other questions superfluous; `set` holds the options that count for those questions */
  derive?: readonly { if: QuestionnaireCond; set: Readonly<Record<string, string>> }[];
}

/** The form without everything that shows how answers are scored. */
export function toQuestionnaire(scale: Scale): Questionnaire {
  const form = compileScale(scale);
  const items = scale.items.map(
    ({ scored: _scored, loinc: _loinc, sensitive: _sensitive, showif, ...item }): QuestionnaireItem => {
      const condition = showif && toQuestionnaireCondition(showif, form, scale);
      return condition ? { ...item, showif: condition } : item;
    },
  );
  const optionsets = Object.entries(scale.optionsets).map(([name, rows]) => [
    name,
    rows.map(([code, label]) => [code, label] as const),
  ]);
  const derive = (scale.derive ?? []).flatMap((rule) => {
    const when = toQuestionnaireCondition(rule.if, form, scale);
    return when ? [{ if: when, set: rule.set }] : [];
  });
  return {
    formcode: scale.formcode,
    version: scale.version,
    formtype: scale.formtype,
    title: scale.title,
    ...(scale.recall !== undefined && { recall: scale.recall }),
    ...(scale.instruction !== undefined && { instruction: scale.instruction }),
    ...(scale.licencetext !== undefined && { licencetext: scale.licencetext }),
    ...(scale.citation !== undefined && { citation: scale.citation }),
    ...(scale.minutes !== undefined && { minutes: scale.minutes }),
    optionsets: Object.fromEntries(optionsets),
    items,
    ...(derive.length > 0 && { derive }),
  };
}

/** The same condition over option codes. It is undefined where codes cannot express it; the page then always asks the question. */
function toQuestionnaireCondition(cond: Cond, form: CompiledScale, scale: Scale): QuestionnaireCond | undefined {
  if ('all' in cond || 'any' in cond) {
    const parts = ('all' in cond ? cond.all : cond.any).map((item) => toQuestionnaireCondition(item, form, scale));
    if (!parts.every((part) => part !== undefined)) return undefined;
    return 'all' in cond ? { all: parts } : { any: parts };
  }
  if ('not' in cond) {
    const inner = toQuestionnaireCondition(cond.not, form, scale);
    return inner && { not: inner };
  }
  if ('person' in cond) return cond;
  if ('form' in cond || 'delta' in cond) return undefined;
  if ('item' in cond) {
    const codes = findMatchingCodes(form, cond.item, cond);
    return codes && { item: cond.item, codes };
  }
  if (!('count' in cond)) return undefined;
  const { count, where, ...cmp } = cond;
  const chosen = expand(count, scale.items).map((item) => ({ item, codes: findMatchingCodes(form, item, where) }));
  if (!chosen.every((item): item is { item: string; codes: string[] } => item.codes !== undefined)) return undefined;
  return { chosen, ...cmp };
}

/** Option codes of a single-choice item whose score passes `cmp`; undefined for other kinds of question. */
function findMatchingCodes(form: CompiledScale, item: string, cmp: Cmp): string[] | undefined {
  const compiled = form.byCode.get(item);
  if (!compiled || compiled.type !== 1) return undefined;
  return [...compiled.options].filter(([, score]) => compare(score, cmp)).map(([code]) => code);
}

function isMet(cond: QuestionnaireCond, answers: Answers, person: PersonFacts): boolean {
  if ('all' in cond) return cond.all.every((item) => isMet(item, answers, person));
  if ('any' in cond) return cond.any.some((item) => isMet(item, answers, person));
  if ('not' in cond) return !isMet(cond.not, answers, person);
  if ('person' in cond) return compare(person[cond.person], cond);
  const hasChosen = (choice: { item: string; codes: readonly string[] }) => {
    const answer = answers[choice.item];
    return !isUnanswered(answer) && choice.codes.includes(String(answer));
  };
  if ('item' in cond) return hasChosen(cond);
  return compare(cond.chosen.filter(hasChosen).length, cond);
}

/** Codes of the questions that the page asks now. `person` holds the facts that the server sends to the page. */
export function applicableItems(questionnaire: Questionnaire, answers: Answers, person: PersonFacts = {}): string[] {
  let effectiveAnswers: Answers = answers;
  const skipped = new Set<string>();
  for (const rule of questionnaire.derive ?? []) {
    if (!isMet(rule.if, effectiveAnswers, person)) continue;
    for (const [code, option] of Object.entries(rule.set)) {
      skipped.add(code);
      if (isUnanswered(effectiveAnswers[code])) effectiveAnswers = { ...effectiveAnswers, [code]: option };
    }
  }
  return questionnaire.items
    .filter((item) => !skipped.has(item.c) && (!item.showif || isMet(item.showif, effectiveAnswers, person)))
    .map((item) => item.c);
}

/**
 * The form without the questions that `answers` answers. The conditions about these answers are decided beforehand, so that the rest
 * shows no answer. A count that is still open keeps its limit, less the answers counted already.
 */
export function withoutAnswered(questionnaire: Questionnaire, answers: Answers): Questionnaire {
  if (Object.keys(answers).length === 0) return questionnaire;
  const decide = (cond: QuestionnaireCond) => decideCondition(cond, answers);
  return {
    ...questionnaire,
    items: questionnaire.items
      .filter((item) => !(item.c in answers))
      .map(({ showif, ...item }) => (showif ? { ...item, showif: decide(showif) } : item)),
    ...(questionnaire.derive && { derive: questionnaire.derive.map((rule) => ({ ...rule, if: decide(rule.if) })) }),
  };
}

const always: QuestionnaireCond = { all: [] };
const never: QuestionnaireCond = { any: [] };

function decideCondition(cond: QuestionnaireCond, answers: Answers): QuestionnaireCond {
  const decide = (inner: QuestionnaireCond) => decideCondition(inner, answers);
  const isGiven = ({ item }: { item: string }) => item in answers;
  if ('all' in cond) return { all: cond.all.map(decide) };
  if ('any' in cond) return { any: cond.any.map(decide) };
  if ('not' in cond) return { not: decide(cond.not) };
  if ('person' in cond) return cond;
  if ('item' in cond) return !isGiven(cond) ? cond : isMet(cond, answers, {}) ? always : never;
  const { chosen, ...cmp } = cond;
  if (!chosen.some(isGiven)) return cond;
  const open = chosen.filter((choice) => !isGiven(choice));
  const count = chosen.filter((choice) => isGiven(choice) && isMet(choice, answers, {})).length;
  const outcomes = Array.from({ length: open.length + 1 }, (_, more) => compare(count + more, cmp));
  if (outcomes.every((outcome) => outcome)) return always;
  if (outcomes.every((outcome) => !outcome)) return never;
  const less = <T>(limit: T) => (typeof limit === 'number' ? limit - count : limit);
  const { in: list, ...limits } = cmp;
  const rest = Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, less(limit)])) as Cmp;
  return { chosen: open, ...rest, ...(list && { in: list.map(less) }) };
}

/** The questions that apply to the person and that no earlier answer skips, from the full definition. */
export function visibleItems(scale: Scale, answers: Answers, person: PersonFacts = {}): Item[] {
  const form = compileScale(scale);
  const scoresOf = (current: Answers) =>
    Object.fromEntries(form.items.map((item) => [item.item.c, itemScore(item, current[item.item.c])]));
  let effectiveAnswers: Answers = answers;
  let facts = { items: scale.items, itemscores: scoresOf(effectiveAnswers), person, valid: true };
  const skipped = new Set<string>();
  for (const rule of scale.derive ?? []) {
    if (!isTrue(rule.if, facts)) continue;
    for (const [code, option] of Object.entries(rule.set)) {
      skipped.add(code);
      if (isUnanswered(effectiveAnswers[code])) effectiveAnswers = { ...effectiveAnswers, [code]: option };
    }
    facts = { ...facts, itemscores: scoresOf(effectiveAnswers) };
  }
  return scale.items.filter((item) => !skipped.has(item.c) && (!item.showif || isTrue(item.showif, facts)));
}

/** Why a form does not suit a person's age; null when it does or the age is unknown. `age` is in whole years. */
export function findAgeRefusal(scale: Scale, age: number | null): string | null {
  if (age === null) return null;
  if (scale.agemin !== undefined && age < scale.agemin) return `${scale.title}适用于${scale.agemin}岁及以上`;
  if (scale.agemax !== undefined && age > scale.agemax) return `${scale.title}适用于${scale.agemax}岁及以下`;
  return null;
}

/** Doubts about the answer pattern of a form. Staff review such a form; the server never discards it by itself. */
export interface AnswerQuality {
  isTooFast: boolean;
  isStraightlining: boolean;
  reasons: string[];
}

/**
 * The doubts about one form. Too fast: under one second per answered question. Straight-lining: the same option on at least
 * 95 % of at least 20 questions. The second rule applies only to forms with reversed questions: on other forms,
 * "not at all" twenty times is a plausible answer. Both limits are ours. `seconds` is null for paper forms.
 */
export function assessAnswerQuality(scale: Scale, answers: Answers, seconds: number | null): AnswerQuality {
  const form = compileScale(scale);
  const answered = form.items.filter((item) => !isUnanswered(answers[item.item.c]));
  const isTooFast = seconds !== null && answered.length > 0 && seconds < answered.length;
  const choices = answered.filter((item) => item.type === 1 && item.item.scored !== false);
  const chosen = new Map<string, number>();
  for (const { item } of choices) {
    const code = String(answers[item.c]);
    chosen.set(code, (chosen.get(code) ?? 0) + 1);
  }
  const mostFrequent = Math.max(0, ...chosen.values());
  const isStraightlining =
    choices.length >= 20 && choices.some((choice) => choice.reversed) && mostFrequent >= choices.length * 0.95;
  const reasons: string[] = [];
  if (isTooFast) reasons.push(`作答过快：${answered.length}题用时${seconds}秒，平均每题不足1秒`);
  if (isStraightlining) reasons.push(`规律作答：${choices.length}题中有${mostFrequent}题选择同一选项，且含反向计分题`);
  return { isTooFast, isStraightlining, reasons };
}
