/** Every name the console keeps something under. Only what stands here survives a sign-out. */
export const names = {
  /** local: `{ username }` of whoever asked to be remembered; never a password. Survives signing out. */
  remember: 'remember-password',
  /** local: 'true' once the account has chosen its app. */
  appChosen: 'appChosen',
  appname: 'appname',
  /** session: the account's name, saved when signing out. */
  account: 'account',
  /** session: the record the sign-in page received, for the console's first drawing; taken away at once. */
  signedIn: 'signedIn',
  /** session: a message for the next page. */
  flash: 'flash',
  /** session: open views. */
  tabs: 'tabs',
} as const;

/** Takes a message left for this page. */
export function takeFlash(): { tone: 'done' | 'warn' | 'error'; text: string } | undefined {
  const text = sessionStorage.getItem(names.flash);
  sessionStorage.removeItem(names.flash);
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
export const leaveFlash = (tone: 'done' | 'warn' | 'error', text: string): void =>
  sessionStorage.setItem(names.flash, JSON.stringify({ tone, text }));

/** Removes what belongs to an account: all but the remembered name and the account's name for the sign-in page. */
export function clearStorage(account?: string): void {
  const rememberedName = localStorage.getItem(names.remember);
  const flash = sessionStorage.getItem(names.flash);
  localStorage.clear();
  sessionStorage.clear();
  if (rememberedName !== null) localStorage.setItem(names.remember, rememberedName);
  if (flash !== null) sessionStorage.setItem(names.flash, flash);
  if (account) sessionStorage.setItem(names.account, account);
}
