/** All storage keys of the console. Signing out removes everything that `clearStorage` does not keep. */
export const names = {
  /** local: `{ username }` of a person who asked the page to remember it; never a password. Survives signing out. */
  remember: 'remember-password',
  /** local: 'true' once the account has chosen its app. */
  appChosen: 'appChosen',
  appname: 'appname',
  /** local: all apps of the platform. The list of each group stands under a key of its own, see `appListKeyOf`. */
  appList: 'appList',
  /** session: the account's name, saved when signing out. */
  account: 'account',
  /** session: the record that the sign-in page received, for the console's first render; removed at once. */
  signedIn: 'signedIn',
  /** session: a message for the next page. */
  flash: 'flash',
  /** session: open views. */
  tabs: 'tabs',
} as const;

/** The local key of the apps of one of the four groups (specification section 7: by appid 000000001 to 000000004). */
export const appListKeyOf = (appid: string): string => `${names.appList}${appid}`;

/** Returns a message left for this page and removes it. */
export function takeFlash(): { tone: 'done' | 'warn' | 'error'; text: string } | undefined {
  const text = sessionStorage.getItem(names.flash);
  sessionStorage.removeItem(names.flash);
  try {
    const { tone, text: words } = JSON.parse(text ?? '{}') as { tone?: unknown; text?: unknown };
    return (tone === 'done' || tone === 'warn' || tone === 'error') && typeof words === 'string'
      ? { tone, text: words }
      : undefined;
  } catch {
    return undefined;
  }
}
export const leaveFlash = (tone: 'done' | 'warn' | 'error', text: string): void =>
  sessionStorage.setItem(names.flash, JSON.stringify({ tone, text }));

/** Removes the account's data: all but the remembered name and the account's name for the sign-in page. */
export function clearStorage(account?: string): void {
  const rememberedName = localStorage.getItem(names.remember);
  const flash = sessionStorage.getItem(names.flash);
  localStorage.clear();
  sessionStorage.clear();
  if (rememberedName !== null) localStorage.setItem(names.remember, rememberedName);
  if (flash !== null) sessionStorage.setItem(names.flash, flash);
  if (account) sessionStorage.setItem(names.account, account);
}
