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
  if (total <= width && natural.length > 5) return natural.map((value) => value + (width - total) / natural.length);
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

/** The rows of a table that stay together below its head and at its end. */
const ROWS_TOGETHER = 3;
/** Tables shorter than this are never folded. */
const FOLDED_ROWS = 12;

/** A long narrow table side by side, at most three times, such as the answers of a questionnaire whose questions are protected. */
function foldTable(columns: readonly string[], rows: readonly (readonly Cell[])[], width: number, style: TextStyle) {
  const natural = columns.reduce(
    (sum, column, index) =>
      sum + 4 * PAD + Math.max(...[column, ...rows.map((row) => toText(row[index] ?? null))].map((text) => widthOf(text, style))),
    0,
  );
  const times = rows.length < FOLDED_ROWS ? 1 : Math.max(1, Math.min(3, Math.floor(width / natural)));
  if (times === 1) return { columns, rows };
  const count = Math.ceil(rows.length / times);
  const blank = columns.map(() => ' ');
  return {
    columns: Array.from({ length: times }, () => columns).flat(),
    rows: Array.from({ length: count }, (_, index) =>
      Array.from({ length: times }, (_, part) => rows[index * times + part] ?? blank).flat(),
    ),
  };
}

/** A table that breaks between its rows, but never next to a lone row, and repeats its head on every page. */
export function tableBoxes(tableColumns: readonly string[], tableRows: readonly (readonly Cell[])[], look: Look): Box[] {
  const style = look.small;
  const { columns, rows } = foldTable(tableColumns, tableRows, look.width, style);
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
  const keepsNext = (index: number) =>
    index < body.length - 1 && (index < ROWS_TOGETHER - 1 || index >= body.length - ROWS_TOGETHER);
  return [{ ...head, keepsNext: true }, ...body.map((box, index) => ({ ...box, head, keepsNext: keepsNext(index) }))];
}
