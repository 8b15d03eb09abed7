import { showNumber, type NumberKind } from '../numberFormat.ts';
import { readRelations, readSheets, readStrings, readStyles, relationsPathOf } from '../xlsx.ts';
import { partText, type Book } from './openBook.ts';
import { refOf } from './replaceCells.ts';
import { readSpans, type Block, type CellSpan, type Place, type SheetSpans } from './sheet.ts';
import { attributeOf } from './tokens.ts';

/** A drawn cell. Cells that a merged block covers are left out; those without text too, unless they begin a block. */
export interface GridCell {
  ref: string;
  text: string;
  colspan: number;
  rowspan: number;
  isFormula: boolean;
}
/** A worksheet as a picture of text: what staff see while they choose cells. */
export interface Grid {
  sheetname: string;
  /** the widths of the drawn columns, in characters; 0: hidden */
  widths: number[];
  rows: { row: number; cells: GridCell[] }[];
  /** the sheet has more rows or columns than are drawn */
  isCut: boolean;
}
/** A worksheet that can be filled: its text by reference, formulas, percent formats and merged blocks. */
export interface FillSheet {
  sheetname: string;
  path: string;
  spans: SheetSpans;
  texts: ReadonlyMap<string, string>;
  formulas: ReadonlySet<string>;
  percents: ReadonlySet<string>;
  /** cells under a merged block, without its first one */
  covered: ReadonlySet<string>;
  /** the last row and column with a cell */
  last: Place;
}

/** The drawn part of a sheet. A column that is filled downwards goes on below it. */
export const GRID_LIMITS = { rows: 300, columns: 60 } as const;
/** Rows and columns without text that are drawn below and beside the last text. */
const EMPTY_ROWS = 30;
const EMPTY_COLUMNS = 6;
const DEFAULT_WIDTH = 9;
const COVERED_LIMIT = 200_000;

/** Reads the visible worksheets of a template. */
export async function readFillSheets(book: Book): Promise<FillSheet[]> {
  const { shared, kinds, date1904 } = await readShared(book);
  return book.sheets.map(({ name, path }) => {
    const spans = readSpans(partText(book, path));
    const texts = new Map<string, string>();
    const formulas = new Set<string>();
    const percents = new Set<string>();
    const last: Place = { column: 0, row: 1 };
    for (const { cells } of spans.rows)
      for (const cell of cells) {
        const kind = kinds[Number(attributeOf(cell.raw, 's') ?? 0)] ?? { is: 'number' };
        const isPercent = kind.is === 'number' && kind.isPercent === true;
        const text = textOf(cell, shared, kind, date1904);
        if (text) texts.set(refOf(cell), isPercent && Number.isFinite(Number(text)) ? toPercent(text) : text);
        if (cell.isFormula) formulas.add(refOf(cell));
        if (isPercent) percents.add(refOf(cell));
        last.row = Math.max(last.row, cell.row);
        last.column = Math.max(last.column, cell.column);
      }
    return { sheetname: name, path, spans, texts, formulas, percents, covered: coveredBy(spans.merges, last), last };
  });
}

const toPercent = (text: string): string => `${Math.round(Number(text) * 1000) / 10}%`;

async function readShared({ source, main }: Book): Promise<{
  shared: readonly string[];
  kinds: readonly NumberKind[];
  date1904: boolean;
}> {
  const relations = await readRelations(source, relationsPathOf(main), main);
  const pathOf = (type: string) => relations.find((relation) => relation.type === type && source.has(relation.path))?.path;
  const strings = pathOf('sharedStrings');
  const styles = pathOf('styles');
  const { date1904 } = await readSheets(source, main);
  return {
    shared: strings ? await readStrings(source, strings) : [],
    kinds: styles ? await readStyles(source, styles) : [],
    date1904,
  };
}

function textOf(cell: CellSpan, shared: readonly string[], kind: NumberKind, date1904: boolean): string {
  const { value, raw } = cell;
  if (value === undefined) return '';
  const type = attributeOf(raw, 't') ?? 'n';
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' ? showNumber(value, kind, date1904) : value;
}

function coveredBy(merges: readonly Block[], last: Place): Set<string> {
  const covered = new Set<string>();
  for (const { from, to } of merges)
    for (let row = from.row; row <= Math.min(to.row, last.row); row++)
      for (let column = from.column; column <= Math.min(to.column, last.column); column++) {
        if (covered.size >= COVERED_LIMIT) return covered;
        if (row !== from.row || column !== from.column) covered.add(refOf({ row, column }));
      }
  return covered;
}

/** Returns what the screen draws of a worksheet. */
export function toGrid(sheet: FillSheet): Grid {
  const { spans, texts, formulas, covered, last } = sheet;
  const lastText: Place = { column: 0, row: 1 };
  for (const { cells } of spans.rows)
    for (const cell of cells)
      if (texts.has(refOf(cell)) || formulas.has(refOf(cell))) {
        lastText.row = Math.max(lastText.row, cell.row);
        lastText.column = Math.max(lastText.column, cell.column);
      }
  for (const { from, to } of spans.merges)
    if (texts.has(refOf(from))) lastText.column = Math.max(lastText.column, Math.min(to.column, last.column));
  const rowCount = Math.min(last.row, lastText.row + EMPTY_ROWS, GRID_LIMITS.rows);
  const columnCount = Math.min(last.column, lastText.column + EMPTY_COLUMNS, GRID_LIMITS.columns - 1) + 1;
  const blocks = new Map(spans.merges.map((block) => [refOf(block.from), block]));
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const row = index + 1;
    const cells: GridCell[] = [];
    for (let column = 0; column < columnCount; column++) {
      const ref = refOf({ row, column });
      if (covered.has(ref)) continue;
      const block = blocks.get(ref);
      cells.push({
        ref,
        text: texts.get(ref) ?? '',
        colspan: block ? Math.min(block.to.column, columnCount - 1) - column + 1 : 1,
        rowspan: block ? Math.min(block.to.row, rowCount) - row + 1 : 1,
        isFormula: formulas.has(ref),
      });
    }
    return { row, cells };
  });
  const widths = Array.from({ length: columnCount }, (_, column) => {
    const found = spans.columns.find(({ first, last: end }) => first <= column && column <= end);
    return found?.isHidden ? 0 : Math.min(60, Math.max(3, found?.width || DEFAULT_WIDTH));
  });
  return { sheetname: sheet.sheetname, widths, rows, isCut: rowCount < lastText.row || columnCount <= lastText.column };
}
