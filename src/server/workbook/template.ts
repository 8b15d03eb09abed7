import type { Cell, WorksheetSchema } from '#contract/workbook/column.ts';
import type { TableColumn } from '#contract/workbook/matchHeads.ts';
import { explainColumn, templateColumnsOf } from '#contract/workbook/column.ts';
import type { ExportSheet } from './write.ts';

/** Returns an empty worksheet to fill in, with text cells and drop-down lists, and a worksheet that explains each column. */
export function templateOf(sheet: WorksheetSchema): ExportSheet[] {
  const columns = templateColumnsOf(sheet);
  const heads = columns.map((column) => ({
    head: column.required ? `${column.head}*` : column.head,
    ...(column.choices
      ? { choices: column.choices.map((choice) => choice.label) }
      : column.kind === 'yesno'
        ? { choices: ['是', '否'] }
        : {}),
  }));
  const rows = columns.map((column) => [column.head, explainColumn(column), column.example ?? '']);
  return [
    { name: sheet.name, heads, rows: [] },
    { name: '填写说明', heads: ['列名', '要求', '示例'], widths: [16, 70, 20], rows },
  ];
}

/** The part of a check that the receipt needs; the result of `checkRows` has it. */
interface CheckResult {
  headrow: number;
  columns: readonly TableColumn[];
  rows: readonly { row: number; ok: boolean; cells: Readonly<Record<string, Cell>> }[];
}

/**
 * Returns the 错误回执: the user's worksheet with the same rows, the wrong cells red, and a last column with the errors.
 * @param rows the rows of the file
 * @param checked the result of `checkRows`
 */
export function receiptOf(rows: readonly (readonly string[])[], checked: CheckResult): ExportSheet {
  const heads = rows[checked.headrow - 1] ?? [];
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const missing = checked.columns.filter((column) => column.state === 'missing').map((column) => `缺少必填列“${column.head}”`);
  const positions = new Map(
    checked.columns.filter((column) => column.state === 'matched').map((column) => [column.key, column.index!]),
  );
  const names = new Map(checked.columns.map((column) => [column.key, column.head]));
  const absent = new Set(
    checked.columns.filter(({ state }) => state === 'absent' || state === 'derived').map((column) => column.key),
  );
  return {
    name: '错误回执',
    heads: Array.from({ length: width }, (_, i) => heads[i] ?? ''),
    rows: rows.slice(checked.headrow),
    note: rows.slice(0, checked.headrow - 1).map((row) => row.filter(Boolean).join(' ')),
    redCells: checked.rows.flatMap((row) => {
      const rowIndex = row.row - checked.headrow - 1;
      const cells = Object.entries(row.cells).flatMap(([key, cell]) => {
        // An error in a column that the file does not have appears in the last column only.
        const column = positions.get(key) ?? (absent.has(key) ? -1 : undefined);
        return cell.error && column !== undefined
          ? [{ row: rowIndex, column, message: `“${names.get(key) ?? key}”${cell.error}` }]
          : [];
      });
      return row.ok ? [] : [...cells, ...missing.map((message) => ({ row: rowIndex, column: -1, message }))];
    }),
  };
}
