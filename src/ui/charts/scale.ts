/** Round steps for an axis from 0 (or `min`) to at least `max`: about `count` of them. */
export function ticks(max: number, min = 0, count = 4): number[] {
  const span = Math.max(max - min, 1);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough,
    Number.isInteger(max) && Number.isInteger(min) ? 1 : 0,
  );
  const marks: number[] = [];
  for (let at = 0; ; at += 1) {
    const value = Number((min + at * step).toPrecision(12));
    marks.push(value);
    if (value >= max) return marks;
  }
}

/** Shares in whole percent that add up to 100 (largest remainders), or zeros when there is nothing. */
export function shares(parts: readonly number[]): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part / total) * 100);
  const whole = exact.map(Math.floor);
  const order = exact.map((value, at) => [value - Math.floor(value), at] as const).sort((a, b) => b[0] - a[0]);
  for (let left = 100 - whole.reduce((sum, part) => sum + part, 0), at = 0; left > 0; left -= 1, at += 1)
    whole[order[at]?.[1] ?? 0]! += 1;
  return whole;
}

export const LEVEL_COLOURS = ['var(--level-0)', 'var(--level-1)', 'var(--level-2)', 'var(--level-3)', 'var(--level-4)'] as const;
export const SERIES_COLOURS = ['var(--accent)', '#4b7fb5', '#d99a0b', '#8a6bb0', '#c2577a', '#69746f'] as const;
