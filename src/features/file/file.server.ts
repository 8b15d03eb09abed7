import type { z } from 'zod';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { fileUses, acceptedKindOf, safeFilename, fileKinds, type FileUseKey } from '#domain/files/filekind.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, handleStored, type Context } from '#server/dispatch/handle.ts';
import { newKey } from '#server/storage/storage.ts';
import * as contract from '#features/file/file.contract.ts';
import * as queries from '#features/file/file.queries.ts';
import { assertMayBePublic, fileQuotaOf, fileRefOf, requireUploader, saveFile } from '#features/file/attachments.ts';
import { findUses } from '#features/file/content/contentFiles.queries.ts';
import { receiveFile } from '#features/file/receiveFile.ts';

/** Uses for files about persons. Until a feature claims such a file, only its uploader may use it. */
const PERSON_USES: readonly string[] = ['case', 'consent'] satisfies FileUseKey[];

/** Returns whether the caller may manage a file: it belongs to their institution and is no colleague's file about a person. */
const canManage = (caller: Staff, row: queries.FileRow): boolean =>
  row.musercode === caller.musercode &&
  row.cuserid === null &&
  (row.createby === caller.accountid || !PERSON_USES.includes(row.biztype));

/** Moves a file to a new storage key and returns the key. The permanent link of a formerly public file then becomes invalid. */
async function moveToNewKey(
  { storage, afterCommit }: Pick<Context<'staff'>, 'storage' | 'afterCommit'>,
  path: string,
): Promise<string> {
  const key = newKey('upload');
  await storage.copy(path, key);
  afterCommit(() => storage.delete(path));
  return key;
}

const updateToOSS = handleStored(
  contract.updateToOSS,
  ({ biztype }, upload, ctx) => {
    requireUploader(ctx.caller, biztype);
    return receiveFile(ctx, upload, biztype);
  },
  async ({ biztype, ispublic }, ctx) => {
    requireUploader(ctx.caller, biztype);
    if (!ctx.stored) throw problems.missing({ title: '文件' }, { field: 'file' });
    const { path: _path, ...fields } = await saveFile(ctx, ctx.stored, biztype, ispublic === 1 ? 1 : 0);
    ctx.audit({ objectid: fields.fileid, detail: { biztype, size: fields.size, mime: fields.mime } });
    return fields;
  },
);

/** Refuses callers without 文件上传, as the specification says. Every account may set its own picture. */
function requireFileRight(caller: Staff, path: FileUseKey) {
  if (path !== 'avatar' && !caller.codes.has(codeOf('operations.files'))) throw problems.notAllowed();
  requireUploader(caller, path);
}

const saveOrMove = async (
  { path, filename, base64, fileid, ispublic }: z.output<(typeof contract.updateToOSSPath)['request']>,
  ctx: Context<'staff'>,
) => {
  requireFileRight(ctx.caller, path);
  if ([base64, fileid, ctx.stored].filter((source) => source !== undefined).length !== 1)
    throw problems.invalid({ message: '请上传文件，或指定已上传的文件' }, { field: 'file' });
  const newIspublic = ispublic === 1 ? 1 : 0;
  if (fileid === undefined) {
    const small = { filename: filename ?? '', mime: '', content: Buffer.from(base64 ?? '', 'base64') };
    const savedFile = await saveFile(ctx, ctx.stored ?? (await receiveFile(ctx, small, path)), path, newIspublic);
    ctx.audit({ objectid: savedFile.fileid, detail: { path, size: savedFile.size, mime: savedFile.mime } });
    return { fileid: savedFile.fileid, url: savedFile.url, path };
  }
  const row = await queries.findFile(ctx.scope, fileid);
  // A file in use cannot change, because the record that uses it decides who sees it.
  if (!row || row.isused || !canManage(ctx.caller, row) || (path === 'avatar' && row.createby !== ctx.caller.accountid))
    throw problems.notFound({ what: '文件' });
  const kind = acceptedKindOf(path, row.mime);
  if (!kind) throw problems.fileRefused({ why: `这个文件不能用作${fileUses[path].title}` }, { field: 'path' });
  assertMayBePublic(path, newIspublic);
  const name = filename === undefined ? row.filename : safeFilename(filename, fileKinds[kind].ext);
  const newPath = row.ispublic === 1 && !newIspublic ? await moveToNewKey(ctx, row.path) : row.path;
  await queries.changeFile(ctx.scope, fileid, { filename: name, biztype: path, ispublic: newIspublic, path: newPath });
  ctx.audit({ objectid: fileid, detail: { path, filename: name } });
  return { fileid, url: fileRefOf(ctx, { ...row, path: newPath, filename: name, ispublic: newIspublic }).url, path };
};

const updateToOSSPath = handleStored(
  contract.updateToOSSPath,
  ({ path, filename, base64, fileid }, upload, ctx) => {
    requireFileRight(ctx.caller, path);
    if (base64 !== undefined || fileid !== undefined)
      throw problems.invalid({ message: '请上传文件，或指定已上传的文件' }, { field: 'file' });
    return receiveFile(ctx, { ...upload, filename: filename ?? upload.filename }, path);
  },
  saveOrMove,
);

const getFilePageList = handle(contract.getFilePageList, async ({ mine, group, ...request }, ctx) => {
  const { musercode, accountid } = ctx.caller;
  const createby = mine === 1 ? accountid : undefined;
  const mimes = group && Object.values(fileKinds).flatMap((kind) => (kind.group === group ? [kind.mime] : []));
  const { total, rows } = await queries.listFiles(ctx.scope, { ...request, musercode, createby, mimes });
  const uses = await findUses(
    ctx.scope,
    rows.map((row) => row.fileid),
  );
  return {
    total,
    rows: rows.map((row) => ({
      ...fileRefOf(ctx, row),
      version: row.version,
      biztype: row.biztype as FileUseKey,
      ispublic: row.ispublic,
      inuse: row.isused ? 1 : 0,
      uses: uses.get(row.fileid) ?? [],
      mine: row.createby === accountid ? 1 : 0,
      createtime: shanghaiTime(row.createtime),
      uploader: row.uploader,
    })),
    used: await queries.countStoredBytes(ctx.scope, musercode, false),
    quota: fileQuotaOf(ctx.caller),
  };
});

const deleteFile = handle(contract.deleteFile, async ({ fileid }, ctx) => {
  const row = await queries.findFile(ctx.scope, fileid);
  if (!row || !canManage(ctx.caller, row)) throw problems.notFound({ what: '文件' });
  if (row.isused) throw problems.inUse({ why: '文件正在使用，不能删除' });
  await queries.removeFile(ctx.scope, fileid);
  ctx.audit({ objectid: fileid, detail: { filename: row.filename } });
  ctx.afterCommit(() => ctx.storage.delete(row.path));
  return {};
});

export const fileHandlers = [updateToOSS, updateToOSSPath, getFilePageList, deleteFile];
