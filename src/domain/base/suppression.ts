import { formatNumber } from '#domain/base/number.ts';
/**
 * What an authority without 可看个人明细 reads of counts of persons and cases (statistics.md 4.1). Nobody may learn a count of 1–4:
 * neither from the count, nor by subtraction. So counts below five are hidden (null), all others are rounded to a multiple of five,
 * and a hidden part takes others with it. 0 names nobody and is shown.
 */
export const MIN_VISIBLE_COUNT = 5;

/** A count alone: null below `MIN_VISIBLE_COUNT`, else the nearest multiple of five. */
export const protectCount = (count: number): number | null =>
  count > 0 && count < MIN_VISIBLE_COUNT ? null : Math.round(count / MIN_VISIBLE_COUNT) * MIN_VISIBLE_COUNT;

/** The least number that the hidden parts of a sum have together. Below it, the rounded sum could tell them. */
const MIN_HIDDEN_SUM = 2 * MIN_VISIBLE_COUNT;

/** A sum and its parts as an authority reads them. */
export interface ProtectedCounts {
  total: number | null;
  parts: (number | null)[];
}

/**
 * Protects the parts of a sum. With a small part, the smallest others are hidden too, until the hidden ones have at least ten together;
 * parts with equal rounded values are hidden together. When that takes all of them, the zeros are hidden too.
 */
export function protectCounts(parts: readonly number[]): ProtectedCounts {
  const sum = parts.reduce((all, part) => all + part, 0);
  const total = protectCount(sum);
  const isSmall = (part: number) => protectCount(part) === null;
  const hidden = new Set(parts.flatMap((part, index) => (isSmall(part) ? [index] : [])));
  if (hidden.size === 0) return { total, parts: parts.map(protectCount) };
  const hiddenSum = () => [...hidden].reduce((all, index) => all + (parts[index] ?? 0), 0);
  while ((hidden.size < 2 || hiddenSum() < MIN_HIDDEN_SUM) && hiddenSum() < sum) {
    const shown = parts.map((part, index) => (hidden.has(index) || part === 0 ? Infinity : (protectCount(part) ?? 0)));
    const smallest = Math.min(...shown);
    for (const [index, value] of shown.entries()) if (value === smallest) hidden.add(index);
  }
  const isAllHidden = hiddenSum() === sum;
  return { total, parts: parts.map((part, index) => (isAllHidden || hidden.has(index) ? null : protectCount(part))) };
}

/** What the reader of protected counts must know, once on a screen. */
export const PROTECTED_NOTE = `数量取最近的 ${MIN_VISIBLE_COUNT} 的倍数；不足 ${MIN_VISIBLE_COUNT} 的写作“少于 ${MIN_VISIBLE_COUNT}”，能推算出它们的数一并不显示。`;

/** A count as text: 少于 5 when it is hidden, 约 15 when it is rounded. */
export const formatCount = (count: number | null, isRounded = false): string =>
  count === null ? `少于 ${MIN_VISIBLE_COUNT}` : `${isRounded && count > 0 ? '约 ' : ''}${formatNumber(count)}`;
