import { ChartFrame, Legend } from './ChartFrame.tsx';
import { LEVEL_COLOURS, SERIES_COLOURS, ticks } from './scale.ts';
import classes from './charts.module.css';

interface Props {
  title: string;
  /** Labels of the points from left to right, such as days. */
  labels: readonly string[];
  /** One value per label; null leaves a gap. */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  /** Bands of levels behind the lines, with their labels. */
  bands?: readonly { from: number; to: number; level: 0 | 1 | 2 | 3 | 4; label: string }[];
  /** Events at a label, such as an intervention. */
  marks?: readonly { at: number; label: string }[];
  /** Top of the axis; computed from the data when absent. */
  max?: number;
  height?: number;
}

/** Draws lines over time, over bands of levels when there are any. */
export function LineChart({ title, labels, series, bands = [], marks = [], max, height = 240 }: Props) {
  const top = max ?? Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const axis = ticks(top);
  const ceiling = max ?? axis.at(-1) ?? 1;
  const rows = labels.map((label, index) => [label, ...series.map(({ values }) => values[index] ?? '—')]);
  return (
    <ChartFrame
      title={title}
      heads={['项目', ...series.map(({ name }) => name)]}
      rows={rows}
      height={height}
      legend={
        series.length > 1 && (
          <Legend
            series={series.map(({ name }, index) => ({ name, color: SERIES_COLOURS[index % SERIES_COLOURS.length] ?? '' }))}
          />
        )
      }
    >
      {(width) => {
        const [left, right, up, down] = [34, bands.length ? 84 : 12, 14, height - 26];
        const x = (at: number) => left + (width - left - right) * (labels.length === 1 ? 0.5 : at / (labels.length - 1));
        const y = (value: number) => down - ((down - up) * Math.min(value, ceiling)) / ceiling;
        // A label at the edge stays inside the picture and reaches half its width further in. Two labels need at least that
        // distance.
        const room = 1.5 * Math.max(...labels.map(widthOf)) + 8;
        const every = Math.ceil((Math.max(1, labels.length - 1) * room) / Math.max(1, width - left - right));
        return (
          <svg width={width} height={height}>
            {bands.map((band) => (
              <g key={band.label}>
                <rect
                  x={left}
                  width={width - left - right}
                  y={y(Math.min(band.to, ceiling))}
                  height={Math.max(0, y(band.from) - y(Math.min(band.to, ceiling)))}
                  fill={LEVEL_COLOURS[band.level]}
                  opacity={0.13}
                />
                <text x={width - right + 6} y={(y(band.from) + y(Math.min(band.to, ceiling))) / 2 + 4}>
                  {band.label}
                </text>
              </g>
            ))}
            {axis
              .filter((value) => value <= ceiling)
              .map((value) => (
                <g key={value}>
                  <line className={classes['grid']} x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
                  <text x={left - 6} y={y(value) + 4} textAnchor="end">
                    {value}
                  </text>
                </g>
              ))}
            {labels.map(
              (label, index) =>
                index % every === 0 && (
                  <text
                    key={index}
                    x={x(index)}
                    y={height - 6}
                    textAnchor={
                      x(index) < widthOf(label) / 2 ? 'start' : x(index) + widthOf(label) / 2 > width ? 'end' : 'middle'
                    }
                  >
                    {label}
                  </text>
                ),
            )}
            {marks.map(({ at, label }) => (
              <g key={`${at}${label}`}>
                <line x1={x(at)} x2={x(at)} y1={up} y2={down} stroke="var(--ink-2)" strokeDasharray="3 3" />
                <text x={x(at) + 4} y={up + 4}>
                  {label}
                </text>
              </g>
            ))}
            {series.map(({ name, values }, index) => {
              const color = SERIES_COLOURS[index % SERIES_COLOURS.length];
              return (
                <g key={name}>
                  <path
                    className={classes['line']}
                    stroke={color}
                    d={pathOf(values, x, y)}
                    strokeDasharray={index === 0 ? undefined : `${index * 4 + 2} 3`}
                  />
                  {labels.length <= 40 &&
                    values.map(
                      (value, at) =>
                        value !== null && (
                          <circle key={at} cx={x(at)} cy={y(value)} r={3.5} fill="var(--surface)" stroke={color} strokeWidth={2}>
                            <title>{`${labels[at]} ${name} ${value}`}</title>
                          </circle>
                        ),
                    )}
                </g>
              );
            })}
          </svg>
        );
      }}
    </ChartFrame>
  );
}

/** Estimates the width of an axis label in px: Chinese characters are square, others half as wide. */
const widthOf = (label: string): number => [...label].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e80 ? 12 : 7), 0);

function pathOf(values: readonly (number | null)[], x: (at: number) => number, y: (value: number) => number): string {
  let path = '';
  let pen = false;
  values.forEach((value, index) => {
    if (value !== null) path += `${pen ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = value !== null;
  });
  return path;
}
