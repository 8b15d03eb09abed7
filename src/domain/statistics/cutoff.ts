/** What the sheets of a screening tell about the threshold of 需关注 at their time. */
export interface ThresholdSigns {
  /** the least level of a sheet that needs attention without an alert; null when there is none */
  leastabnormal: number | null;
  /** the highest level of a sheet that does not need attention */
  highestnormal: number | null;
  /** the present threshold of the institution */
  threshold: number;
}

/**
 * The threshold of a screening. A sheet keeps the threshold of its day, so the present one counts only when the sheets agree with it.
 * Else the least level of a sheet that needs attention is the threshold.
 */
export function cutoffOf({ leastabnormal, highestnormal, threshold }: ThresholdSigns): number {
  const agrees = (leastabnormal ?? threshold) >= threshold && (highestnormal ?? -1) < threshold;
  if (agrees) return threshold;
  return leastabnormal ?? (highestnormal ?? 0) + 1;
}
