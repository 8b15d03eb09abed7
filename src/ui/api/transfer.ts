import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { withRecovery, post, read } from '#ui/api/call.ts';

/** A long operation. The frame shows an overlay with its text. */
let words: string | undefined;
const listeners = new Set<() => void>();
const set = (next: string | undefined) => {
  words = next;
  for (const listener of listeners) listener();
};
export const busyWords = (): string | undefined => words;
export const onBusy = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const form = (request: object): URLSearchParams => {
  const fields = new URLSearchParams();
  for (const [key, value] of Object.entries(request)) {
    if (value === undefined || value === null || value === '') continue;
    fields.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return fields;
};

const WAITING = '正在下载数据，请稍候';
/** A download that takes longer than this is slow, in milliseconds. */
const SLOW = 4_000;

/**
 * Downloads the file of an `export` action. `title` names the file when the server does not. After a while `whenSlow` is asked
 * once; true stops the download, and the result is 'left'.
 * Throws ApiError: the server's refusal when the response is JSON, otherwise a failed download.
 */
export async function download<A extends Action>(
  action: A,
  request: RequestOf<A>,
  { title, whenSlow }: { title: string; whenSlow?: () => Promise<boolean> },
): Promise<'saved' | 'left'> {
  set(WAITING);
  const controller = new AbortController();
  const patience = whenSlow ? watchPatience(whenSlow, controller) : undefined;
  try {
    await withRecovery(async () => {
      patience?.begin();
      const type = 'application/x-www-form-urlencoded;charset=UTF-8';
      const answer = await post(action, form(request as object), type, controller.signal).finally(() => patience?.pause());
      if (answer.headers.get('content-type')?.includes('application/json')) {
        await read(answer.json());
        throw failed();
      }
      const content = await answer.blob().catch(() => Promise.reject(failed()));
      save(content, nameIn(answer.headers.get('content-disposition')) ?? `${title}.xlsx`);
    });
    return 'saved';
  } catch (error) {
    if (controller.signal.aborted) return 'left';
    throw error instanceof ApiError && error.code !== 0 ? error : failed();
  } finally {
    patience?.pause();
    set(undefined);
  }
}

/** Asks after a while and hides the overlay during the question. It does not ask after the response has come. */
function watchPatience(whenSlow: () => Promise<boolean>, controller: AbortController) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const askOnce = async () => {
    set(undefined);
    const isLeft = await whenSlow();
    if (timer === undefined) return;
    if (isLeft) controller.abort();
    else set(WAITING);
  };
  return { begin: () => (timer ??= setTimeout(() => void askOnce(), SLOW)), pause };
}

const failed = () => new ApiError(0, '下载文件出现错误，请联系管理员！');

const nameIn = (disposition: string | null): string | undefined => {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return coded ? decodeURIComponent(coded) : /filename="([^"]+)"/i.exec(disposition ?? '')?.[1];
};

/** Saves a blob as a file with this name. */
export function save(content: Blob, filename: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Uploads one file with its fields to an `import` action. Throws ApiError. */
export function upload<A extends Action>(action: A, file: File, fields: RequestOf<A>): Promise<ResponseOf<A>> {
  return withRecovery(async () => {
    const body = new FormData();
    for (const [key, value] of form(fields as object)) body.set(key, value);
    body.set('file', file);
    return read((await post(action, body)).json());
  }) as Promise<ResponseOf<A>>;
}
