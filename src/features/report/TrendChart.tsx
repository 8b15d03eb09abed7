import type { ResponseOf } from '#contract/action.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';
import { LEVEL_COLOURS, ticks } from '#ui/charts/scale.ts';
import charts from '#ui/charts/charts.module.css';
import type { getPHQ9ChartsData } from '#features/report/report.contract.ts';

type Trend = ResponseOf<typeof getPHQ9ChartsData>;
const height = 320;
const colourOf = (level: number | null) => (level === null ? 'var(--ink-2)' : (LEVEL_COLOURS[level] ?? 'var(--ink-2)'));
const at = (time: string) => Date.parse(time.replace(' ', 'T'));

/**
 * The course of one score over its bands: points in the colour and word of their level, a ring where an alert fired, dashed
 * lines where something was done.
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
        const narrow = width < 560;
        const [left, right, up, down] = [30, narrow ? 66 : 92, 26, height - 30];
        const inset = narrow ? 22 : 44;
        const top = trend.max ?? Math.max(1, ...points.map((point) => point.score ?? 0));
        const floor = trend.min ?? 0;
        const times = [...points.map((point) => at(point.date)), ...events.map((event) => at(event.time))];
        const [from, to] = [Math.min(...times), Math.max(...times)];
        const x = (time: number) =>
          left + inset + (width - left - right - 2 * inset) * (to > from ? (time - from) / (to - from) : 0.5);
        const y = (value: number) => down - ((down - up) * (value - floor)) / Math.max(1, top - floor);
        const sorted = [...bands].sort((a, b) => (a[0] ?? -Infinity) - (b[0] ?? -Infinity));
        const drawnPoints = points.filter((point) => point.score !== null);
        // Days that would run into one another: every second one goes, never the last.
        const dated = new Set<string>();
        let next = Infinity;
        for (const point of [...drawnPoints].reverse()) {
          if (next - x(at(point.date)) < 62) continue;
          dated.add(point.examcode);
          next = x(at(point.date));
        }
        const line = drawnPoints.filter((point) => point.valid === 1);
        return (
          <svg width={width} height={height}>
            {sorted.map(([min, , level, label], index) => {
              const [low, high] = [index === 0 ? floor : (min ?? floor), sorted[index + 1]?.[0] ?? top];
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
            {ticks(top, floor)
              .filter((value) => value <= top)
              .map((value) => (
                <text key={value} x={left - 6} y={y(value) + 4} textAnchor="end">
                  {value}
                </text>
              ))}
            {events.map((event, index) => (
              <g key={`${event.time}${event.label}`}>
                <line
                  x1={x(at(event.time))}
                  x2={x(at(event.time))}
                  y1={up}
                  y2={down}
                  stroke="var(--ink-2)"
                  strokeDasharray="4 3"
                />
                <text x={x(at(event.time))} y={index % 2 ? 22 : 10} textAnchor="middle">
                  {event.label}
                </text>
              </g>
            ))}
            <path
              className={charts['line']}
              stroke="var(--ink-2)"
              d={line
                .map((point, index) => `${index ? 'L' : 'M'}${x(at(point.date)).toFixed(1)} ${y(point.score ?? 0).toFixed(1)}`)
                .join('')}
            />
            {drawnPoints.map((point) => {
              const [px, py] = [x(at(point.date)), y(point.score ?? 0)];
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
                    {point.score} {!point.valid ? '无效' : narrow ? '' : point.levelname}
                  </text>
                  {dated.has(point.examcode) && (
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
