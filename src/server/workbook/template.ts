import type { Cell } from '#contract/workbook/cell.ts';
import type { TableColumn } from '#contract/workbook/checkRows.ts';
import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { explainColumn } from '#contract/workbook/column.ts';
import type { ExportSheet } from './write.ts';

/** The empty sheet to fill in (text cells, drop-down lists) and beside it a sheet that explains each column. */
export function templateOf(sheet: WorksheetSchema): ExportSheet[] {
  const heads = sheet.columns.map((column) => ({
    head: column.required ? `${column.head}*` : column.head,
    ...(column.choices
      ? { choices: column.choices.map((choice) => choice.label) }
      : column.kind === 'yesno'
        ? { choices: ['是', '否'] }
        : {}),
  }));
  const rows = sheet.columns.map((column) => [column.head, explainColumn(column), column.example ?? '']);
  return [
    { name: sheet.name, heads, rows: [] },
    { name: '填写说明', heads: ['列名', '要求', '示例'], widths: [16, 70, 20], rows },
  ];
}

/** What of a check the receipt needs; any `Checked` has it. */
interface Found {
  headrow: number;
  columns: readonly TableColumn[];
  rows: readonly { row: number; ok: boolean; cells: Readonly<Record<string, Cell>> }[];
}

/**
 * 错误回执: the user's own sheet, row for row where it was, with the wrong cells red and a last column saying why.
 * @param rows what was read from the file, @param checked what `checkRows` found in it
 */
export function receiptOf(rows: readonly (readonly string[])[], checked: Found): ExportSheet {
  const heads = rows[checked.headrow - 1] ?? [];
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const missing = checked.columns.filter((column) => column.state === 'missing').map((column) => `缺少必填列“${column.head}”`);
  const at = new Map(checked.columns.filter((column) => column.state === 'matched').map((column) => [column.key, column.index!]));
  const names = new Map(checked.columns.map((column) => [column.key, column.head]));
  const absent = new Set(checked.columns.filter((column) => column.state === 'absent').map((column) => column.key));
  return {
    name: '错误回执',
    heads: Array.from({ length: width }, (_, i) => heads[i] ?? ''),
    rows: rows.slice(checked.headrow),
    note: rows.slice(0, checked.headrow - 1).map((row) => row.filter(Boolean).join(' ')),
    redCells: checked.rows.flatMap((row) => {
      const place = row.row - checked.headrow - 1;
      const cells = Object.entries(row.cells).flatMap(([key, cell]) => {
        // What is wrong with a column the file does not have is only said in words.
        const column = at.get(key) ?? (absent.has(key) ? -1 : undefined);
        return cell.error && column !== undefined
          ? [{ row: place, column, message: `“${names.get(key) ?? key}”${cell.error}` }]
          : [];
      });
      return row.ok ? [] : [...cells, ...missing.map((message) => ({ row: place, column: -1, message }))];
    }),
  };
}
