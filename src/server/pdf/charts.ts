import { BarChart, LineChart, RadarChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  RadarComponent,
  TooltipComponent,
} from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { chartOfLine } from '#domain/chart/chartOfLine.ts';
import { FONT_SIZE, paperLook, type ChartLook, type ChartOption } from '#domain/chart/chartLook.ts';
import { factorHeight, factorOption } from '#domain/chart/factorOption.ts';
import { trendHeight, trendOption } from '#domain/chart/trendOption.ts';
import type { Block } from '#domain/report/report.content.ts';
import type { Box } from '#server/pdf/box.ts';
import type { Look } from '#server/pdf/look.ts';
import { drawSvg } from '#server/pdf/svg.ts';
import { linesOf, widthOf } from '#server/pdf/typeset.ts';

use([
  BarChart,
  LineChart,
  RadarChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  RadarComponent,
  TooltipComponent,
  SVGRenderer,
]);
// Without a browser ECharts estimates widths; the font knows them.
setPlatformAPI({
  measureText: (text, font) => ({ width: widthOf(text, { size: Number(/([\d.]+)px/.exec(font ?? '')?.[1] ?? FONT_SIZE) }) }),
});

type Chart = Extract<Block, { type: 'radar' | 'line' }>;

/** The font size of charts on paper, relative to the text. */
const TEXT_SHARE = 0.8;
/** A trend on paper is a little lower than on the screen. */
const HEIGHT_SHARE = 0.85;

/** The picture of the screen. */
function pictureOf(block: Chart, paper: ChartLook): { option: ChartOption; height: number } {
  if (block.type === 'radar') return { option: factorOption(block, paper), height: factorHeight(block) };
  const chart = chartOfLine(block);
  return { option: trendOption(chart, paper), height: trendHeight(chart) * HEIGHT_SHARE };
}

/** The picture of a chart as SVG. */
export function toSvg(option: ChartOption, { width }: ChartLook, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** A chart with its title: the same picture as on the screen, drawn as vectors. */
export const chartBoxes = (block: Chart, look: Look): Box[] =>
  pictureBoxes(block.title, (paper) => pictureOf(block, paper), look);

/** A picture with its title, drawn as vectors. */
export function pictureBoxes(
  title: string,
  picture: (paper: ChartLook) => { option: ChartOption; height: number },
  look: Look,
): Box[] {
  const scale = (look.body.size * TEXT_SHARE) / FONT_SIZE;
  const paper = paperLook(look.width / scale);
  const { option, height } = picture(paper);
  const svg = toSvg(option, paper, height);
  const style = { ...look.body, weight: 'bold' as const };
  const titles = linesOf(title, look.width, style);
  const titleHeight = titles.length * style.leading;
  return [
    {
      height: titleHeight + height * scale,
      gap: look.body.leading * 0.5,
      draw: (painter, x, y) => {
        titles.forEach((title, index) => painter.line(title.text, x, y + index * style.leading, style));
        drawSvg(painter, svg, x, y + titleHeight, scale);
      },
    },
  ];
}
