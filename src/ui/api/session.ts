import { useSyncExternalStore } from 'react';
import { isClosedToActing, isPermitted, type Action } from '#contract/action.ts';
import type { UserRecord } from '#contract/userRecord.ts';
import { codeOf, type Guard } from '#contract/menu.ts';

/** Who is signed in in this browser tab. The console fills it; blocks and screens only read it. */
interface Session {
  user: UserRecord | undefined;
  codes: ReadonlySet<string>;
}

let current: Session = { user: undefined, codes: new Set() };
const listeners = new Set<() => void>();

/** Replaces the signed-in account; `undefined` means nobody. */
export function setUser(user: UserRecord | undefined): void {
  current = { user, codes: new Set(user?.permissions.map((permission) => permission.component)) };
  for (const tell of listeners) tell();
}

export const session = (): Session => current;

const subscribe = (tell: () => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

/** The signed-in account; screens are only shown to somebody signed in. */
export function useUser(): UserRecord {
  const { user } = useSyncExternalStore(subscribe, session);
  if (!user) throw new Error('no account is signed in');
  return user;
}

/** The same without the promise that there is one: for the frame around screens. */
export const useMaybeUser = (): UserRecord | undefined => useSyncExternalStore(subscribe, session).user;

/** The same question the server asks, so a button shows exactly when its call would be accepted. */
export const can = (action: Action): boolean =>
  isPermitted(action.allow, current.codes, current.user?.musertype) && !(current.user?.loginasby && isClosedToActing(action));

/** Does the account hold this screen or feature of `menu.ts`? */
export const hasPermission = (guard: Guard): boolean => current.codes.has(codeOf(guard));
