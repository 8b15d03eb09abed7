import type { CheckedTable } from '#contract/workbook/checkRows.ts';
import { headsOf, type WorksheetSchema } from '#contract/workbook/column.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import type { Effect, ImportRemark, ImportVerdict } from '#contract/workbook/importJob.ts';
import { validateTable, importLimit, worksheetOf, type ImportKind, type ParsedTable } from '#contract/workbook/importSheet.ts';
import type { OwnColumn } from '#contract/workbook/own/own.columns.ts';
import { withoutSensitive } from '#contract/workbook/unusedColumns.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { newKey } from '#server/storage/storage.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { WorkbookRefused } from '#server/workbook/refused.ts';
import { receiptOf, templateOf } from '#server/workbook/template.ts';
import { writeWorkbook, writeWorksheet } from '#server/workbook/write.ts';
import { joinSheets } from '#features/import/joinSheets.ts';
import type { ImportRequest } from '#features/import/import.queries.ts';

/** The link to the error receipt of an import is valid for this long. */
const RECEIPT_MINUTES = 60;

/** Returns the table of an uploaded worksheet. Refuses files of another kind with the reason. */
export async function readUpload(
  kind: ImportKind,
  upload: Upload | undefined,
  today: string,
  { defaults, own }: Pick<ParsedTable, 'defaults' | 'own'> = {},
): Promise<ParsedTable> {
  if (!upload) throw problems.missing({ title: '文件' }, { field: 'file' });
  const workbook = await readWorkbook(upload.content, upload.filename).catch((error: unknown) => {
    throw error instanceof WorkbookRefused ? problems.fileRefused({ why: error.message }) : error;
  });
  const schema = worksheetOf(kind, own);
  const { rows, notes } = joinSheets(schema, [workbook, ...(workbook.others ?? [])]);
  const table: ParsedTable = { rows, mapping: [], notes, defaults, own };
  const checked = validateTable(kind, table, today);
  const heads = headsOf(schema);
  if (!checked.columns.some((column) => column.state === 'matched'))
    throw problems.wrongTemplate({
      why: `没有找到可以识别的列，请确认第一张工作表的表头包含：${heads.slice(0, 4).join('、')} 等，或下载模板填写`,
    });
  if (checked.rows.length > importLimit)
    throw problems.fileRefused({ why: `一次最多导入 ${importLimit} 行，本文件有 ${checked.rows.length} 行，请分成几个文件` });
  return { ...table, rows: removeSensitive(rows, checked) };
}

/** Removes what the import does not take of a child: it is not even stored. */
function removeSensitive(rows: readonly string[][], { columns, headrow }: CheckedTable<WorksheetSchema>): string[][] {
  const unused = columns.filter((column) => column.index !== null && column.state === 'ignored');
  return rows.map((row, index) => {
    if (index < headrow) return row;
    const cells = [...row];
    for (const { head, index: place } of unused)
      if (cells[place!]) cells[place!] = withoutSensitive(head, cells[place!] as string);
    return cells;
  });
}

/** A staged table after both checks: of the worksheet alone, and against the database. */
export interface Inspection {
  checked: CheckedTable<WorksheetSchema>;
  remarks: readonly ImportRemark[];
  /** the effect of the import for each row without errors */
  effects: ReadonlyMap<number, Effect>;
  /** columns of the institution's own archive fields */
  own?: readonly OwnColumn[] | undefined;
}

/** Returns the result of the check against the database, in the form of the wire. */
export const importVerdict = ({ remarks, effects }: Inspection): ImportVerdict => ({
  remarks: [...remarks],
  effects: Object.fromEntries([...effects].map(([row, effect]) => [String(row), effect])),
});

/** Returns the empty worksheet of a kind with the institution's own columns, and its explanations. */
export function importTemplate(kind: ImportKind, own: readonly OwnColumn[] = []) {
  const sheet = worksheetOf(kind, own);
  return { filename: `${sheet.name}模板.xlsx`, mime: xlsxMime, body: writeWorkbook({ sheets: templateOf(sheet) }) };
}

/** Returns the errors of both checks in the order of the rows. */
export function errorsOf(kind: ImportKind, { checked, remarks, own }: Pick<Inspection, 'checked' | 'remarks' | 'own'>) {
  const heads = new Map<string, string>(worksheetOf(kind, own).columns.map((column) => [column.key, column.head]));
  const databaseErrors = remarks
    .filter((remark) => remark.kind === 'error')
    .map((remark) => ({
      row: remark.row,
      field: heads.get(remark.key) ?? remark.key,
      message: `第 ${remark.row} 行“${heads.get(remark.key) ?? remark.key}”${remark.message}`,
    }));
  return [...checked.errors, ...databaseErrors].sort((a, b) => a.row - b.row);
}

/** Adds the errors of the database check to their cells, for the error receipt. */
function markErrors({ checked, remarks }: Pick<Inspection, 'checked' | 'remarks'>): CheckedTable<WorksheetSchema> {
  const rows = new Map(checked.rows.map((row) => [row.row, row]));
  for (const { row, key, kind, message } of remarks) {
    const checkedRow = rows.get(row);
    const cell = checkedRow?.cells[key];
    if (!checkedRow || !cell || kind !== 'error') continue;
    cell.error = cell.error ? `${cell.error}；${message}` : message;
    checkedRow.ok = false;
  }
  return checked;
}

/** 错误回执: returns the uploaded worksheet with the errors at their cells. */
export const buildReceipt = (
  { filename }: ImportRequest,
  staged: ParsedTable,
  inspection: Pick<Inspection, 'checked' | 'remarks'>,
) => ({
  filename: `错误回执_${filename.replace(/\.\w+$/, '')}.xlsx`,
  mime: xlsxMime,
  body: writeWorksheet(receiptOf(staged.rows, markErrors(inspection))),
});

/** Stores the error receipt and returns a link that works without a session for an hour. The cleanup removes it within two days. */
export async function storeReceipt(
  { storage, now }: Pick<Context, 'storage' | 'now'>,
  request: ImportRequest,
  staged: ParsedTable,
  inspection: Inspection,
): Promise<string> {
  const { filename, mime, body } = buildReceipt(request, staged, inspection);
  const key = newKey('export');
  await storage.put(key, body);
  return storage.signedUrl({ key, filename, mime }, new Date(now.getTime() + RECEIPT_MINUTES * 60_000));
}
