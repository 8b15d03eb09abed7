import { shanghaiTime } from '#domain/base/calendar.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import { fonts } from '#server/pdf/fonts.ts';
import { PAGE } from '#server/pdf/look.ts';
import { GREY, LINE, type Painter } from '#server/pdf/painter.ts';
import { cutText, widthOf, type TextStyle } from '#server/pdf/typeset.ts';
import { qrModules } from '#server/qr/qr.ts';

/** A report with what stands on every page around its content. */
export interface Furniture {
  content: Pick<ReportContent, 'disclaimer' | 'generatedat'>;
  reportcode: string;
  institution: string;
  /** a PNG or JPEG */
  logo?: Uint8Array;
  /** the account that prints, or the person who reads the own report */
  reader: string;
  printtime: Date;
}

/** The address of the page that says whether a report is genuine, and its code for typing. */
export interface Verification {
  url: string;
  code: string;
}
/** The side of the QR code. */
export const QR_SIZE = 62;
/** The height of the QR code with the lines below it. */
export const verificationHeight = (caption: Pick<TextStyle, 'leading'>): number => QR_SIZE + 6 + 3 * caption.leading;

/** Draws the QR code of a report with its left upper corner at a point, and its code below. */
export function drawVerification(
  painter: Painter,
  { url, code }: Verification,
  at: { x: number; y: number },
  caption: TextStyle,
): void {
  const modules = qrModules(url);
  const unit = QR_SIZE / modules.length;
  modules.forEach((line, row) =>
    line.forEach((isDark, column) => {
      if (isDark) painter.doc.rect(at.x + column * unit, at.y + row * unit, unit, unit);
    }),
  );
  painter.doc.fill('#000000');
  ['扫码核验真伪', ...code.split(/(?<=-)(?=[^-]+$)/)].forEach((text, index) =>
    painter.line(text, at.x + (QR_SIZE - widthOf(text, caption)) / 2, at.y + QR_SIZE + 3 + index * caption.leading, caption),
  );
}

const STYLE = { size: 8, leading: 12, colour: GREY };
const WATERMARK_SIZE = 11;
/** 30° upwards. */
const [COS, SIN] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];

/**
 * The outlines of a text as a PDF path, from the origin to the right; y counts downwards. They are no text, so they do not mix with a
 * copied sentence.
 */
function outlineOf(text: string): { path: string; width: number } {
  const { font } = fonts().regular;
  const unit = WATERMARK_SIZE / font.unitsPerEm;
  const parts: string[] = [];
  let x = 0;
  for (const character of text) {
    const glyph = font.glyphForCodePoint(character.codePointAt(0) as number);
    const point = (px: number, py: number) => `${((px + x) * unit).toFixed(2)} ${(-py * unit).toFixed(2)}`;
    let [lastX, lastY] = [0, 0];
    for (const { command, args } of glyph.path.commands) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
      if (command === 'moveTo') parts.push(`${point(a, b)} m`);
      else if (command === 'lineTo') parts.push(`${point(a, b)} l`);
      else if (command === 'quadraticCurveTo') {
        // PDF has cubic curves only.
        const first = point(lastX + (2 / 3) * (a - lastX), lastY + (2 / 3) * (b - lastY));
        parts.push(`${first} ${point(c + (2 / 3) * (a - c), d + (2 / 3) * (b - d))} ${point(c, d)} c`);
      } else if (command === 'bezierCurveTo') parts.push(`${point(a, b)} ${point(c, d)} ${point(e, f)} c`);
      else parts.push('h');
      if (args.length >= 2) [lastX, lastY] = [args.at(-2) as number, args.at(-1) as number];
    }
    x += glyph.advanceWidth;
  }
  return { path: parts.join('\n'), width: x * unit };
}

const watermarks = new WeakMap<Painter, PDFKit.PDFTilingPattern>();

/** The pattern of the watermark, made once a document. */
function watermarkOf(painter: Painter, text: string): PDFKit.PDFTilingPattern {
  let pattern = watermarks.get(painter);
  if (!pattern) {
    const { path, width } = outlineOf(text);
    const [stepX, stepY] = [width * COS + 60, width * SIN + 80];
    const rotation = [COS, -SIN, SIN, COS, 20, stepY - 20].map((value) => value.toFixed(4)).join(' ');
    pattern = painter.doc.pattern([0, 0, stepX, stepY], stepX, stepY, `q ${rotation} cm\n${path}\nf Q`);
    watermarks.set(painter, pattern);
  }
  return pattern;
}

/** Draws head, foot and watermark of a page: institution and number, disclaimer, time of the report, page x of y. */
export function drawFurniture(
  painter: Painter,
  { content, reportcode, institution, logo, reader, printtime }: Furniture,
  { page, pages }: { page: number; pages: number },
): void {
  const { doc } = painter;
  const [left, width] = [PAGE.margin, PAGE.width - 2 * PAGE.margin];
  const time = shanghaiTime(printtime).slice(0, 16);
  const headY = PAGE.margin - 26;
  const number = `报告编号 ${reportcode}`;
  const numberWidth = widthOf(number, STYLE);
  let nameX = left;
  if (logo) {
    doc.image(Buffer.from(logo), left, headY - 4, { fit: [60, 16], valign: 'center' });
    nameX += 66;
  }
  painter.line(cutText(institution, left + width - numberWidth - 16 - nameX, STYLE), nameX, headY, STYLE);
  painter.line(number, left + width - numberWidth, headY, STYLE);
  painter.rule(left, headY + 15, width, LINE);
  const footY = PAGE.height - PAGE.margin + 14;
  const place = `第 ${page} / ${pages} 页`;
  const placeWidth = widthOf(place, STYLE);
  painter.rule(left, footY - 3, width, LINE);
  const foot = `${content.disclaimer} · 生成于 ${content.generatedat.slice(0, 16)} · ${reader} 打印于 ${time}`;
  painter.line(cutText(foot, width - placeWidth - 12, STYLE), left, footY, STYLE);
  painter.line(place, left + width - placeWidth, footY, STYLE);
  doc.save().fillOpacity(0.06).rect(0, 0, PAGE.width, PAGE.height);
  doc.fill([watermarkOf(painter, `${cutText(reader, 150, { size: WATERMARK_SIZE })} · ${time}`), '#000000']);
  doc.restore();
}
