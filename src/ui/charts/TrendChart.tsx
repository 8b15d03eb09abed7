import { trendHeight, trendOption, trendTable, type TrendChart as Trend } from '#domain/chart/trendOption.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';

/** Draws one score over time on its bands, with alerts, interventions and referrals. */
export const TrendChart = ({ chart }: { chart: Trend }) => (
  <ChartFrame
    title={chart.title}
    table={trendTable(chart)}
    height={trendHeight(chart)}
    option={(look) => trendOption(chart, look)}
  />
);
