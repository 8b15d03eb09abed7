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
  /** What has been sent, 0 to 1. */
  share: number;
  /** Why it failed. */
  error?: string;
  /** Sending the same file again cannot help. */
  final?: boolean;
  /** Its address once it is there. */
  url?: string;
}

type Change = { add: Upload[] } | { key: number; set: Partial<Upload> } | { drop: number };
const changed = (uploads: readonly Upload[], change: Change): readonly Upload[] =>
  'add' in change
    ? [...uploads, ...change.add]
    : 'drop' in change
      ? uploads.filter(({ key }) => key !== change.drop)
      : uploads.map((upload) => (upload.key === change.key ? { ...upload, ...change.set } : upload));

/** Files on their way to the server, one after the other; leaving the screen gives up what is not there yet. */
export function useUploads(onDone: () => void) {
  const [uploads, change] = useReducer(changed, []);
  const next = useRef(0);
  const line = useRef<{ key: number; stop: AbortController }>(undefined);
  const onDoneRef = useRef(onDone);
  useEffect(() => {
    onDoneRef.current = onDone;
  });
  const first = uploads.some((upload) => upload.state === 'sending')
    ? undefined
    : uploads.find((upload) => upload.state === 'waiting');

  useEffect(() => {
    if (!first || line.current) return;
    const { key, file, use, ispublic } = first;
    const stop = new AbortController();
    line.current = { key, stop };
    change({ key, set: { state: 'sending', share: 0 } });
    const onShare = (share: number) => change({ key, set: { share } });
    // The line is free before the state says so: the next file is looked for as soon as it does.
    const ended = (set: Partial<Upload>) => {
      line.current = undefined;
      change({ key, set });
    };
    uploadWatched(updateToOSS, file, { biztype: use, ispublic }, { onShare, signal: stop.signal }).then(
      ({ url }) => {
        ended({ state: 'done', share: 1, url });
        onDoneRef.current();
      },
      (fault: unknown) =>
        ended({
          state: 'failed',
          error: fault instanceof Error ? fault.message : 'Error',
          final: fault instanceof ApiError && fault.code === 160002,
        }),
    );
  }, [first]);
  useEffect(() => () => line.current?.stop.abort(), []);

  return {
    uploads,
    /** Whether anything is still to be sent. */
    busy: uploads.some((upload) => upload.state === 'sending' || upload.state === 'waiting'),
    add: useCallback((files: readonly File[], use: FileUseKey, ispublic: 0 | 1) => {
      const add = files.map((file): Upload => {
        const error = uploadFault(file, use);
        const key = next.current++;
        return {
          key,
          file,
          use,
          ispublic,
          share: 0,
          ...(error ? { state: 'failed', error, final: true } : { state: 'waiting' }),
        };
      });
      change({ add });
    }, []),
    again: (key: number) => change({ key, set: { state: 'waiting', share: 0 } }),
    /** Takes a file out of the line; the one being sent is given up. */
    drop: (key: number) => {
      if (line.current?.key === key) line.current.stop.abort();
      change({ drop: key });
    },
  };
}
