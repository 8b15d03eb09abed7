import { ChartFrame } from './ChartFrame.tsx';
import classes from './charts.module.css';

interface Axis {
  name: string;
  value: number;
  min: number;
  max: number;
}

/** Compares factor scores: a radar for three to twelve factors, bars otherwise. */
export function FactorChart({ title, axes }: { title: string; axes: readonly Axis[] }) {
  const round = axes.length >= 3 && axes.length <= 12;
  const height = round ? 280 : 24 + axes.length * 30;
  return (
    <ChartFrame
      title={title}
      heads={['', '得分', '范围']}
      rows={axes.map((axis) => [axis.name, axis.value, `${axis.min}–${axis.max}`])}
      height={height}
    >
      {(width) =>
        round ? (
          <Radar axes={axes} width={Math.min(width, 460)} height={height} />
        ) : (
          <Bars axes={axes} width={width} height={height} />
        )
      }
    </ChartFrame>
  );
}

const share = ({ value, min, max }: Axis) => Math.min(1, Math.max(0, max > min ? (value - min) / (max - min) : 0));

function Radar({ axes, width, height }: { axes: readonly Axis[]; width: number; height: number }) {
  const [cx, cy] = [width / 2, height / 2];
  const radius = Math.max(20, Math.min(width / 2 - 76, height / 2 - 30));
  const at = (index: number, far: number): [number, number] => {
    const turn = (index / axes.length) * 2 * Math.PI - Math.PI / 2;
    return [cx + radius * far * Math.cos(turn), cy + radius * far * Math.sin(turn)];
  };
  const ring = (far: (index: number) => number) =>
    axes
      .map((_, index) =>
        at(index, far(index))
          .map((value) => value.toFixed(1))
          .join(','),
      )
      .join(' ');
  return (
    <svg width={width} height={height}>
      {[0.25, 0.5, 0.75, 1].map((far) => (
        <polygon key={far} points={ring(() => far)} fill="none" className={classes['grid']} />
      ))}
      {axes.map((axis, index) => {
        const [x, y] = at(index, 1.12);
        const [ex, ey] = at(index, 1);
        return (
          <g key={axis.name}>
            <line x1={cx} y1={cy} x2={ex} y2={ey} className={classes['grid']} />
            <text x={x} y={y + 4} textAnchor={Math.abs(x - cx) < 8 ? 'middle' : x > cx ? 'start' : 'end'}>
              {axis.name} {axis.value}
            </text>
          </g>
        );
      })}
      <polygon
        points={ring((index) => share(axes[index] as Axis))}
        fill="var(--accent)"
        fillOpacity={0.18}
        stroke="var(--ink-brand)"
        strokeWidth={2}
      />
      {axes.map((axis, index) => {
        const [x, y] = at(index, share(axis));
        return <circle key={axis.name} cx={x} cy={y} r={3} fill="var(--ink-brand)" />;
      })}
    </svg>
  );
}

function Bars({ axes, width, height }: { axes: readonly Axis[]; width: number; height: number }) {
  const left = Math.min(150, width * 0.36);
  return (
    <svg width={width} height={height}>
      {axes.map((axis, index) => (
        <g key={axis.name} transform={`translate(0 ${12 + index * 30})`}>
          <text x={left - 8} y={14} textAnchor="end">
            {axis.name}
          </text>
          <rect x={left} y={4} width={Math.max(0, width - left - 40)} height={12} rx={6} fill="var(--line-soft)" />
          <rect x={left} y={4} width={Math.max(0, (width - left - 40) * share(axis))} height={12} rx={6} fill="var(--accent)" />
          <text className={classes['value']} x={width - 32} y={14}>
            {axis.value}
          </text>
        </g>
      ))}
    </svg>
  );
}
