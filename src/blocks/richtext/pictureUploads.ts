import { useSyncExternalStore } from 'react';
import { uploadWatched } from '#ui/api/uploading.ts';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { uploadFault } from '#blocks/file/upload/upload.labels.ts';
import { updateToOSS } from '#features/file/file.contract.ts';

/** A picture of the text on its way to the server. The text has a node with its key meanwhile. */
export interface PictureUpload {
  filename: string;
  /** shows the picture before the server has it */
  preview: string;
  /** 0 to 1 */
  share: number;
  error?: string;
  /** sending the same file again would fail too */
  isFinal?: boolean;
  /** the public file, once the server has it */
  uploaded?: { fileid: string; url: string };
}

const uploads = new Map<string, PictureUpload>();
const files = new Map<string, { file: File; use: FileUseKey }>();
const listeners = new Set<() => void>();
let last = 0;
/** Pictures are sent one after the other, in the order of the text. */
let queue: Promise<unknown> = Promise.resolve();

function set(key: string, part: Partial<PictureUpload>) {
  const before = uploads.get(key);
  if (before) uploads.set(key, { ...before, ...part });
  for (const listener of listeners) listener();
}

async function send(key: string) {
  const source = files.get(key);
  if (!source) return;
  try {
    const { fileid, url } = await uploadWatched(
      updateToOSS,
      source.file,
      { biztype: source.use, ispublic: 1 },
      { onShare: (share) => set(key, { share }), signal: new AbortController().signal },
    );
    files.delete(key);
    set(key, { uploaded: { fileid, url }, share: 1 });
  } catch (error) {
    set(key, { error: error instanceof Error ? error.message : 'Error' });
  }
}

/** Uploads a picture of a use and returns its key. A file that the server would refuse fails at once. */
export function startPicture(file: File, use: FileUseKey): string {
  last += 1;
  const key = `picture${last}`;
  const fault = uploadFault(file, use);
  files.set(key, { file, use });
  uploads.set(key, {
    filename: file.name,
    preview: URL.createObjectURL(file),
    share: 0,
    ...(fault ? { error: fault, isFinal: true } : {}),
  });
  if (!fault) queue = queue.then(() => send(key));
  return key;
}

/** Uploads a picture again after a failure. */
export function retryPicture(key: string): void {
  const { error: _error, ...rest } = uploads.get(key) as PictureUpload;
  uploads.set(key, { ...rest, share: 0 });
  set(key, {});
  queue = queue.then(() => send(key));
}

export const findPicture = (key: string): PictureUpload | undefined => uploads.get(key);

/** Returns a picture on its way and follows it. */
export const usePicture = (key: string | null): PictureUpload | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => (key === null ? undefined : uploads.get(key)),
  );
