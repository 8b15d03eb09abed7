import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { canReadField, maskOf, type FieldReader, type FieldRule } from '#contract/fieldAccess.ts';
import * as parts from './parts.ts';

/*
 * Writes workbooks one row at a time, in constant memory, while the database delivers the rows. Text stays text: inline strings in
 * text format, with a quote prefix when they look like formulas. A number is written as a number only in a numeric column.
 */

/** A cell to write. Dates are texts `YYYY-MM-DD` in the whole product; booleans become 是/否. */
export type ExportCell = string | number | boolean | null | undefined;
/** The cells of a row. */
export type ExportRow = readonly ExportCell[];

/** A column head with the kind of its cells. `choices` gives the cells below it a drop-down list. */
export interface ExportColumn {
  head: string;
  kind?: 'text' | 'number';
  width?: number;
  choices?: readonly string[];
  /** Who reads the column. Others get it masked, or do not get it at all. */
  rule?: FieldRule;
}

/** A red cell of a receipt: `row` and `column` count from 0 below the heads. */
export interface FlaggedCell {
  row: number;
  column: number;
  message: string;
}

/** A worksheet to write. */
export interface ExportSheet {
  name: string;
  heads: readonly (string | ExportColumn)[];
  rows: Iterable<ExportRow> | AsyncIterable<ExportRow>;
  /** The exporting account; required when a column has a rule. */
  reader?: FieldReader;
  /** Widths in characters; without them the heads decide. */
  widths?: readonly number[];
  /** Lines above the heads, such as the visible mark with the exporting account and the time. */
  note?: string | readonly string[];
  /** Marks cells red and adds a last column 错误说明 with their messages. */
  redCells?: readonly FlaggedCell[];
}

/** The head of the column with the errors of the red cells. */
export const MESSAGE_HEAD = '错误说明';
const ROW_LIMIT = 1_048_576;
const CHUNK = 64 * 1024;

/**
 * Returns a workbook of one worksheet as a stream. `properties` become its custom properties (exporter, time, export number).
 * The stream reads the rows as fast as its client reads. Destroying it closes the row source, when a client disconnects.
 * An error of the row source destroys the stream, so no client takes a partial file for a complete one.
 */
export function writeWorksheet(sheet: ExportSheet & { properties?: Readonly<Record<string, string>> }): Readable {
  return writeWorkbook({ sheets: [sheet], ...(sheet.properties ? { properties: sheet.properties } : {}) });
}

/** Returns a workbook of several worksheets as a stream; see `writeWorksheet`. */
export function writeWorkbook(book: { sheets: readonly ExportSheet[]; properties?: Readonly<Record<string, string>> }): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const names = sheetNames(book.sheets.map((sheet) => sheet.name));
  const openSources = new Set<Readable>();
  const filters: string[] = [];
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(text), path);

  zip.on('error', (error: Error) => output.destroy(error));
  output.once('close', () => {
    for (const source of openSources) source.destroy();
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
      openSources.add(source);
      source.once('close', () => openSources.delete(source));
      source.once('error', (error) => output.destroy(error));
      done(null, source);
    });
  });
  // This part is last, because only now the filtered areas are known.
  zip.addReadStreamLazy('xl/workbook.xml', (done) => done(null, Readable.from([Buffer.from(parts.workbook(names, filters))])));
  zip.end();
  return output;
}

/** Returns names that Excel accepts: 1–31 characters, none of `[]:*?/\`, no quote at the ends, all different. */
function sheetNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>();
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
    let unique = clean;
    for (let n = 2; usedNames.has(unique.toLowerCase()); n++) unique = `${clean} ${n}`;
    usedNames.add(unique.toLowerCase());
    return unique;
  });
}

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let buffered = '';
  for await (const piece of pieces) {
    buffered += piece;
    if (buffered.length < CHUNK) continue;
    yield Buffer.from(buffered);
    buffered = '';
  }
  if (buffered) yield Buffer.from(buffered);
}

interface Place {
  column: ExportColumn;
  index: number;
  mask?: (value: string) => string;
}

/** Returns the columns that the reader gets, each with its place in the rows, and with the mask of a masked one. */
function findPlaces(heads: readonly ExportColumn[], reader: FieldReader | undefined): Place[] {
  return heads.flatMap((column, index) => {
    if (column.rule === undefined) return [{ column, index }];
    if (!reader) throw new Error(`the column ${column.head} has a rule, and no reader is named`);
    if (canReadField(reader, column.rule)) return [{ column, index }];
    const mask = maskOf(column.rule);
    return mask ? [{ column, index, mask }] : [];
  });
}

async function* sheetXml(sheet: ExportSheet, isSelected: boolean, setFilter: (area: string) => void): AsyncGenerator<string> {
  const allHeads = sheet.heads.map((head): ExportColumn => (typeof head === 'string' ? { head } : head));
  const places = findPlaces(allHeads, sheet.reader);
  const heads = places.map(({ column }) => column);
  const numeric = heads.map((head) => head.kind === 'number');
  const redCells = new Map<number, FlaggedCell[]>();
  for (const cell of sheet.redCells ?? []) redCells.set(cell.row, [...(redCells.get(cell.row) ?? []), cell]);
  if (sheet.redCells) heads.push({ head: MESSAGE_HEAD, width: 60 });
  const notes = sheet.note === undefined ? [] : typeof sheet.note === 'string' ? [sheet.note] : sheet.note;
  const headrow = notes.length + 1;
  const widths = heads.map((head, i) => head.width ?? sheet.widths?.[i] ?? Math.min(40, Math.max(10, shownWidth(head.head) + 4)));

  yield parts.sheetOpening(
    widths,
    heads.map((_, i) => (numeric[i] ? parts.STYLE.number : parts.STYLE.text)),
    headrow,
    isSelected,
  );
  for (const [i, note] of notes.entries()) yield `<row r="${i + 1}">${textCell(`A${i + 1}`, note, parts.STYLE.note)}</row>`;
  const headCells = heads.map((head, i) => textCell(parts.letters(i) + headrow, head.head, parts.STYLE.head));
  yield `<row r="${headrow}">${headCells.join('')}</row>`;

  let row = headrow;
  for await (const allCells of sheet.rows) {
    const cells = places.map(({ index, mask }) => {
      const cell = allCells[index];
      return mask && typeof cell === 'string' ? mask(cell) : cell;
    });
    if (++row > ROW_LIMIT) throw new RangeError(`a sheet holds at most ${ROW_LIMIT} rows`);
    yield rowXml(row, cells, numeric, redCells.get(row - headrow - 1));
  }
  const area = heads.length ? `A${headrow}:${parts.letters(heads.length - 1)}${row}` : '';
  if (area) setFilter(area);
  yield `</sheetData>${area ? `<autoFilter ref="${area}"/>` : ''}`;
  const lists = heads.flatMap((head, i) => validation(head, parts.letters(i), headrow));
  yield `${lists.length ? `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>` : ''}</worksheet>`;
}

function rowXml(
  row: number,
  cells: ExportRow,
  numeric: readonly boolean[],
  redCells: readonly FlaggedCell[] | undefined,
): string {
  let xml = `<row r="${row}">`;
  const redColumns = redCells && new Set(redCells.map((cell) => cell.column));
  const width = redCells ? Math.max(cells.length, numeric.length) : cells.length;
  for (let column = 0; column < width; column++) {
    const value = cells[column];
    const isRed = redColumns?.has(column) ?? false;
    const ref = parts.letters(column) + row;
    if (value === null || value === undefined || value === '') {
      if (isRed) xml += `<c r="${ref}" s="${parts.STYLE.red}"/>`;
    } else if (typeof value === 'number' && numeric[column] && Number.isFinite(value)) {
      xml += `<c r="${ref}" s="${isRed ? parts.STYLE.redNumber : parts.STYLE.number}"><v>${value}</v></c>`;
    } else {
      const text = typeof value === 'boolean' ? (value ? '是' : '否') : String(value);
      const needsQuote = parts.looksLikeFormula(text);
      const [plainStyle, quotedStyle] = isRed ? [parts.STYLE.red, parts.STYLE.redQuoted] : [parts.STYLE.text, parts.STYLE.quoted];
      const style = needsQuote ? quotedStyle : plainStyle;
      xml += textCell(ref, text, style);
    }
  }
  if (redCells) {
    const message = redCells.map((cell) => cell.message).join('；');
    xml += textCell(parts.letters(numeric.length) + row, message, parts.STYLE.message);
  }
  return `${xml}</row>`;
}

function textCell(ref: string, text: string, style: number): string {
  // Excel refuses the whole file when one cell is too long. The … shows that the text was cut.
  const content = text.length > parts.CELL_LIMIT ? `${text.slice(0, parts.CELL_LIMIT - 1)}…` : text;
  const space = /^\s|\s$|\n/.test(content) ? ' xml:space="preserve"' : '';
  return `<c r="${ref}" s="${style}" t="inlineStr"><is><t${space}>${parts.escapeXml(content)}</t></is></c>`;
}

function validation(head: ExportColumn, letter: string, headrow: number): string[] {
  const list = head.choices?.join(',') ?? '';
  // Excel accepts at most 255 characters of choices, separated by commas.
  if (!list || list.length > 255 || head.choices!.some((choice) => /[,"]/.test(choice))) return [];
  return [
    `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letter}${headrow + 1}:${letter}${headrow + 20_000}">` +
      `<formula1>"${parts.escapeXml(list)}"</formula1></dataValidation>`,
  ];
}

const shownWidth = (text: string): number => [...text].reduce((sum, c) => sum + (c.charCodeAt(0) > 0xff ? 2 : 1), 0);
