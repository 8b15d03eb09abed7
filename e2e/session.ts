import { createHash } from 'node:crypto';
import type { Action, RequestOf, ResponseOf } from '../src/contract/action.ts';
import { login } from '../src/features/session/session.contract.ts';

/** Returns the address of a page on the server of this worker. */
export const url = (path = '/') => {
  const addresses = (process.env['E2E_URL'] ?? '').split(' ');
  return `${addresses[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)]}${path}`;
};
export const password = 'Demo1234';

export type Call = <A extends Action>(action: A, request: RequestOf<A>) => Promise<ResponseOf<A>>;

/** Returns calls with the token of a session, without a browser; '' is nobody. */
export const withToken =
  (token: string): Call =>
  async (action, request) => {
    const response = await fetch(url(`/api/${action.name}/1.0.0/action`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { token }) },
      body: JSON.stringify(request),
    });
    const answer = (await response.json()) as { errorCode: number; errorMsg: string; data: unknown };
    if (answer.errorCode !== 0) throw new Error(`${action.name}: ${answer.errorCode} ${answer.errorMsg}`);
    return answer.data as ResponseOf<typeof action>;
  };

/** Signs a member of staff in without a browser and returns the token of the session. */
export async function openSession(account: string): Promise<string> {
  const pwd = createHash('md5').update(password).digest('hex').toUpperCase();
  return (await withToken('')(login, { username: account, pwd })).token;
}
