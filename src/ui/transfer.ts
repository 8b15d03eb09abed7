import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError, guarded, post, read } from '#ui/call.ts';

/** Something long is going on; the frame shows an overlay with the words. */
let words: string | undefined;
const listeners = new Set<() => void>();
const set = (next: string | undefined) => {
  words = next;
  for (const tell of listeners) tell();
};
export const busyWords = (): string | undefined => words;
export const onBusy = (tell: () => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

const form = (request: object): URLSearchParams => {
  const fields = new URLSearchParams();
  for (const [key, value] of Object.entries(request)) {
    if (value === undefined || value === null || value === '') continue;
    fields.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return fields;
};

/**
 * Fetches the file of an `export` action and hands it to the browser. `title` names it when the server does not.
 * Throws ApiError: the refusal itself when the answer is JSON, else that the download failed.
 */
export async function download<A extends Action>(action: A, request: RequestOf<A>, { title }: { title: string }): Promise<void> {
  set('正在下载数据，请稍候');
  try {
    await guarded(async () => {
      const answer = await post(action, form(request as object), 'application/x-www-form-urlencoded;charset=UTF-8');
      if (answer.headers.get('content-type')?.includes('application/json')) {
        await read(answer.json());
        throw failed();
      }
      const content = await answer.blob().catch(() => Promise.reject(failed()));
      save(content, nameIn(answer.headers.get('content-disposition')) ?? `${title}.xlsx`);
    });
  } catch (error) {
    throw error instanceof ApiError && error.code !== 0 ? error : failed();
  } finally {
    set(undefined);
  }
}

const failed = () => new ApiError(0, '下载文件出现错误，请联系管理员！');

const nameIn = (disposition: string | null): string | undefined => {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return coded ? decodeURIComponent(coded) : /filename="([^"]+)"/i.exec(disposition ?? '')?.[1];
};

/** Gives a blob to the browser under a name. */
export function save(content: Blob, filename: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Sends one file with its fields to an `import` action. Throws ApiError. */
export function upload<A extends Action>(action: A, file: File, fields: RequestOf<A>): Promise<ResponseOf<A>> {
  return guarded(async () => {
    const body = new FormData();
    for (const [key, value] of form(fields as object)) body.set(key, value);
    body.set('file', file);
    return read((await post(action, body)).json());
  }) as Promise<ResponseOf<A>>;
}
