import type { ResponseOf } from '#contract/action.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';
import { LEVEL_COLOURS, ticks } from '#ui/charts/scale.ts';
import charts from '#ui/charts/charts.module.css';
import type { getPHQ9ChartsData } from '#features/report/report.contract.ts';

type Trend = ResponseOf<typeof getPHQ9ChartsData>;
const height = 320;
const colourOf = (level: number | null) => (level === null ? 'var(--ink-2)' : (LEVEL_COLOURS[level] ?? 'var(--ink-2)'));
const toMilliseconds = (time: string) => Date.parse(time.replace(' ', 'T'));

/**
 * Renders one score over time and its bands. A point has the colour and the label of its level. A ring marks an alert; a dashed
 * line marks an intervention or a referral.
 */
export function TrendChart({ trend }: { trend: Trend }) {
  const { points, bands, events, scorename } = trend;
  const rows = points.map((point) => [
    point.date.slice(0, 16),
    point.score ?? '—',
    point.levelname || '—',
    point.ring ? '条目提示' : '',
    point.stagename || point.planname,
  ]);
  return (
    <ChartFrame
      title={`${scorename}（${trend.min ?? 0}–${trend.max ?? ''} 分）`}
      heads={['测评时间', scorename, '等级', '提示', '阶段']}
      rows={rows}
      height={height}
    >
      {(width) => {
        const isNarrow = width < 560;
        const [left, right, plotTop, plotBottom] = [30, isNarrow ? 66 : 92, 26, height - 30];
        const inset = isNarrow ? 22 : 44;
        const top = trend.max ?? Math.max(1, ...points.map((point) => point.score ?? 0));
        const bottom = trend.min ?? 0;
        const times = [
          ...points.map((point) => toMilliseconds(point.date)),
          ...events.map((event) => toMilliseconds(event.time)),
        ];
        const [from, to] = [Math.min(...times), Math.max(...times)];
        const x = (time: number) =>
          left + inset + (width - left - right - 2 * inset) * (to > from ? (time - from) / (to - from) : 0.5);
        const y = (value: number) => plotBottom - ((plotBottom - plotTop) * (value - bottom)) / Math.max(1, top - bottom);
        const sortedBands = [...bands].sort((a, b) => (a[0] ?? -Infinity) - (b[0] ?? -Infinity));
        const scoredPoints = points.filter((point) => point.score !== null);
        // A date label too close to the next one is left out; the last one always stays.
        const labelledExams = new Set<string>();
        let next = Infinity;
        for (const point of [...scoredPoints].reverse()) {
          if (next - x(toMilliseconds(point.date)) < 62) continue;
          labelledExams.add(point.examcode);
          next = x(toMilliseconds(point.date));
        }
        const line = scoredPoints.filter((point) => point.valid === 1);
        return (
          <svg width={width} height={height}>
            {sortedBands.map(([min, , level, label], index) => {
              const [low, high] = [index === 0 ? bottom : (min ?? bottom), sortedBands[index + 1]?.[0] ?? top];
              return (
                <g key={label}>
                  <rect
                    x={left}
                    width={Math.max(0, width - left - right)}
                    y={y(high)}
                    height={Math.max(0, y(low) - y(high))}
                    fill={colourOf(level)}
                    opacity={0.14}
                  />
                  <text x={width - right + 6} y={(y(low) + y(high)) / 2 + 4}>
                    {label}
                  </text>
                </g>
              );
            })}
            {ticks(top, bottom)
              .filter((value) => value <= top)
              .map((value) => (
                <text key={value} x={left - 6} y={y(value) + 4} textAnchor="end">
                  {value}
                </text>
              ))}
            {events.map((event, index) => (
              <g key={`${event.time}${event.label}`}>
                <line
                  x1={x(toMilliseconds(event.time))}
                  x2={x(toMilliseconds(event.time))}
                  y1={plotTop}
                  y2={plotBottom}
                  stroke="var(--ink-2)"
                  strokeDasharray="4 3"
                />
                <text x={x(toMilliseconds(event.time))} y={index % 2 ? 22 : 10} textAnchor="middle">
                  {event.label}
                </text>
              </g>
            ))}
            <path
              className={charts['line']}
              stroke="var(--ink-2)"
              d={line
                .map(
                  (point, index) =>
                    `${index ? 'L' : 'M'}${x(toMilliseconds(point.date)).toFixed(1)} ${y(point.score ?? 0).toFixed(1)}`,
                )
                .join('')}
            />
            {scoredPoints.map((point) => {
              const [px, py] = [x(toMilliseconds(point.date)), y(point.score ?? 0)];
              return (
                <g key={point.examcode}>
                  <title>{`${point.date.slice(0, 10)} ${point.stagename || point.planname}：${point.score} 分，${point.levelname}`}</title>
                  {point.ring === 1 && <circle cx={px} cy={py} r={10} fill="none" stroke="var(--level-4)" strokeWidth={2} />}
                  <circle
                    cx={px}
                    cy={py}
                    r={6}
                    fill={point.valid ? colourOf(point.level) : 'var(--surface)'}
                    stroke={point.valid ? 'var(--surface)' : 'var(--ink-2)'}
                    strokeWidth={1.5}
                  />
                  <text className={charts['value']} x={px} y={py - (point.ring ? 15 : 11)} textAnchor="middle">
                    {point.score} {!point.valid ? '无效' : isNarrow ? '' : point.levelname}
                  </text>
                  {labelledExams.has(point.examcode) && (
                    <text x={px} y={height - 8} textAnchor="middle">
                      {point.date.slice(2, 10)}
                    </text>
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
