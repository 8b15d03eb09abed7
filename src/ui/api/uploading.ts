import { describeOutage, TOO_SLOW, UNREACHABLE } from '#domain/base/connection.ts';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { withRecovery, read, TIMEOUT } from '#ui/api/call.ts';
import { token } from '#ui/api/token.ts';

interface Watched {
  /** Receives the share of the file that is sent, 0 to 1. */
  onShare: (share: number) => void;
  /** Cancels the upload. The server discards the part it has received. */
  signal: AbortSignal;
}

/**
 * Uploads a large file: reports progress and can be cancelled. Cancelling throws ApiError with code 0, like every broken
 * connection.
 */
export const uploadWatched = <A extends Action>(action: A, file: File, fields: RequestOf<A>, watched: Watched) =>
  withRecovery(async () => {
    const body = new FormData();
    for (const [key, value] of Object.entries(fields as object)) if (value !== undefined) body.set(key, String(value));
    body.set('file', file);
    return read(Promise.resolve(await send(action, body, watched)));
  }) as Promise<ResponseOf<A>>;

/** XMLHttpRequest, because `fetch` does not report upload progress. */
const send = (action: Action, body: FormData, { onShare, signal }: Watched) =>
  new Promise<unknown>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const broken = (words: string) => () => reject(new ApiError(0, words));
    const stop = () => request.abort();
    signal.addEventListener('abort', stop, { once: true });
    request.open('POST', `/api/${action.name}/1.0.0/action`);
    request.timeout = TIMEOUT;
    request.setRequestHeader('x-strict', '1');
    request.setRequestHeader('token', token());
    request.upload.onprogress = (event) => event.lengthComputable && onShare(event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 500) return broken(describeOutage(request.status))();
      try {
        resolve(JSON.parse(request.responseText));
      } catch {
        broken(UNREACHABLE)();
      }
    };
    request.onerror = broken('上传中断，请检查网络后重试');
    request.ontimeout = broken(TOO_SLOW);
    request.onabort = broken('已取消');
    request.onloadend = () => signal.removeEventListener('abort', stop);
    if (signal.aborted) return broken('已取消')();
    request.send(body);
  });
