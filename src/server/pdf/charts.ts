import { BarChart, LineChart, RadarChart } from 'echarts/charts';
import { GridComponent, MarkAreaComponent, MarkLineComponent, RadarComponent } from 'echarts/components';
import { init, setPlatformAPI, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Block } from '#domain/report/report.content.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import type { Box } from '#server/pdf/box.ts';
import type { Look } from '#server/pdf/look.ts';
import { linesOf, widthOf } from '#server/pdf/typeset.ts';
import { drawSvg } from '#server/pdf/svg.ts';

use([BarChart, LineChart, RadarChart, GridComponent, MarkAreaComponent, MarkLineComponent, RadarComponent, SVGRenderer]);
// Without a browser ECharts estimates widths; the font knows them.
setPlatformAPI({
  measureText: (text, font) => ({ width: widthOf(text, { size: Number(/([\d.]+)px/.exec(font ?? '')?.[1] ?? 12) }) }),
});

type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

/** A chart as data of ECharts with the height of its picture. */
interface Chart {
  option: EChartsCoreOption;
  height: number;
}
const MAIN = '#2f7d5b';
const TEXT = { color: '#3c4a44', fontSize: 9 };

/** The factors of a questionnaire: a radar for three to twelve, bars otherwise. */
export function factorChart({ axes }: BlockOf<'radar'>, look: Look): Chart {
  const nameOf = ({ name, value }: (typeof axes)[number]) => `${name} ${value}`;
  if (axes.length >= 3 && axes.length <= 12)
    return {
      height: 210,
      option: {
        radar: {
          center: ['50%', '52%'],
          radius: '68%',
          splitNumber: 4,
          indicator: axes.map((axis) => ({ name: nameOf(axis), min: axis.min, max: axis.max })),
          axisName: TEXT,
          splitArea: { show: false },
        },
        series: [
          {
            type: 'radar',
            symbolSize: 4,
            itemStyle: { color: MAIN },
            areaStyle: { opacity: 0.18 },
            data: [{ value: axes.map(({ value }) => value) }],
          },
        ],
      },
    };
  return {
    height: 20 + axes.length * 20,
    option: {
      grid: { left: look.width * 0.3, right: 30, top: 6, bottom: 6 },
      xAxis: { type: 'value', min: 0, max: Math.max(...axes.map(({ max }) => max)), show: false },
      yAxis: { type: 'category', inverse: true, data: axes.map(({ name }) => name), axisLabel: TEXT, axisTick: { show: false } },
      series: [
        {
          type: 'bar',
          barWidth: 8,
          itemStyle: { color: MAIN },
          label: { show: true, position: 'right', ...TEXT },
          data: axes.map(({ value }) => value),
        },
      ],
    },
  };
}

/** A score over time on its bands; a ring marks an alert. */
export function lineChart({ bands, points, min, max }: BlockOf<'line'>): Chart {
  const top = max ?? Math.max(1, ...points.map(({ score }) => score));
  const ends = bands.map((band, index) => bands[index + 1]?.min ?? max ?? band.max ?? top);
  return {
    height: 170,
    option: {
      grid: { left: 28, right: bands.length > 0 ? 70 : 16, top: 14, bottom: 22 },
      xAxis: {
        type: 'category',
        data: points.map(({ time }) => time.slice(2, 10)),
        axisLabel: { ...TEXT, hideOverlap: true },
        axisTick: { show: false },
      },
      yAxis: { type: 'value', min: min ?? 0, max: top, axisLabel: TEXT, splitLine: { lineStyle: { color: '#e4e9e6' } } },
      series: [
        {
          type: 'line',
          symbol: 'circle',
          symbolSize: 6,
          itemStyle: { color: MAIN },
          label: { show: true, ...TEXT },
          data: points.map(({ score, ring }) => ({
            value: score,
            ...(ring ? { itemStyle: { color: '#ffffff', borderColor: '#8c1c13', borderWidth: 2 } } : {}),
          })),
          markArea: {
            silent: true,
            label: { position: 'right', ...TEXT },
            data: bands.map((band, index) => [
              { yAxis: band.min ?? min ?? 0, name: band.label, itemStyle: { color: colourOf(band.level).hex, opacity: 0.14 } },
              { yAxis: ends[index] ?? top },
            ]),
          },
        },
      ],
    },
  };
}

/** The picture of a chart as SVG. */
function toSvg({ option, height }: Chart, width: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'sans-serif' }, ...option });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** A chart with its title, drawn as vectors. */
export function chartBox(title: string, chart: Chart, look: Look): Box[] {
  const scale = look.body.size / 10.5;
  const style = { ...look.body, weight: 'bold' as const };
  const titles = linesOf(title, look.width, style);
  const titleHeight = titles.length * style.leading;
  const svg = toSvg(chart, look.width / scale);
  return [
    {
      height: titleHeight + chart.height * scale,
      gap: look.body.leading * 0.5,
      draw: (painter, x, y) => {
        titles.forEach((line, index) => painter.line(line.text, x, y + index * style.leading, style));
        drawSvg(painter, svg, x, y + titleHeight, scale);
      },
    },
  ];
}
