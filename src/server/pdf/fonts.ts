import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import type { Font } from 'fontkit';

/** Noto Sans SC in two weights (OFL). Each is parsed once a process: parsing takes 200 ms, drawing with it less than one. */

export type Weight = 'regular' | 'bold';

/** A font for pdfkit with the widths of its characters. */
export interface Face {
  /** the object for `registerFont` */
  font: Font;
  /** the width of a text at size 1 */
  measure: (text: string) => number;
  /** whether the font has a picture of every character */
  hasAll: (text: string) => boolean;
}

const FILES: Readonly<Record<Weight, string>> = {
  regular: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf',
};

interface PlainGlyph {
  id: number;
  advanceWidth: number;
  codePoints: number[];
}

function openFace(weight: Weight): Face {
  const path = createRequire(import.meta.url).resolve(FILES[weight]);
  const font = fontkit.create(readFileSync(path)) as Font;
  const glyphs = new Map<number, PlainGlyph>();
  const glyphOf = (codePoint: number): PlainGlyph => {
    let glyph = glyphs.get(codePoint);
    if (!glyph) {
      const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
      glyphs.set(codePoint, (glyph = { id, advanceWidth, codePoints: [codePoint] }));
    }
    return glyph;
  };
  const glyphsOf = (text: string) => Array.from(text, (character) => glyphOf(character.codePointAt(0) as number));
  const sum = (run: readonly PlainGlyph[]) => run.reduce((total, glyph) => total + glyph.advanceWidth, 0);
  /** One glyph a character: the Chinese typesetting needs no shaping, and the glyphs then stand exactly where they were measured. */
  const layout = (text: string) => {
    const run = glyphsOf(text);
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: sum(run) };
  };
  return {
    font: Object.create(font, { layout: { value: layout } }) as Font,
    measure: (text) => sum(glyphsOf(text)) / font.unitsPerEm,
    hasAll: (text) => glyphsOf(text).every(({ id }) => id !== 0),
  };
}

let faces: Readonly<Record<Weight, Face>> | undefined;

/** Returns the two fonts of all documents. */
export const fonts = (): Readonly<Record<Weight, Face>> => (faces ??= { regular: openFace('regular'), bold: openFace('bold') });
