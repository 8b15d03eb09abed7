import { useSyncExternalStore } from 'react';

/** An account somebody wants to act in; `userid` is absent for an institution's own. */
export interface Subject {
  musercode: string;
  userid?: string;
  /** how the account is called, for the dialog */
  name: string;
}

let subject: Subject | undefined;
const listeners = new Set<() => void>();

/** A screen asks to act in an account (代登录); the console's frame asks for the reason and carries it out. `undefined` closes. */
export function askToAct(next: Subject | undefined): void {
  subject = next;
  for (const tell of listeners) tell();
}

export const useSubject = (): Subject | undefined =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => subject,
  );
