import type { Block } from '#domain/report/report.content.ts';
import { closeBands } from '#domain/chart/bands.ts';
import type { TrendChart } from '#domain/chart/trendOption.ts';

/** The picture of a report's line block: the scores since the first exam, with the words of their bands. */
export function chartOfLine(block: Extract<Block, { type: 'line' }>): TrendChart {
  const bands = closeBands(block.bands, block.min ?? -Infinity, block.max ?? Infinity);
  return {
    title: block.title,
    min: block.min,
    max: block.max,
    bands: block.bands,
    points: block.points.map(({ time, label, score, level, ring }) => ({
      time,
      score,
      level,
      levelname: bands.findLast(({ from }) => score >= from)?.label ?? '',
      valid: true,
      ring,
      occasion: label,
    })),
  };
}
