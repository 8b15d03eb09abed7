import { useSyncExternalStore } from 'react';

export type RecoveryDialogName = 'signIn' | 'firstPassword' | 'prove';

interface Open {
  name: RecoveryDialogName;
  answer: Promise<boolean>;
  close: (cured: boolean) => void;
}
let open: Open | undefined;
const listeners = new Set<() => void>();
const put = (next: Open | undefined) => {
  open = next;
  for (const listener of listeners) listener();
};

/** Opens the dialog for a refusal, or joins the open one. Returns whether to send the request again. */
export function openRecoveryDialog(name: RecoveryDialogName): Promise<boolean> {
  if (open?.name === name) return open.answer;
  open?.close(false);
  let close: (cured: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    close = (cured) => {
      put(undefined);
      resolve(cured);
    };
  });
  put({ name, answer, close });
  return answer;
}

export const useRecoveryDialog = (): Open | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => open,
  );
