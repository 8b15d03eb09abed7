import { useSyncExternalStore } from 'react';

export type GateName = 'signIn' | 'firstPassword' | 'prove';

interface Open {
  name: GateName;
  answer: Promise<boolean>;
  close: (cured: boolean) => void;
}
let open: Open | undefined;
const listeners = new Set<() => void>();
const put = (next: Open | undefined) => {
  open = next;
  for (const tell of listeners) tell();
};

/** Opens a dialog that cures a refusal, or joins the one that is open; true: send the request again. */
export function openGate(name: GateName): Promise<boolean> {
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

export const useGate = (): Open | undefined =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => open,
  );
