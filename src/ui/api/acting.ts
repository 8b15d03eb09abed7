import { useSyncExternalStore } from 'react';

/** The account to act in (代登录); `userid` is absent for an institution's own account. */
export interface Subject {
  musercode: string;
  userid?: string;
  /** name of the account in the dialog */
  name: string;
}

let subject: Subject | undefined;
const listeners = new Set<() => void>();

/**
 * Asks to act in an account (代登录). The console's frame asks for the reason and switches the account. `undefined` closes the dialog.
 */
export function askToAct(next: Subject | undefined): void {
  subject = next;
  for (const listener of listeners) listener();
}

export const useSubject = (): Subject | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => subject,
  );
