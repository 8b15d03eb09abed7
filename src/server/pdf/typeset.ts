import { fonts, type Weight } from '#server/pdf/fonts.ts';
import { breakLines, type TextLine } from '#server/pdf/lineBreak.ts';

/** A piece of text in one look; sizes are points. */
export interface TextStyle {
  size: number;
  /** from one baseline to the next */
  leading: number;
  weight?: Weight;
  colour?: string;
}

/** Signs without a picture: marks of direction, joiners, variation selectors, controls. They could turn a line around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;
const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/** Returns the text in composed form, with spaces for tabs. */
export const toPrintable = (text: string): string => text.replaceAll('\t', ' ').replaceAll('\r', '').normalize('NFC');

/** A part of a line. A part that the font lacks is drawn as a box, and its text stays readable for a program. */
export interface TextRun {
  text: string;
  /** at size 1 */
  width: number;
  isMissing: boolean;
}

const MISSING_WIDTH = 1;

/** Returns the parts of a line that the font has and those that it lacks. */
export function toRuns(text: string, weight: Weight = 'regular'): TextRun[] {
  const face = fonts()[weight];
  if (text === '') return [];
  if (face.hasAll(text) && text.search(INVISIBLE) < 0) return [{ text, width: face.measure(text), isMissing: false }];
  const runs: TextRun[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const visible = segment.replace(INVISIBLE, '');
    if (visible === '') continue;
    const isMissing = !face.hasAll(visible);
    const before = runs.at(-1);
    if (before && !before.isMissing && !isMissing) {
      before.text += visible;
      before.width += face.measure(visible);
    } else
      runs.push({ text: isMissing ? segment : visible, width: isMissing ? MISSING_WIDTH : face.measure(visible), isMissing });
  }
  return runs;
}

/** The width of a text in points. */
export const widthOf = (text: string, { size, weight }: Pick<TextStyle, 'size' | 'weight'>): number =>
  size * toRuns(text, weight).reduce((total, run) => total + run.width, 0);

/** The lines of a text in a column of this width. */
export const linesOf = (text: string, width: number, style: TextStyle): TextLine[] =>
  breakLines(toPrintable(text), width, (part) => widthOf(part, style));

/** The text, cut to this width with an ellipsis. */
export function cutText(text: string, width: number, style: Pick<TextStyle, 'size' | 'weight'>): string {
  const line = toPrintable(text).replaceAll('\n', ' ');
  if (widthOf(line, style) <= width) return line;
  let kept = '';
  for (const character of line) {
    if (widthOf(`${kept}${character}…`, style) > width) break;
    kept += character;
  }
  return `${kept}…`;
}
