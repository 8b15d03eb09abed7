import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { axisSteps, commonOption, FONT_SIZE, scoreAxis, textWidth, tooltipOf } from '#domain/chart/chartLook.ts';

/** Lines over days, hours or other places from left to right. */
export interface LineChart {
  title: string;
  labels: readonly string[];
  /** one value per label; null leaves a gap */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  /** top of the axis; computed from the data when absent */
  max?: number;
}

/** The rows of the picture. */
export const lineTable = ({ labels, series }: LineChart): ChartTable => ({
  heads: ['项目', ...series.map(({ name }) => name)],
  rows: labels.map((label, index) => [label, ...series.map(({ values }) => String(values[index] ?? '—'))]),
});

/** The picture of lines. Lines differ by dashes and by the shape of their points, not by colour alone. */
export function lineOption(chart: LineChart, look: ChartLook): ChartOption {
  const { labels, series } = chart;
  const highest = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const top = chart.max ?? axisSteps(highest).at(-1) ?? highest;
  const shapes = ['circle', 'rect', 'triangle', 'diamond'];
  return {
    ...commonOption(look, `${chart.title}：${series.map(({ name }) => name).join('、')}，共 ${labels.length} 处。`),
    grid: { left: textWidth(String(top)) + 18, right: 16, top: series.length > 1 ? 36 : 14, bottom: 28 },
    tooltip: { ...tooltipOf(look), trigger: 'axis' },
    legend: {
      show: series.length > 1,
      left: 0,
      top: 0,
      icon: 'inherit',
      textStyle: { color: look.inkSoft, fontSize: FONT_SIZE },
      itemWidth: 24,
    },
    xAxis: {
      type: 'category',
      data: labels,
      boundaryGap: labels.length === 1,
      axisLine: { lineStyle: { color: look.line } },
      axisTick: { show: false },
      axisLabel: {
        color: look.inkSoft,
        fontSize: FONT_SIZE,
        hideOverlap: true,
        alignMinLabel: labels.length === 1 ? 'center' : 'left',
        alignMaxLabel: labels.length === 1 ? 'center' : 'right',
      },
    },
    yAxis: scoreAxis(look, 0, top),
    series: series.map(({ name, values }, index) => {
      const color = look.series[index % look.series.length];
      return {
        type: 'line',
        name,
        data: values,
        color,
        symbol: shapes[index % shapes.length],
        symbolSize: 7,
        showSymbol: labels.length <= 40,
        lineStyle: { color, width: 2, type: index === 0 ? 'solid' : [index * 4 + 2, 3] },
        itemStyle: { color: look.surface, borderColor: color, borderWidth: 2 },
      };
    }),
  };
}
