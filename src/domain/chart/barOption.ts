import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { axisSteps, commonOption, FONT_SIZE, scoreAxis, textWidth, tooltipOf } from '#domain/chart/chartLook.ts';

/** Upright bars by group, with an optional line of rates on an axis of percent. */
export interface BarChart {
  title: string;
  /** the groups from left to right */
  labels: readonly string[];
  /** what the groups are, for the table: 年级 */
  head?: string;
  series: readonly { name: string; values: readonly (number | null)[] }[];
  /** 人 or 人次 */
  unit: string;
  /** rates in percent, drawn as lines */
  rates?: readonly { name: string; values: readonly (number | null)[] }[];
  /** the rates stand in the labels of the last bars instead of a line: for groups without an order */
  isRateInLabel?: boolean;
  /** the bars of a group stand on each other */
  isStacked?: boolean;
  /** each bar has the colour of its level: the first label is level 0 */
  isByLevel?: boolean;
}

const rateText = (value: number | null | undefined): string =>
  value === null || value === undefined ? '—' : `${value.toFixed(1)}%`;

/** The rows of the picture. */
export const barTable = ({ labels, head = '项目', series, rates = [], unit }: BarChart): ChartTable => ({
  heads: [head, ...series.map(({ name }) => `${name}（${unit}）`), ...rates.map(({ name }) => name)],
  rows: labels.map((label, at) => [
    label,
    ...series.map(({ values }) => String(values[at] ?? '—')),
    ...rates.map(({ values }) => rateText(values[at])),
  ]),
});

/** The most labels of groups that are all written. */
const MOST_LABELS = 24;

const describe = (chart: BarChart): string =>
  `${chart.title}：${chart.labels
    .map((label, at) =>
      [
        label,
        ...chart.series.map(({ name, values }) => `${name} ${values[at] ?? '—'} ${chart.unit}`),
        ...(chart.rates ?? []).map(({ name, values }) => `${name} ${rateText(values[at])}`),
      ].join(' '),
    )
    .join('；')}。`;

/** The picture of bars. Series differ by pattern, lines by dashes; each bar with room has its number. */
export function barOption(chart: BarChart, look: ChartLook): ChartOption {
  const { labels, series, isStacked = false, isByLevel = false, isRateInLabel = false } = chart;
  const rates = isRateInLabel ? [] : (chart.rates ?? []);
  const labelRates = isRateInLabel ? chart.rates?.[0]?.values : undefined;
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const highest = Math.max(1, ...(isStacked ? sums : series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const top = axisSteps(highest).at(-1) ?? highest;
  const left = textWidth(String(top)) + 18;
  const right = rates.length > 0 ? 48 : 16;
  const room = (look.width - left - right) / Math.max(1, labels.length);
  const hasLegend = isStacked || series.length + rates.length > 1;
  const fits = labels.every((label) => textWidth(label) <= room - 10);
  return {
    ...commonOption(look, describe(chart), true),
    grid: { left, right, top: (hasLegend ? 44 : 24) + (labelRates ? 14 : 0), bottom: fits ? 28 : 56 },
    tooltip: { ...tooltipOf(look), trigger: 'axis', axisPointer: { type: 'shadow' } },
    legend: { show: hasLegend, left: 0, top: 0, textStyle: { color: look.inkSoft, fontSize: FONT_SIZE }, itemWidth: 22 },
    xAxis: {
      type: 'category',
      data: labels,
      axisLine: { lineStyle: { color: look.line } },
      axisTick: { show: false },
      axisLabel: {
        color: look.inkSoft,
        fontSize: FONT_SIZE,
        hideOverlap: labels.length > MOST_LABELS,
        interval: labels.length > MOST_LABELS ? 'auto' : 0,
        rotate: fits ? 0 : 40,
      },
    },
    yAxis: [
      scoreAxis(look, 0, top),
      {
        type: 'value',
        min: 0,
        max: 100,
        interval: 25,
        show: rates.length > 0,
        splitLine: { show: false },
        axisLabel: { color: look.inkSoft, fontSize: FONT_SIZE, formatter: '{value}%' },
      },
    ],
    series: [
      ...series.map(({ name, values }, index) => ({
        type: 'bar',
        name,
        ...(isStacked ? { stack: 'all' } : {}),
        barMaxWidth: 40,
        barGap: '12%',
        itemStyle: { color: look.series[index % look.series.length], borderRadius: isStacked ? 0 : [3, 3, 0, 0] },
        tooltip: { valueFormatter: (_: unknown, at: number) => String(values[at] ?? '—') },
        // A number that is not shown has — instead of a bar: without it a reader would see 0.
        data: values.map((value, at) => ({
          value: value ?? 0,
          ...(value === null ? { label: { formatter: '—' } } : {}),
          ...(labelRates && index === series.length - 1
            ? { label: { formatter: `${value ?? '—'}\n${rateText(labelRates[at])}` } }
            : {}),
          ...(isByLevel ? { itemStyle: { color: look.levels[Math.min(at, 4)] } } : {}),
        })),
        label: {
          show: !isStacked && room / series.length >= 26,
          position: 'top',
          color: look.ink,
          fontSize: FONT_SIZE,
        },
      })),
      ...rates.map(({ name, values }, index) => {
        const color = look.series[(series.length + index) % look.series.length];
        return {
          type: 'line',
          name: `${name}（%）`,
          yAxisIndex: 1,
          data: values,
          color,
          symbol: 'diamond',
          symbolSize: 8,
          lineStyle: { color, width: 2, type: [6, 3] },
          itemStyle: { color: look.surface, borderColor: color, borderWidth: 2 },
        };
      }),
    ],
  };
}

/** The height of the picture in px. */
export const BAR_HEIGHT = 260;
