import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { commonOption, FONT_SIZE, isNarrow, tooltipOf } from '#domain/chart/chartLook.ts';

/** The factor scores of one sheet. */
export interface FactorChart {
  title: string;
  axes: readonly { name: string; value: number; min: number; max: number }[];
}

/** The rows of the picture. */
export const factorTable = ({ axes }: FactorChart): ChartTable => ({
  heads: ['因子', '得分', '范围'],
  rows: axes.map(({ name, value, min, max }) => [name, String(value), `${min}–${max}`]),
});

/** Three to twelve factors stand on a radar, others on bars. */
export const isRadar = ({ axes }: FactorChart): boolean => axes.length >= 3 && axes.length <= 12;

/** The height of the picture in px. */
export const factorHeight = (chart: FactorChart): number => (isRadar(chart) ? 300 : 24 + chart.axes.length * 30);

/** The picture of factor scores: each on its own range, with name and value beside it. */
export const factorOption = (chart: FactorChart, look: ChartLook): ChartOption => ({
  ...commonOption(
    look,
    `${chart.title}：${chart.axes.map(({ name, value, max }) => `${name} ${value}（满分 ${max}）`).join('，')}`,
  ),
  tooltip: { ...tooltipOf(look), trigger: 'item', show: isRadar(chart) },
  ...(isRadar(chart) ? radar(chart, look) : bars(chart, look)),
});

const radar = ({ title, axes }: FactorChart, look: ChartLook) => ({
  radar: {
    center: ['50%', '52%'],
    radius: isNarrow(look) ? Math.max(60, Math.min(100, look.width / 2 - 92)) : 104,
    clockwise: true,
    splitNumber: 4,
    indicator: axes.map(({ name, value, min, max }) => ({ name: `${name} ${value}`, min, max: max > min ? max : min + 1 })),
    axisName: { color: look.inkSoft, fontSize: FONT_SIZE },
    axisNameGap: 8,
    splitArea: { show: false },
    splitLine: { lineStyle: { color: look.line } },
    axisLine: { lineStyle: { color: look.line } },
  },
  series: [
    {
      type: 'radar',
      name: title,
      symbolSize: 6,
      data: [
        {
          name: title,
          value: axes.map(({ value }) => value),
          lineStyle: { color: look.brand, width: 2 },
          itemStyle: { color: look.brand },
          areaStyle: { color: look.brand, opacity: 0.16 },
        },
      ],
    },
  ],
});

const bars = ({ title, axes }: FactorChart, look: ChartLook) => {
  const share = axes.map(({ value, min, max }) => (max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0));
  return {
    grid: { left: Math.min(160, look.width * 0.38), right: 44, top: 8, bottom: 8 },
    xAxis: { type: 'value', min: 0, max: 1, show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: axes.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: look.inkSoft,
        fontSize: FONT_SIZE,
        width: Math.min(150, look.width * 0.36),
        overflow: 'truncate',
        interval: 0,
      },
    },
    series: [
      {
        type: 'bar',
        name: title,
        barWidth: 12,
        showBackground: true,
        backgroundStyle: { color: look.line, borderRadius: 6 },
        itemStyle: { color: look.brand, borderRadius: 6 },
        data: axes.map(({ value }, index) => ({
          value: share[index],
          label: { show: true, position: 'right', color: look.ink, fontSize: FONT_SIZE, formatter: String(value) },
        })),
      },
    ],
  };
};
