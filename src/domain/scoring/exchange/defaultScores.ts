import { toItemList } from '#domain/scoring/exchange/itemList.ts';
import type { Item, Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** A factor (因子): its name and the codes of its items. */
export interface Factor {
  name: string;
  items: readonly string[];
}

/** Whether an item has a score: a choice whose options have points, or a number that the author scores. */
export function isScored(item: Item, optionsets: Scale['optionsets']): boolean {
  if (item.scored === false) return false;
  if ((item.type ?? 1) === 0) return item.scored === true;
  return (optionsets[item.o ?? ''] ?? []).some(([, , points]) => points !== null);
}

/**
 * The scores of a form whose author names none: 总分 over all scored items, and one sum a factor. 总分 is the primary score.
 * A factor without scored items gets no score. The editor and the Excel import use it.
 */
export function defaultScores(scale: Pick<Scale, 'items' | 'optionsets'>, factors: readonly Factor[] = []): ScoreDef[] {
  const scored = scale.items.filter((item) => isScored(item, scale.optionsets)).map((item) => item.c);
  if (!scored.length) return [];
  const usedCodes = new Set([...scale.items.map((item) => item.c), 'total']);
  const total: ScoreDef = { c: 'total', n: '总分', op: 'sum', of: toItemList(scored, scale.items), primary: true, better: 'low' };
  const parts = factors.flatMap(({ name, items }): ScoreDef[] => {
    const codes = scored.filter((code) => items.includes(code));
    if (!codes.length) return [];
    let number = 1;
    while (usedCodes.has(`f${number}`)) number++;
    usedCodes.add(`f${number}`);
    return [{ c: `f${number}`, n: name, op: 'sum', of: toItemList(codes, scale.items) }];
  });
  return [total, ...parts];
}
