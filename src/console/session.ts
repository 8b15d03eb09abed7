import { callWithoutRecovery } from '#ui/api/call.ts';
import { queryClient } from '#ui/api/queryClient.ts';
import { session, setUser } from '#ui/api/session.ts';
import { setToken, token } from '#ui/api/token.ts';
import { dropUnsaved } from '#ui/router/unsaved.ts';
import { accountName } from '#domain/tenant/access.ts';
import { leaveLoginAs } from '#features/session/acting.contract.ts';
import { userRecord } from '#contract/userRecord.ts';
import type { UserRecord } from '#contract/userRecord.ts';
import { getUserInfo, logout } from '#features/session/session.contract.ts';
import { leaveFlash, names, clearStorage } from '#console/storage.ts';

/** The token that opened this page. Another token in the cookie means that another window changed the account. */
let opened = '';

/** Decides before the first render whether the account may enter the console. */
export async function restoreSession(): Promise<boolean> {
  opened = token();
  if (!opened) return toLogin();
  const given = takeHandover();
  const answer = given === undefined ? await callWithoutRecovery(getUserInfo, {}).catch(() => undefined) : given;
  // Two variants of one message, so that support can distinguish them (specification section 4).
  if (answer === undefined) return expire('登录状态已过期，请重新登录2');
  // A missing list of permissions is a fault. An empty list is an account without rights, which gets a page of its own.
  const checked = userRecord.safeParse(answer);
  if (!checked.success) return expire('登录状态已过期，请重新登录');
  setUser(checked.data);
  window.addEventListener('focus', () => void onTokenChanged());
  document.addEventListener('visibilitychange', () => void onTokenChanged());
  return true;
}

/**
 * Takes what the sign-in page stored for this page, and removes it: a reload must ask the server. Undefined when nothing is stored; a
 * damaged text comes back as null, which is no record.
 */
function takeHandover(): unknown {
  const text = sessionStorage.getItem(names.signedIn);
  sessionStorage.removeItem(names.signedIn);
  if (text === null) return undefined;
  try {
    return (JSON.parse(text) as unknown) ?? null;
  } catch {
    return null;
  }
}

/** Continues with the new token after a proof. Other windows find it in the cookie. */
export function adoptToken(newToken: string): void {
  setToken(newToken);
  opened = newToken;
}

/** Another window changed the token in the cookie. The same account continues here; another account needs a new page. */
async function onTokenChanged(): Promise<void> {
  const cookieToken = token();
  if (document.visibilityState !== 'visible' || cookieToken === opened) return;
  const record = cookieToken && (await callWithoutRecovery(getUserInfo, {}).catch(() => undefined));
  const { user } = session();
  if (cookieToken !== token()) return onTokenChanged();
  if (!record || !user || !sameAccount(user, record)) return location.reload();
  opened = cookieToken;
}
const sameAccount = (user: UserRecord, other: UserRecord): boolean =>
  user.musercode === other.musercode && user.userid === other.userid && user.loginasby === other.loginasby;

function toLogin(address = '/login'): false {
  clearSession();
  location.replace(address);
  return false;
}

function expire(words: string): false {
  setToken('');
  clearStorage();
  leaveFlash('error', words);
  return toLogin();
}

function clearSession(): void {
  setUser(undefined);
  queryClient.clear();
  dropUnsaved();
}

/** Signs out: tells the server, removes the account's data from this browser, and loads /login or another page outside the console. */
export async function signOut(address = '/login'): Promise<void> {
  const { user } = session();
  const oldToken = token();
  await callWithoutRecovery(logout, oldToken ? { token: oldToken } : {}).catch(() => undefined);
  setToken('');
  opened = '';
  clearStorage(user && accountName(user));
  toLogin(address);
}

/**
 * Signs in again on the same page. The same account continues its work. Another account starts with a new page, so that it gets no
 * data of the first.
 */
export function signedInAgain(record: UserRecord & { token: string }): void {
  const { user } = session();
  const { token: newToken, ...given } = record;
  const checked = userRecord.safeParse(given);
  if (!checked.success) return void expire('登录状态已过期，请重新登录');
  const rest = checked.data;
  if (user && user.musercode === rest.musercode && user.userid === rest.userid) {
    adoptToken(newToken);
    setUser(rest);
    return;
  }
  clearStorage();
  setToken(newToken);
  sessionStorage.setItem(names.signedIn, JSON.stringify(rest));
  clearSession();
  location.replace('/');
}

/** Switches to another account with a full page load, so that no data of the old account reaches it. */
export function switchAccount({ token: newToken, ...record }: UserRecord & { token: string }): void {
  clearStorage();
  adoptToken(newToken);
  sessionStorage.setItem(names.signedIn, JSON.stringify(record));
  clearSession();
  location.replace('/');
}

/** Returns from acting in another account to the own account. */
export async function leaveActing(): Promise<void> {
  const back = await callWithoutRecovery(leaveLoginAs, {}).catch(() => undefined);
  if (!back) return actingEnded();
  leaveFlash('done', '已退出代登录');
  switchAccount(back);
}

/** The acting session is over and cannot return: sign in with the own account. */
export function actingEnded(): void {
  expire('代登录已结束，请重新登录');
}

/** Reads the account again after it changed. */
export async function reread(): Promise<void> {
  const checked = userRecord.safeParse(await callWithoutRecovery(getUserInfo, {}));
  if (checked.success) setUser(checked.data);
  else expire('登录状态已过期，请重新登录');
}
