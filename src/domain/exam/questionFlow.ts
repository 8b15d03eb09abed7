import { compare, expand, isTrue } from '#domain/scoring/condition.ts';
import { itemScore, compileScale, unanswered } from '#domain/scoring/compiledScale.ts';
import type { CompiledScale } from '#domain/scoring/compiledScale.ts';
import type { Answers, Cmp, Cond, Item, PersonFacts, Scale } from '#domain/scoring/scale.ts';

/** When a question is asked, in terms of option codes: a respondent's page knows no scores. */
export type QuestionnaireCond =
  | { all: readonly QuestionnaireCond[] }
  | { any: readonly QuestionnaireCond[] }
  | { not: QuestionnaireCond }
  | { item: string; codes: readonly string[] }
  | ({ chosen: readonly { item: string; codes: readonly string[] }[] } & Cmp)
  | ({ person: string } & Cmp);

export type QuestionnaireItem = Omit<Item, 'scored' | 'loinc' | 'showif'> & { showif?: QuestionnaireCond };

/** A form as its respondent may see it: questions and option labels, without scores, bands, alerts or norms. */
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
  /** answers that make other questions superfluous; `set` gives the option these then count as */
  derive?: readonly { if: QuestionnaireCond; set: Readonly<Record<string, string>> }[];
}

/** The definition stripped of everything that would tell how answers are rated. */
export function withoutScores(scale: Scale): Questionnaire {
  const form = compileScale(scale);
  const items = scale.items.map(({ scored: _scored, loinc: _loinc, showif, ...item }): QuestionnaireItem => {
    const condition = showif && toQuestionnaireCond(showif, form, scale);
    return condition ? { ...item, showif: condition } : item;
  });
  const optionsets = Object.entries(scale.optionsets).map(([name, rows]) => [
    name,
    rows.map(([code, label]) => [code, label] as const),
  ]);
  const derive = (scale.derive ?? []).flatMap((rule) => {
    const when = toQuestionnaireCond(rule.if, form, scale);
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

/** The same condition over option codes; undefined where codes cannot say it, so the question is then always asked. */
function toQuestionnaireCond(cond: Cond, form: CompiledScale, scale: Scale): QuestionnaireCond | undefined {
  if ('all' in cond || 'any' in cond) {
    const parts = ('all' in cond ? cond.all : cond.any).map((item) => toQuestionnaireCond(item, form, scale));
    if (!parts.every((part) => part !== undefined)) return undefined;
    return 'all' in cond ? { all: parts } : { any: parts };
  }
  if ('not' in cond) {
    const inner = toQuestionnaireCond(cond.not, form, scale);
    return inner && { not: inner };
  }
  if ('person' in cond) return cond;
  if ('form' in cond || 'delta' in cond) return undefined;
  if ('item' in cond) {
    const codes = codesWhere(form, cond.item, cond);
    return codes && { item: cond.item, codes };
  }
  if (!('count' in cond)) return undefined;
  const { count, where, ...cmp } = cond;
  const chosen = expand(count, scale.items).map((item) => ({ item, codes: codesWhere(form, item, where) }));
  if (!chosen.every((item): item is { item: string; codes: string[] } => item.codes !== undefined)) return undefined;
  return { chosen, ...cmp };
}

/** Option codes of a single-choice item whose score passes `cmp`; undefined for other kinds of question. */
function codesWhere(form: CompiledScale, item: string, cmp: Cmp): string[] | undefined {
  const one = form.byCode.get(item);
  if (!one || one.type !== 1) return undefined;
  return [...one.options].filter(([, score]) => compare(score, cmp)).map(([code]) => code);
}

function appliesTo(cond: QuestionnaireCond, answers: Answers, person: PersonFacts): boolean {
  if ('all' in cond) return cond.all.every((item) => appliesTo(item, answers, person));
  if ('any' in cond) return cond.any.some((item) => appliesTo(item, answers, person));
  if ('not' in cond) return !appliesTo(cond.not, answers, person);
  if ('person' in cond) return compare(person[cond.person], cond);
  const chose = (one: { item: string; codes: readonly string[] }) => {
    const answer = answers[one.item];
    return !unanswered(answer) && one.codes.includes(String(answer));
  };
  if ('item' in cond) return chose(cond);
  return compare(cond.chosen.filter(chose).length, cond);
}

/** Codes of the questions to ask now, on a respondent's page. `person` holds the facts the server chose to tell the page. */
export function applicableItems(sheet: Questionnaire, answers: Answers, person: PersonFacts = {}): string[] {
  let counted: Answers = answers;
  const skipped = new Set<string>();
  for (const rule of sheet.derive ?? []) {
    if (!appliesTo(rule.if, counted, person)) continue;
    for (const [code, option] of Object.entries(rule.set)) {
      skipped.add(code);
      if (unanswered(counted[code])) counted = { ...counted, [code]: option };
    }
  }
  return sheet.items
    .filter((item) => !skipped.has(item.c) && (!item.showif || appliesTo(item.showif, counted, person)))
    .map((item) => item.c);
}

/** Questions to ask now, from the full definition: those that apply to the person and are not skipped by an earlier answer. */
export function visibleItems(scale: Scale, answers: Answers, person: PersonFacts = {}): Item[] {
  const form = compileScale(scale);
  const scoresOf = (given: Answers) =>
    Object.fromEntries(form.items.map((item) => [item.item.c, itemScore(item, given[item.item.c])]));
  let counted: Answers = answers;
  let facts = { items: scale.items, itemscores: scoresOf(counted), person, valid: true };
  const skipped = new Set<string>();
  for (const rule of scale.derive ?? []) {
    if (!isTrue(rule.if, facts)) continue;
    for (const [code, option] of Object.entries(rule.set)) {
      skipped.add(code);
      if (unanswered(counted[code])) counted = { ...counted, [code]: option };
    }
    facts = { ...facts, itemscores: scoresOf(counted) };
  }
  return scale.items.filter((item) => !skipped.has(item.c) && (!item.showif || isTrue(item.showif, facts)));
}

/** Why a form does not suit somebody's age; null when it does or the age is unknown. `age` in whole years. */
export function ageRefusal(scale: Scale, age: number | null): string | null {
  if (age === null) return null;
  if (scale.agemin !== undefined && age < scale.agemin) return `${scale.title}适用于${scale.agemin}岁及以上`;
  if (scale.agemax !== undefined && age > scale.agemax) return `${scale.title}适用于${scale.agemax}岁及以下`;
  return null;
}

/** Doubts about how a sheet was filled in; they call for a person's look, never for discarding it unseen. */
export interface AnswerQuality {
  toofast: boolean;
  straightlining: boolean;
  reasons: string[];
}

/**
 * Too fast: under one second per answered question. Straight-lining: the same option on at least 95 % of at least 20 questions,
 * asked only of forms with reversed questions – elsewhere "nothing at all, twenty times" is a plausible answer.
 * Both limits are ours. `seconds` is null for paper sheets typed in later.
 */
export function answerQuality(scale: Scale, answers: Answers, seconds: number | null): AnswerQuality {
  const form = compileScale(scale);
  const answered = form.items.filter((item) => !unanswered(answers[item.item.c]));
  const toofast = seconds !== null && answered.length > 0 && seconds < answered.length;
  const choices = answered.filter((item) => item.type === 1 && item.item.scored !== false);
  const chosen = new Map<string, number>();
  for (const { item } of choices) {
    const code = String(answers[item.c]);
    chosen.set(code, (chosen.get(code) ?? 0) + 1);
  }
  const most = Math.max(0, ...chosen.values());
  const straightlining = choices.length >= 20 && choices.some((choice) => choice.reversed) && most >= choices.length * 0.95;
  const reasons: string[] = [];
  if (toofast) reasons.push(`作答过快：${answered.length}题用时${seconds}秒，平均每题不足1秒`);
  if (straightlining) reasons.push(`规律作答：${choices.length}题中有${most}题选择同一选项，且含反向计分题`);
  return { toofast, straightlining, reasons };
}
