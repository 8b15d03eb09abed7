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
import { fileQuota, saveFile, refOf } from '#features/file/attachments.ts';
import { receiveFile } from '#features/file/receiveFile.ts';

function requireUploader(caller: Staff, use: FileUseKey) {
  if (!contract.mayUpload(use, caller.codes)) throw problems.notAllowed();
}

/** Papers about persons: before a feature has claimed them they are their uploader's alone. */
const aboutPersons: readonly string[] = ['case', 'consent'] satisfies FileUseKey[];

/** May the caller arrange this file? It is their institution's, nothing uses it, and it is no paper of a colleague's. */
const managesContent = (caller: Staff, row: queries.FileRow): boolean =>
  row.musercode === caller.musercode &&
  row.cuserid === null &&
  (row.createby === caller.accountid || !aboutPersons.includes(row.biztype));

/** Lays a file that is to be public no longer in another place: the lasting address of the old one leads nowhere from then on. */
async function createAnew(
  { storage, afterCommit }: Pick<Context<'staff'>, 'storage' | 'afterCommit'>,
  path: string,
): Promise<string> {
  const place = newKey('upload');
  await storage.copy(path, place);
  afterCommit(() => storage.delete(path));
  return place;
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

/** The specification gives this call to 文件上传; everybody may set a picture of their own. */
function requirePlacer(caller: Staff, path: FileUseKey) {
  if (path !== 'avatar' && !caller.codes.has(codeOf('operations.files'))) throw problems.notAllowed();
  requireUploader(caller, path);
}

const place = async (
  { path, filename, base64, fileid, ispublic }: z.output<(typeof contract.updateToOSSPath)['request']>,
  ctx: Context<'staff'>,
) => {
  requirePlacer(ctx.caller, path);
  if ([base64, fileid, ctx.stored].filter((given) => given !== undefined).length !== 1)
    throw problems.invalid({ message: '请上传文件，或指定已上传的文件' }, { field: 'file' });
  const visible = ispublic === 1 ? 1 : 0;
  if (fileid === undefined) {
    const small = { filename: filename ?? '', mime: '', content: Buffer.from(base64 ?? '', 'base64') };
    const kept = await saveFile(ctx, ctx.stored ?? (await receiveFile(ctx, small, path)), path, visible);
    ctx.audit({ objectid: kept.fileid, detail: { path, size: kept.size, mime: kept.mime } });
    return { fileid: kept.fileid, url: kept.url, path };
  }
  const row = await queries.findFile(ctx.scope, fileid);
  // A file in use stays where it is: whoever uses it decides who sees it.
  if (
    !row ||
    row.refcode !== null ||
    !managesContent(ctx.caller, row) ||
    (path === 'avatar' && row.createby !== ctx.caller.accountid)
  )
    throw problems.notFound({ what: '文件' });
  const kind = acceptedKindOf(path, row.mime);
  if (!kind) throw problems.fileRefused({ why: `这个文件不能用作${fileUses[path].title}` }, { field: 'path' });
  if (visible && !fileUses[path].canBePublic)
    throw problems.invalid({ message: `${fileUses[path].title}不能公开` }, { field: 'ispublic' });
  const name = filename === undefined ? row.filename : safeFilename(filename, fileKinds[kind].ext);
  const where = row.ispublic === 1 && !visible ? await createAnew(ctx, row.path) : row.path;
  await queries.changeFile(ctx.scope, fileid, { filename: name, biztype: path, ispublic: visible, path: where });
  ctx.audit({ objectid: fileid, detail: { path, filename: name } });
  return { fileid, url: refOf(ctx, { ...row, path: where, filename: name, ispublic: visible }).url, path };
};

const updateToOSSPath = handleStored(
  contract.updateToOSSPath,
  ({ path, filename, base64, fileid }, upload, ctx) => {
    requirePlacer(ctx.caller, path);
    if (base64 !== undefined || fileid !== undefined)
      throw problems.invalid({ message: '请上传文件，或指定已上传的文件' }, { field: 'file' });
    return receiveFile(ctx, { ...upload, filename: filename ?? upload.filename }, path);
  },
  place,
);

const getFilePageList = handle(contract.getFilePageList, async ({ mine, ...request }, ctx) => {
  const { musercode, accountid } = ctx.caller;
  const createby = mine === 1 ? accountid : undefined;
  const { total, rows } = await queries.listFiles(ctx.scope, { ...request, musercode, createby });
  return {
    total,
    rows: rows.map((row) => ({
      ...refOf(ctx, row),
      biztype: row.biztype as FileUseKey,
      ispublic: row.ispublic,
      inuse: row.refcode === null ? 0 : 1,
      mine: row.createby === accountid ? 1 : 0,
      createtime: shanghaiTime(row.createtime),
      uploader: row.uploader,
    })),
    used: await queries.bytesStored(ctx.scope, musercode, false),
    quota: fileQuota,
  };
});

const deleteFile = handle(contract.deleteFile, async ({ fileid }, ctx) => {
  const row = await queries.findFile(ctx.scope, fileid);
  if (!row || !managesContent(ctx.caller, row)) throw problems.notFound({ what: '文件' });
  if (row.refcode !== null) throw problems.inUse({ why: '文件正在使用，不能删除' });
  await queries.removeFile(ctx.scope, fileid);
  ctx.audit({ objectid: fileid, detail: { filename: row.filename } });
  ctx.afterCommit(() => ctx.storage.delete(row.path));
  return {};
});

export const fileHandlers = [updateToOSS, updateToOSSPath, getFilePageList, deleteFile];
