import { fileKinds, fileUses, libraryUses, type FileUseKey } from '#domain/files/filekind.ts';
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

/** Returns the current row of a file with a new link, or undefined when the file was deleted or renamed. */
export async function findCurrentRow({ filename, biztype, fileid }: FileRow): Promise<FileRow | undefined> {
  const { rows } = await call(getFilePageList, { filename, biztype, page: 1, pageSize: 200 });
  return rows.find((row) => row.fileid === fileid);
}

/** Returns a URL that works outside of this page. */
export const absoluteUrl = (url: string): string => new URL(url, location.origin).href;

const USE_KINDS = { article: '推文', music: '音乐', course: '课程', lesson: '课时', goods: '商品' } as const;
/** Returns what uses a file: “课时《呼吸放松》、课程《考前减压》”; '' for a file that nothing uses. */
export const usesLabel = ({ inuse, uses }: Pick<FileRow, 'inuse' | 'uses'>): string =>
  uses.map(({ kind, title }) => `${USE_KINDS[kind]}《${title}》`).join('、') || (inuse ? '使用中' : '');
