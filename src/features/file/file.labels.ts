import {
  fileGroups,
  fileKinds,
  fileUses,
  acceptedKindOf,
  libraryUses,
  describeAcceptedKinds,
  type FileUseKey,
} from '#domain/files/filekind.ts';
import { call } from '#ui/api/call.ts';
import { getFilePageList, type FileRow } from '#features/file/file.contract.ts';

/** How files are spoken of on 文件上传. */

/** Uses as choices. */
export const optionsOf = (uses: readonly FileUseKey[] = libraryUses) =>
  uses.map((value) => ({ value, label: fileUses[value].title }));

const kindOf = (mime: string) => Object.values(fileKinds).find((kind) => kind.mime === mime);
/** PNG, JPG, PDF … */
export const typeLabel = (mime: string): string => kindOf(mime)?.ext.toUpperCase() ?? '—';
export const isPicture = (mime: string): boolean => kindOf(mime)?.group === 'image';

/** Bytes in words: “340 KB”, “1.5 MB”. */
export function sizeLabel(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  const step = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${value < 10 && step > 1 ? Number(value.toFixed(1)) : Math.round(value)} ${units[step - 1]}`;
}

/** Why a file is not worth sending, in the server's words, or undefined: a large one would be refused only after minutes. */
export function uploadFault(file: File, use: FileUseKey): string | undefined {
  if (file.size === 0) return '文件是空的';
  const kind = acceptedKindOf(use, file.type);
  if (!kind) return `${fileUses[use].title}只接受${describeAcceptedKinds(use)}`;
  const { title, maxBytes } = fileGroups[fileKinds[kind].group];
  return file.size > maxBytes ? `${title}不能超过 ${maxBytes / 1024 ** 2} MB，请压缩后再上传` : undefined;
}

/** The file as it is now, with a link that lasts from now on; undefined when it is gone. */
export async function canRetry({ filename, biztype, fileid }: FileRow): Promise<FileRow | undefined> {
  const { rows } = await call(getFilePageList, { filename, biztype, page: 1, pageSize: 200 });
  return rows.find((row) => row.fileid === fileid);
}

/** An address that works outside of this page. */
export const absoluteUrl = (url: string): string => new URL(url, location.origin).href;
