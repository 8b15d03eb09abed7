import { useMemo } from 'react';
import type { TrendChart as Trend } from '#domain/chart/trendOption.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';

/** Draws one score over time on its bands, with alerts, interventions and referrals. */
export function TrendChart({ chart }: { chart: Trend }) {
  const picture = useMemo(() => ({ ...chart, kind: 'trend' as const }), [chart]);
  return <ChartFrame chart={picture} />;
}
