import type { ChartLook } from '#domain/chart/chartLook.ts';
import { FONT_SIZE, isNarrow, levelColour, textWidth } from '#domain/chart/chartLook.ts';

/** A band of a score behind a line. Both ends of a picture may be open. */
export interface ChartBand {
  min: number | null;
  max: number | null;
  level: 0 | 1 | 2 | 3 | 4;
  label: string;
}

/** The bands from the lowest, each up to the beginning of the next, so that no gap stays between whole numbers. */
export function closeBands(bands: readonly ChartBand[], bottom: number, top: number) {
  const sorted = [...bands].sort((a, b) => (a.min ?? -Infinity) - (b.min ?? -Infinity));
  return sorted.map((band, index) => ({
    from: index === 0 ? bottom : Math.max(bottom, band.min ?? bottom),
    to: Math.min(top, sorted[index + 1]?.min ?? top),
    level: band.level,
    label: band.label,
  }));
}

/** The room at the right for the labels of bands, in px. */
export const bandRoom = (look: ChartLook, bands: readonly ChartBand[]): number =>
  bands.length === 0 ? 16 : Math.min(isNarrow(look) ? 76 : 150, 16 + Math.max(...bands.map(({ label }) => textWidth(label))));

/** The bands as areas of a series, with their labels at the right. */
export const bandAreas = (look: ChartLook, bands: readonly ChartBand[], bottom: number, top: number) => ({
  silent: true,
  data: closeBands(bands, bottom, top).map(({ from, to, level, label }) => [
    {
      yAxis: from,
      itemStyle: { color: levelColour(look, level), opacity: 0.14 },
      label: {
        show: true,
        position: 'right',
        distance: 6,
        color: look.inkSoft,
        fontSize: FONT_SIZE,
        formatter: label,
        width: bandRoom(look, bands) - 12,
        overflow: 'truncate',
      },
    },
    { yAxis: to },
  ]),
});
