import PDFDocument from 'pdfkit';
import { fonts } from '#server/pdf/fonts.ts';
import { toRuns, type TextStyle } from '#server/pdf/typeset.ts';

/** A Chinese character stands 0.88 above and 0.12 below the baseline; half of that centres it in its line. */
const CENTRE = 0.38;
/** The colour of text. */
export const INK = '#1f2a26';
export const GREY = '#5c6a64';
export const LINE = '#d5ddd9';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Draws on the pages of one document. */
export class Painter {
  readonly doc: PDFKit.PDFDocument;

  constructor(options: PDFKit.PDFDocumentOptions) {
    this.doc = new PDFDocument({ autoFirstPage: false, bufferPages: true, margin: 0, size: 'A4', ...options });
    const { regular, bold } = fonts();
    this.doc.registerFont('regular', regular.font as unknown as Buffer);
    this.doc.registerFont('bold', bold.font as unknown as Buffer);
  }

  /** Writes one line of text. `top` is the top of its line; `spacing` is added after each character. */
  line(text: string, x: number, top: number, style: TextStyle, spacing = 0): void {
    this.text(text, x, top + style.leading / 2 + CENTRE * style.size, style, spacing);
  }

  /** Writes text on this baseline. */
  text(text: string, x: number, baseline: number, { size, weight = 'regular', colour = INK }: TextStyle, spacing = 0): void {
    const { doc } = this;
    let left = x;
    for (const run of toRuns(text, weight)) {
      const width = run.width * size;
      if (run.isMissing) {
        doc.markContent('Span', { actual: run.text });
        doc
          .lineWidth(size * 0.06)
          .rect(left + size * 0.08, baseline - size * 0.82, width - size * 0.16, size * 0.88)
          .stroke(colour);
        doc.endMarkedContent();
        left += width + spacing;
      } else {
        doc.font(weight).fontSize(size).fillColor(colour);
        doc.text(run.text, left, baseline, {
          lineBreak: false,
          baseline: 'alphabetic',
          textWidth: width,
          wordCount: 1,
          ...(spacing ? { characterSpacing: spacing } : {}),
        } as PDFKit.Mixins.TextOptions);
        left += width + spacing * [...run.text].length;
      }
    }
  }

  fill({ x, y, width, height }: Area, colour: string, radius = 0): void {
    if (width <= 0 || height <= 0) return;
    if (radius > 0) this.doc.roundedRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
    else this.doc.rect(x, y, width, height);
    this.doc.fill(colour);
  }

  frame({ x, y, width, height }: Area, colour: string, lineWidth = 0.6): void {
    this.doc.lineWidth(lineWidth).rect(x, y, width, height).stroke(colour);
  }

  rule(x: number, y: number, width: number, colour: string, lineWidth = 0.5): void {
    this.doc
      .lineWidth(lineWidth)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke(colour);
  }
}
