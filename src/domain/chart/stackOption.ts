import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { commonOption, FONT_SIZE, textWidth, tooltipOf } from '#domain/chart/chartLook.ts';

/** Groups, such as classes, with the persons of each level. */
export interface StackChart {
  title: string;
  /** words of the levels, from 0 */
  levels: readonly string[];
  /** heads of the notes */
  noteHeads?: readonly string[];
  /** one count per level; `notes` are further cells of the table, and the last one stands right of the bar */
  groups: readonly { name: string; counts: readonly number[]; notes?: readonly string[] }[];
  /** the colours of the levels as numbers 0–4; absent: in their order */
  colours?: readonly number[];
}

const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const percentOf = (count: number, total: number): number => (total === 0 ? 0 : Math.round((count / total) * 1000) / 10);

/** The rows of the picture: counts with their shares. */
export const stackTable = ({ levels, groups, noteHeads = [] }: StackChart): ChartTable => ({
  heads: ['项目', ...levels, '合计', ...noteHeads],
  rows: groups.map(({ name, counts, notes = [] }) => {
    const total = totalOf(counts);
    return [
      name,
      ...levels.map((_, at) => `${counts[at] ?? 0}（${percentOf(counts[at] ?? 0, total)}%）`),
      String(total),
      ...notes,
    ];
  }),
});

/** The height of the picture in px. */
export const stackHeight = ({ groups }: StackChart): number => 56 + groups.length * 32;

/** The room for the notes right of the bars, in px. */
const noteRoom = ({ groups }: StackChart): number =>
  Math.max(0, ...groups.map(({ notes = [] }) => textWidth(notes.at(-1) ?? '')));

/** Bars of 100 % in the colours of the levels. Each level has its pattern; shares with room have their number. */
export const stackOption = (chart: StackChart, look: ChartLook): ChartOption => ({
  ...commonOption(look, `${chart.title}：${chart.levels.join('、')}，共 ${chart.groups.length} 组。`, true),
  tooltip: { ...tooltipOf(look), trigger: 'item', formatter: '{b}' },
  legend: { left: 0, top: 0, textStyle: { color: look.inkSoft, fontSize: FONT_SIZE } },
  grid: {
    left: Math.min(160, look.width * 0.3, Math.max(...chart.groups.map(({ name }) => textWidth(name)), 0) + 16),
    right: noteRoom(chart) + 20,
    top: 36,
    bottom: 8,
  },
  xAxis: { type: 'value', min: 0, max: 100, show: false },
  yAxis: [
    {
      type: 'category',
      inverse: true,
      data: chart.groups.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: look.inkSoft,
        fontSize: FONT_SIZE,
        width: Math.min(150, look.width * 0.28),
        overflow: 'truncate',
        interval: 0,
      },
    },
    {
      type: 'category',
      inverse: true,
      data: chart.groups.map(({ notes = [] }) => notes.at(-1) ?? ''),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: look.ink, fontSize: FONT_SIZE, interval: 0 },
    },
  ],
  series: chart.levels.map((level, at) => ({
    type: 'bar',
    stack: 'all',
    name: level,
    barWidth: 20,
    itemStyle: { color: look.levels[Math.min(chart.colours?.[at] ?? at, 4)], borderColor: look.surface, borderWidth: 1 },
    data: chart.groups.map(({ name, counts }) => {
      const count = counts[at] ?? 0;
      const percent = percentOf(count, totalOf(counts));
      return {
        name: `${name}\n${level} ${count} 人（${percent}%）`,
        value: percent,
        label: {
          show: (percent / 100) * look.width * 0.66 >= textWidth(`${percent}%`) + 12,
          formatter: `${percent}%`,
          color: look.ink,
          backgroundColor: look.surface,
          padding: [1, 3],
          borderRadius: 3,
          fontSize: FONT_SIZE,
        },
      };
    }),
  })),
});
