/** Returns round steps for an axis from 0 (or `min`) to at least `max`: about `count` of them. */
export function ticks(max: number, min = 0, count = 4): number[] {
  const span = Math.max(max - min, 1);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    [1, 2, 5, 10].map((value) => value * power).find((candidate) => candidate >= rough) ?? rough,
    Number.isInteger(max) && Number.isInteger(min) ? 1 : 0,
  );
  const marks: number[] = [];
  for (let index = 0; ; index += 1) {
    const value = Number((min + index * step).toPrecision(12));
    marks.push(value);
    if (value >= max) return marks;
  }
}

export const LEVEL_COLOURS = ['var(--level-0)', 'var(--level-1)', 'var(--level-2)', 'var(--level-3)', 'var(--level-4)'] as const;
export const SERIES_COLOURS = ['var(--accent)', '#4b7fb5', '#d99a0b', '#8a6bb0', '#c2577a', '#69746f'] as const;
