import { sayInSector } from '#domain/person/words.ts';
import { useSyncExternalStore } from 'react';
import { isClosedToActing, isPermitted, type Action } from '#contract/action.ts';
import { isHiddenFrom, ruleOf } from '#contract/fieldAccess.ts';
import type { UserRecord } from '#contract/userRecord.ts';
import { codeOf, type Guard } from '#contract/menu.ts';

/** The account signed in in this browser tab. The console sets it; blocks and screens only read it. */
interface Session {
  user: UserRecord | undefined;
  codes: ReadonlySet<string>;
}

let current: Session = { user: undefined, codes: new Set() };
const listeners = new Set<() => void>();

/** Replaces the signed-in account; `undefined` means that nobody is signed in. */
export function setUser(user: UserRecord | undefined): void {
  current = { user, codes: new Set(user?.permissions.map((permission) => permission.component)) };
  for (const listener of listeners) listener();
}

export const session = (): Session => current;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns the signed-in account. Screens are only shown to a signed-in account. */
export function useUser(): UserRecord {
  const { user } = useSyncExternalStore(subscribe, session);
  if (!user) throw new Error('no account is signed in');
  return user;
}

/** Returns a function that says a text in the words of the account's sector (domain/person/words.ts). */
export function useSectorWords(): (text: string) => string {
  const { sector } = useUser();
  return (text) => sayInSector(text, sector);
}

/** Returns the signed-in account, or undefined. The frame around the screens uses it. */
export const useMaybeUser = (): UserRecord | undefined => useSyncExternalStore(subscribe, session).user;

/**
 * Says whether the account may call the action, by the server's own rule. A button appears exactly when the server would accept its
 * call.
 */
export const can = (action: Action): boolean =>
  isPermitted(action.allow, current.codes, current.user?.musertype, current.user?.navextra) &&
  !(current.user?.loginasby && isClosedToActing(action));

/** Says whether the account holds this screen or feature of `menu.ts`. */
export const hasPermission = (guard: Guard): boolean => current.codes.has(codeOf(guard));

/** Says whether the account may not read a field of the list's rows or a filter of it. The screen then leaves its column or input out. */
export const isHiddenField = (list: Pick<Action, 'request' | 'response'>, field: string): boolean =>
  isHiddenFrom(
    { codes: current.codes, ownTeamsOnly: current.user?.narrowed ?? false, loginasby: current.user?.loginasby },
    ruleOf(list, field),
  );
