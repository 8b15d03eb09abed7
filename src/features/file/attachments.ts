import { shanghaiTime } from '#domain/base/calendar.ts';
import { fileUses, type FileUseKey } from '#domain/files/filekind.ts';
import type { StoredFile } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import type { FileRef } from '#features/file/file.contract.ts';
import * as queries from '#features/file/file.queries.ts';

/** What one institution may keep: 2 GB. */
export const fileQuota = 2 * 1024 ** 3;
/** How long a private file's link lasts: ten minutes. */
const LINK_MS = 10 * 60_000;

type FileContext = Pick<Context<'staff'>, 'scope' | 'caller' | 'now' | 'storage'>;

/** A file row as answers name it, with a link that lasts ten minutes, or for ever when it is public. */
export function refOf(
  { storage, now }: Pick<ReadContext, 'storage' | 'now'>,
  row: Pick<queries.FileRow, 'fileid' | 'filename' | 'mime' | 'size' | 'path' | 'ispublic'>,
): FileRef {
  const { fileid, filename, mime, size, path, ispublic } = row;
  const until = ispublic ? undefined : new Date(now.getTime() + LINK_MS);
  return { fileid, filename, mime, size, url: storage.signedUrl({ key: path, filename, mime }, until) };
}

/**
 * Writes the row of a file that lies in the store (`receiveFile`), within the institution's room. The row belongs to the call's
 * transaction; a
 * file whose call fails is removed, at the latest by the nightly sweep.
 */
export async function saveFile(
  ctx: FileContext,
  stored: StoredFile,
  use: FileUseKey,
  ispublic: 0 | 1,
): Promise<FileRef & { path: string }> {
  const { scope, caller, now } = ctx;
  const { path } = stored;
  if (ispublic && !fileUses[use].canBePublic)
    throw problems.invalid({ message: `${fileUses[use].title}不能公开` }, { field: 'ispublic' });
  if ((await queries.bytesStored(scope, caller.musercode, true)) + stored.size > fileQuota)
    throw problems.fileRefused({ why: '机构的文件空间已满，请先删除不用的文件' }, { field: 'file' });
  const row = { ...stored, musercode: caller.musercode, biztype: use, ispublic, createby: caller.accountid, createtime: now };
  const { fileid } = await queries.addFile(scope, row);
  return { ...refOf(ctx, { ...row, fileid }), path };
}

/**
 * Attaches files the caller has uploaded for `use` to what a feature has just written: `refcode` names it (e.g. `warning:W0000000001`),
 * `cuserid` the person it is about, whose visibility the files then share, `musercode` the institution below the caller whose file it
 * becomes. All or nothing; a file that is somebody else's, used
 * already or meant for another use is 130001.
 */
export async function claimFiles(
  ctx: Pick<Context<'staff'>, 'scope' | 'caller'>,
  fileids: readonly string[],
  use: FileUseKey,
  to: { refcode: string; cuserid?: string; musercode?: string; ispublic?: 1 },
): Promise<void> {
  const ids = [...new Set(fileids)];
  if (ids.length === 0) return;
  const of = { musercode: ctx.caller.musercode, createby: ctx.caller.accountid, biztype: use };
  const takenCount = await queries.claimFiles(ctx.scope, ids, of, { ...to, cuserid: to.cuserid ?? null });
  if (takenCount !== ids.length) throw problems.notFound({ what: '文件' });
}

/** The files attached to each of these, within the caller's reach, with fresh links. */
export async function filesOf(
  ctx: Pick<ReadContext, 'scope' | 'storage' | 'now'>,
  refcodes: readonly string[],
): Promise<Map<string, (FileRef & { createtime: string })[]>> {
  const found = new Map<string, (FileRef & { createtime: string })[]>();
  for (const row of await queries.findFilesOf(ctx.scope, [...new Set(refcodes)])) {
    const ref = { ...refOf(ctx, row), createtime: shanghaiTime(row.createtime) };
    found.set(row.refcode as string, [...(found.get(row.refcode as string) ?? []), ref]);
  }
  return found;
}
