import { LEVEL_COLOURS } from './scale.ts';
import classes from './BandBar.module.css';

export interface BarBand {
  min: number | null;
  max: number | null;
  level: 0 | 1 | 2 | 3 | 4;
  label: string;
}
interface Props {
  bands: readonly BarBand[];
  /** Ends of the scale, where the outer bands are open. */
  min?: number | null;
  max?: number | null;
  /** An upper limit belongs to the next band. */
  halfopen?: boolean;
  /** Marks a value. Without it the bar shows the bands alone. */
  score?: number | null;
  /** Marks a band without a number, as on the gauge of the total result. */
  level?: number | null;
  /** The text for screen readers. */
  label: string;
}

/** Shows a score on its bands: five colours with their labels, and a mark at the value. */
export function BandBar({ bands, min, max, halfopen = false, score, level, label }: Props) {
  const sorted = [...bands].sort((a, b) => (a.min ?? -Infinity) - (b.min ?? -Infinity));
  const first = sorted[0];
  const last = sorted.at(-1);
  if (!first || !last) return null;
  // Whole numbers in closed bands take one place each, so that 4 and 5 do not share a border.
  const touching = halfopen || sorted.some((band, index) => index > 0 && band.min === sorted[index - 1]?.max);
  const unit = touching ? 0 : 1;
  const from = first.min ?? min ?? 0;
  const to = Math.max(last.max ?? max ?? (last.min ?? 0) + 1, (last.min ?? 0) + (touching ? 0.001 : 0)) + unit;
  const begins = sorted.map((band, index) => (index === 0 ? from : (band.min ?? from)));
  const widths = begins.map((begin, index) => Math.max(0, ((begins[index + 1] ?? to) - begin) / (to - from)) * 100);
  const place =
    score === null || score === undefined
      ? undefined
      : Math.min(100, Math.max(0, ((score + unit / 2 - from) / (to - from)) * 100));
  const here = (at: number) =>
    place !== undefined
      ? score !== null &&
        score !== undefined &&
        score >= (begins[at] ?? 0) &&
        (at === sorted.length - 1 || score < (begins[at + 1] ?? to))
      : level === sorted[at]?.level;
  const marked = score !== undefined || level !== undefined;
  return (
    <div className={classes['bar']} role="img" aria-label={label} data-marked={place !== undefined || undefined}>
      {place !== undefined && (
        <span className={classes['mark']} style={{ left: `${place}%` }}>
          {score}
        </span>
      )}
      <div className={classes['track']}>
        {sorted.map((band, index) => (
          <span
            key={`${band.min} ${band.label}`}
            className={classes['band']}
            data-here={(marked && here(index)) || undefined}
            data-faded={(marked && !here(index)) || undefined}
            style={{ width: `${widths[index]}%`, background: LEVEL_COLOURS[band.level] }}
          />
        ))}
      </div>
      <div className={classes['words']}>
        {sorted.map((band, index) => (
          <span
            key={`${band.min} ${band.label}`}
            style={{ width: `${widths[index]}%` }}
            data-here={(marked && here(index)) || undefined}
            title={band.label}
          >
            {band.label}
          </span>
        ))}
      </div>
    </div>
  );
}
