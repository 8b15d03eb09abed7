import type { WorksheetSchema } from './column.ts';
import { headWithoutRemark, plainHead } from './column.ts';
import { qualifyHeads, whyUnused } from './unusedColumns.ts';

/**
 * The state of a column. The import reads `matched` columns. `ignored` has an unknown head or none, or only checks other cells.
 * `repeated` is a second column for the same key. `missing` is a required column that the file lacks, `absent` an optional one, and
 * `derived` one that follows from other columns.
 */
export type ColumnState = 'matched' | 'ignored' | 'repeated' | 'missing' | 'absent' | 'derived';

export interface TableColumn {
  /** The head in the file; the declared head for a column that the file lacks; `（第 7 列，无表头）` for data without a head. */
  head: string;
  key: string | null;
  state: ColumnState;
  /** Index of the column in the file, from 0; null when the file lacks it. */
  index: number | null;
  /** The check reads its cells: a matched column, or one that only checks others. */
  isRead?: boolean;
  /** Why the import does not take a column of the file. */
  why?: string;
}

const HEAD_SEARCHED = 10;

/** Whether a text has a visible character. */
export const isFilled = (text: string): boolean => /[^\s\u00a0\u3000\u200b-\u200f\u2060\ufeff]/.test(text);

/** The index of the head row: of the first ten filled rows, the one that names most columns; else the first filled row. */
export function findHeads(sheet: WorksheetSchema, rows: readonly (readonly string[])[]): number {
  let best = Math.max(
    0,
    rows.findIndex((row) => row.some(isFilled)),
  );
  let most = 0;
  rows.slice(0, best + HEAD_SEARCHED).forEach((row, index) => {
    const matchCount = new Set(row.map((head) => findKeyOfHead(sheet, head)).filter((key) => key !== null)).size;
    if (matchCount > most) [best, most] = [index, matchCount];
  });
  return best;
}

/** The key of a head and its rank, or null. Declared heads rank first, then aliases in their order; a remark in brackets counts less. */
function matchHead(sheet: WorksheetSchema, head: string): { key: string; rank: number } | null {
  for (const form of [plainHead(head), headWithoutRemark(head)]) {
    if (form === '') continue;
    const declared = sheet.columns.find((column) => plainHead(column.head) === form);
    if (declared) return { key: declared.key, rank: -1 };
    for (const column of sheet.columns) {
      const rank = column.aliases?.findIndex((alias) => plainHead(alias) === form) ?? -1;
      if (rank >= 0) return { key: column.key, rank };
    }
  }
  return null;
}
/** The key of the column that a head names, or null. */
export const findKeyOfHead = (sheet: WorksheetSchema, head: string): string | null => matchHead(sheet, head)?.key ?? null;

/** The columns of a file with their meanings, then the declared columns that the file lacks. `mapping` is the user's choice by index. */
export function matchHeads(
  sheet: WorksheetSchema,
  rows: readonly (readonly string[])[],
  headIndex: number,
  mapping: readonly (string | null | undefined)[] | undefined,
): TableColumn[] {
  const heads = rows[headIndex] ?? [];
  const qualified = qualifyHeads(heads);
  const body = rows.slice(headIndex + 1);
  const width = rows.slice(headIndex).reduce((most, row) => Math.max(most, row.length), 0);
  const columns: TableColumn[] = [];
  for (let index = 0; index < width; index++) {
    const head = (heads[index] ?? '').replace(/[\s\u3000]+/g, ' ').trim();
    const chosen = mapping?.[index];
    const key = chosen === undefined ? findKeyOfHead(sheet, qualified[index] ?? '') : chosen;
    if (isFilled(head) || key !== null) columns.push({ head, key, state: key === null ? 'ignored' : 'matched', index });
    else if (body.some((row) => isFilled(row[index] ?? '')))
      columns.push({ head: `（第 ${index + 1} 列，无表头）`, key: null, state: 'ignored', index });
  }
  for (const { key } of sheet.columns) {
    const same = columns.filter((column) => column.key === key);
    if (same.length < 2) continue;
    const counts = new Map(same.map((column) => [column, body.filter((row) => isFilled(row[column.index!] ?? '')).length]));
    const most = Math.max(...counts.values());
    const rankOf = (column: TableColumn) => matchHead(sheet, qualified[column.index!] ?? '')?.rank ?? Infinity;
    // A register has many heads whose cells are empty: a column counts when it is at least half as full as the fullest.
    const matchedColumn =
      same.find((column) => mapping?.[column.index!] === key) ??
      same.filter((column) => counts.get(column)! * 2 >= most).sort((a, b) => rankOf(a) - rankOf(b))[0];
    for (const column of same) if (column !== matchedColumn) column.state = 'repeated';
  }
  for (const column of columns) {
    const declared = sheet.columns.find(({ key }) => key === column.key);
    if (column.state === 'matched') column.isRead = true;
    if (column.state === 'matched' && declared?.isCheckOnly) column.state = 'ignored';
    if (column.state === 'ignored' || column.state === 'repeated')
      column.why =
        column.state === 'repeated' ? `与前面的列重复，或已取了更合适的一列` : whyUnused(qualified[column.index!] ?? '');
  }
  for (const item of sheet.columns)
    if (!columns.some((column) => column.key === item.key))
      columns.push({ head: item.head, key: item.key, state: item.required ? 'missing' : 'absent', index: null });
  return columns;
}
