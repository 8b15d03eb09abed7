import { checkRows, type CheckedTable } from '#contract/workbook/checkRows.ts';
import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { headsOf } from '#contract/workbook/column.ts';
import { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import { staffWorksheet } from '#contract/workbook/staff.columns.ts';
import { studentWorksheet } from '#contract/workbook/student.columns.ts';

/**
 * What the import dialog and the server share: the sheets that can be imported, how an edit in the grid changes the table that
 * was read, and how it is checked. Both sides run the same functions, so the grid shows what the server will say.
 */
export const importWorksheets = { roster: rosterWorksheet, students: studentWorksheet, staff: staffWorksheet } as const;
export type ImportKind = keyof typeof importWorksheets;
/** Most rows of one import. */
export const importLimit = 5000;

/** `mapping[at]`: a key, null for "do not read", '' for what the head says. */
export type Mapping = readonly (string | null)[];
export interface Edit {
  /** The row number the user sees. */
  row: number;
  key: string;
  value: string;
}
export interface ParsedTable {
  rows: readonly (readonly string[])[];
  mapping: Mapping;
}

/** Checks a staged table as the server will. `today` is `YYYY-MM-DD` in Asia/Shanghai. */
export const validateTable = (kind: ImportKind, { rows, mapping }: ParsedTable, today: string): CheckedTable<WorksheetSchema> =>
  checkRows(
    importWorksheets[kind] as WorksheetSchema,
    { rows },
    { today, mapping: mapping.map((item) => (item === '' ? undefined : item)) },
  );

/**
 * The table after edits. A value for a column the file lacks adds the column at its end; a removed row becomes blank, so that
 * row numbers stay those of the file.
 */
export function applyEdits(
  kind: ImportKind,
  staged: ParsedTable,
  edits: readonly Edit[],
  removed: readonly number[] = [],
): ParsedTable {
  if (edits.length === 0 && removed.length === 0) return staged;
  const sheet = importWorksheets[kind] as WorksheetSchema;
  const rows = staged.rows.slice();
  const mapping = staged.mapping.slice();
  const { columns, headrow } = validateTable(kind, { rows: rows.slice(0, HEAD_SEARCH_ROWS), mapping }, '2000-01-01');
  const indexByKey = new Map(
    columns.filter((column) => column.state === 'matched').map((column) => [column.key, column.index as number]),
  );
  let width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const setCell = (row: number, column: number, text: string) => {
    const cells = (rows[row - 1] ?? []).slice();
    while (cells.length <= column) cells.push('');
    cells[column] = text;
    rows[row - 1] = cells;
  };
  for (const { row, key, value } of edits) {
    const position = sheet.columns.findIndex((candidate) => candidate.key === key);
    if (position < 0 || row <= headrow || row > rows.length) continue;
    let column = indexByKey.get(key);
    if (column === undefined) {
      column = width++;
      indexByKey.set(key, column);
      setCell(headrow, column, headsOf(sheet)[position] as string);
    }
    setCell(row, column, value);
  }
  for (const row of removed) if (row > headrow && row <= rows.length) rows[row - 1] = [];
  return { rows, mapping };
}

/** Enough rows to find the heads among. */
const HEAD_SEARCH_ROWS = 200;
