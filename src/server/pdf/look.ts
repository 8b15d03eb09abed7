import type { TextStyle } from '#server/pdf/typeset.ts';

/** The sizes and colours of one document, and the width of its column. Points. */
export interface Look {
  width: number;
  body: TextStyle;
  small: TextStyle;
  subtitle: TextStyle;
  heading: TextStyle;
  title: TextStyle;
  /** the colour of the institution */
  accent: string;
  /** the reasons of a sentence stand behind it */
  hasReasons: boolean;
}

const MM = 72 / 25.4;
/** A4 with margins of 20 mm (supplement-people-statistics.md, section 7). */
export const PAGE = { width: 595.28, height: 841.89, margin: 20 * MM } as const;

/**
 * The look of a report. The text is 10.5/16 points, or 14/22 for older persons; the title 20 and the sections 13 in the former
 * (supplement-people-statistics.md, section 7).
 * @param scale makes everything smaller, for the form with a fixed number of pages
 */
export function lookOf(options: { isLarge: boolean; accent: string; hasReasons: boolean; scale?: number }): Look {
  const { isLarge, accent, hasReasons, scale = 1 } = options;
  const ratio = scale * (isLarge ? 14 / 10.5 : 1);
  const style = (size: number, leading: number): TextStyle => ({ size: size * ratio, leading: leading * ratio });
  return {
    width: PAGE.width - 2 * PAGE.margin,
    body: isLarge ? { size: 14 * scale, leading: 22 * scale } : style(10.5, 16),
    small: style(8.5, 12.5),
    subtitle: { ...style(11.5, 18), weight: 'bold' },
    heading: { ...style(13, 20), weight: 'bold' },
    title: { ...style(20, 28), weight: 'bold' },
    accent,
    hasReasons,
  };
}
