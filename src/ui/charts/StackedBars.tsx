import { useId } from 'react';
import { ChartFrame, Legend } from './ChartFrame.tsx';
import { LEVEL_COLOURS, shares } from './scale.ts';

interface Props {
  title: string;
  /** The parts' names; with up to five the level colours from green to dark red. */
  parts: readonly string[];
  /** Counts by part; null: hidden because the group is too small. */
  rows: readonly { name: string; counts: readonly number[] | null }[];
}

const ROW = 34;

/** 100 % bars by level, one per class or grade; patterns beside the colours, counts in the data. */
export function StackedBars({ title, parts, rows }: Props) {
  const id = useId();
  const data = rows.map(({ name, counts }) => [name, ...parts.map((_, at) => (counts ? (counts[at] ?? 0) : '—'))]);
  return (
    <ChartFrame
      title={title}
      heads={['项目', ...parts]}
      rows={data}
      height={rows.length * ROW + 4}
      legend={<Legend series={parts.map((name, at) => ({ name, color: LEVEL_COLOURS[at % 5] ?? '' }))} />}
    >
      {(width) => {
        const left = Math.min(140, width * 0.3);
        return (
          <svg width={width} height={rows.length * ROW + 4}>
            <defs>
              {parts.map((name, at) => (
                <pattern
                  key={name}
                  id={`${id}${at}`}
                  width="8"
                  height="8"
                  patternUnits="userSpaceOnUse"
                  patternTransform={`rotate(${at * 45})`}
                >
                  <rect width="8" height="8" fill={LEVEL_COLOURS[at % 5]} />
                  {at > 0 && <line x1="0" y1="0" x2="0" y2="8" stroke="#fff" strokeOpacity="0.35" strokeWidth={at} />}
                </pattern>
              ))}
            </defs>
            {rows.map(({ name, counts }, line) => {
              const percents = counts ? shares(counts) : [];
              let from = left;
              return (
                <g key={name} transform={`translate(0 ${line * ROW + 4})`}>
                  <text x={left - 8} y={17} textAnchor="end">
                    {name.length > 9 ? `${name.slice(0, 8)}…` : name}
                    <title>{name}</title>
                  </text>
                  {counts === null && (
                    <text x={left} y={17}>
                      人数过少，不显示
                    </text>
                  )}
                  {percents.map((percent, at) => {
                    const wide = ((width - left) * percent) / 100;
                    const x = from;
                    from += wide;
                    if (percent === 0) return null;
                    return (
                      <g key={parts[at]}>
                        <rect x={x} y={0} width={Math.max(0, wide - 1)} height={24} rx={3} fill={`url(#${id}${at})`}>
                          <title>{`${name} ${parts[at]} ${counts?.[at]} 人（${percent}%）`}</title>
                        </rect>
                        {wide > 40 && (
                          <>
                            <rect x={x + wide / 2 - 18} y={4} width={35} height={16} rx={8} fill="var(--surface)" />
                            <text x={x + wide / 2} y={16} textAnchor="middle">
                              {percent}%
                            </text>
                          </>
                        )}
                      </g>
                    );
                  })}
                </g>
              );
            })}
          </svg>
        );
      }}
    </ChartFrame>
  );
}
