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

/** Labels of 文件上传. */

/** Returns uses as the options of a select. */
export const fileUseOptions = (uses: readonly FileUseKey[] = libraryUses) =>
  uses.map((value) => ({ value, label: fileUses[value].title }));

const kindOf = (mime: string) => Object.values(fileKinds).find((kind) => kind.mime === mime);
/** Returns the label of a file type: PNG, JPG, PDF … */
export const typeLabel = (mime: string): string => kindOf(mime)?.ext.toUpperCase() ?? '—';
/** Returns whether a MIME type is a picture. */
export const isPicture = (mime: string): boolean => kindOf(mime)?.group === 'image';

/** Returns a number of bytes as text: “340 KB”, “1.5 MB”. */
export function sizeLabel(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 1 ? Number(value.toFixed(1)) : Math.round(value)} ${units[power - 1]}`;
}

/** Returns why the server would refuse a file, or undefined. The check spares the user minutes of uploading a file that is too large. */
export function uploadFault(file: File, use: FileUseKey): string | undefined {
  if (file.size === 0) return '文件是空的';
  const kind = acceptedKindOf(use, file.type);
  if (!kind) return `${fileUses[use].title}只接受${describeAcceptedKinds(use)}`;
  const { title, maxBytes } = fileGroups[fileKinds[kind].group];
  return file.size > maxBytes ? `${title}不能超过 ${maxBytes / 1024 ** 2} MB，请压缩后再上传` : undefined;
}

/** Returns the current row of a file with a new link, or undefined when the file was deleted or renamed. */
export async function findCurrentRow({ filename, biztype, fileid }: FileRow): Promise<FileRow | undefined> {
  const { rows } = await call(getFilePageList, { filename, biztype, page: 1, pageSize: 200 });
  return rows.find((row) => row.fileid === fileid);
}

/** Returns a URL that works outside of this page. */
export const absoluteUrl = (url: string): string => new URL(url, location.origin).href;
