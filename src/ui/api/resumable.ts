import { describeOutage } from '#domain/base/connection.ts';
import { ApiError } from '#contract/apiError.ts';
import { withRecovery } from '#ui/api/call.ts';
import { token } from '#ui/api/token.ts';

/** The bytes of one request of a resumable upload. A part is small enough for proxies, and each one keeps the session alive. */
export const PART_BYTES = 8 * 1024 * 1024;
/** A request of which nothing arrives for so long is sent again, in milliseconds: a pulled cable ends no connection. */
const STALL_MS = 60_000;
/** The pauses before the next attempts, in seconds; the last one repeats. */
const PAUSES = [1, 2, 4, 8, 15, 30];
/** The attempts in a row that may bring nothing, while the browser believes that it is connected: about ten minutes. */
const MOST_FAILURES = 20;
/** Answers after which the same request may succeed: another request writes, the place is another, the server is busy. */
const AGAIN = new Set([408, 409, 423, 429]);

/** The words of an upload that could not reach the server for ten minutes. */
const BROKEN = '上传中断，请检查网络后重试';

interface Watched {
  /** Tells that the work waits for the connection. */
  onWaiting: () => void;
  signal: AbortSignal;
}

/**
 * Repeats work that a lost connection (ApiError 0) ends, until it succeeds, is refused or is cancelled. While the browser is offline it
 * waits without an end. `onProgress` of the work counts as success.
 */
export async function untilConnected<T>(
  work: (onProgress: () => void) => Promise<T>,
  { onWaiting, signal }: Watched,
): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await work(() => (failures = 0));
    } catch (error) {
      if (signal.aborted) throw cancelled();
      if (!(error instanceof ApiError) || error.code !== 0) throw error;
      if (++failures > MOST_FAILURES) throw new ApiError(0, BROKEN);
    }
    onWaiting();
    await waitForConnection(1000 * (PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 1), signal);
  }
}

const cancelled = () => new ApiError(0, '已取消');

/** Waits for some milliseconds, and while the browser is offline until it is back. Throws when it is cancelled. */
const waitForConnection = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => navigator.onLine && end(resolve), ms);
    const goOn = () => end(resolve);
    const stop = () => end(() => reject(cancelled()));
    function end(settle: () => void) {
      clearTimeout(timer);
      removeEventListener('online', goOn);
      signal.removeEventListener('abort', stop);
      settle();
    }
    addEventListener('online', goOn);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });

/**
 * Sends a file to the address of an upload (tus 1.0) from the place at which the server is. It goes on by itself after a lost connection
 * and after a new sign-in. Throws ApiError: a refusal, code 0 after ten minutes without a connection or when it is cancelled.
 */
export const sendParts = (address: string, file: File, watched: Watched & { onSent: (bytes: number) => void }): Promise<void> =>
  untilConnected(async (onProgress) => {
    await assertReadable(file);
    await withRecovery(() => sendOnce(address, file, { ...watched, onProgress }));
  }, watched);

/** Refuses a file that was moved or changed on the disk after the person had chosen it. */
async function assertReadable(file: File): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new ApiError(120002, '文件已被改动或移走，请重新选择');
    });
}

async function sendOnce(
  address: string,
  file: File,
  { onSent, onProgress, signal }: { onSent: (bytes: number) => void; onProgress: () => void; signal: AbortSignal },
): Promise<void> {
  const { Upload, DetailedError } = await import('tus-js-client').catch(() => {
    throw new ApiError(0, BROKEN);
  });
  await new Promise<void>((resolve, reject) => {
    let lastTime = performance.now();
    const upload = new Upload(file, {
      uploadUrl: address,
      chunkSize: PART_BYTES,
      // We repeat ourselves: we know when the browser is back, and when somebody has signed in again.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => request.setHeader('token', token()),
      onProgress: (sent) => {
        lastTime = performance.now();
        onSent(sent);
      },
      onChunkComplete: onProgress,
      onSuccess: () => end(resolve),
      onError: (error) => end(() => reject(error instanceof DetailedError ? failureOf(error.originalResponse) : error)),
    });
    const stop = () => {
      void upload.abort();
      end(() => reject(new ApiError(0, BROKEN)));
    };
    const watch = setInterval(() => performance.now() - lastTime > STALL_MS && stop(), 5_000);
    function end(settle: () => void) {
      clearInterval(watch);
      removeEventListener('offline', stop);
      signal.removeEventListener('abort', stop);
      settle();
    }
    addEventListener('offline', stop);
    signal.addEventListener('abort', stop);
    if (signal.aborted) return stop();
    upload.start();
  });
}

interface Response {
  getStatus(): number;
  getHeader(name: string): string | undefined;
  getBody(): string;
}

/** Returns the error of a refused request. Code 0: the connection broke, or the same request may succeed later. */
function failureOf(response: Response | null): ApiError {
  const status = response?.getStatus() ?? 0;
  if (!response || status === 0) return new ApiError(0, BROKEN);
  if (status >= 500) return new ApiError(0, describeOutage(status));
  const code = Number(response.getHeader('x-error-code') ?? Number.NaN);
  if (AGAIN.has(status)) return new ApiError(0, BROKEN);
  // A proxy in front of the server has no words of ours.
  if (!(code > 0)) return new ApiError(120002, `上传被拒绝（${status}），请联系管理员`);
  let answer: { errorMsg?: string; data?: unknown } = {};
  try {
    answer = JSON.parse(response.getBody()) as typeof answer;
  } catch {
    // The answer to HEAD has no body.
  }
  return new ApiError(code, answer.errorMsg ?? (status === 401 ? '登录已过期' : '上传已过期或已取消，请重新上传'), answer.data);
}
