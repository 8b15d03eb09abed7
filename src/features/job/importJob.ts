import { gunzipSync, gzipSync } from 'node:zlib';
import { addDays, shanghaiTime } from '#domain/calendar.ts';
import type { Checked } from '#contract/checkRows.ts';
import { headsOf, type Sheet } from '#contract/column.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import type { EarlierImport, ImportRemark } from '#contract/importJob.ts';
import { checkStaged, importLimit, importSheets, type ImportKind, type Staged } from '#contract/importSheet.ts';
import { problems } from '#contract/problem.ts';
import type { Ctx } from '#server/handle.ts';
import { newKey } from '#server/storage.ts';
import { readSheet } from '#server/sheet/read.ts';
import { SheetRefused } from '#server/sheet/refused.ts';
import { receiptOf } from '#server/sheet/template.ts';
import { writeSheet } from '#server/sheet/write.ts';
import type { Vault } from '#server/vault.ts';
import { importKindOf, type ImportRequest, type JobRow } from '#features/job/importJob.queries.ts';

/** An import can be taken back for a day, gone on with or looked at for a week; the link to its marked sheet lives an hour. */
export const undoDays = 1;
const keptDays = 7;
const receiptMinutes = 60;

/** Rows of people and what undoes an import lie sealed in the job, packed because they are long. */
export const sealed = (vault: Vault, musercode: string, value: unknown): string =>
  vault.seal(musercode, 'job.body', gzipSync(JSON.stringify(value)).toString('base64'));
export const opened = <T>(vault: Vault, musercode: string, text: string): T =>
  JSON.parse(gunzipSync(Buffer.from(vault.open(musercode, 'job.body', text), 'base64')).toString('utf8')) as T;

/** Reads an uploaded sheet into a table; refuses what is no such list in words. */
export async function tableOf(kind: ImportKind, upload: Upload | undefined, today: string): Promise<Staged> {
  if (!upload) throw problems.missing({ title: '文件' }, { field: 'file' });
  const rows = await readSheet(upload.content, upload.filename).then(
    (read) => read.rows,
    (error: unknown) => {
      throw error instanceof SheetRefused ? problems.fileRefused({ why: error.message }) : error;
    },
  );
  const checked = checkStaged(kind, { rows, mapping: [] }, today);
  const heads = headsOf(importSheets[kind] as Sheet);
  if (!checked.columns.some((one) => one.state === 'matched'))
    throw problems.wrongTemplate({
      why: `没有找到可以识别的列，请确认第一张工作表的表头包含：${heads.slice(0, 4).join('、')} 等，或下载模板填写`,
    });
  if (checked.rows.length > importLimit)
    throw problems.fileRefused({ why: `一次最多导入 ${importLimit} 行，本文件有 ${checked.rows.length} 行，请分成几个文件` });
  return { rows, mapping: [] };
}

/** The rows of an import that is still kept. */
export const bodyOf = (vault: Vault, job: Pick<JobRow, 'musercode' | 'request'>): Staged => {
  const { body } = job.request as ImportRequest;
  if (!body) throw problems.wrongState({ why: '导入内容已超过保存期限，请重新上传文件' });
  return opened<Staged>(vault, job.musercode, body);
};

/** A staged table with what the sheet shows and what the database says of it. */
export interface Found {
  checked: Checked<Sheet>;
  remarks: readonly ImportRemark[];
}

/** Everything that keeps rows out, by row: what the sheet shows and what the database says. */
export function errorsOf(kind: ImportKind, { checked, remarks }: Found) {
  const heads = new Map<string, string>((importSheets[kind] as Sheet).columns.map((one) => [one.key, one.head]));
  const said = remarks
    .filter((one) => one.kind === 'error')
    .map((one) => ({
      row: one.row,
      field: heads.get(one.key) ?? one.key,
      message: `第 ${one.row} 行“${heads.get(one.key) ?? one.key}”${one.message}`,
    }));
  return [...checked.errors, ...said].sort((a, b) => a.row - b.row);
}

/** The check with the database's remarks put at their cells, for the marked sheet. */
function marked({ checked, remarks }: Found): Checked<Sheet> {
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
export const receipt = ({ filename }: ImportRequest, staged: Staged, found: Found) => ({
  filename: `错误回执_${filename.replace(/\.\w+$/, '')}.xlsx`,
  mime: xlsxMime,
  body: writeSheet(receiptOf(staged.rows, marked(found))),
});
/** Puts the marked sheet where a browser fetches it without a session, for an hour; the sweeper removes it within two days. */
export async function keepReceipt(
  { storage, now }: Pick<Ctx, 'storage' | 'now'>,
  request: ImportRequest,
  staged: Staged,
  found: Found,
): Promise<string> {
  const { filename, mime, body } = receipt(request, staged, found);
  const key = newKey('export');
  await storage.put(key, body);
  return storage.signedUrl({ key, filename, mime }, new Date(now.getTime() + receiptMinutes * 60_000));
}

type Listed = Pick<JobRow, 'jobid' | 'kind' | 'createtime' | 'undonetime' | 'status' | 'total' | 'progress' | 'undountil'>;
/** A line of 最近的导入. */
export const earlier = <K extends ImportKind>(job: Listed & { filename: string }): EarlierImport & { kind: K } => ({
  importid: job.jobid,
  kind: importKindOf(job.kind) as K,
  filename: job.filename,
  createtime: shanghaiTime(job.createtime),
  state: job.undonetime ? 'undone' : job.status === 2 ? 'done' : 'staged',
  total: job.total,
  success: job.progress,
  undountil: job.undountil ? shanghaiTime(job.undountil) : '',
});

/** Since when imports are kept. */
export const keptSince = (now: Date): Date => addDays(now, -keptDays);

/** Refuses to take back what was not imported, is taken back already or is older than a day. */
export function undoable(job: Pick<JobRow, 'status' | 'undonetime' | 'undountil'>, undo: string | undefined, now: Date): string {
  if (job.status !== 2 || !undo) throw problems.wrongState({ why: '该名单还没有导入，或已超过可撤销的期限' });
  if (job.undonetime) throw problems.wrongState({ why: '该次导入已经撤销' });
  if (!job.undountil || job.undountil < now) throw problems.wrongState({ why: '导入已超过 24 小时，不能撤销' });
  return undo;
}
