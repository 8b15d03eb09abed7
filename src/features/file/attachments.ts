import { shanghaiTime } from '#domain/base/calendar.ts';
import { fileUses, type FileUseKey } from '#domain/files/filekind.ts';
import type { StoredFile } from '#contract/file.ts';
import { OPERATOR_TYPES } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import { canUpload, type FileRef } from '#features/file/file.contract.ts';
import * as queries from '#features/file/file.queries.ts';
import { refuseFile } from '#features/file/receiveFile.ts';
import { countReservedBytes } from '#features/file/upload/upload.queries.ts';

/** The storage quota of an institution: 2 GB. */
export const fileQuota = 2 * 1024 ** 3;
/** The storage quota of the platform and of providers, which keep courses with lessons of up to 500 MB: 50 GB (decision 0097). */
const operatorQuota = 50 * 1024 ** 3;
/** Returns the storage quota of an institution by its type. */
export const fileQuotaOf = ({ musertype }: Pick<Staff, 'musertype'>): number =>
  (OPERATOR_TYPES as readonly string[]).includes(musertype) ? operatorQuota : fileQuota;
/** The link of a private file is valid for ten minutes. */
const LINK_MS = 10 * 60_000;

type FileContext = Pick<Context<'staff'>, 'scope' | 'caller' | 'now' | 'storage'>;

/** Returns a file in the form of the wire. Its link is valid for ten minutes, or without end if the file is public. */
export function fileRefOf(
  { storage, now }: Pick<ReadContext, 'storage' | 'now'>,
  row: Pick<queries.FileRow, 'fileid' | 'filename' | 'mime' | 'size' | 'path' | 'ispublic'>,
): FileRef {
  const { fileid, filename, mime, size, path, ispublic } = row;
  const until = ispublic ? undefined : new Date(now.getTime() + LINK_MS);
  return { fileid, filename, mime, size, url: storage.signedUrl({ key: path, filename, mime }, until) };
}

/** Refuses (110004) callers without a right of the use. */
export function requireUploader(caller: Staff, use: FileUseKey) {
  if (!canUpload(use, caller.codes)) throw problems.notAllowed();
}

/** Refuses a public file of a use that allows none. */
export function assertMayBePublic(use: FileUseKey, ispublic: number) {
  if (ispublic && !fileUses[use].canBePublic)
    throw problems.invalid({ message: `${fileUses[use].title}不能公开` }, { field: 'ispublic' });
}

/**
 * Refuses (160002) a file for which the institution has no space, and locks the space until the end of the call. Unfinished uploads
 * keep theirs, except the upload whose file it is.
 */
export async function assertSpace({ scope, caller, now }: Omit<FileContext, 'storage'>, size: number, uploadid?: string) {
  const stored = await queries.countStoredBytes(scope, caller.musercode, true);
  const reserved = await countReservedBytes(scope, caller.musercode, now, uploadid);
  if (stored + reserved + size > fileQuotaOf(caller))
    throw refuseFile(
      reserved > 0
        ? '机构的文件空间不够：未完成的上传也占用空间。请先删除不用的文件，或取消未完成的上传'
        : '机构的文件空间已满，请先删除不用的文件',
      'space',
    );
}

/**
 * Adds the row of a stored file (`receiveFile`) and returns it. Refuses files beyond the institution's quota. `uploadid`: the upload
 * that brought the file. The row belongs to the transaction of the call. If it fails, the cleanup removes the file at the latest.
 */
export async function saveFile(
  ctx: FileContext,
  stored: StoredFile,
  use: FileUseKey,
  ispublic: 0 | 1,
  uploadid?: string,
): Promise<FileRef & { path: string }> {
  const { scope, caller, now } = ctx;
  const { path } = stored;
  assertMayBePublic(use, ispublic);
  await assertSpace(ctx, stored.size, uploadid);
  const row = { ...stored, musercode: caller.musercode, biztype: use, ispublic, createby: caller.accountid, createtime: now };
  const { fileid } = await queries.addFile(scope, row);
  return { ...fileRefOf(ctx, { ...row, fileid }), path };
}

/**
 * Attaches files that the caller uploaded for `use` to a record, all or none. `refcode` names the record (e.g. `warning:W0000000001`).
 * `cuserid` is the person it is about: staff who see the person see the files. `musercode` is an institution below the caller that
 * becomes the owner. Refuses (130001) a file of another account, of another use or already in use.
 */
export async function claimFiles(
  ctx: Pick<Context<'staff'>, 'scope' | 'caller'>,
  fileids: readonly string[],
  use: FileUseKey,
  target: { refcode: string; cuserid?: string; musercode?: string; ispublic?: 1 },
): Promise<void> {
  const ids = [...new Set(fileids)];
  if (ids.length === 0) return;
  const owner = { musercode: ctx.caller.musercode, createby: ctx.caller.accountid, biztype: use };
  const claimedCount = await queries.claimFiles(ctx.scope, ids, owner, { ...target, cuserid: target.cuserid ?? null });
  if (claimedCount !== ids.length) throw problems.notFound({ what: '文件' });
}

/** Returns the files attached to each record that the caller may see, with new links. */
export async function findAttachedFiles(
  ctx: Pick<ReadContext, 'scope' | 'storage' | 'now'>,
  refcodes: readonly string[],
): Promise<Map<string, (FileRef & { createtime: string })[]>> {
  const filesByRefcode = new Map<string, (FileRef & { createtime: string })[]>();
  for (const row of await queries.findFilesOf(ctx.scope, [...new Set(refcodes)])) {
    const ref = { ...fileRefOf(ctx, row), createtime: shanghaiTime(row.createtime) };
    filesByRefcode.set(row.refcode as string, [...(filesByRefcode.get(row.refcode as string) ?? []), ref]);
  }
  return filesByRefcode;
}
