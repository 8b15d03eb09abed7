import { cleanFilename } from '#domain/files/filekind.ts';

/** Whether a file is the one whose upload was interrupted. The browser remembers a mark of its first and last kilobytes. */

const EDGE_BYTES = 64 * 1024;
/** The characters of a file name that an upload takes. The end of a longer name tells more than its beginning. */
const NAME_LENGTH = 200;
const keyOf = (uploadid: string) => `upload.${uploadid}`;

interface Unfinished {
  uploadid: string;
  filename: string;
  size: number;
}

/** Returns the name under which a file is uploaded. The server stores it unchanged. */
export const uploadName = (file: File): string => cleanFilename(cleanFilename(file.name).slice(-NAME_LENGTH));

/** Returns a mark of the content: a hash of the first and the last kilobytes with the size. It needs no secure connection. */
async function markOf(file: File): Promise<string> {
  const edges = new Blob([file.slice(0, EDGE_BYTES), file.slice(Math.max(0, file.size - EDGE_BYTES))]);
  let high = 0xdeadbeef ^ file.size;
  let low = 0x41c6ce57 ^ file.size;
  for (const byte of new Uint8Array(await edges.arrayBuffer())) {
    high = Math.imul(high ^ byte, 2_654_435_761);
    low = Math.imul(low ^ byte, 1_597_334_677);
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}`;
}

/** Returns the remembered mark of an upload; null without one, or without storage. */
function knownMark(uploadid: string): string | null {
  try {
    return localStorage.getItem(keyOf(uploadid));
  } catch {
    return null;
  }
}

/** Remembers the content of a file whose upload has begun. */
export async function rememberFile(uploadid: string, file: File): Promise<void> {
  try {
    localStorage.setItem(keyOf(uploadid), await markOf(file));
  } catch {
    // Without storage, name and size alone identify the file.
  }
}

/** Forgets an upload that has ended. */
export function forgetFile(uploadid: string): void {
  try {
    localStorage.removeItem(keyOf(uploadid));
  } catch {
    // Nothing was remembered.
  }
}

/** Whether this browser knows for certain that the upload is one of this file. */
export async function isRemembered(upload: Unfinished, file: File): Promise<boolean> {
  const isAlike = uploadName(file) === upload.filename && file.size === upload.size;
  return isAlike && knownMark(upload.uploadid) === (await markOf(file));
}

/** Returns why the upload cannot go on with this file, or undefined. */
export async function findDifference(upload: Unfinished, file: File): Promise<string | undefined> {
  if (uploadName(file) !== upload.filename) return `需要“${upload.filename}”，您选择的是“${file.name}”`;
  if (file.size !== upload.size) return '您选择的文件和上次的大小不同，请选择同一个文件，或放弃后重新上传';
  const mark = knownMark(upload.uploadid);
  return mark === null || mark === (await markOf(file))
    ? undefined
    : '您选择的文件和上次的内容不同，请选择同一个文件，或放弃后重新上传';
}
