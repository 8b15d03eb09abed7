import { factorHeight, factorOption, factorTable, type FactorChart as Factors } from '#domain/chart/factorOption.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';

/** Compares factor scores: a radar for three to twelve factors, bars otherwise. */
export const FactorChart = (chart: Factors) => (
  <ChartFrame
    title={chart.title}
    table={factorTable(chart)}
    height={factorHeight(chart)}
    option={(look) => factorOption(chart, look)}
  />
);
