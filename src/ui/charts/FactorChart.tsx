import { useMemo } from 'react';
import type { FactorChart as Factors } from '#domain/chart/factorOption.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';

/** Compares factor scores: a radar for three to twelve factors, bars otherwise. */
export function FactorChart({ title, axes }: Factors) {
  const chart = useMemo(() => ({ kind: 'factors' as const, title, axes }), [title, axes]);
  return <ChartFrame chart={chart} />;
}
