import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { ApiError } from '#contract/apiError.ts';
import { uploadWatched } from '#ui/api/uploading.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import { uploadFault } from '#features/file/file.labels.ts';

export interface Upload {
  key: number;
  file: File;
  use: FileUseKey;
  ispublic: 0 | 1;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  /** the share that was sent, 0 to 1 */
  share: number;
  /** the reason of the failure */
  error?: string;
  /** uploading the same file again would fail, too */
  isFinal?: boolean;
  /** the link of the uploaded file */
  url?: string;
}

type Change = { add: Upload[] } | { key: number; set: Partial<Upload> } | { drop: number };
const applyChange = (uploads: readonly Upload[], change: Change): readonly Upload[] =>
  'add' in change
    ? [...uploads, ...change.add]
    : 'drop' in change
      ? uploads.filter(({ key }) => key !== change.drop)
      : uploads.map((upload) => (upload.key === change.key ? { ...upload, ...change.set } : upload));

/** Uploads files one after the other. Leaving the screen aborts the uploads that are not finished. */
export function useUploads(onDone: () => void) {
  const [uploads, change] = useReducer(applyChange, []);
  const nextKey = useRef(0);
  const current = useRef<{ key: number; controller: AbortController }>(undefined);
  const onDoneRef = useRef(onDone);
  useEffect(() => {
    onDoneRef.current = onDone;
  });
  const nextUpload = uploads.some((upload) => upload.state === 'sending')
    ? undefined
    : uploads.find((upload) => upload.state === 'waiting');

  useEffect(() => {
    if (!nextUpload || current.current) return;
    const { key, file, use, ispublic } = nextUpload;
    const controller = new AbortController();
    current.current = { key, controller };
    change({ key, set: { state: 'sending', share: 0 } });
    const onShare = (share: number) => change({ key, set: { share } });
    // `current` is cleared before the state changes, because the change starts the next upload.
    const finish = (set: Partial<Upload>) => {
      current.current = undefined;
      change({ key, set });
    };
    uploadWatched(updateToOSS, file, { biztype: use, ispublic }, { onShare, signal: controller.signal }).then(
      ({ url }) => {
        finish({ state: 'done', share: 1, url });
        onDoneRef.current();
      },
      (error: unknown) =>
        finish({
          state: 'failed',
          error: error instanceof Error ? error.message : 'Error',
          isFinal: error instanceof ApiError && error.code === 160002,
        }),
    );
  }, [nextUpload]);
  useEffect(() => () => current.current?.controller.abort(), []);

  return {
    uploads,
    /** whether uploads are waiting or running */
    isBusy: uploads.some((upload) => upload.state === 'sending' || upload.state === 'waiting'),
    add: useCallback((files: readonly File[], use: FileUseKey, ispublic: 0 | 1) => {
      const add = files.map((file): Upload => {
        const error = uploadFault(file, use);
        const key = nextKey.current++;
        return {
          key,
          file,
          use,
          ispublic,
          share: 0,
          ...(error ? { state: 'failed', error, isFinal: true } : { state: 'waiting' }),
        };
      });
      change({ add });
    }, []),
    again: (key: number) => change({ key, set: { state: 'waiting', share: 0 } }),
    /** Removes a file from the list and aborts its upload. */
    drop: (key: number) => {
      if (current.current?.key === key) current.current.controller.abort();
      change({ drop: key });
    },
  };
}
