/**
 * The smallest count of persons or cases that an authority without 可看个人明细 sees (statistics.md 4.1). 0 is shown: it names nobody.
 * A smaller count is null, and the console shows “<5”.
 */
export const MIN_VISIBLE_COUNT = 5;

/** A count, or null when it is below `MIN_VISIBLE_COUNT`. */
export const hideSmallCount = (count: number): number | null => (count > 0 && count < MIN_VISIBLE_COUNT ? null : count);

/**
 * The parts of a sum without the small ones. When only one part is hidden, the smallest other part is hidden too: otherwise the sum
 * tells the hidden part.
 */
export function hideSmallParts(parts: readonly number[]): (number | null)[] {
  const shown = parts.map(hideSmallCount);
  if (shown.filter((count) => count === null).length !== 1) return shown;
  const others = parts.filter((count, index) => shown[index] !== null && count > 0);
  const smallest = others.length > 0 ? shown.indexOf(Math.min(...others)) : -1;
  return shown.map((count, index) => (index === smallest ? null : count));
}

/** A count as text: “<5” when it is hidden. */
export const formatCount = (count: number | null): string => (count === null ? `<${MIN_VISIBLE_COUNT}` : String(count));
