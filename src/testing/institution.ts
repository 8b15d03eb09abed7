import type { RequestOf } from '#contract/action.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import * as muser from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import * as session from '#features/session/session.contract.ts';
import type { Person } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** What the console sends instead of a password. */
export const md5 = passwordHash;

const initial = md5('Kf7mQw2xTz');
const chosen = md5('Rb4nVy8sHd');

/** Opens an institution as a provider or the platform does; a school below the caller unless told otherwise. */
export async function open({ as }: Server, who: Person, username: string, more: Partial<RequestOf<typeof muser.addMUser>> = {}) {
  // The list of common passwords is made at the first question; on a busy machine that outlasts a waiting transaction.
  await isCommonPassword(initial);
  return as(who)(muser.addMUser, {
    username,
    insname: `云栖市${username}学校`,
    musertype: '005',
    sector: 'edu',
    pwd: initial,
    ...more,
  });
}

/** The institution's own account, signed in with its one-time password and past the choice of its own. */
export async function signIn({ nobody, withToken }: Server, username: string) {
  const { token, musercode } = await nobody(session.login, { username, pwd: initial });
  await withToken(token)(updateMUser, { musercode, pwd: chosen, oldpwd: initial });
  return withToken((await nobody(session.login, { username, pwd: chosen })).token);
}
