import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { ApiError } from '#contract/apiError.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import type { FileRef } from '#features/file/file.contract.ts';
import { getUploadList, type UnfinishedUpload } from '#features/file/upload/upload.contract.ts';
import { endUpload, GONE, sendFile } from '#blocks/file/upload/sendFile.ts';
import { speedMeter } from '#blocks/file/upload/speed.ts';
import { uploadFault } from '#blocks/file/upload/upload.labels.ts';

export interface Upload {
  key: number;
  file: File;
  use: FileUseKey;
  ispublic: 0 | 1;
  /** paused: the connection is lost, and the upload goes on when it is back */
  state: 'waiting' | 'sending' | 'paused' | 'done' | 'failed';
  /** the bytes that have arrived */
  sent: number;
  /** bytes a second; 0 while it is unknown */
  speed: number;
  /** the upload that goes on after an interruption; small files have none */
  uploadid?: string | undefined;
  /** the reason of the failure */
  error?: string;
  /** uploading the same file again would fail, too */
  isFinal?: boolean;
}

type Change = { add: Upload[] } | { key: number; set: Partial<Upload> } | { drop: number };
const applyChange = (uploads: readonly Upload[], change: Change): readonly Upload[] =>
  'add' in change
    ? [...uploads, ...change.add]
    : 'drop' in change
      ? uploads.filter(({ key }) => key !== change.drop)
      : uploads.map((upload) => (upload.key === change.key ? { ...upload, ...change.set } : upload));

const isRunning = ({ state }: Upload) => state === 'sending' || state === 'paused';

/** Returns what a failed upload shows. */
function failureOf(error: unknown): Partial<Upload> {
  const message = error instanceof Error ? error.message : 'Error';
  if (!(error instanceof ApiError)) return { state: 'failed', error: message };
  const { reason } = (error.data ?? {}) as { reason?: string };
  // Space can be made; a file of a wrong type or size stays what it is.
  const isFinal = error.code === 160002 && reason !== 'space';
  const ended = isFinal || error.code === GONE ? { uploadid: undefined } : {};
  return { state: 'failed', error: message, isFinal, ...ended };
}

/**
 * Uploads files one after the other. Leaving the screen stops them; the large ones can go on later (`UnfinishedUploads`).
 */
export function useUploads(onDone: (file: FileRef) => void) {
  const [uploads, change] = useReducer(applyChange, []);
  const client = useQueryClient();
  const nextKey = useRef(0);
  const current = useRef<{ key: number; controller: AbortController }>(undefined);
  const onDoneRef = useRef(onDone);
  useEffect(() => {
    onDoneRef.current = onDone;
  });
  const nextUpload = uploads.some(isRunning) ? undefined : uploads.find(({ state }) => state === 'waiting');
  const renewList = useCallback(() => void invalidateActions(client, [getUploadList]), [client]);

  useEffect(() => {
    if (!nextUpload || current.current) return;
    const { key, file } = nextUpload;
    const controller = new AbortController();
    current.current = { key, controller };
    change({ key, set: { state: 'sending', speed: 0 } });
    let measure = speedMeter();
    // `current` is cleared before the state changes, because the change starts the next upload.
    const finish = (set: Partial<Upload>) => {
      if (current.current?.key === key) current.current = undefined;
      change({ key, set });
      renewList();
    };
    sendFile(nextUpload, {
      onSent: (sent) => change({ key, set: { state: 'sending', sent, speed: measure(sent, performance.now()) } }),
      onBegin: (uploadid) => change({ key, set: { uploadid } }),
      onWaiting: () => {
        measure = speedMeter();
        change({ key, set: { state: 'paused', speed: 0 } });
      },
      signal: controller.signal,
    }).then(
      (uploaded) => {
        finish({ state: 'done', sent: file.size });
        onDoneRef.current(uploaded);
      },
      (error: unknown) => finish(failureOf(error)),
    );
  }, [nextUpload, renewList]);
  useEffect(
    () => () => {
      current.current?.controller.abort();
      renewList();
    },
    [renewList],
  );

  const startOf = (file: File, use: FileUseKey, ispublic: 0 | 1) => ({
    key: nextKey.current++,
    file,
    use,
    ispublic,
    sent: 0,
    speed: 0,
  });
  return {
    uploads,
    /** whether uploads are waiting or running */
    isBusy: uploads.some((upload) => upload.state === 'waiting' || isRunning(upload)),
    add: (files: readonly File[], use: FileUseKey, ispublic: 0 | 1) =>
      change({
        add: files.map((file): Upload => {
          const error = uploadFault(file, use);
          const start = startOf(file, use, ispublic);
          return error ? { ...start, state: 'failed', error, isFinal: true } : { ...start, state: 'waiting' };
        }),
      }),
    /** Goes on with an unfinished upload of this file. */
    goOn: ({ uploadid, biztype, ispublic, sent }: UnfinishedUpload, file: File) =>
      change({ add: [{ ...startOf(file, biztype, ispublic === 1 ? 1 : 0), uploadid, sent, state: 'waiting' }] }),
    again: (key: number) => change({ key, set: { state: 'waiting' } }),
    /** Removes a file from the list and ends its upload. */
    drop: (key: number) => {
      if (current.current?.key === key) current.current.controller.abort();
      const uploadid = uploads.find((upload) => upload.key === key)?.uploadid;
      change({ drop: key });
      if (uploadid !== undefined) void endUpload(uploadid).catch(notifyError).finally(renewList);
    },
  };
}
