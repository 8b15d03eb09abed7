import { gunzipSync, gzipSync } from 'node:zlib';
import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { EarlierImport, ImportCounts, StagedImport } from '#contract/workbook/importJob.ts';
import { applyEdits, type Edit, type ImportKind, type Mapping, type ParsedTable } from '#contract/workbook/importSheet.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import * as queries from '#features/import/import.queries.ts';
import { importKindOf, type ImportRequest, type JobRow } from '#features/import/import.queries.ts';
import { errorsOf, keepReceipt, readUpload, type Inspection } from '#features/import/importFile.ts';

/**
 * The parts of an import that do not depend on what it brings. The handlers of each import call them one after the other: stage the
 * upload, inspect it, save edits, finish, undo. The rows, and what undoing needs, are stored encrypted in the job; passwords are never
 * stored.
 */

type Call = Context<'staff'>;
/** What reading an import takes. */
type ReadCall = Pick<Call, 'scope' | 'caller' | 'cipher' | 'now'>;

/** An import can be undone for a day, and opened for a week. */
const undoDays = 1;
const openDays = 7;
const openSince = (now: Date): Date => addDays(now, -openDays);

/** An import as it is stored. `Request` is what its kind keeps. */
export type ImportJob<Request extends ImportRequest = ImportRequest> = JobRow & { request: Request };

interface StoredResult {
  answer: ImportCounts;
  /** encrypted; removed some days after */
  undo?: string;
}
const resultIn = (job: ImportJob) => job.result as StoredResult | null;

/** Rows are long texts, so they are packed before they are encrypted. */
const encrypt = (vault: FieldCipher, musercode: string, value: unknown): string =>
  vault.encrypt(musercode, 'job.body', gzipSync(JSON.stringify(value)).toString('base64'));
const decrypt = <Value>(vault: FieldCipher, musercode: string, text: string): Value =>
  JSON.parse(gunzipSync(Buffer.from(vault.decrypt(musercode, 'job.body', text), 'base64')).toString('utf8')) as Value;

/** Reads the upload and stores it as an import of the caller, for an institution. */
export async function stageUpload<Request extends ImportRequest>(
  ctx: Call,
  musercode: string,
  begun: Omit<Request, 'filename' | 'body'> & { kind: Request['kind'] },
): Promise<{ job: ImportJob<Request>; staged: ParsedTable }> {
  const { scope, caller, cipher, now, upload } = ctx;
  const { accountid } = caller;
  const staged = await readUpload(begun.kind, upload, shanghaiDate(now));
  const filename = (upload?.filename ?? '').slice(0, 120);
  const request = { ...begun, filename, body: encrypt(cipher, musercode, staged) } as unknown as Request;
  await queries.forgetBodies(scope, accountid, openSince(now));
  const job = await queries.addJob(scope, { musercode, accountid, request, total: staged.rows.length, createtime: now });
  ctx.audit({ objectid: job.jobid, detail: { filename, rows: staged.rows.length } });
  return { job: { ...job, request }, staged };
}

/** An import of the caller, of one of these kinds. `lock` holds it until the transaction ends. Refuses others with 130001. */
export async function loadImport<Request extends ImportRequest>(
  { scope, caller }: Pick<Call, 'scope' | 'caller'>,
  importid: string,
  kinds: readonly Request['kind'][],
  lock = false,
): Promise<ImportJob<Request>> {
  const job = await queries.findJob(scope, importid, caller.accountid, kinds, lock);
  if (!job) throw problems.notFound({ what: '导入' });
  return { ...job, request: job.request as unknown as Request };
}

/** The rows of an import. Refuses imports whose rows were already removed. */
export function stagedRows({ cipher }: Pick<Call, 'cipher'>, { musercode, request }: ImportJob): ParsedTable {
  if (!request.body) throw problems.wrongState({ why: '导入内容已超过保存期限，请重新上传文件' });
  return decrypt(cipher, musercode, request.body);
}

/** The part of an import's view that all imports have. */
export const importView = (ctx: Pick<Call, 'now'>, job: ImportJob, staged: ParsedTable): Omit<StagedImport, 'verdict'> => ({
  importid: job.jobid,
  filename: job.request.filename,
  createtime: shanghaiTime(job.createtime),
  rows: staged.rows as string[][],
  mapping: staged.mapping as (string | null)[],
  today: shanghaiDate(ctx.now),
  undone: job.undonetime !== null,
});

/** The caller's imports of these kinds that can still be opened, newest first. */
export async function listImports<Kind extends ImportKind>(
  { scope, caller, now }: ReadCall,
  kinds: readonly Kind[],
): Promise<(EarlierImport & { kind: Kind })[]> {
  const jobs = await queries.listJobs(scope, caller.accountid, kinds, openSince(now));
  return jobs.map((job) => ({
    importid: job.jobid,
    kind: importKindOf(job.kind) as Kind,
    filename: job.filename,
    createtime: shanghaiTime(job.createtime),
    state: job.undonetime ? 'undone' : job.status === 2 ? 'done' : 'staged',
    total: job.total,
    success: job.progress,
    undountil: job.undountil ? shanghaiTime(job.undountil) : '',
  }));
}

/** Edits of the grid, as the wire has them. */
export interface GridEdits {
  edits: Edit[];
  removed: number[];
  mapping?: Mapping | undefined;
}

/** The rows of an import with edits applied. Refuses imports that were already finished. */
export function editedRows(ctx: Pick<Call, 'cipher'>, job: ImportJob, { edits, removed, mapping }: GridEdits): ParsedTable {
  if (job.status === 2) throw problems.wrongState({ why: '该名单已经导入，不能再修改' });
  const rows = stagedRows(ctx, job);
  return applyEdits(job.request.kind, mapping ? { ...rows, mapping } : rows, edits, removed);
}

/** Stores edited rows with the request they are read by. */
export async function saveEdits(
  ctx: Call,
  { jobid, musercode, request }: Pick<ImportJob, 'jobid' | 'musercode' | 'request'>,
  staged: ParsedTable,
  { checked }: Inspection,
  { edits, removed }: GridEdits,
): Promise<void> {
  const body = encrypt(ctx.cipher, musercode, staged);
  await queries.changeJob(ctx.scope, jobid, { ...request, body }, checked.rows.length);
  ctx.audit({ objectid: jobid, detail: { edits: edits.length, removed: removed.length } });
}

/** The stored answer of an import that was finished before; undefined for others. */
export const finishedAnswer = <Answer extends object>(job: ImportJob): (ImportCounts & Answer) | undefined =>
  (resultIn(job)?.answer as (ImportCounts & Answer) | undefined) ?? undefined;

/** Makes imports of one institution wait for each other, so that the same file sent twice adds everybody once. */
export const lockImports = ({ scope }: Pick<Call, 'scope'>, { musercode }: Pick<ImportJob, 'musercode'>) =>
  queries.oneAtATime(scope, musercode);

/** What importing a table would come to. Errors beyond a thousand are only in the marked sheet. */
export function countRows(job: ImportJob, inspection: Inspection): ImportCounts {
  const total = inspection.checked.rows.length;
  const success = inspection.effects.size;
  const errors = errorsOf(job.request.kind, inspection).slice(0, 1000);
  return { importid: job.jobid, total, success, failed: total - success, errors, errorfileurl: '', undountil: '' };
}

/** Whether the good rows may be imported: there are some, and either no row is wrong or `skiperror` leaves the wrong ones out. */
export const mayFinish = ({ success, errors }: ImportCounts, skiperror: boolean): boolean =>
  success > 0 && (errors.length === 0 || skiperror);

/** The refusal of an import with wrong rows; it carries the first errors. */
export const rowsWrong = ({ failed, errors }: ImportCounts) =>
  problems.rowsWrong({ bad: failed }, { data: { failed, errors: errors.slice(0, 50) } });

/**
 * Stores that an import was finished: its answer, with `kept` of its kind, and what undoing it needs. Wrong rows are answered by a
 * marked sheet. Adds `audited` to the audit row.
 */
export async function finishImport<Kept extends object>(
  ctx: Call,
  job: ImportJob,
  { staged, inspection, counts }: { staged: ParsedTable; inspection: Inspection; counts: ImportCounts },
  { kept, undo, audited }: { kept: Kept; undo: unknown; audited: { cuserids?: string[]; detail: Record<string, unknown> } },
): Promise<ImportCounts & Kept> {
  const { jobid, musercode, request } = job;
  const { total, success, failed } = counts;
  const undountil = addDays(ctx.now, undoDays);
  const errorfileurl = failed > 0 ? await keepReceipt(ctx, request, staged, inspection) : '';
  const answer = { ...counts, ...kept, errorfileurl, undountil: shanghaiTime(undountil) };
  const stored: StoredResult = { answer, undo: encrypt(ctx.cipher, musercode, undo) };
  await queries.finishJob(ctx.scope, jobid, { result: stored, progress: success, finishtime: ctx.now, undountil });
  const { filename } = request;
  ctx.audit({ ...audited, objectid: jobid, detail: { filename, total, success, failed, ...audited.detail } });
  return answer;
}

/** What undoing an import needs: undefined before it was finished, and after it was removed. */
export function undoRecord<Record>({ cipher }: Pick<Call, 'cipher'>, job: ImportJob): Record | undefined {
  const undo = resultIn(job)?.undo;
  return undo === undefined ? undefined : decrypt<Record>(cipher, job.musercode, undo);
}

/** What undoing an import needs. Refuses imports that were not finished, were undone before, or are older than a day. */
export function undoAllowed<Record>(ctx: Pick<Call, 'cipher' | 'now'>, job: ImportJob): Record {
  const undo = job.status === 2 ? undoRecord<Record>(ctx, job) : undefined;
  if (!undo) throw problems.wrongState({ why: '该名单还没有导入，或已超过可撤销的期限' });
  if (job.undonetime) throw problems.wrongState({ why: '该次导入已经撤销' });
  if (!job.undountil || job.undountil < ctx.now) throw problems.wrongState({ why: '导入已超过 24 小时，不能撤销' });
  return undo;
}

/** Stores that an import was undone. */
export const markUndone = ({ scope, now }: Pick<Call, 'scope' | 'now'>, { jobid }: Pick<ImportJob, 'jobid'>) =>
  queries.markUndone(scope, jobid, now);
