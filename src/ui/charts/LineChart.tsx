import { lineOption, lineTable, type LineChart as Lines } from '#domain/chart/lineOption.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';

/** Draws lines over days or hours. */
export const LineChart = ({ height = 240, ...chart }: Lines & { height?: number }) => (
  <ChartFrame title={chart.title} table={lineTable(chart)} height={height} option={(look) => lineOption(chart, look)} />
);
