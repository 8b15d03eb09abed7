import { useEffect, useId } from 'react';

/** Forms with unsaved changes. While there are any, leaving a page asks first. */
const open = new Set<string>();

export const LEAVE_WORDS = '有未保存的修改，确定离开吗？';

/** Registers unsaved changes of this form while `dirty` is true. */
export function useUnsaved(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    open.add(id);
    // A signed-out account (`dropUnsaved`) is not asked about its input.
    const warn = (event: BeforeUnloadEvent) => void (open.has(id) && event.preventDefault());
    window.addEventListener('beforeunload', warn);
    return () => {
      open.delete(id);
      window.removeEventListener('beforeunload', warn);
    };
  }, [dirty, id]);
}

/** Says whether there are unsaved changes now. Changes saved just before no longer count. */
export const hasUnsaved = (): boolean => open.size > 0;
/** Forgets all unsaved changes, when the account leaves. */
export const dropUnsaved = (): void => open.clear();
