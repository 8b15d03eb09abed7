import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import * as parts from './parts.ts';

/**
 * Workbooks written as they are read from the database: one row at a time, in constant memory. Text stays text (inline strings in
 * text format, formula-looking ones with a quote prefix), a number is written as a number only in a column declared numeric.
 */

/** A cell to write. Dates are texts `YYYY-MM-DD` all through the product; booleans read 是/否. */
export type ExportCell = string | number | boolean | null | undefined;
export type ExportRow = readonly ExportCell[];

/** A head: the word alone, or with what its column holds. `choices` gives the cells below a drop-down list. */
export interface ExportColumn {
  head: string;
  kind?: 'text' | 'number';
  width?: number;
  choices?: readonly string[];
}

/** A cell to mark red in a receipt: `row` and `column` count from 0 below the heads. */
export interface FlaggedCell {
  row: number;
  column: number;
  message: string;
}

export interface ExportSheet {
  name: string;
  heads: readonly (string | ExportColumn)[];
  rows: Iterable<ExportRow> | AsyncIterable<ExportRow>;
  /** Widths in characters; by the heads when not given. */
  widths?: readonly number[];
  /** Lines above the heads, such as the visible mark of who exported when. */
  note?: string | readonly string[];
  /** Marks cells red and adds a last column 错误说明 with their messages. */
  redCells?: readonly FlaggedCell[];
}

/** The head of the column that says why cells are red. */
export const MESSAGE_HEAD = '错误说明';
const ROW_LIMIT = 1_048_576;
const CHUNK = 64 * 1024;

/**
 * Writes one sheet. `properties` become the document's custom properties (exporter, time, export number).
 * Reading from the result drives the rows; destroying it (a client that went away) ends the row source, and an error of the
 * source destroys it, so that a cut file is never taken for a whole one.
 */
export function writeWorksheet(sheet: ExportSheet & { properties?: Readonly<Record<string, string>> }): Readable {
  return writeWorkbook({ sheets: [sheet], ...(sheet.properties ? { properties: sheet.properties } : {}) });
}

/** Writes a workbook of several sheets, one after the other. See `writeWorksheet`. */
export function writeWorkbook(book: { sheets: readonly ExportSheet[]; properties?: Readonly<Record<string, string>> }): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const names = sheetNames(book.sheets.map((sheet) => sheet.name));
  const open = new Set<Readable>();
  const filters: string[] = [];
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(text), path);

  zip.on('error', (error: Error) => output.destroy(error));
  output.once('close', () => {
    for (const source of open) source.destroy();
  });
  add('[Content_Types].xml', parts.contentTypes(names.length));
  add('_rels/.rels', parts.packageRels());
  add('xl/_rels/workbook.xml.rels', parts.workbookRels(names.length));
  add('xl/styles.xml', parts.styles());
  add('docProps/custom.xml', parts.customProperties(book.properties ?? {}));
  book.sheets.forEach((sheet, index) => {
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, (done) => {
      const source = Readable.from(inChunks(sheetXml(sheet, index === 0, (area) => (filters[index] = area))), {
        objectMode: false,
        highWaterMark: CHUNK,
      });
      open.add(source);
      source.once('close', () => open.delete(source));
      source.once('error', (error) => output.destroy(error));
      done(null, source);
    });
  });
  // Last, because only now the filtered areas are known.
  zip.addReadStreamLazy('xl/workbook.xml', (done) => done(null, Readable.from([Buffer.from(parts.workbook(names, filters))])));
  zip.end();
  return output;
}

/** Names Excel accepts: 1–31 characters, none of `[]:*?/\`, no quote at the ends, no two alike. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const clean =
      [
        ...name
          .replace(parts.LONE_SURROGATE, '')
          .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
          .replace(/^[' ]+|[' ]+$/g, ''),
      ]
        .slice(0, 27)
        .join('') || '表';
    let free = clean;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${clean} ${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let pending = '';
  for await (const piece of pieces) {
    pending += piece;
    if (pending.length < CHUNK) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  if (pending) yield Buffer.from(pending);
}

async function* sheetXml(sheet: ExportSheet, selected: boolean, filtered: (area: string) => void): AsyncGenerator<string> {
  const heads = sheet.heads.map((head): ExportColumn => (typeof head === 'string' ? { head } : head));
  const numeric = heads.map((head) => head.kind === 'number');
  const red = new Map<number, FlaggedCell[]>();
  for (const cell of sheet.redCells ?? []) red.set(cell.row, [...(red.get(cell.row) ?? []), cell]);
  if (sheet.redCells) heads.push({ head: MESSAGE_HEAD, width: 60 });
  const notes = sheet.note === undefined ? [] : typeof sheet.note === 'string' ? [sheet.note] : sheet.note;
  const headrow = notes.length + 1;
  const widths = heads.map((head, i) => head.width ?? sheet.widths?.[i] ?? Math.min(40, Math.max(10, shownWidth(head.head) + 4)));

  yield parts.sheetOpening(
    widths,
    heads.map((_, i) => (numeric[i] ? parts.STYLE.number : parts.STYLE.text)),
    headrow,
    selected,
  );
  for (const [i, note] of notes.entries()) yield `<row r="${i + 1}">${textCell(`A${i + 1}`, note, parts.STYLE.note)}</row>`;
  yield `<row r="${headrow}">${heads.map((head, i) => textCell(parts.letters(i) + headrow, head.head, parts.STYLE.head)).join('')}</row>`;

  let row = headrow;
  for await (const cells of sheet.rows) {
    if (++row > ROW_LIMIT) throw new RangeError(`a sheet holds at most ${ROW_LIMIT} rows`);
    yield rowXml(row, cells, numeric, red.get(row - headrow - 1));
  }
  const area = heads.length ? `A${headrow}:${parts.letters(heads.length - 1)}${row}` : '';
  if (area) filtered(area);
  yield `</sheetData>${area ? `<autoFilter ref="${area}"/>` : ''}`;
  const lists = heads.flatMap((head, i) => validation(head, parts.letters(i), headrow));
  yield `${lists.length ? `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>` : ''}</worksheet>`;
}

function rowXml(row: number, cells: ExportRow, numeric: readonly boolean[], red: readonly FlaggedCell[] | undefined): string {
  let xml = `<row r="${row}">`;
  const marked = red && new Set(red.map((cell) => cell.column));
  const width = red ? Math.max(cells.length, numeric.length) : cells.length;
  for (let at = 0; at < width; at++) {
    const value = cells[at];
    const isRed = marked?.has(at) ?? false;
    const ref = parts.letters(at) + row;
    if (value === null || value === undefined || value === '') {
      if (isRed) xml += `<c r="${ref}" s="${parts.STYLE.red}"/>`;
    } else if (typeof value === 'number' && numeric[at] && Number.isFinite(value)) {
      xml += `<c r="${ref}" s="${isRed ? parts.STYLE.redNumber : parts.STYLE.number}"><v>${value}</v></c>`;
    } else {
      const text = typeof value === 'boolean' ? (value ? '是' : '否') : String(value);
      const quoted = parts.looksLikeFormula(text);
      const style = isRed ? (quoted ? parts.STYLE.redQuoted : parts.STYLE.red) : quoted ? parts.STYLE.quoted : parts.STYLE.text;
      xml += textCell(ref, text, style);
    }
  }
  if (red) xml += textCell(parts.letters(numeric.length) + row, red.map((cell) => cell.message).join('；'), parts.STYLE.message);
  return `${xml}</row>`;
}

function textCell(ref: string, text: string, style: number): string {
  // Excel refuses the whole file over one longer cell; the mark shows that something was left out.
  const kept = text.length > parts.CELL_LIMIT ? `${text.slice(0, parts.CELL_LIMIT - 1)}…` : text;
  return (
    `<c r="${ref}" s="${style}" t="inlineStr"><is><t${/^\s|\s$|\n/.test(kept) ? ' xml:space="preserve"' : ''}` +
    `>${parts.escapeXml(kept)}</t></is></c>`
  );
}

function validation(head: ExportColumn, letter: string, headrow: number): string[] {
  const list = head.choices?.join(',') ?? '';
  // Excel takes at most 255 characters of choices, and a comma separates them.
  if (!list || list.length > 255 || head.choices!.some((choice) => /[,"]/.test(choice))) return [];
  return [
    `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letter}${headrow + 1}:${letter}${headrow + 20_000}">` +
      `<formula1>"${parts.escapeXml(list)}"</formula1></dataValidation>`,
  ];
}

const shownWidth = (text: string): number => [...text].reduce((sum, c) => sum + (c.charCodeAt(0) > 0xff ? 2 : 1), 0);
