import { checkRows, type CheckedTable } from '#contract/workbook/checkRows.ts';
import type { Column, WorksheetSchema } from '#contract/workbook/column.ts';
import { headOf } from '#contract/workbook/column.ts';
import { adultWorksheet } from '#contract/workbook/adult.columns.ts';
import { withOwnColumns, type OwnColumn } from '#contract/workbook/own/own.columns.ts';
import { maternityWorksheet } from '#contract/workbook/maternity.columns.ts';
import { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import { staffWorksheet } from '#contract/workbook/staff.columns.ts';
import { studentWorksheet } from '#contract/workbook/student.columns.ts';

/**
 * The shared code of the import dialog and the server: the import sheets, the edits of the grid, and the check of the table.
 * Both sides run the same functions, so the grid shows the same errors as the server.
 */
export const importWorksheets = {
  roster: rosterWorksheet,
  students: studentWorksheet,
  maternity: maternityWorksheet,
  adults: adultWorksheet,
  staff: staffWorksheet,
} as const;
export type ImportKind = keyof typeof importWorksheets;
/** The sheet of a kind, with the institution's own columns. */
export const worksheetOf = (kind: ImportKind, own: readonly OwnColumn[] = []): WorksheetSchema =>
  withOwnColumns(importWorksheets[kind] as WorksheetSchema, own);
/** The most rows of one import. */
export const importLimit = 5000;

/** The choice for each column, by index: a key, null for "do not read", '' for the key of the head. */
export type Mapping = readonly (string | null)[];
export interface Edit {
  /** The row number in the spreadsheet. */
  row: number;
  key: string;
  value: string;
}
export interface ParsedTable {
  rows: readonly (readonly string[])[];
  mapping: Mapping;
  /** what the reader of the file says about it, for example which worksheets were joined */
  notes?: readonly string[] | undefined;
  /** texts by key for empty cells; an import from inside a team knows the team */
  defaults?: Readonly<Record<string, string>> | undefined;
  /** columns of the institution's own archive fields */
  own?: readonly OwnColumn[] | undefined;
}

/** The result of checking a staged table. `today` is `YYYY-MM-DD` in Asia/Shanghai. */
export const validateTable = (
  kind: ImportKind,
  { rows, mapping, defaults, own }: ParsedTable,
  today: string,
): CheckedTable<WorksheetSchema> =>
  checkRows(
    worksheetOf(kind, own),
    { rows },
    { today, mapping: mapping.map((item) => (item === '' ? undefined : item)), defaults },
  );

/**
 * The table after edits. A value for a missing column adds that column at the end. A removed row becomes blank, so that
 * the row numbers stay the same as in the file.
 */
export function applyEdits(
  kind: ImportKind,
  staged: ParsedTable,
  edits: readonly Edit[],
  removed: readonly number[] = [],
): ParsedTable {
  if (edits.length === 0 && removed.length === 0) return staged;
  const sheet = worksheetOf(kind, staged.own);
  const rows = staged.rows.slice();
  const mapping = staged.mapping.slice();
  const { columns, headrow } = validateTable(
    kind,
    { rows: rows.slice(0, HEAD_SEARCH_ROWS), mapping, own: staged.own },
    '2000-01-01',
  );
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
      setCell(headrow, column, headOf(sheet.columns[position] as Column));
    }
    setCell(row, column, value);
  }
  for (const row of removed) if (row > headrow && row <= rows.length) rows[row - 1] = [];
  return { ...staged, rows, mapping };
}

/** The number of rows that the search for the heads needs. */
const HEAD_SEARCH_ROWS = 200;
