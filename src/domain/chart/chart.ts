import { BAR_HEIGHT, barOption, barTable, type BarChart } from '#domain/chart/barOption.ts';
import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { factorHeight, factorOption, factorTable, type FactorChart } from '#domain/chart/factorOption.ts';
import { lineOption, lineTable, type LineChart } from '#domain/chart/lineOption.ts';
import { stackHeight, stackOption, stackTable, type StackChart } from '#domain/chart/stackOption.ts';
import { trendHeight, trendOption, trendTable, type TrendChart } from '#domain/chart/trendOption.ts';

/**
 * A chart as data: its kind, and what it shows. It has no function, so that a page can keep it while the browser reloads.
 * `height` replaces the height of its kind, in px.
 */
export type Chart = { height?: number } & (
  | ({ kind: 'line' } & LineChart)
  | ({ kind: 'bars' } & BarChart)
  | ({ kind: 'stack' } & StackChart)
  | ({ kind: 'trend' } & TrendChart)
  | ({ kind: 'factors' } & FactorChart)
);

const LINE_HEIGHT = 240;

/** The rows of a chart as text. */
export function tableOf(chart: Chart): ChartTable {
  switch (chart.kind) {
    case 'line':
      return lineTable(chart);
    case 'bars':
      return barTable(chart);
    case 'stack':
      return stackTable(chart);
    case 'trend':
      return trendTable(chart);
    case 'factors':
      return factorTable(chart);
  }
}

/** The drawing instruction of a chart. */
export function optionOf(chart: Chart, look: ChartLook): ChartOption {
  switch (chart.kind) {
    case 'line':
      return lineOption(chart, look);
    case 'bars':
      return barOption(chart, look);
    case 'stack':
      return stackOption(chart, look);
    case 'trend':
      return trendOption(chart, look);
    case 'factors':
      return factorOption(chart, look);
  }
}

/** The height of a chart in px. */
export function heightOf(chart: Chart): number {
  if (chart.height !== undefined) return chart.height;
  switch (chart.kind) {
    case 'line':
      return LINE_HEIGHT;
    case 'bars':
      return BAR_HEIGHT;
    case 'stack':
      return stackHeight(chart);
    case 'trend':
      return trendHeight(chart);
    case 'factors':
      return factorHeight(chart);
  }
}
