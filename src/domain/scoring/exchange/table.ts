import { toPlain } from '#domain/scoring/exchange/cell.ts';
import { HEADS, HEAD_WORDS, type Sheet, type SheetFault, type SheetName } from '#domain/scoring/exchange/sheets.ts';

/** One row of a worksheet, read by heads. It collects its faults. */
export interface Row {
  sheet: string;
  /** as Excel counts */
  row: number;
  /** the text of a cell without blanks around it; '' for an empty one */
  text: (head: string) => string;
  /** the JSON of 其他 */
  other: Readonly<Record<string, unknown>>;
  fault: (head: string, message: string, kind?: SheetFault['kind']) => void;
}

const IGNORED_HEADS = new Set(['错误说明', '错误', '']);
const toHead = (text: string): string => toPlain(text).replace(/[*\s]/g, '');

/** Finds a worksheet by name. */
export const findSheet = (sheets: readonly Sheet[], name: SheetName): Sheet | undefined =>
  sheets.find((sheet) => toPlain(sheet.name) === name);

/** The places of the known heads, and the heads that nothing reads. */
export function matchHeads(name: SheetName, cells: readonly string[]): { places: Map<string, number>; unknown: string[] } {
  const known = new Set(HEADS[name].map(toHead));
  const places = new Map<string, number>();
  const unknown: string[] = [];
  const heads = cells.map(toHead);
  heads.forEach((head, index) => known.has(head) && !places.has(head) && places.set(head, index));
  heads.forEach((head, index) => {
    const other = HEAD_WORDS[head];
    if (known.has(head) || IGNORED_HEADS.has(head)) return;
    if (other && known.has(other) && !places.has(other)) places.set(other, index);
    else unknown.push(head);
  });
  return { places, unknown };
}

function parseOther(text: string, fault: (message: string) => void): Record<string, unknown> {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The fault below names the cell.
  }
  fault('“其他”写得不完整，例如 {"min":0,"max":100}；不需要时请留空');
  return {};
}

/** The rows of a worksheet that have any text. A missing column or an unknown head is a finding. */
export function openTable(sheet: Sheet, name: SheetName, faults: SheetFault[]): Row[] {
  const [heads = [], ...lines] = sheet.rows;
  const { places, unknown } = matchHeads(name, heads);
  for (const head of HEADS[name])
    if (head.endsWith('*') && !places.has(toHead(head)))
      faults.push({ kind: 'error', sheet: name, row: 1, column: '', message: `缺少“${toHead(head)}”列` });
  if (unknown.length)
    faults.push({
      kind: 'notice',
      sheet: name,
      row: 1,
      column: '',
      message: `没有读取这些列：${unknown.slice(0, 8).join('、')}`,
    });
  return lines.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const row = index + 2;
    const text = (head: string): string => (cells[places.get(head) ?? -1] ?? '').trim();
    const fault: Row['fault'] = (column, message, kind = 'error') =>
      faults.push({ kind, sheet: name, row, column, message: message.slice(0, 120) });
    return [{ sheet: name, row, text, other: parseOther(text('其他'), (message) => fault('其他', message)), fault }];
  });
}

/**
 * The value of a field: what its cell says, else the value under `key` in 其他 (null: the field is absent), else `blank`.
 * `read` gives undefined for a cell that it does not understand.
 */
export function fieldOf<Value>(
  row: Row,
  head: string,
  key: string,
  read: (text: string) => Value | undefined,
  hint: string,
  blank?: Value,
): Value | undefined {
  const text = row.text(head);
  if (text === '') {
    if (!(key in row.other)) return blank;
    return row.other[key] === null ? undefined : (row.other[key] as Value);
  }
  const value = read(text);
  if (value === undefined) row.fault(head, `看不懂“${text.slice(0, 20)}”，${hint}`);
  return value;
}

/** The keys of 其他 that no column of the sheet reads. */
export const restOf = (row: Row, columns: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row.other).filter(([key, value]) => !columns.includes(key) && value !== null));

/** The object without its absent fields. */
export const withoutAbsent = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
