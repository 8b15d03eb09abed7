import { gunzipSync, gzipSync } from 'node:zlib';
import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { EarlierImport, ImportCounts, StagedImport } from '#contract/workbook/importJob.ts';
import { applyEdits, type Edit, type ImportKind, type Mapping, type ParsedTable } from '#contract/workbook/importSheet.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import * as queries from '#features/import/import.queries.ts';
import { importKindOf, type ImportRequest, type JobRow } from '#features/import/import.queries.ts';
import { errorsOf, storeReceipt, readUpload, type Inspection } from '#features/import/importFile.ts';

/**
 * The steps that all imports share. The handlers of each import call them one after the other: stage the upload, inspect it, save edits,
 * finish, undo. The job stores the rows and the undo data encrypted; it never stores passwords.
 */

type Call = Context<'staff'>;
/** The part of the context that reading an import needs. */
type ReadCall = Pick<Call, 'scope' | 'caller' | 'cipher' | 'now'>;

/** The user can undo an import for a day and open it for a week. */
const UNDO_DAYS = 1;
const OPEN_DAYS = 7;
const openSince = (now: Date): Date => addDays(now, -OPEN_DAYS);

/** A stored import. `Request` holds the fields of its kind. */
export type ImportJob<Request extends ImportRequest = ImportRequest> = JobRow & { request: Request };

interface StoredResult {
  answer: ImportCounts;
  /** the encrypted undo data; the server removes it after a week */
  undo?: string;
}
const resultIn = (job: ImportJob) => job.result as StoredResult | null;

/** Compresses the rows before the encryption, because they are long texts. */
const encrypt = (cipher: FieldCipher, musercode: string, value: unknown): string =>
  cipher.encrypt(musercode, 'job.body', gzipSync(JSON.stringify(value)).toString('base64'));
const decrypt = <Value>(cipher: FieldCipher, musercode: string, text: string): Value =>
  JSON.parse(gunzipSync(Buffer.from(cipher.decrypt(musercode, 'job.body', text), 'base64')).toString('utf8')) as Value;

/** Reads the upload and stores it as an import of the caller for an institution. Returns the job and its table. */
export async function stageUpload<Request extends ImportRequest>(
  ctx: Call,
  musercode: string,
  fields: Omit<Request, 'filename' | 'body'> & { kind: Request['kind'] },
  more: Pick<ParsedTable, 'defaults' | 'own'> = {},
): Promise<{ job: ImportJob<Request>; staged: ParsedTable }> {
  const { scope, caller, cipher, now, upload } = ctx;
  const { accountid } = caller;
  const staged = await readUpload(fields.kind, upload, shanghaiDate(now), more);
  const filename = (upload?.filename ?? '').slice(0, 120);
  const request = { ...fields, filename, body: encrypt(cipher, musercode, staged) } as unknown as Request;
  await queries.deleteOldBodies(scope, accountid, openSince(now));
  const job = await queries.addJob(scope, { musercode, accountid, request, total: staged.rows.length, createtime: now });
  ctx.audit({ objectid: job.jobid, detail: { filename, rows: staged.rows.length } });
  return { job: { ...job, request }, staged };
}

/** Returns an import of the caller of one of these kinds. `shouldLock` locks it until the transaction ends. Others: 130001. */
export async function loadImport<Request extends ImportRequest>(
  { scope, caller }: Pick<Call, 'scope' | 'caller'>,
  importid: string,
  kinds: readonly Request['kind'][],
  shouldLock = false,
): Promise<ImportJob<Request>> {
  const job = await queries.findJob(scope, importid, caller.accountid, kinds, shouldLock);
  if (!job) throw problems.notFound({ what: '导入' });
  return { ...job, request: job.request as unknown as Request };
}

/** Returns the rows of an import. Refuses imports whose rows the server has removed. */
export function stagedRows({ cipher }: Pick<Call, 'cipher'>, { musercode, request }: ImportJob): ParsedTable {
  if (!request.body) throw problems.wrongState({ why: '导入内容已超过保存期限，请重新上传文件' });
  return decrypt(cipher, musercode, request.body);
}

/** Returns the fields of an import that all kinds share. */
export const importView = (ctx: Pick<Call, 'now'>, job: ImportJob, staged: ParsedTable): Omit<StagedImport, 'verdict'> => ({
  importid: job.jobid,
  filename: job.request.filename,
  createtime: shanghaiTime(job.createtime),
  rows: staged.rows as string[][],
  mapping: staged.mapping as (string | null)[],
  notes: [...(staged.notes ?? [])],
  defaults: { ...staged.defaults },
  own: [...(staged.own ?? [])],
  today: shanghaiDate(ctx.now),
  undone: job.undonetime !== null,
});

/** Returns the caller's imports of these kinds that can still be opened, the newest first. */
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

/** The edits of the grid in the form of the wire. */
export interface GridEdits {
  edits: Edit[];
  removed: number[];
  mapping?: Mapping | undefined;
}

/** Returns the rows of an import with the edits applied. Refuses imports that were finished. */
export function editedRows(ctx: Pick<Call, 'cipher'>, job: ImportJob, { edits, removed, mapping }: GridEdits): ParsedTable {
  if (job.status === 2) throw problems.wrongState({ why: '该名单已经导入，不能再修改' });
  const rows = stagedRows(ctx, job);
  return applyEdits(job.request.kind, mapping ? { ...rows, mapping } : rows, edits, removed);
}

/** Stores the edited rows. */
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

/** Returns the stored answer of a finished import, or undefined. */
export const finishedAnswer = <Answer extends object>(job: ImportJob): (ImportCounts & Answer) | undefined =>
  (resultIn(job)?.answer as (ImportCounts & Answer) | undefined) ?? undefined;

/** Makes imports of one institution wait for each other: a file that is sent twice then adds everybody once. */
export const lockImports = ({ scope }: Pick<Call, 'scope'>, { musercode }: Pick<ImportJob, 'musercode'>) =>
  queries.lockImports(scope, musercode);

/** Returns the counts of an import before it is carried out. Only the error receipt has more than a thousand errors. */
export function countRows(job: ImportJob, inspection: Inspection): ImportCounts {
  const total = inspection.checked.rows.length;
  const success = inspection.effects.size;
  const errors = errorsOf(job.request.kind, inspection).slice(0, 1000);
  return { importid: job.jobid, total, success, failed: total - success, errors, errorfileurl: '', undountil: '' };
}

/** Returns whether the import can go on: it has valid rows, and no row is wrong or `skiperror` skips the wrong rows. */
export const canFinish = ({ success, errors }: ImportCounts, skiperror: boolean): boolean =>
  success > 0 && (errors.length === 0 || skiperror);

/** Returns the refusal of an import with wrong rows; it carries the first fifty errors. */
export const rowsWrongProblem = ({ failed, errors }: ImportCounts) =>
  problems.rowsWrong({ bad: failed }, { data: { failed, errors: errors.slice(0, 50) } });

/**
 * Stores a finished import and returns its answer with the `extra` fields of its kind. `undo` is the data for undoing it.
 * The answer links to an error receipt if rows were wrong. `audit` is added to the audit row.
 */
export async function finishImport<Extra extends object>(
  ctx: Call,
  job: ImportJob,
  { staged, inspection, counts }: { staged: ParsedTable; inspection: Inspection; counts: ImportCounts },
  { extra, undo, audit }: { extra: Extra; undo: unknown; audit: { cuserids?: string[]; detail: Record<string, unknown> } },
): Promise<ImportCounts & Extra> {
  const { jobid, musercode, request } = job;
  const { total, success, failed } = counts;
  const undountil = addDays(ctx.now, UNDO_DAYS);
  const errorfileurl = failed > 0 ? await storeReceipt(ctx, request, staged, inspection) : '';
  const answer = { ...counts, ...extra, errorfileurl, undountil: shanghaiTime(undountil) };
  const result: StoredResult = { answer, undo: encrypt(ctx.cipher, musercode, undo) };
  await queries.finishJob(ctx.scope, jobid, { result, progress: success, finishtime: ctx.now, undountil });
  const { filename } = request;
  ctx.audit({ ...audit, objectid: jobid, detail: { filename, total, success, failed, ...audit.detail } });
  return answer;
}

/** Returns the undo data of an import: undefined before it was finished and after the data was removed. */
export function readUndoData<Record>({ cipher }: Pick<Call, 'cipher'>, job: ImportJob): Record | undefined {
  const undo = resultIn(job)?.undo;
  return undo === undefined ? undefined : decrypt<Record>(cipher, job.musercode, undo);
}

/** Returns the undo data of an import. Refuses imports that were not finished, were undone, or are older than a day. */
export function requireUndoData<Record>(ctx: Pick<Call, 'cipher' | 'now'>, job: ImportJob): Record {
  const undo = job.status === 2 ? readUndoData<Record>(ctx, job) : undefined;
  if (!undo) throw problems.wrongState({ why: '该名单还没有导入，或已超过可撤销的期限' });
  if (job.undonetime) throw problems.wrongState({ why: '该次导入已经撤销' });
  if (!job.undountil || job.undountil < ctx.now) throw problems.wrongState({ why: '导入已超过 24 小时，不能撤销' });
  return undo;
}

/** Stores that an import was undone. */
export const markUndone = ({ scope, now }: Pick<Call, 'scope' | 'now'>, { jobid }: Pick<ImportJob, 'jobid'>) =>
  queries.markUndone(scope, jobid, now);
