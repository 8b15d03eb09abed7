import { checkCell } from './cell.ts';
import type { Cell, CellValue, Column, RowOf, WorksheetSchema } from './column.ts';
import { headWithoutRemark, plainHead } from './column.ts';
import { findHeads, isFilled, matchHeads, type TableColumn } from './matchHeads.ts';

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
  /** what users read about the whole table: derived columns, lines that are no person */
  notes: string[];
}

/** The cell texts of a file by row, row 1 first. Rows may have different lengths. */
export interface Table {
  rows: readonly (readonly string[])[];
}

/**
 * The result of checking a table against a declared sheet. Pure, so the browser and the server get the same result.
 * The heads may be below title rows, in any order, with asterisks, brackets, blanks or in full width.
 * @param options.today `YYYY-MM-DD` in Asia/Shanghai, for dates that cannot be in the future
 * @param options.mapping the user's choice for each column, by index: a key, or null for "do not read"
 */
export function checkRows<const S extends WorksheetSchema>(
  sheet: S,
  table: Table,
  options: {
    today?: string;
    mapping?: readonly (string | null | undefined)[];
    defaults?: Readonly<Record<string, string>> | undefined;
  } = {},
): CheckedTable<S> {
  const headIndex = findHeads(sheet, table.rows);
  const columns = matchHeads(sheet, table.rows, headIndex, options.mapping);
  const headrow = headIndex + 1;
  const errors: Remark[] = [];
  const warnings: Remark[] = [];
  const notes: string[] = [];
  const body = readBody(sheet, table.rows, headrow, columns);
  for (const { row, word } of body.summaries)
    warnings.push({ row, field: '', message: `第 ${row} 行是“${word}”，不是人员，未导入` });
  if (body.summaries.length)
    notes.push(
      `第 ${body.summaries.map(({ row }) => row).join('、')} 行是“${body.summaries[0]!.word}”一类的行，不是人员，未导入`,
    );
  const texts = fillTexts(sheet, body.rows, columns, options, notes);
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

  for (const row of body.strays) warnings.push({ row, field: '', message: `第 ${row} 行只在未识别的列中有内容，按空行处理` });
  const hasColumn = new Set(
    columns
      .filter((column) => column.key !== null && column.state !== 'missing' && column.state !== 'absent')
      .map(({ key }) => key!),
  );
  const rows: CheckedRow<S>[] = body.rows.map(({ row }, index) => {
    const cells: Record<string, Cell> = {};
    for (const column of sheet.columns)
      cells[column.key] = hasColumn.has(column.key)
        ? checkTextCell(column, body.rows[index]!.texts[column.key] ?? '', texts[index]![column.key] ?? '', options.today)
        : columnState(column);
    return { row, ok: true, values: {}, cells } as unknown as CheckedRow<S>;
  });
  if (rows.length === 0 && missing.length === 0)
    errors.push({ row: headrow, field: '', message: '表头下面没有数据，请填写后再导入' });

  const plain = rows as unknown as PlainRow[];
  for (const column of sheet.columns) if (hasColumn.has(column.key)) checkAcrossRows(column, plain);
  for (const keys of sheet.unique) findDuplicates(sheet, plain, keys, 'error');
  for (const keys of sheet.alike) findDuplicates(sheet, plain, keys, 'warning');
  if (options.today) sheet.check?.(plain, options.today);

  const masked = plain.flatMap(({ cells }) => Object.values(cells)).filter((cell) => cell.isMasked).length;
  if (masked > 0) notes.push(`有 ${masked} 个格的内容被遮盖（如 张**、138****0000）：系统中的内容不变，不会被覆盖`);
  let good = 0;
  for (const row of plain) {
    for (const { key, head } of sheet.columns) {
      const cell = row.cells[key]!;
      row.values[key] = cell.error ? null : cell.value;
      if (cell.error) row.ok = false;
      // A missing column already has an error at the heads.
      if (cell.error && hasColumn.has(key))
        errors.push({ row: row.row, field: head, message: `第 ${row.row} 行“${head}”${cell.error}` });
      if (cell.warning) warnings.push({ row: row.row, field: head, message: `第 ${row.row} 行“${head}”${cell.warning}` });
    }
    if (row.ok) good++;
  }
  const total = Math.max(0, table.rows.length - headrow);
  return { columns, headrow, rows, total, good, bad: rows.length - good, blank: total - rows.length, errors, warnings, notes };
}

interface PlainRow {
  row: number;
  ok: boolean;
  values: Record<string, CellValue>;
  cells: Record<string, Cell>;
}

function columnState(column: Column): Cell {
  return column.required ? { raw: '', value: null, error: `不能为空：文件中没有“${column.head}”列` } : { raw: '', value: null };
}

interface Body {
  rows: { row: number; texts: Record<string, string> }[];
  /** lines with a sum or a signature */
  summaries: { row: number; word: string }[];
  /** row numbers with content in unknown columns only */
  strays: number[];
}

/** Reads the rows below the heads, apart from blank ones and lines that are no person. */
function readBody(sheet: WorksheetSchema, table: Table['rows'], headrow: number, columns: readonly TableColumn[]): Body {
  const readable = columns.filter((column) => column.index !== null && column.isRead);
  const body: Body = { rows: [], summaries: [], strays: [] };
  table.slice(headrow).forEach((cells, index) => {
    const row = headrow + index + 1;
    const hasContent = (text: string | undefined): boolean => isFilled(text ?? '');
    if (!readable.some((column) => hasContent(cells[column.index!])) && (readable.length > 0 || !cells.some(hasContent))) {
      if (cells.some(hasContent)) body.strays.push(row);
      return;
    }
    const texts = Object.fromEntries(
      readable.map((column) => [column.key!, translateCode(sheet, column, cells[column.index!] ?? '')]),
    );
    const word = summaryWord(sheet, cells, texts);
    if (word) body.summaries.push({ row, word });
    else body.rows.push({ row, texts });
  });
  return body;
}

const SUMMARY =
  /^(合计|总计|小计|共计|总数|总人数|男生人数|女生人数|人数|制表人?|填表人|审核人?|班主任签[字名]|签[字名]|打印时间|制表时间)/;

/** The word of a line that is no person: 合计, 制表人 …; undefined for a person. */
function summaryWord(sheet: WorksheetSchema, cells: readonly string[], texts: Readonly<Record<string, string>>) {
  const first = cells.find(isFilled)?.replace(/[\s\u3000]/g, '') ?? '';
  const word = SUMMARY.exec(first)?.[1];
  const name = sheet.columns.find((column) => column.kind === 'name' && column.required)?.key;
  const nameText = (name ? texts[name] : '')?.replace(/[\s\u3000]/g, '') ?? '';
  return word && (nameText === '' || nameText === first || /\d|人$/.test(nameText)) ? word : undefined;
}

/** The text of a cell in the words of the column: 就读方式 2-住校 is 是 in 是否寄宿. */
function translateCode(sheet: WorksheetSchema, { key, head }: TableColumn, text: string): string {
  const codes = sheet.columns.find((column) => column.key === key)?.codes;
  const words = codes && (codes[head] ?? codes[plainHead(head)] ?? codes[headWithoutRemark(head)]);
  if (!words) return text;
  const plain = text.replace(/[\s\u3000]/g, '');
  const [, code = '', word = ''] = /^(\d{1,2})\s*[-—－:：.、]?(.*)$/.exec(plain) ?? [];
  return words[plain] ?? words[word] ?? (word === '' ? words[code] : undefined) ?? text;
}

/** The texts of the rows, with derived texts and defaults in empty cells. The columns that only they fill get the state `derived`. */
function fillTexts(
  sheet: WorksheetSchema,
  rows: Body['rows'],
  columns: TableColumn[],
  { today, defaults = {} }: { today?: string; defaults?: Readonly<Record<string, string>> | undefined },
  notes: string[],
): Record<string, string>[] {
  const withDefaults = rows.map(({ texts }) => ({
    ...texts,
    ...Object.fromEntries(Object.entries(defaults).filter(([key]) => !isFilled(texts[key] ?? ''))),
  }));
  const heads = new Map(columns.flatMap((column) => (column.isRead && column.key ? [[column.key, column.head] as const] : [])));
  const trimmed = withDefaults.map((texts) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text.trim()])));
  const derived = today ? sheet.derive?.({ rows: trimmed, heads, today }) : undefined;
  const filled = withDefaults.map((texts, index) => ({ ...texts, ...derived?.cells[index] }));
  for (const column of columns)
    if ((column.state === 'missing' || column.state === 'absent') && filled.some((texts) => isFilled(texts[column.key!] ?? '')))
      column.state = 'derived';
  if (columns.some((column) => column.state === 'derived') || derived?.cells.some((cells) => Object.keys(cells).length > 0))
    notes.push(...(derived?.notes ?? []));
  return filled;
}

/** Checks a cell. A derived text says so; a wrong cell of an extra column is left out with a warning. */
function checkTextCell(column: Column, raw: string, text: string, today: string | undefined): Cell {
  const checked = checkCell(column, text, today);
  const cell = isFilled(raw) || !isFilled(text) ? checked : { ...checked, raw: text, isDerived: true as const };
  if (!column.isExtra || !cell.error) return cell;
  const { error, ...rest } = cell;
  return { ...rest, value: null, warning: `${error}；这一项未导入` };
}

/** At least this many numbers, and this share of them, have one length before a shorter one is remarked. */
const FEWEST_NUMBERS = 5;
const USUAL_SHARE = 0.8;

/** The length that most numbers of a column have; 0 when there is none. */
function usualLength(codes: readonly string[]): number {
  const lengths = codes.filter((code) => /^\d+$/.test(code)).map((code) => code.length);
  if (lengths.length < FEWEST_NUMBERS) return 0;
  const usual = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)]!;
  return lengths.filter((length) => length === usual).length >= lengths.length * USUAL_SHARE ? usual : 0;
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
    const usual = usualLength(codes);
    cells.forEach((cell, index) => {
      const code = codes[index]!;
      if (/^\d+$/.test(code) && code.length < usual) cell.warning ??= `只有 ${code.length} 位，同列多为 ${usual} 位，请核对`;
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
