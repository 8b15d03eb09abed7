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

/** The hash of a password that the console sends instead of the password. */
export const md5 = passwordHash;

/** Signs in with a password in clear text. Returns the user record with its token. */
export const signIn = ({ nobody }: Server, username: string, password: string) => nobody(login, { username, pwd: md5(password) });

/** Creates a colleague as an administrator. The colleague has signed in and set a new password. */
export async function addColleague(
  server: Server,
  options: Partial<RequestOf<typeof insertUser>> & { sysusername: string; who?: Person; musercode?: string },
) {
  const { who = 'ma', musercode = 'M_CHENGUANG', ...request } = options;
  const { sysusername } = request;
  // The first check builds the list of common passwords, which is slow on a busy machine.
  await isCommonPassword(md5(''));
  const { userid, onetime } = await server.as(who)(insertUser, { realname: sysusername, roleids: [], ...request });
  const first = await signIn(server, sysusername, onetime);
  await server.withToken(first.token)(updateMUser, { musercode, pwd: md5(`Own-${sysusername}-9!`) });
  const { token } = await signIn(server, sysusername, `Own-${sysusername}-9!`);
  return { userid, ...asBrowser(server, token) };
}

/** Calls like the console: after a step-up it continues with the token of the answer. `token()` returns the current token. */
export function asBrowser(server: Pick<Server, 'withToken'>, firstToken: string) {
  let token = firstToken;
  const call = async <A extends Action>(action: A, request: RequestOf<A>, upload?: Upload): Promise<ResponseOf<A>> => {
    const answer = await server.withToken(token)(action, request, upload);
    if (tokenRenewingActions.has(action.name)) token = (answer as { token: string }).token;
    return answer;
  };
  return { call, token: () => token };
}
const tokenRenewingActions: ReadonlySet<string> = new Set(
  [stepUp, confirmSecondFactor, renewRecoveryCodes, disableSecondFactor].map(({ name }) => name),
);
