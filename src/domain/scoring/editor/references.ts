import { expand } from '#domain/scoring/condition.ts';
import type { Place } from '#domain/scoring/editor/fault.ts';
import type { Cond, Item, Of, Scale } from '#domain/scoring/scale.ts';

/** What the parts of a definition refer to. */

/** A condition without parts. */
export type Atom = Exclude<Cond, { all: unknown } | { any: unknown } | { not: unknown }>;

/** The single comparisons of a condition. */
export function atomsOf(cond: Cond): Atom[] {
  if ('all' in cond) return cond.all.flatMap(atomsOf);
  if ('any' in cond) return cond.any.flatMap(atomsOf);
  if ('not' in cond) return atomsOf(cond.not);
  return [cond];
}

/** The use of a condition in a definition. */
export interface Rule {
  use: 'showif' | 'derive' | 'alert' | 'validity' | 'nextform' | 'norm';
  cond: Cond;
  place: Place;
}

/** All conditions of a definition with their places. */
export function rulesOf(scale: Scale): Rule[] {
  const rules: Rule[] = [];
  for (const { c, showif } of scale.items)
    if (showif) rules.push({ use: 'showif', cond: showif, place: { part: 'items', code: c, field: 'showif' } });
  scale.derive?.forEach((rule, index) => {
    rules.push({ use: 'derive', cond: rule.if, place: { part: 'derive', index, field: 'if' } });
  });
  for (const { c, when } of scale.validity ?? [])
    rules.push({ use: 'validity', cond: when, place: { part: 'validity', code: c, field: 'when' } });
  for (const { c, when } of scale.alerts ?? [])
    rules.push({ use: 'alert', cond: when, place: { part: 'alerts', code: c, field: 'when' } });
  scale.nextform?.forEach(({ when }, index) => {
    rules.push({ use: 'nextform', cond: when, place: { part: 'nextform', index, field: 'when' } });
  });
  for (const [name, rows] of Object.entries(scale.norms ?? {})) {
    rows.forEach(({ where }, index) => {
      if (where) rules.push({ use: 'norm', cond: where, place: { part: 'norms', code: name, index, field: 'where' } });
    });
  }
  return rules;
}

/** Parts of `q1..q9,q12` that name no item, or a range in the wrong order. */
export function findUnknownItems(of: Of, items: readonly Item[]): string[] {
  const indexOf = (code: string) => items.findIndex((item) => item.c === code);
  return (typeof of === 'string' ? of.split(',') : of).flatMap((part) => {
    const text = part.trim();
    const [, from, to] = /^(.+)\.\.(.+)$/.exec(text) ?? [];
    if (from === undefined || to === undefined) return indexOf(text) < 0 ? [text] : [];
    return indexOf(from) < 0 || indexOf(to) < indexOf(from) ? [text] : [];
  });
}

/** The values that occur more than once. */
export const findTwice = (codes: readonly string[]): string[] => [
  ...new Set(codes.filter((code, index) => codes.indexOf(code) !== index)),
];

/** The items that can change a result: those that a score, alert, validity rule or following form reads, also through conditions. */
export function findReadItems(scale: Scale): Set<string> {
  const read = new Set(scale.scores.flatMap((score) => (score.of === undefined ? [] : expand(score.of, scale.items))));
  const addAll = (cond: Cond) => {
    for (const atom of atomsOf(cond)) {
      if ('count' in atom) for (const code of expand(atom.count, scale.items)) read.add(code);
      else if ('item' in atom) read.add(atom.item);
    }
  };
  for (const { use, cond } of rulesOf(scale)) if (use === 'alert' || use === 'validity' || use === 'nextform') addAll(cond);
  // A display condition or skip rule of an item that is read makes its own items count.
  for (let size = -1; size !== read.size;) {
    size = read.size;
    for (const { c, showif } of scale.items) if (showif && read.has(c)) addAll(showif);
    for (const rule of scale.derive ?? []) if (Object.keys(rule.set).some((code) => read.has(code))) addAll(rule.if);
  }
  return read;
}
