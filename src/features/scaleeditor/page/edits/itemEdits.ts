import { expand } from '#domain/scoring/condition.ts';
import type { Cond, Item, Of, Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { toItemList } from '#domain/scoring/exchange/itemList.ts';
import { listOrNothing, put } from '#features/scaleeditor/page/edits/put.ts';

/** Changes of the questions. References to questions follow their codes, so moving a question changes no score. */

/** The next free code of the form `q1`. A code is never given twice while a question of a higher number is there. */
function itemCodes(scale: Scale, count: number): string[] {
  const numbers = scale.items.map((item) => Number(/^q(\d+)$/.exec(item.c)?.[1] ?? 0));
  const first = Math.max(0, ...numbers) + 1;
  return Array.from({ length: count }, (_, index) => `q${first + index}`);
}

/** Writes item codes the shortest way; an empty list stays a list. */
export const joinCodes = (codes: readonly string[], items: readonly Item[]): Of => (codes.length ? toItemList(codes, items) : []);

/** The items of a score as codes. */
export const itemsOfScore = (scale: Pick<Scale, 'items'>, score: ScoreDef): readonly string[] =>
  score.of === undefined ? [] : expand(score.of, scale.items);

/**
 * Changes the list of questions. Ranges such as `q1..q9` are written out before and joined again afterwards, so that a question that
 * is moved or added between others joins no score by itself.
 */
export function changeList(scale: Scale, items: readonly Item[]): Scale {
  const known = new Set(items.map((item) => item.c));
  const list = (of: Of) =>
    joinCodes(
      expand(of, scale.items).filter((code) => known.has(code)),
      items,
    );
  const cond = (value: Cond): Cond => {
    if ('all' in value) return { all: value.all.map(cond) };
    if ('any' in value) return { any: value.any.map(cond) };
    if ('not' in value) return { not: cond(value.not) };
    return 'count' in value ? { ...value, count: list(value.count) } : value;
  };
  const scores = scale.scores.map((score) => {
    if (score.of === undefined) return score;
    const before = expand(score.of, scale.items);
    const w = score.w && score.w.filter((_, index) => known.has(before[index] ?? ''));
    return put(score, { of: list(score.of), w });
  });
  const derive = scale.derive?.map((rule) => ({
    if: cond(rule.if),
    set: Object.fromEntries(Object.entries(rule.set).filter(([code]) => known.has(code))),
  }));
  return put(scale, {
    items: items.map((item) => (item.showif ? { ...item, showif: cond(item.showif) } : item)),
    scores,
    reverse: scale.reverse && listOrNothing(scale.reverse.filter((code) => known.has(code))),
    derive,
    validity: scale.validity?.map((rule) => ({ ...rule, when: cond(rule.when) })),
    alerts: scale.alerts?.map((rule) => ({ ...rule, when: cond(rule.when) })),
    nextform: scale.nextform?.map((rule) => ({ ...rule, when: cond(rule.when) })),
  });
}

/** A new question like its neighbour: same type, options and rules, but no text of its own. */
function likeNeighbour(neighbour: Item | undefined, c: string, t: string): Item {
  if (!neighbour) return { c, t };
  const { type, input, o, scored, required, min, max, maxlen, step } = neighbour;
  return put({ c, t } as Item, { type, input, o, scored, required, min, max, maxlen, step });
}

/** Adds questions at a place. They take type, options and factors of the question before them; the first one takes `first`. */
export function addItems(scale: Scale, at: number, texts: readonly string[], options?: string): Scale {
  const neighbour = scale.items[at - 1] ?? scale.items[at];
  const codes = itemCodes(scale, texts.length);
  const added = texts.map((t, index) => {
    const item = likeNeighbour(neighbour, codes[index] ?? '', t);
    return options !== undefined && item.o === undefined && (item.type ?? 1) !== 0 ? { ...item, o: options } : item;
  });
  const next = changeList(scale, [...scale.items.slice(0, at), ...added, ...scale.items.slice(at)]);
  const before = scale.items[at - 1]?.c;
  if (before === undefined) return next;
  // A total over all questions takes the new ones; so does a factor of the question before.
  const scores = next.scores.map((score) => {
    const members = itemsOfScore(next, score);
    if (score.w || !members.includes(before)) return score;
    const place = members.indexOf(before) + 1;
    return { ...score, of: joinCodes([...members.slice(0, place), ...codes, ...members.slice(place)], next.items) };
  });
  return { ...next, scores };
}

/** Removes questions, also from scores and skip rules. Conditions that name them stay and become faults. */
export const removeItems = (scale: Scale, codes: readonly string[]): Scale =>
  changeList(
    scale,
    scale.items.filter((item) => !codes.includes(item.c)),
  );

/** Moves a question to another place. */
export function moveItem(scale: Scale, from: number, to: number): Scale {
  const item = scale.items[from];
  if (!item || to < 0 || to >= scale.items.length || from === to) return scale;
  const rest = scale.items.filter((_, index) => index !== from);
  return changeList(scale, [...rest.slice(0, to), item, ...rest.slice(to)]);
}

/** Changes questions in the same way. */
export const updateItems = (scale: Scale, codes: readonly string[], change: (item: Item) => Item): Scale => ({
  ...scale,
  items: scale.items.map((item) => (codes.includes(item.c) ? change(item) : item)),
});

/** Changes fields of one question. */
export const updateItem = (scale: Scale, code: string, changes: { [K in keyof Item]?: Item[K] | undefined }): Scale =>
  updateItems(scale, [code], (item) => put(item, changes));

/** Makes questions count in reverse, or not. */
export function setReverse(scale: Scale, codes: readonly string[], isReverse: boolean): Scale {
  const others = (scale.reverse ?? []).filter((code) => !codes.includes(code));
  const chosen = new Set(isReverse ? [...others, ...codes] : others);
  const reverse = scale.items.map((item) => item.c).filter((code) => chosen.has(code));
  return put(scale, { reverse: listOrNothing(reverse) });
}

/** Adds questions to a score or takes them out. The order follows the questionnaire. */
export function setMembers(scale: Scale, scorecode: string, codes: readonly string[], isMember: boolean): Scale {
  const scores = scale.scores.map((score) => {
    if (score.c !== scorecode) return score;
    const before = itemsOfScore(scale, score);
    const members = new Set(before.filter((code) => isMember || !codes.includes(code)));
    if (isMember) for (const code of codes) members.add(code);
    const order = scale.items.map((item) => item.c).filter((code) => members.has(code));
    const w = score.w && order.map((code) => score.w?.[before.indexOf(code)] ?? 1);
    return put(score, { of: joinCodes(order, scale.items), w });
  });
  return { ...scale, scores };
}
