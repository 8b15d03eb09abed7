import { callWithoutRecovery } from '#ui/api/call.ts';
import { queryClient } from '#ui/api/queryClient.ts';
import { session, setUser } from '#ui/api/session.ts';
import { setToken, token } from '#ui/api/token.ts';
import { dropUnsaved } from '#ui/router/unsaved.ts';
import { shownName } from '#domain/tenant/access.ts';
import { leaveLoginAs } from '#features/session/acting.contract.ts';
import { userRecord } from '#contract/userRecord.ts';
import type { UserRecord } from '#contract/userRecord.ts';
import { getUserInfo, logout } from '#features/session/session.contract.ts';
import { leaveFlash, names, clearStorage } from '#console/storage.ts';

/** The token this page was opened with; another one in the cookie means another window changed the account. */
let opened = '';

/** What the guard decides before anything is drawn. */
export async function restoreSession(): Promise<boolean> {
  opened = token();
  if (!opened) return toLogin();
  const record = takeHandover() ?? (await callWithoutRecovery(getUserInfo, {}).catch(() => undefined));
  // Two variants of one message, so that support can tell them apart (specification section 4).
  if (!record) return expire('登录状态已过期，请重新登录2');
  if (record.permissions.length === 0) return expire('登录状态已过期，请重新登录');
  setUser(record);
  window.addEventListener('focus', () => void onTokenChanged());
  document.addEventListener('visibilitychange', () => void onTokenChanged());
  return true;
}

/** The record the sign-in page has just received; taken away at once, because a reload has to ask the server. */
function takeHandover(): UserRecord | undefined {
  const text = sessionStorage.getItem(names.signedIn);
  sessionStorage.removeItem(names.signedIn);
  try {
    const checked = userRecord.safeParse(JSON.parse(text ?? 'null'));
    return checked.success ? checked.data : undefined;
  } catch {
    return undefined;
  }
}

/** After a proof the session has a new token: this page goes on with it, other windows find it in the cookie. */
export function adoptToken(given: string): void {
  setToken(given);
  opened = given;
}

/** Another window has put another token into the cookie: the same account's goes on here, any other needs a fresh page. */
async function onTokenChanged(): Promise<void> {
  const found = token();
  if (document.visibilityState !== 'visible' || found === opened) return;
  const record = found && (await callWithoutRecovery(getUserInfo, {}).catch(() => undefined));
  const { user } = session();
  if (found !== token()) return onTokenChanged();
  if (!record || !user || !sameAccount(user, record)) return location.reload();
  opened = found;
}
const sameAccount = (one: UserRecord, other: UserRecord): boolean =>
  one.musercode === other.musercode && one.userid === other.userid && one.loginasby === other.loginasby;

function toLogin(): false {
  clearSession();
  location.replace('/login');
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

/** Signs out: tells the server, leaves nothing of the account in this browser, goes to /login by a full page load. */
export async function signOut(): Promise<void> {
  const { user } = session();
  const oldToken = token();
  await callWithoutRecovery(logout, oldToken ? { token: oldToken } : {}).catch(() => undefined);
  setToken('');
  opened = '';
  clearStorage(user && shownName(user));
  toLogin();
}

/**
 * Signs in again without leaving the page. The same account goes on where it was; another one starts on a fresh page,
 * because nothing of the first may reach it.
 */
export function signedInAgain(record: UserRecord & { token: string }): void {
  const { user } = session();
  const { token: given, ...rest } = record;
  if (user && user.musercode === rest.musercode && user.userid === rest.userid) {
    adoptToken(given);
    setUser(rest);
    return;
  }
  clearStorage();
  setToken(given);
  sessionStorage.setItem(names.signedIn, JSON.stringify(rest));
  clearSession();
  location.replace('/');
}

/** Everything from here on is another account's: nothing of the one before may reach it. Ends in a fresh page. */
export function switchAccount({ token: given, ...record }: UserRecord & { token: string }): void {
  clearStorage();
  adoptToken(given);
  sessionStorage.setItem(names.signedIn, JSON.stringify(record));
  clearSession();
  location.replace('/');
}

/** Back from acting in another's account to the own one. */
export async function leaveActing(): Promise<void> {
  const back = await callWithoutRecovery(leaveLoginAs, {}).catch(() => undefined);
  if (!back) return actingEnded();
  leaveFlash('done', '已退出代登录');
  switchAccount(back);
}

/** Acting in another's account is over and cannot be taken back: sign in as oneself. */
export function actingEnded(): void {
  expire('代登录已结束，请重新登录');
}

/** Reads the account anew after something about it changed. */
export async function reread(): Promise<void> {
  setUser(await callWithoutRecovery(getUserInfo, {}));
}
