import { ChartFrame, Legend } from './ChartFrame.tsx';
import { LEVEL_COLOURS, SERIES_COLOURS, ticks } from './scale.ts';
import classes from './charts.module.css';

interface Props {
  title: string;
  labels: readonly string[];
  /** One or several bars side by side per label. */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  /** Colours the single series by level: its labels are levels from 0 up. */
  levels?: boolean;
  unit?: string;
  height?: number;
}

/** Standing bars with their numbers on top. */
export function BarChart({ title, labels, series, levels = false, unit = '', height = 240 }: Props) {
  const axis = ticks(Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const ceiling = axis.at(-1) ?? 1;
  const rows = labels.map((label, at) => [
    label,
    ...series.map(({ values }) => (values[at] === null || values[at] === undefined ? '—' : `${values[at]}${unit}`)),
  ]);
  const colour = (index: number, at: number) =>
    (levels ? LEVEL_COLOURS[at % 5] : SERIES_COLOURS[index % SERIES_COLOURS.length]) ?? '';
  return (
    <ChartFrame
      title={title}
      heads={['项目', ...series.map(({ name }) => name)]}
      rows={rows}
      height={height}
      legend={series.length > 1 && <Legend series={series.map(({ name }, index) => ({ name, color: colour(index, 0) }))} />}
    >
      {(width) => {
        const [left, up, down] = [34, 18, height - 26];
        const slot = (width - left) / Math.max(1, labels.length);
        const bar = Math.min(40, (slot * 0.64) / series.length);
        const y = (value: number) => down - ((down - up) * value) / ceiling;
        const fits = Math.max(1, Math.floor(slot / 12.5));
        return (
          <svg width={width} height={height}>
            {axis.map((value) => (
              <g key={value}>
                <line className={classes['grid']} x1={left} x2={width} y1={y(value)} y2={y(value)} />
                <text x={left - 6} y={y(value) + 4} textAnchor="end">
                  {value}
                </text>
              </g>
            ))}
            {labels.map((label, at) => (
              <g key={`${label}${at}`}>
                {series.map(({ name, values }, index) => {
                  const value = values[at];
                  if (value === null || value === undefined) return null;
                  const x = left + slot * (at + 0.5) + (index - series.length / 2) * bar;
                  return (
                    <g key={name}>
                      <rect x={x + 1} y={y(value)} width={bar - 2} height={down - y(value)} rx={3} fill={colour(index, at)}>
                        <title>{`${label} ${name} ${value}${unit}`}</title>
                      </rect>
                      {bar >= 16 && (
                        <text className={classes['value']} x={x + bar / 2} y={y(value) - 5} textAnchor="middle">
                          {value}
                        </text>
                      )}
                    </g>
                  );
                })}
                <text x={left + slot * (at + 0.5)} y={height - 6} textAnchor="middle">
                  {label.length > fits ? `${label.slice(0, Math.max(1, fits - 1))}…` : label}
                  <title>{label}</title>
                </text>
              </g>
            ))}
          </svg>
        );
      }}
    </ChartFrame>
  );
}
