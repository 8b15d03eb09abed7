import { WorkbookRefused } from '../refused.ts';
import { BROKEN } from '../xml.ts';
import { attributeOf, tagsOf, unescapeXml, type Tag } from './tokens.ts';

/** The place of a cell: column and row count from 0 and 1. */
export interface Place {
  column: number;
  row: number;
}

/** A cell of a worksheet: its place, its attributes, and where it stands in the XML text. */
export interface CellSpan extends Place {
  prefix: string;
  raw: string;
  start: number;
  end: number;
  isFormula: boolean;
  /** the formula, as far as it is written in this cell */
  formula: string;
  /** the content of `v`, or of the inline text */
  value: string | undefined;
}
export interface RowSpan {
  row: number;
  open: Tag;
  /** the place before `</row>`; undefined for a row without content */
  contentEnd: number | undefined;
  end: number;
  cells: CellSpan[];
}
/** A merged block; all ends included. */
export interface Block {
  from: Place;
  to: Place;
}
/** A worksheet with the places of its rows and cells in the XML text. */
export interface SheetSpans {
  xml: string;
  prefix: string;
  rows: RowSpan[];
  merges: Block[];
  columns: { first: number; last: number; width: number; style: string | undefined; isHidden: boolean }[];
  /** the tag `sheetData`, and the place before its end; undefined when it is empty */
  data: Tag;
  dataEnd: number | undefined;
}

const broken = (): WorkbookRefused => new WorkbookRefused('broken', BROKEN);

/** Returns the place of a reference such as `AB12`; undefined when it is none. */
export function placeOf(ref: string): Place | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/.exec(ref) ?? [];
  if (!letters || !digits) return undefined;
  return { column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1, row: Number(digits) };
}

/** Reads where rows and cells of a worksheet stand. Rows and cells without a reference follow the one before. */
export function readSpans(xml: string): SheetSpans {
  const sheet: Partial<SheetSpans> & Pick<SheetSpans, 'rows' | 'merges' | 'columns'> = { rows: [], merges: [], columns: [] };
  let row: RowSpan | undefined;
  let cell: CellSpan | undefined;
  let cellEnd: Place = { column: -1, row: 0 };
  let textStart = 0;
  const startRow = (tag: Tag): void => {
    const number = Number(attributeOf(tag.raw, 'r') ?? cellEnd.row + 1);
    if (!Number.isInteger(number) || number <= cellEnd.row) throw broken();
    cellEnd = { column: -1, row: number };
    row = { row: number, open: tag, contentEnd: undefined, end: tag.end, cells: [] };
    sheet.rows.push(row);
  };
  const startCell = (tag: Tag): void => {
    const ref = attributeOf(tag.raw, 'r');
    const place = ref === undefined ? { column: cellEnd.column + 1, row: cellEnd.row } : placeOf(ref);
    if (!row || !place || place.row !== row.row || place.column <= cellEnd.column) throw broken();
    cellEnd = place;
    const { prefix, raw, start, end } = tag;
    cell = { ...place, prefix, raw, start, end, isFormula: false, formula: '', value: undefined };
    row.cells.push(cell);
  };
  for (const tag of tagsOf(xml)) {
    const { kind, name } = tag;
    if (name === 'sheetData') {
      if (kind === 'close') sheet.dataEnd = tag.start;
      else {
        sheet.data = tag;
        sheet.prefix = tag.prefix;
      }
    } else if (name === 'row' && sheet.data && sheet.dataEnd === undefined) {
      if (kind !== 'close') startRow(tag);
      else if (row) {
        row.contentEnd = tag.start;
        row.end = tag.end;
      }
    } else if (name === 'c' && row && sheet.dataEnd === undefined) {
      if (kind !== 'close') startCell(tag);
      else if (cell) cell.end = tag.end;
      if (kind !== 'open') cell = undefined;
    } else if (cell && (name === 'f' || name === 'v' || name === 'is')) {
      if (name === 'f') cell.isFormula = true;
      if (kind === 'open') textStart = tag.end;
      if (kind === 'close' && name === 'f') cell.formula = unescapeXml(xml.slice(textStart, tag.start));
      if (kind === 'close' && name !== 'f') cell.value = unescapeXml(withoutPhonetics(xml.slice(textStart, tag.start)));
    } else if (name === 'mergeCell' && kind !== 'close') {
      const [from, to] = (attributeOf(tag.raw, 'ref') ?? '').split(':').map(placeOf);
      if (from && to) sheet.merges.push({ from, to });
    } else if (name === 'col' && kind !== 'close') {
      sheet.columns.push({
        first: Number(attributeOf(tag.raw, 'min')) - 1,
        last: Number(attributeOf(tag.raw, 'max')) - 1,
        width: Number(attributeOf(tag.raw, 'width') ?? 0),
        style: attributeOf(tag.raw, 'style'),
        isHidden: /^(?:1|true)$/.test(attributeOf(tag.raw, 'hidden') ?? ''),
      });
    }
  }
  if (!sheet.data) throw broken();
  return { ...sheet, xml, prefix: sheet.prefix ?? '', data: sheet.data, dataEnd: sheet.dataEnd };
}

// Excel keeps the pronunciation of Chinese words beside them.
const withoutPhonetics = (xml: string): string => xml.replace(/<(?:[^\s:/>]+:)?rPh[\s>][\s\S]*?<\/(?:[^\s:/>]+:)?rPh>/g, '');
