import { useMemo } from 'react';
import type { LineChart as Lines } from '#domain/chart/lineOption.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';

/** Draws lines over days or hours. */
export function LineChart({ height = 240, title, labels, series, max }: Lines & { height?: number }) {
  const chart = useMemo(
    () => ({ kind: 'line' as const, height, title, labels, series, ...(max === undefined ? {} : { max }) }),
    [height, title, labels, series, max],
  );
  return <ChartFrame chart={chart} />;
}
