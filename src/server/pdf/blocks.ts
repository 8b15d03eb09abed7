import type { Block, Paragraph } from '#domain/report/report.content.ts';
import type { Box } from '#server/pdf/box.ts';
import { chartBoxes } from '#server/pdf/charts.ts';
import type { Look } from '#server/pdf/look.ts';
import { GREY, INK } from '#server/pdf/painter.ts';
import { scoreBoxes } from '#server/pdf/scoreBar.ts';
import { tableBoxes } from '#server/pdf/table.ts';
import { linesOf, widthOf, type TextStyle } from '#server/pdf/typeset.ts';

type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

/** The lines of a paragraph. At least two of them stay together at a foot and at a head. */
export function paragraphBoxes(text: string, style: TextStyle, width: number, indent = 0): Box[] {
  const lines = linesOf(text, width - indent, style);
  return lines.map((line, index) => ({
    height: style.leading,
    keepsNext: index < lines.length - 1 && (index === 0 || index === lines.length - 2),
    draw: (painter, x, y) => painter.line(line.text, x + indent, y, style, line.spacing),
  }));
}

/** The same boxes with a space above the first. */
export const withGap = (boxes: readonly Box[], gap: number): Box[] =>
  boxes.map((box, index) => (index === 0 ? { ...box, gap } : box));
/** The boxes with the head of their part, which never stands alone. */
export const withHead = (head: readonly Box[], boxes: readonly Box[]): Box[] => [
  ...head.map((box) => ({ ...box, keepsNext: true })),
  ...boxes,
];

const subtitleBoxes = (title: string | undefined, look: Look): Box[] =>
  title ? withGap(paragraphBoxes(title, look.subtitle, look.width), look.body.leading * 0.5) : [];

/** A sentence, and its reasons in small print for staff. */
function sentenceBoxes({ text, because = [] }: Paragraph, look: Look, indent = 0): Box[] {
  const lines = paragraphBoxes(text, look.body, look.width, indent);
  if (!look.hasReasons || because.length === 0) return lines;
  const reasons = paragraphBoxes(`依据：${because.join('；')}`, { ...look.small, colour: GREY }, look.width, indent);
  return [...lines.slice(0, -1), ...lines.slice(-1).map((line) => ({ ...line, keepsNext: true })), ...reasons];
}

/** A point before the first line of an item. */
function bulleted(boxes: readonly Box[], look: Look): Box[] {
  return boxes.map((box, index): Box => {
    if (index > 0) return box;
    return {
      ...box,
      draw: (painter, x, y) => {
        painter.doc.circle(x + look.body.size * 0.45, y + look.body.leading / 2, look.body.size * 0.16).fill(look.accent);
        box.draw(painter, x, y);
      },
    };
  });
}

function listBoxes(items: readonly Paragraph[], look: Look): Box[] {
  const indent = look.body.size * 1.2;
  return items.flatMap((item) => withGap(bulleted(sentenceBoxes(item, look, indent), look), look.body.leading * 0.15));
}

/** The lines below a questionnaire: what they say is for reference. */
const REFERENCES = ['参考期', '参考文献', '版权说明'];

/** Labelled values in two columns; a long one has a row of its own. References stand in one column of small print. */
export function pairBoxes(items: BlockOf<'kv'>['items'], look: Look, width = look.width): Box[] {
  const isReference = items.some(({ label }) => REFERENCES.includes(label));
  const style = isReference ? look.small : look.body;
  const gutter = style.size * 1.5;
  const labels = Math.max(...items.map(({ label }) => widthOf(label, style))) + style.size * 1.2;
  const half = (width - gutter) / 2;
  const labelWidth = Math.min((isReference ? width : half) * 0.42, labels);
  const isWide = ({ value }: { value: string }) => isReference || labelWidth + widthOf(value, style) > half;
  const hasColumns = items.some((item) => !isWide(item));
  const cells = items.map((item) => ({
    isWide: !hasColumns || isWide(item),
    labels: linesOf(item.label, labelWidth - style.size * 0.6, style),
    values: linesOf(item.value, (isWide(item) ? width : half) - labelWidth, style),
  }));
  const cellWidth = half;
  const boxes: Box[] = [];
  for (let start = 0; start < cells.length;) {
    const row = cells.slice(start, start + (cells[start]?.isWide || (cells[start + 1]?.isWide ?? true) ? 1 : 2));
    start += row.length;
    const count = Math.max(1, ...row.flatMap(({ labels, values }) => [labels.length, values.length]));
    for (let index = 0; index < count; index++)
      boxes.push({
        height: style.leading,
        gap: index === 0 ? style.leading * 0.12 : 0,
        keepsNext: index < count - 1 && (index === 0 || index === count - 2),
        draw: (painter, x, y) =>
          row.forEach(({ labels, values }, column) => {
            const left = x + column * (cellWidth + gutter);
            const [label, value] = [labels[index], values[index]];
            if (label) painter.line(label.text, left, y, { ...style, colour: GREY });
            if (value) painter.line(value.text, left + labelWidth, y, style, value.spacing);
          }),
      });
  }
  return boxes;
}

/** A short block on one page; a long one may break. */
const together = (boxes: readonly Box[]): Box[] =>
  boxes.map((box, index) => (boxes.length <= 10 ? { ...box, keepsNext: index < boxes.length - 1 } : box));

/** The alert of staff: a frame that may break between its lines. */
function alertBoxes({ title, items }: BlockOf<'alert'>, look: Look): Box[] {
  const pad = look.body.size * 0.9;
  const inner: Look = { ...look, width: look.width - 2 * pad };
  const lines = [
    ...paragraphBoxes(`▲ ${title}`, { ...look.body, weight: 'bold', colour: '#8c1c13' }, inner.width).map((line) => ({
      ...line,
      keepsNext: true,
    })),
    ...listBoxes(
      items.map((text) => ({ text, commentids: [] })),
      inner,
    ),
  ];
  return lines.map((line, index): Box => {
    const [top, foot] = [index === 0 ? pad * 0.6 : 0, index === lines.length - 1 ? pad * 0.6 : 0];
    const height = line.height + (line.gap ?? 0) + top + foot;
    return {
      ...line,
      height,
      gap: index === 0 ? look.body.leading * 0.3 : 0,
      draw: (painter, x, y) => {
        painter.fill({ x, y, width: look.width, height }, '#fdf1ef');
        painter.fill({ x, y, width: 3, height }, '#8c1c13');
        line.draw(painter, x + pad, y + top + (line.gap ?? 0));
      },
    };
  });
}

/** The boxes of a block of a report. */
export function blockBoxes(block: Block, look: Look): Box[] {
  const gap = look.body.leading * 0.35;
  switch (block.type) {
    case 'kv':
      return withHead(subtitleBoxes(block.title, look), withGap(together(pairBoxes(block.items, look)), gap));
    case 'text':
      return withHead(subtitleBoxes(block.title, look), withGap(sentenceBoxes(block, look), gap));
    case 'list':
      return withHead(subtitleBoxes(block.title, look), withGap(listBoxes(block.items, look), gap));
    case 'alert':
      return alertBoxes(block, look);
    case 'score':
      return scoreBoxes(block, look);
    case 'table':
      return withHead(subtitleBoxes(block.title, look), withGap(tableBoxes(block.columns, block.rows, look), gap));
    case 'radar':
    case 'line':
      return chartBoxes(block, look);
  }
}

/** The heading of a section with a bar in the institution's colour. */
export function headingBoxes(title: string, look: Look): Box[] {
  const indent = look.heading.size * 0.75;
  return paragraphBoxes(title, { ...look.heading, colour: INK }, look.width, indent).map((box, index) => ({
    ...box,
    gap: index === 0 ? look.body.leading * 0.95 : 0,
    keepsNext: true,
    draw: (painter, x, y) => {
      painter.fill({ x, y: y + 2, width: 3.5, height: look.heading.leading - 4 }, look.accent);
      box.draw(painter, x, y);
    },
  }));
}
