import { useEffect, useId } from 'react';

/** Forms with changes that are not saved; leaving a page asks first while there are any. */
const open = new Set<string>();

export const LEAVE_WORDS = '有未保存的修改，确定离开吗？';

/** Declares that this form has unsaved changes as long as `dirty` holds. */
export function useUnsaved(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    open.add(id);
    // An account that has left (`dropUnsaved`) is not asked about what it typed.
    const warn = (event: BeforeUnloadEvent) => void (open.has(id) && event.preventDefault());
    window.addEventListener('beforeunload', warn);
    return () => {
      open.delete(id);
      window.removeEventListener('beforeunload', warn);
    };
  }, [dirty, id]);
}

/** Asked at the moment of leaving: what was saved just before counts no more. */
export const hasUnsaved = (): boolean => open.size > 0;
/** Forgets everything, when the account leaves. */
export const dropUnsaved = (): void => open.clear();
