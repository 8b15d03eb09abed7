import type { FileUseKey } from '#domain/files/filekind.ts';
import { ApiError } from '#contract/apiError.ts';
import { call } from '#ui/api/call.ts';
import { PART_BYTES, sendParts, untilConnected } from '#ui/api/resumable.ts';
import { uploadWatched } from '#ui/api/uploading.ts';
import { updateToOSS, type FileRef } from '#features/file/file.contract.ts';
import { cancelUpload, finishUpload, getUploadList, startUpload } from '#features/file/upload/upload.contract.ts';
import { forgetFile, isRemembered, rememberFile, uploadName } from '#blocks/file/upload/sameFile.ts';

/** The code of an upload that does not exist: it was finished, cancelled, or has expired. */
export const GONE = 130001;

interface Wish {
  file: File;
  use: FileUseKey;
  ispublic: 0 | 1;
  /** an unfinished upload of this file, to go on with it */
  uploadid?: string | undefined;
}
interface Watched {
  /** Receives the bytes that have arrived. */
  onSent: (bytes: number) => void;
  /** Receives the upload that others can go on with. */
  onBegin: (uploadid: string) => void;
  /** Tells that the upload waits for the connection. */
  onWaiting: () => void;
  signal: AbortSignal;
}

/**
 * Uploads a file and returns it. A file of one part goes in one request. A larger one goes in parts: it continues after a lost
 * connection, and an unfinished upload of the same file continues where it was. Throws ApiError.
 */
export async function sendFile({ file, use, ispublic, uploadid }: Wish, watched: Watched): Promise<FileRef> {
  if (file.size <= PART_BYTES && uploadid === undefined)
    return uploadWatched(
      updateToOSS,
      file,
      { biztype: use, ispublic },
      { onShare: (share) => watched.onSent(Math.floor(share * file.size)), signal: watched.signal },
    );
  const id = uploadid ?? (await untilConnected(() => begin({ file, use, ispublic }), watched));
  watched.onBegin(id);
  try {
    await sendParts(`/upload/${id}`, file, watched);
  } catch (error) {
    // Perhaps the upload was finished, and its answer got lost: then finishing it again has the same answer.
    if (!(error instanceof ApiError) || error.code !== GONE) throw error;
    return finish(id).catch(() => {
      forgetFile(id);
      throw error;
    });
  }
  return untilConnected(() => finish(id), watched);
}

async function finish(uploadid: string): Promise<FileRef> {
  const saved = await call(finishUpload, { uploadid });
  forgetFile(uploadid);
  return saved;
}

/** Returns the unfinished upload of the same file, or a new one. */
async function begin({ file, use, ispublic }: Wish): Promise<string> {
  for (const upload of await call(getUploadList, {}))
    if (upload.biztype === use && upload.ispublic === ispublic && (await isRemembered(upload, file))) return upload.uploadid;
  const { uploadid } = await call(startUpload, { biztype: use, ispublic, filename: uploadName(file), size: file.size });
  await rememberFile(uploadid, file);
  return uploadid;
}

/** Ends an upload and deletes what has arrived. An upload that does not exist any more needs no end. */
export async function endUpload(uploadid: string): Promise<void> {
  forgetFile(uploadid);
  await call(cancelUpload, { uploadid }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== GONE) throw error;
  });
}
