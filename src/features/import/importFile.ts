import type { CheckedTable } from '#contract/workbook/checkRows.ts';
import { headsOf, type WorksheetSchema } from '#contract/workbook/column.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import type { Effect, ImportRemark, ImportVerdict } from '#contract/workbook/importJob.ts';
import {
  validateTable,
  importLimit,
  importWorksheets,
  type ImportKind,
  type ParsedTable,
} from '#contract/workbook/importSheet.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { newKey } from '#server/storage/storage.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { WorkbookRefused } from '#server/workbook/refused.ts';
import { receiptOf, templateOf } from '#server/workbook/template.ts';
import { writeWorkbook, writeWorksheet } from '#server/workbook/write.ts';
import type { ImportRequest } from '#features/import/import.queries.ts';

/** How long the link to the marked sheet of an import works. */
const receiptMinutes = 60;

/** Reads an uploaded sheet into a table. Refuses files that are not such a list and says why. */
export async function readUpload(kind: ImportKind, upload: Upload | undefined, today: string): Promise<ParsedTable> {
  if (!upload) throw problems.missing({ title: '文件' }, { field: 'file' });
  const rows = await readWorkbook(upload.content, upload.filename).then(
    (read) => read.rows,
    (error: unknown) => {
      throw error instanceof WorkbookRefused ? problems.fileRefused({ why: error.message }) : error;
    },
  );
  const checked = validateTable(kind, { rows, mapping: [] }, today);
  const heads = headsOf(importWorksheets[kind] as WorksheetSchema);
  if (!checked.columns.some((column) => column.state === 'matched'))
    throw problems.wrongTemplate({
      why: `没有找到可以识别的列，请确认第一张工作表的表头包含：${heads.slice(0, 4).join('、')} 等，或下载模板填写`,
    });
  if (checked.rows.length > importLimit)
    throw problems.fileRefused({ why: `一次最多导入 ${importLimit} 行，本文件有 ${checked.rows.length} 行，请分成几个文件` });
  return { rows, mapping: [] };
}

/** A staged table after both checks: of the sheet alone, and against the database. */
export interface Inspection {
  checked: CheckedTable<WorksheetSchema>;
  remarks: readonly ImportRemark[];
  /** what importing does to each row without errors */
  effects: ReadonlyMap<number, Effect>;
}

/** The database's part of an inspection, on the wire. */
export const importVerdict = ({ remarks, effects }: Inspection): ImportVerdict => ({
  remarks: [...remarks],
  effects: Object.fromEntries([...effects].map(([row, effect]) => [String(row), effect])),
});

/** The empty sheet of a kind, with its explanations. */
export function importTemplate(kind: ImportKind) {
  const sheet = importWorksheets[kind] as WorksheetSchema;
  return { filename: `${sheet.name}模板.xlsx`, mime: xlsxMime, body: writeWorkbook({ sheets: templateOf(sheet) }) };
}

/** The errors of the rows, in their order: of the sheet alone and of the database. */
export function errorsOf(kind: ImportKind, { checked, remarks }: Pick<Inspection, 'checked' | 'remarks'>) {
  const heads = new Map<string, string>(
    (importWorksheets[kind] as WorksheetSchema).columns.map((column) => [column.key, column.head]),
  );
  const said = remarks
    .filter((remark) => remark.kind === 'error')
    .map((remark) => ({
      row: remark.row,
      field: heads.get(remark.key) ?? remark.key,
      message: `第 ${remark.row} 行“${heads.get(remark.key) ?? remark.key}”${remark.message}`,
    }));
  return [...checked.errors, ...said].sort((a, b) => a.row - b.row);
}

/** The check with the database's remarks put at their cells, for the marked sheet. */
function marked({ checked, remarks }: Pick<Inspection, 'checked' | 'remarks'>): CheckedTable<WorksheetSchema> {
  const rows = new Map(checked.rows.map((row) => [row.row, row]));
  for (const { row, key, kind, message } of remarks) {
    const at = rows.get(row);
    const cell = at?.cells[key];
    if (!at || !cell || kind !== 'error') continue;
    cell.error = cell.error ? `${cell.error}；${message}` : message;
    at.ok = false;
  }
  return checked;
}

/** 错误回执: the sheet as it was sent, with what is wrong at its cells. */
export const receipt = (
  { filename }: ImportRequest,
  staged: ParsedTable,
  inspection: Pick<Inspection, 'checked' | 'remarks'>,
) => ({
  filename: `错误回执_${filename.replace(/\.\w+$/, '')}.xlsx`,
  mime: xlsxMime,
  body: writeWorksheet(receiptOf(staged.rows, marked(inspection))),
});
/** Puts the marked sheet where a browser fetches it without a session, for an hour; the sweeper removes it within two days. */
export async function keepReceipt(
  { storage, now }: Pick<Context, 'storage' | 'now'>,
  request: ImportRequest,
  staged: ParsedTable,
  inspection: Inspection,
): Promise<string> {
  const { filename, mime, body } = receipt(request, staged, inspection);
  const key = newKey('export');
  await storage.put(key, body);
  return storage.signedUrl({ key, filename, mime }, new Date(now.getTime() + receiptMinutes * 60_000));
}
