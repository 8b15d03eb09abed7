import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { token } from '#ui/api/token.ts';

/** Ten minutes, as the specification says. */
export const TIMEOUT = 600_000;

/** The wire's answer; a file never passes here. */
export interface Answer {
  errorCode: number;
  errorMsg?: string;
  data?: unknown;
  request_id?: string;
}

/** Refusals that a person can cure on the spot: the answer says whether to send the request again. */
type Recovery = (error: ApiError) => Promise<boolean>;
const recoveries = new Map<number, Recovery>();
/** The console sets what happens on 110000 (sign in again), 110005 (first password) and 110007 (prove it is you). */
export const onProblem = (code: number, gate: Recovery): void => void recoveries.set(code, gate);

/**
 * The only place where the browser talks to the server, beside `transfer.ts`. Throws ApiError.
 * A request refused for identity waits until the person has signed in again and is then sent once more.
 */
export function call<A extends Action>(action: A, request: RequestOf<A>, signal?: AbortSignal): Promise<ResponseOf<A>> {
  return withRecovery(async () =>
    read((await post(action, JSON.stringify(request), 'application/json', signal)).json()),
  ) as Promise<ResponseOf<A>>;
}

/** The same without dialogs: a refusal is the caller's to show. For signing in and proving who one is. */
export const callWithoutRecovery = async <A extends Action>(action: A, request: RequestOf<A>): Promise<ResponseOf<A>> =>
  read((await post(action, JSON.stringify(request), 'application/json')).json()) as Promise<ResponseOf<A>>;

/** What brings this page its next token, while it is under way. */
let bringing: Promise<unknown> | undefined;
/**
 * `callWithoutRecovery` for a proof, after which the session goes on under the token of the answer: calls refused meanwhile
 * wait for it.
 */
export function callForToken<A extends Action>(action: A, request: RequestOf<A>): Promise<ResponseOf<A>> {
  const answer = callWithoutRecovery(action, request);
  bringing = answer.catch(() => undefined);
  return answer;
}

/** Sends; failures of the network become an ApiError with words. */
export async function post(action: Action, body: BodyInit, type?: string, signal?: AbortSignal): Promise<Response> {
  const sentToken = token();
  const limit = AbortSignal.timeout(TIMEOUT);
  try {
    const answer = await fetch(`/api/${action.name}/1.0.0/action`, {
      method: 'POST',
      headers: { ...(type ? { 'content-type': type } : {}), ...(sentToken ? { token: sentToken } : {}) },
      body,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    if (answer.status >= 500) throw new ApiError(0, `系统接口${answer.status}异常`);
    return answer;
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error;
    throw new ApiError(0, limit.aborted ? '系统接口请求超时' : '后端接口连接异常');
  }
}

/** An answer is an error when errorCode is not 0 and it carries no request_id (specification section 8). */
export async function read(json: Promise<unknown>): Promise<unknown> {
  const answer = (await json.catch(() => ({ errorCode: 0, request_id: '', broken: true }))) as Answer & { broken?: true };
  if (answer.broken) throw new ApiError(0, 'Error');
  if (answer.request_id === undefined && answer.errorCode !== 0)
    throw new ApiError(answer.errorCode, answer.errorMsg || 'Error', answer.data);
  return answer.data;
}

/** How long a refused call waits for the token of a proof that another window is just receiving, in milliseconds. */
const MOVING = 400;

/** Has the session gone on under another token since? A proof elsewhere ends the one that calls under way were sent with. */
async function moved(from: string): Promise<boolean> {
  if (token() === from) await bringing;
  if (token() === from) await new Promise((resolve) => setTimeout(resolve, MOVING));
  return token() !== '' && token() !== from;
}

export async function withRecovery<T>(send: () => Promise<T>): Promise<T> {
  const sentWith = token();
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError && error.code === 110000 && sentWith && (await moved(sentWith))) return withRecovery(send);
    const gate = error instanceof ApiError ? recoveries.get(error.code) : undefined;
    if (gate && (await gate(error as ApiError))) return send();
    throw error;
  }
}
