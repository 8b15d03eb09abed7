import { describeOutage, TOO_SLOW, UNREACHABLE } from '#domain/base/connection.ts';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { isUnattended } from '#ui/api/attention.ts';
import { token } from '#ui/api/token.ts';

/** Ten minutes (specification). */
export const TIMEOUT = 600_000;

/** The JSON response of a call. Files come through `transfer.ts`. */
export interface Answer {
  errorCode: number;
  errorMsg?: string;
  data?: unknown;
  request_id?: string;
}

/** Handles a refusal that the person can resolve in a dialog. Returns whether to send the request again. */
type Recovery = (error: ApiError) => Promise<boolean>;
const recoveries = new Map<number, Recovery>();
/** Sets the dialog for a problem code: 110000 (sign in again), 110005 (first password), 110007 (prove the identity). */
export const onProblem = (code: number, recovery: Recovery): void => void recoveries.set(code, recovery);

/**
 * Calls an action. Throws ApiError. Only this file and `transfer.ts` talk to the server.
 * A request refused for identity waits until the person has signed in again; then it is sent once more.
 */
export function call<A extends Action>(action: A, request: RequestOf<A>, signal?: AbortSignal): Promise<ResponseOf<A>> {
  return withRecovery(async () =>
    read((await post(action, JSON.stringify(request), 'application/json', signal)).json()),
  ) as Promise<ResponseOf<A>>;
}

/** Calls an action so that the call outlives the page, at most 64 KB. No dialog opens. */
export const callOnLeaving = async <A extends Action>(action: A, request: RequestOf<A>): Promise<ResponseOf<A>> =>
  read((await post(action, JSON.stringify(request), 'application/json', undefined, true)).json()) as Promise<ResponseOf<A>>;

/** Calls an action without dialogs: the caller shows the refusal. Used to sign in and to prove the identity. */
export const callWithoutRecovery = async <A extends Action>(action: A, request: RequestOf<A>): Promise<ResponseOf<A>> =>
  read((await post(action, JSON.stringify(request), 'application/json')).json()) as Promise<ResponseOf<A>>;

/** The call that brings the next token of this page, while it runs. */
let nextToken: Promise<unknown> | undefined;
/**
 * Calls an action that proves the identity. The session continues under the token of the response; calls refused meanwhile wait for
 * it.
 */
export function callForToken<A extends Action>(action: A, request: RequestOf<A>): Promise<ResponseOf<A>> {
  const answer = callWithoutRecovery(action, request);
  nextToken = answer.catch(() => undefined);
  return answer;
}

/** Sends a request. A network failure becomes an ApiError with a message. With `keepalive` it survives the end of the page. */
export async function post(
  action: Action,
  body: BodyInit,
  type?: string,
  signal?: AbortSignal,
  keepalive = false,
): Promise<Response> {
  const sentToken = token();
  const limit = AbortSignal.timeout(TIMEOUT);
  try {
    const answer = await fetch(`/api/${action.name}/1.0.0/action`, {
      method: 'POST',
      headers: {
        ...(type ? { 'content-type': type } : {}),
        ...(sentToken ? { token: sentToken } : {}),
        // The server refuses unknown fields of this console, so a mistake of ours shows.
        'x-strict': '1',
        ...(isUnattended() ? { 'x-unattended': '1' } : {}),
      },
      body,
      credentials: 'same-origin',
      keepalive,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    if (answer.status >= 500) throw new ApiError(0, describeOutage(answer.status));
    return answer;
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error;
    throw new ApiError(0, limit.aborted ? TOO_SLOW : UNREACHABLE);
  }
}

/** Reads a response. It is an error when errorCode is not 0 and there is no request_id (specification section 8). */
export async function read(json: Promise<unknown>): Promise<unknown> {
  const answer = (await json.catch(() => ({ errorCode: 0, request_id: '', broken: true }))) as Answer & { broken?: true };
  if (answer.broken) throw new ApiError(0, UNREACHABLE);
  if (answer.request_id === undefined && answer.errorCode !== 0)
    throw new ApiError(answer.errorCode, answer.errorMsg || 'Error', answer.data);
  return answer.data;
}

/** A proof in another window may be changing the token: a refused call waits this long for the new one, in milliseconds. */
const MOVING = 400;

/** Says whether the session has a new token since the call was sent. A proof in another window replaces the old token. */
async function moved(from: string): Promise<boolean> {
  if (token() === from) await nextToken;
  if (token() === from) await new Promise((resolve) => setTimeout(resolve, MOVING));
  return token() !== '' && token() !== from;
}

export async function withRecovery<T>(send: () => Promise<T>): Promise<T> {
  const sentWith = token();
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError && error.code === 110000 && sentWith && (await moved(sentWith))) return withRecovery(send);
    const recovery = error instanceof ApiError ? recoveries.get(error.code) : undefined;
    if (recovery && (await recovery(error as ApiError))) return send();
    throw error;
  }
}
