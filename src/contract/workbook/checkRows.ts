import type { Cell, CellValue } from './cell.ts';
import { checkCell } from './cell.ts';
import type { Column, RowOf, WorksheetSchema } from './column.ts';
import { headWithoutRemark, plainHead } from './column.ts';

/**
 * The state of a column. The import reads only `matched` columns. `ignored` has an unknown head or none. `repeated` is a second
 * column for the same key. `missing` is a required column that the file lacks, `absent` an optional one.
 */
export type ColumnState = 'matched' | 'ignored' | 'repeated' | 'missing' | 'absent';

export interface TableColumn {
  /** The head in the file; the declared head for a column that the file lacks; `（第 7 列，无表头）` for data without a head. */
  head: string;
  key: string | null;
  state: ColumnState;
  /** Index of the column in the file, from 0; null when the file lacks it. */
  index: number | null;
}

/** A remark on one cell, row or column. `row` is the row number in the spreadsheet; `message` is a complete sentence. */
export interface Remark {
  row: number;
  field: string;
  message: string;
}

type Cells<S extends WorksheetSchema> = { [K in S['columns'][number]['key']]: Cell };

/** A row of data. The values of a good row have their declared types; those of a bad row may be null anywhere. */
export type CheckedRow<S extends WorksheetSchema> =
  | { row: number; ok: true; values: RowOf<S>; cells: Cells<S> }
  | { row: number; ok: false; values: { [K in keyof RowOf<S>]: RowOf<S>[K] | null }; cells: Cells<S> };

export interface CheckedTable<S extends WorksheetSchema> {
  columns: TableColumn[];
  /** Row number of the heads, from 1; rows above it are titles and notes. */
  headrow: number;
  rows: CheckedRow<S>[];
  /** Rows below the heads: `total = good + bad + blank`, always. */
  total: number;
  good: number;
  bad: number;
  blank: number;
  /** Errors that exclude rows. An error of the whole file has the row of the heads. */
  errors: Remark[];
  /** Remarks that users should review; the rows still count as good. */
  warnings: Remark[];
}

/** The cell texts of a file by row, row 1 first. Rows may have different lengths. */
export interface Table {
  rows: readonly (readonly string[])[];
}

const HEAD_SEARCHED = 10;

/**
 * The result of checking a table against a declared sheet. Pure, so the browser and the server get the same result.
 * The heads may be below title rows, in any order, with asterisks, brackets, blanks or in full width.
 * @param options.today `YYYY-MM-DD` in Asia/Shanghai, for dates that cannot be in the future
 * @param options.mapping the user's choice for each column, by index: a key, or null for "do not read"
 */
export function checkRows<const S extends WorksheetSchema>(
  sheet: S,
  table: Table,
  options: { today?: string; mapping?: readonly (string | null | undefined)[] } = {},
): CheckedTable<S> {
  const headIndex = findHeads(sheet, table.rows);
  const columns = matchHeads(sheet, table.rows, headIndex, options.mapping);
  const headrow = headIndex + 1;
  const errors: Remark[] = [];
  const warnings: Remark[] = [];
  const missing = columns.filter((column) => column.state === 'missing');
  for (const { head } of missing)
    errors.push({ row: headrow, field: head, message: `缺少必填列“${head}”：请在表头行添加这一列，或对照模板修改列名` });
  for (const column of columns)
    if (column.state === 'repeated')
      warnings.push({
        row: headrow,
        field: column.head,
        message: `第 ${column.index! + 1} 列“${column.head}”与前面的列重复，未读取`,
      });

  const indexByKey = new Map(
    columns.filter((column) => column.state === 'matched').map((column) => [column.key!, column.index!]),
  );
  const rows: CheckedRow<S>[] = [];
  let blank = 0;
  table.rows.slice(headrow).forEach((texts, index) => {
    const row = headrow + index + 1;
    const hasContent = (text: string | undefined): boolean => isFilled(text ?? '');
    if (![...indexByKey.values()].some((index) => hasContent(texts[index])) && (indexByKey.size > 0 || !texts.some(hasContent))) {
      blank++;
      if (texts.some(hasContent)) warnings.push({ row, field: '', message: `第 ${row} 行只在未识别的列中有内容，按空行处理` });
      return;
    }
    const cells: Record<string, Cell> = {};
    for (const column of sheet.columns) {
      const index = indexByKey.get(column.key);
      cells[column.key] = index === undefined ? columnState(column) : checkCell(column, texts[index] ?? '', options.today);
    }
    rows.push({ row, ok: true, values: {}, cells } as unknown as CheckedRow<S>);
  });
  if (rows.length === 0 && missing.length === 0)
    errors.push({ row: headrow, field: '', message: '表头下面没有数据，请填写后再导入' });

  const plain = rows as unknown as PlainRow[];
  for (const column of sheet.columns) if (indexByKey.has(column.key)) checkAcrossRows(column, plain);
  for (const keys of sheet.unique) findDuplicates(sheet, plain, keys, 'error');
  for (const keys of sheet.alike) findDuplicates(sheet, plain, keys, 'warning');

  let good = 0;
  for (const row of plain) {
    for (const { key, head } of sheet.columns) {
      const cell = row.cells[key]!;
      row.values[key] = cell.error ? null : cell.value;
      if (cell.error) row.ok = false;
      // A missing column already has an error at the heads.
      if (cell.error && indexByKey.has(key))
        errors.push({ row: row.row, field: head, message: `第 ${row.row} 行“${head}”${cell.error}` });
      if (cell.warning) warnings.push({ row: row.row, field: head, message: `第 ${row.row} 行“${head}”${cell.warning}` });
    }
    if (row.ok) good++;
  }
  const total = Math.max(0, table.rows.length - headrow);
  return { columns, headrow, rows, total, good, bad: rows.length - good, blank, errors, warnings };
}

interface PlainRow {
  row: number;
  ok: boolean;
  values: Record<string, CellValue>;
  cells: Record<string, Cell>;
}

const isFilled = (text: string): boolean => /[^\s\u00a0\u3000\u200b-\u200f\u2060\ufeff]/.test(text);

function columnState(column: Column): Cell {
  return column.required ? { raw: '', value: null, error: `不能为空：文件中没有“${column.head}”列` } : { raw: '', value: null };
}

/** The index of the head row: of the first ten filled rows, the one that names most columns; else the first filled row. */
function findHeads(sheet: WorksheetSchema, rows: Table['rows']): number {
  let best = Math.max(
    0,
    rows.findIndex((row) => row.some(isFilled)),
  );
  let most = 0;
  rows.slice(0, best + HEAD_SEARCHED).forEach((row, index) => {
    const matchCount = new Set(row.map((head) => keyOf(sheet, head)).filter((key) => key !== null)).size;
    if (matchCount > most) [best, most] = [index, matchCount];
  });
  return best;
}

/** The key of a head, or null. Declared heads precede aliases; the whole head precedes the head without its remark in brackets. */
function keyOf(sheet: WorksheetSchema, head: string): string | null {
  for (const form of [plainHead(head), headWithoutRemark(head)]) {
    if (form === '') continue;
    const hit =
      sheet.columns.find((column) => plainHead(column.head) === form) ??
      sheet.columns.find((column) => column.aliases?.some((alias) => plainHead(alias) === form));
    if (hit) return hit.key;
  }
  return null;
}

function matchHeads(
  sheet: WorksheetSchema,
  rows: Table['rows'],
  headIndex: number,
  mapping: readonly (string | null | undefined)[] | undefined,
): TableColumn[] {
  const heads = rows[headIndex] ?? [];
  const width = rows.slice(headIndex).reduce((most, row) => Math.max(most, row.length), 0);
  const columns: TableColumn[] = [];
  for (let index = 0; index < width; index++) {
    const head = (heads[index] ?? '').trim();
    const chosen = mapping?.[index];
    const key = chosen === undefined ? keyOf(sheet, head) : chosen;
    if (isFilled(head) || key !== null) columns.push({ head, key, state: key === null ? 'ignored' : 'matched', index });
    else if (rows.slice(headIndex + 1).some((row) => isFilled(row[index] ?? '')))
      columns.push({ head: `（第 ${index + 1} 列，无表头）`, key: null, state: 'ignored', index });
  }
  for (const { key, head } of sheet.columns) {
    const same = columns.filter((column) => column.key === key);
    // A column with the declared head precedes a column with an alias.
    const matchedColumn =
      same.find((column) => mapping?.[column.index!] === key) ??
      same.find((column) => headWithoutRemark(column.head) === headWithoutRemark(head)) ??
      same[0];
    for (const column of same) if (column !== matchedColumn) column.state = 'repeated';
  }
  for (const item of sheet.columns)
    if (!columns.some((column) => column.key === item.key))
      columns.push({ head: item.head, key: item.key, state: item.required ? 'missing' : 'absent', index: null });
  return columns;
}

/** Adds remarks that need the whole column: some numbers lost leading zeros or last digits, and others did not. */
function checkAcrossRows(column: Column, rows: PlainRow[]): void {
  const cells = rows.map((row) => row.cells[column.key]!);
  if (column.kind === 'code' && !column.digits) {
    const codes = cells.map((cell) => String(cell.value ?? ''));
    const width = Math.max(0, ...codes.filter((code) => /^0\d+$/.test(code)).map((code) => code.length));
    cells.forEach((cell, index) => {
      const code = codes[index]!;
      if (/^[1-9]\d*$/.test(code) && code.length < width)
        cell.warning = `${code} 可能丢失了开头的 0：同列以 0 开头的为 ${width} 位，请核对`;
    });
  }
  if (column.kind === 'idno' && cells.some((cell) => cell.error?.includes('Excel 按数字') || cell.error?.includes('科学计数法')))
    for (const cell of cells)
      if (cell.doubtful) {
        delete cell.warning;
        delete cell.fixed;
        cell.error = '以 000 结尾，同列其他证件号已被 Excel 改坏，请按证件重新填写';
      }
}

/** Adds remarks to rows with the same values in all `keys`. Of identical rows the first stays; of different rows the user must choose. */
function findDuplicates(sheet: WorksheetSchema, rows: PlainRow[], keys: readonly string[], severity: 'error' | 'warning'): void {
  const groups = new Map<string, PlainRow[]>();
  for (const row of rows) {
    const parts = keys.map((key) => row.cells[key]!).map((cell) => (cell.error ? null : cell.value));
    if (parts.some((part) => part === null)) continue;
    const name = JSON.stringify(parts);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const heads = sheet.columns.filter((column) => keys.includes(column.key)).map((column) => column.head);
  const content = (row: PlainRow): string => JSON.stringify(sheet.columns.map((column) => row.cells[column.key]!.value));
  for (const group of groups.values()) {
    const [first] = group;
    if (group.length < 2 || !first) continue;
    const same = group.every((row) => content(row) === content(first));
    const both = heads.length > 1 ? `（${heads.join('、')}都相同）` : '';
    for (const row of group) {
      if (same && row === first) continue;
      const others = group.filter((item) => item !== row).map((item) => item.row);
      const otherRows = `第 ${others.slice(0, 3).join('、')} ${others.length > 3 ? '等' : ''}行`;
      const cell = row.cells[keys.at(-1)!]!;
      if (severity === 'warning') cell.warning ??= `与${otherRows}相同${both}，请确认不是同一人`;
      else
        cell.error ??= same
          ? `与第 ${first.row} 行完全相同，请删除这一行`
          : `与${otherRows}重复${both}，请核对后只保留正确的一行`;
    }
  }
}
