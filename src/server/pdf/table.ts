import type { Box } from '#server/pdf/box.ts';
import type { Look } from '#server/pdf/look.ts';
import { LINE } from '#server/pdf/painter.ts';
import type { TextLine } from '#server/pdf/lineBreak.ts';
import { linesOf, widthOf, type TextStyle } from '#server/pdf/typeset.ts';

type Cell = string | number | null;

const PAD = 4;
/** A row with more lines than this may break. */
const ROW_LINES = 12;

const toText = (cell: Cell): string => (cell === null || cell === '' ? '—' : String(cell));

/**
 * Widths of columns. Each is as wide as its longest text, and the widest takes the rest. Without room, long texts share the width in
 * the ratio of their lengths.
 */
function columnWidths(columns: readonly string[], rows: readonly (readonly Cell[])[], width: number, style: TextStyle): number[] {
  const natural = columns.map(
    (column, index) =>
      2 * PAD +
      Math.max(
        widthOf(column, { ...style, weight: 'bold' }),
        ...rows.map((row) => Math.min(width, widthOf(toText(row[index] ?? null), style))),
      ) +
      1,
  );
  const total = natural.reduce((sum, value) => sum + value, 0);
  const widest = natural.indexOf(Math.max(...natural));
  if (total <= width) return natural.map((value, index) => (index === widest ? value + width - total : value));
  const fair = width / columns.length;
  const narrow = natural.filter((value) => value <= fair).reduce((sum, value) => sum + value, 0);
  const wide = natural.filter((value) => value > fair).reduce((sum, value) => sum + value, 0);
  return natural.map((value) => (value <= fair ? value : ((width - narrow) * value) / wide));
}

function rowBoxes(cells: readonly TextLine[][], widths: readonly number[], style: TextStyle, background?: string): Box[] {
  const lineCount = Math.max(1, ...cells.map((lines) => lines.length));
  const boxes: Box[] = [];
  for (let from = 0; from < lineCount; from += ROW_LINES) {
    const count = Math.min(ROW_LINES, lineCount - from);
    const isLast = from + count === lineCount;
    const height = count * style.leading + (from === 0 ? PAD / 2 : 0) + (isLast ? PAD / 2 : 0);
    boxes.push({
      height,
      draw: (painter, x, y) => {
        const width = widths.reduce((sum, value) => sum + value, 0);
        if (background) painter.fill({ x, y, width, height }, background);
        let left = x;
        cells.forEach((lines, column) => {
          lines
            .slice(from, from + count)
            .forEach((line, index) =>
              painter.line(line.text, left + PAD, y + (from === 0 ? PAD / 2 : 0) + index * style.leading, style, line.spacing),
            );
          left += widths[column] ?? 0;
        });
        if (isLast) painter.rule(x, y + height, width, LINE);
      },
    });
  }
  return boxes;
}

/** A table that breaks between its rows and repeats its head on every page. */
export function tableBoxes(columns: readonly string[], rows: readonly (readonly Cell[])[], look: Look): Box[] {
  const style = look.small;
  const widths = columnWidths(columns, rows, look.width, style);
  const cellLines = (texts: readonly string[], cellStyle: TextStyle) =>
    texts.map((text, column) => linesOf(text, (widths[column] ?? 0) - 2 * PAD, cellStyle));
  const bold = { ...style, weight: 'bold' as const };
  const [head] = rowBoxes(cellLines(columns, bold), widths, bold, '#eef3f1');
  if (!head) return [];
  const body = rows.flatMap((row) =>
    rowBoxes(
      cellLines(
        columns.map((_, column) => toText(row[column] ?? null)),
        style,
      ),
      widths,
      style,
    ),
  );
  return [{ ...head, keepsNext: true }, ...body.map((box) => ({ ...box, head }))];
}
