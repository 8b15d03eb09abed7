import { buffer } from 'node:stream/consumers';
import type { Sheet } from '#domain/scoring/exchange/sheets.ts';
import { MESSAGE_HEAD, writeWorkbook, type ExportSheet } from '#server/workbook/write.ts';
import type { ImportFault } from '#features/scaleexchange/scaleexchange.contract.ts';

/** The sheet that lists all faults; the import does not read it. */
const LIST = '错误';
const toHead = (text: string): string => text.normalize('NFKC').replace(/[*\s]/g, '');

/** A worksheet without the column of an earlier check. */
function withoutMessages({ name, rows }: Sheet): Sheet {
  const at = (rows[0] ?? []).findIndex((head) => toHead(head) === MESSAGE_HEAD);
  return at < 0 ? { name, rows } : { name, rows: rows.map((cells) => cells.filter((_, index) => index !== at)) };
}

/** The author's workbook: wrong cells red with their reasons in a last column, and one sheet with all faults. */
export async function faultBook(sheets: readonly Sheet[], faults: readonly ImportFault[]): Promise<Uint8Array> {
  const marked = sheets
    .filter(({ name }) => name !== LIST)
    .map(withoutMessages)
    .map(({ name, rows }): ExportSheet => {
      const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
      const heads = Array.from({ length: width }, (_, index) => rows[0]?.[index] ?? '');
      const own = faults.filter(({ sheet, row }) => sheet === name && row > 1);
      return {
        name,
        heads,
        rows: rows.slice(1),
        ...(own.length > 0
          ? {
              redCells: own.map(({ row, column, message }) => ({
                row: row - 2,
                column: heads.findIndex((head) => toHead(head) === column),
                message: column ? `${column}：${message}` : message,
              })),
            }
          : {}),
      };
    });
  const list: ExportSheet = {
    name: LIST,
    heads: ['工作表', '行', '列', '说明'],
    widths: [14, 8, 14, 80],
    rows: faults.map(({ sheet, row, column, message }) => [sheet, row > 0 ? String(row) : '', column, message]),
  };
  return new Uint8Array(await buffer(writeWorkbook({ sheets: [...marked, list] })));
}
