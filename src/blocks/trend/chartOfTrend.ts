import type { ChartBand } from '#domain/chart/bands.ts';
import type { ChartLevel } from '#domain/chart/chartLook.ts';
import type { TrendChart } from '#domain/chart/trendOption.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';

export type Trend = ResponseOf<typeof getPHQ9ChartsData>;

/** The trend as a picture. */
export const chartOfTrend = ({ scorename, min, max, bands, points, events }: Trend): TrendChart => ({
  title: scorename,
  min,
  max,
  bands: bands.map(([from, to, level, label]) => ({ min: from, max: to, level: level as ChartBand['level'], label })),
  points: points.map((point) => ({
    time: point.date,
    score: point.score,
    level: point.level as ChartLevel,
    levelname: point.levelname,
    valid: point.valid === 1,
    ring: point.ring === 1,
    occasion: point.stagename || point.planname,
    isBreak: point.isbreak === 1,
  })),
  events,
});
