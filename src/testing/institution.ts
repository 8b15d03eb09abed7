import type { RequestOf } from '#contract/action.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import * as muser from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import * as session from '#features/session/session.contract.ts';
import type { Person } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** The hash of a password that the console sends instead of the password. */
export const md5 = passwordHash;

const initialPassword = md5('Kf7mQw2xTz');
const ownPassword = md5('Rb4nVy8sHd');

/** Opens an institution as a provider or the platform: by default a school below the caller. */
export async function openInstitution(
  { as }: Server,
  who: Person,
  username: string,
  options: Partial<RequestOf<typeof muser.addMUser>> = {},
) {
  // The first check builds the list of common passwords. On a busy machine this would take longer than a transaction may wait.
  await isCommonPassword(initialPassword);
  return as(who)(muser.addMUser, {
    username,
    insname: `云栖市${username}学校`,
    musertype: '005',
    sector: 'edu',
    pwd: initialPassword,
    ...options,
  });
}

/** Signs in with the one-time password of an institution's own account and sets a new password. Returns calls in its name. */
export async function signIn({ nobody, withToken }: Server, username: string) {
  const { token, musercode } = await nobody(session.login, { username, pwd: initialPassword });
  await withToken(token)(updateMUser, { musercode, pwd: ownPassword, oldpwd: initialPassword });
  return withToken((await nobody(session.login, { username, pwd: ownPassword })).token);
}
