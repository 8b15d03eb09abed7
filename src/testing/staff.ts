import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type { Upload } from '#contract/file.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { confirmSecondFactor, disableSecondFactor, renewRecoveryCodes } from '#features/account/factor.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { login, stepUp } from '#features/session/session.contract.ts';
import { insertUser } from '#features/org/user/user.contract.ts';
import type { Person } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** A password as the console sends it. */
export const md5 = passwordHash;

/** Signs in with a password in the clear; the answer is the user record with its token. */
export const signIn = ({ nobody }: Server, username: string, clear: string) => nobody(login, { username, pwd: md5(clear) });

/** A new colleague as an administrator makes one, who has signed in and set a password of their own. */
export async function addColleague(
  server: Server,
  of: Partial<RequestOf<typeof insertUser>> & { sysusername: string; who?: Person; musercode?: string },
) {
  const { who = 'ma', musercode = 'M_CHENGUANG', ...request } = of;
  // The list of common passwords is made once per process, which takes a while on a busy machine.
  await isCommonPassword(md5(''));
  const { userid, onetime } = await server.as(who)(insertUser, { realname: of.sysusername, roleids: [], ...request });
  const first = await signIn(server, of.sysusername, onetime);
  await server.withToken(first.token)(updateMUser, { musercode, pwd: md5(`Own-${of.sysusername}-9!`) });
  const { token } = await signIn(server, of.sysusername, `Own-${of.sysusername}-9!`);
  return { userid, ...asBrowser(server, token) };
}

/** Calls as the console does: after a proof they go on under the token of the answer. `token()` is the one in force. */
export function asBrowser(server: Pick<Server, 'withToken'>, first: string) {
  let heldFirst = first;
  const call = async <A extends Action>(action: A, request: RequestOf<A>, upload?: Upload): Promise<ResponseOf<A>> => {
    const answer = await server.withToken(heldFirst)(action, request, upload);
    if (renewing.has(action.name)) heldFirst = (answer as { token: string }).token;
    return answer;
  };
  return { call, token: () => heldFirst };
}
const renewing: ReadonlySet<string> = new Set(
  [stepUp, confirmSecondFactor, renewRecoveryCodes, disableSecondFactor].map(({ name }) => name),
);
