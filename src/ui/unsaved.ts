import { useEffect, useId, useSyncExternalStore } from 'react';

/** Forms with changes that are not saved; leaving a page asks first while there are any. */
const open = new Set<string>();
const listeners = new Set<() => void>();
const told = () => {
  for (const tell of listeners) tell();
};
const subscribe = (tell: () => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

export const LEAVE_WORDS = '有未保存的修改，确定离开吗？';

/** Declares that this form has unsaved changes as long as `dirty` holds. */
export function useUnsaved(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    open.add(id);
    told();
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      open.delete(id);
      told();
      window.removeEventListener('beforeunload', warn);
    };
  }, [dirty, id]);
}

export const useHasUnsaved = (): boolean => useSyncExternalStore(subscribe, () => open.size > 0);
/** Forgets everything, when the account leaves. */
export const dropUnsaved = (): void => {
  open.clear();
  told();
};
