import { addHours, shanghaiTime } from '#domain/base/calendar.ts';
import { cleanFilename, describeAcceptedKinds, fileUses, maxBytesOf, type FileUseKey } from '#domain/files/filekind.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { Problem, problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { handle, type ArrivedContext } from '#server/dispatch/handle.ts';
import { assertMayBePublic, assertSpace, fileRefOf, requireUploader, saveFile } from '#features/file/attachments.ts';
import { findFile } from '#features/file/file.queries.ts';
import { receiveFile, refuseFile } from '#features/file/receiveFile.ts';
import * as contract from '#features/file/upload/upload.contract.ts';
import * as queries from '#features/file/upload/upload.queries.ts';

/** An upload ends 24 hours after its beginning. */
const UPLOAD_HOURS = 24;
/** The unfinished uploads that one account may have at a time. */
const MAX_UNFINISHED = 20;

type UploadRow = NonNullable<Awaited<ReturnType<typeof queries.findOwnUpload>>>;
const notFound = (data?: unknown) => problems.notFound({ what: '上传' }, { data });

const startUpload = handle(contract.startUpload, async ({ biztype, ispublic, filename, size }, ctx) => {
  const { scope, caller, now, storage } = ctx;
  requireUploader(caller, biztype);
  assertMayBePublic(biztype, ispublic);
  if (size > maxBytesOf(biztype)) throw refuseFile(`${fileUses[biztype].title}只接受${describeAcceptedKinds(biztype)}`, 'size');
  await assertSpace(ctx, size);
  // The lock of the space makes the count exact.
  if ((await queries.listUnfinished(scope, caller, now)).length >= MAX_UNFINISHED)
    throw problems.wrongState({ why: `未完成的上传已有 ${MAX_UNFINISHED} 个，请先完成或取消一些` });
  const row = {
    musercode: caller.musercode,
    accountid: caller.accountid,
    biztype,
    ispublic,
    filename: cleanFilename(filename),
    size,
  };
  const expiretime = addHours(now, UPLOAD_HOURS);
  const uploadid = await queries.addUpload(scope, { ...row, createtime: now, expiretime });
  await storage.parts.begin(uploadid, size);
  ctx.audit({ objectid: uploadid, detail: { biztype, size } });
  return { uploadid, expiretime: shanghaiTime(expiretime) };
});

/** Returns an upload with which its account may go on. */
function assertOpen(row: UploadRow | undefined, now: Date): UploadRow {
  if (!row) throw notFound();
  if (row.fileid !== null || row.expiretime <= now) throw notFound({ reason: 'gone' });
  return row;
}

const getUpload = handle(contract.getUpload, async ({ uploadid }, { scope, caller, now }) => {
  const { expiretime, ...row } = assertOpen(await queries.findOwnUpload(scope, caller, uploadid), now);
  // An account that has lost the right of the use goes on with nothing.
  requireUploader(caller, row.biztype as FileUseKey);
  return { ...row, biztype: row.biztype as FileUseKey, expiretime: shanghaiTime(expiretime) };
});

const getUploadList = handle(contract.getUploadList, async (_request, { scope, caller, now, storage }) => {
  const rows = await queries.listUnfinished(scope, caller, now);
  return Promise.all(
    rows.map(async ({ expiretime, ...row }) => ({
      ...row,
      biztype: row.biztype as FileUseKey,
      sent: await storage.parts.sizeOf(row.uploadid),
      expiretime: shanghaiTime(expiretime),
    })),
  );
});

type Owned = Omit<ArrivedContext, 'scope'>;

/** Ends an upload whose content was refused: nobody can make it right by sending more. */
async function endRefused({ pools, storage, caller }: Owned, uploadid: string) {
  await runAsSystem(pools, platformCode, (scope) => queries.removeUpload(scope, caller, uploadid));
  await storage.parts.remove(uploadid);
}

/** Whether another call has finished the upload: with that its bytes go. */
const isFinished = async (scope: Scope, caller: Owned['caller'], uploadid: string): Promise<boolean> =>
  typeof (await queries.findOwnUpload(scope, caller, uploadid))?.fileid === 'string';

/**
 * Stores the bytes of an upload as a file. Returns undefined when another call finished the upload while this one read. A refused content
 * ends the upload.
 */
async function store({ biztype, filename, uploadid }: UploadRow, ctx: Owned) {
  const content = await ctx.storage.parts.read(uploadid);
  return receiveFile(ctx, { filename, mime: '', content }, biztype as FileUseKey).catch(async (error: unknown) => {
    if (await runAsSystem(ctx.pools, platformCode, (scope) => isFinished(scope, ctx.caller, uploadid))) return undefined;
    if (error instanceof Problem && error.code === problems.fileRefused({ why: '' }).code) await endRefused(ctx, uploadid);
    throw error;
  });
}

const finishUpload = handle(
  contract.finishUpload,
  async ({ uploadid }, ctx) => {
    const { scope, caller, now, stored, storage, afterCommit } = ctx;
    const row = await queries.lockOwnUpload(scope, caller, uploadid);
    const saved = row?.fileid && (await findFile(scope, row.fileid));
    if (saved) {
      // Another call finished it meanwhile.
      if (stored) afterCommit(() => storage.delete(stored.path));
      return fileRefOf(ctx, saved);
    }
    const { biztype, ispublic } = assertOpen(row, now);
    if (!stored) throw notFound();
    requireUploader(caller, biztype as FileUseKey);
    const { path: _path, ...file } = await saveFile(ctx, stored, biztype as FileUseKey, ispublic === 1 ? 1 : 0, uploadid);
    await queries.setFile(scope, uploadid, file.fileid);
    ctx.audit({ objectid: file.fileid, detail: { biztype, size: file.size, mime: file.mime } });
    afterCommit(() => storage.parts.remove(uploadid));
    return file;
  },
  {
    async arrived({ uploadid }, { scope, ...ctx }) {
      const row = await queries.findOwnUpload(scope, ctx.caller, uploadid);
      if (row?.fileid) return undefined;
      const open = assertOpen(row, ctx.now);
      requireUploader(ctx.caller, open.biztype as FileUseKey);
      if ((await ctx.storage.parts.sizeOf(uploadid)) !== open.size) {
        if (await isFinished(scope, ctx.caller, uploadid)) return undefined;
        throw problems.wrongState({ why: '文件还没有传完，请继续上传' });
      }
      return () => store(open, ctx);
    },
  },
);

const cancelUpload = handle(contract.cancelUpload, async ({ uploadid }, { scope, caller, now, storage, audit, afterCommit }) => {
  assertOpen(await queries.lockOwnUpload(scope, caller, uploadid), now);
  await queries.removeUpload(scope, caller, uploadid);
  audit({ objectid: uploadid });
  afterCommit(() => storage.parts.remove(uploadid));
  return {};
});

export const uploadHandlers = [startUpload, getUpload, getUploadList, finishUpload, cancelUpload];
