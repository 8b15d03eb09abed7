import sharp from 'sharp';
import { heightOf, optionOf, type Chart } from '#domain/chart/chart.ts';
import { paperLook } from '#domain/chart/chartLook.ts';
import { toSvg } from '#server/pdf/charts.ts';
import { fonts } from '#server/pdf/fonts.ts';
import { toRuns, widthOf } from '#server/pdf/typeset.ts';

/** Charts as PNG for Word. Texts become outlines first, so that the picture needs no font of the server. */

const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const toPlain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

/** The outlines of one text of the picture, at its place. */
function outline(attributes: string, content: string): string {
  const style = attributeOf(attributes, 'style') ?? '';
  const size = Number(/font-size:([\d.]+)px/.exec(style)?.[1] ?? 12);
  const weight = /font-weight:(bold|[6-9]00)/.test(style) ? 'bold' : 'regular';
  const text = toPlain(content);
  const anchor = attributeOf(attributes, 'text-anchor');
  const share = anchor === 'middle' ? 0.5 : anchor === 'end' ? 1 : 0;
  const isCentral = attributeOf(attributes, 'dominant-baseline') === 'central';
  const y = Number(attributeOf(attributes, 'y') ?? 0) + (isCentral ? 0.36 * size : 0);
  let x = Number(attributeOf(attributes, 'x') ?? 0) - share * widthOf(text, { size, weight });
  const { font } = fonts()[weight];
  const unit = size / font.unitsPerEm;
  const glyphs = toRuns(text, weight).flatMap((run) =>
    Array.from(run.text, (character) => {
      const glyph = font.glyphForCodePoint(character.codePointAt(0) as number);
      const path = `<path transform="translate(${x} ${y}) scale(${unit} ${-unit})" d="${glyph.path.toSVG()}"/>`;
      x += glyph.advanceWidth * unit;
      return path;
    }),
  );
  const transform = attributeOf(attributes, 'transform');
  const fill = attributeOf(attributes, 'fill') ?? '#000000';
  return `<g fill="${fill}"${transform ? ` transform="${transform}"` : ''}>${glyphs.join('')}</g>`;
}

/** Returns a chart as PNG with twice its pixels, and its size on the page in px. */
export async function chartPng(chart: Chart, width: number): Promise<{ png: Uint8Array; width: number; height: number }> {
  const height = heightOf(chart);
  const svg = toSvg(optionOf(chart, paperLook(width)), paperLook(width), height);
  const outlined = svg.replace(/<text([^>]*)>([^<]*)<\/text>/g, (_, attributes: string, content: string) =>
    outline(attributes, content),
  );
  const png = await sharp(Buffer.from(outlined), { density: 144 }).flatten({ background: '#ffffff' }).png().toBuffer();
  return { png: new Uint8Array(png), width, height };
}
