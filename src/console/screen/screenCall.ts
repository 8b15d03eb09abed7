import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { read } from '#ui/api/call.ts';

/** The calls of a screen. Its token is not the console's: one browser may have both. */

const COOKIE = 'screen';
/** Only this page reads the cookie. Signing out of the console leaves it alone. */
const PATH = '/screen';
const DAYS = 30;
/** A screen that waits longer for an answer asks again. */
const TIMEOUT = 30_000;

export function screenToken(): string {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${COOKIE}=`));
  return found ? decodeURIComponent(found.slice(COOKIE.length + 1)) : '';
}

/** Stores the token of this browser's screen, or removes it when empty. */
export function setScreenToken(value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const age = value ? DAYS * 86_400 : 0;
  document.cookie = `${COOKIE}=${encodeURIComponent(value)}; Path=${PATH}; SameSite=Strict; Max-Age=${age}${secure}`;
}

/** Calls an action with the token of the screen. Throws ApiError; code 0 means that the server was not there. */
export async function callAsScreen<A extends Action>(action: A, request: RequestOf<A>, token = ''): Promise<ResponseOf<A>> {
  const answer = await fetch(`/api/${action.name}/1.0.0/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-strict': '1', 'x-unattended': '1', ...(token ? { token } : {}) },
    body: JSON.stringify(request),
    credentials: 'same-origin',
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch(() => undefined);
  if (!answer || answer.status >= 500) throw new ApiError(0, '连接不上服务器，请检查网络');
  return read(answer.json()) as Promise<ResponseOf<A>>;
}

const scriptOf = (page: string): string | undefined => /\/assets\/screen-[\w-]+\.js/.exec(page)?.[0];

/** Whether the server has another build of this page than the one that runs. */
export async function hasNewBuild(): Promise<boolean> {
  const page = await fetch(PATH, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT) })
    .then((answer) => (answer.ok ? answer.text() : ''))
    .catch(() => '');
  const [own, latest] = [scriptOf(document.documentElement.innerHTML), scriptOf(page)];
  return own !== undefined && latest !== undefined && own !== latest;
}
