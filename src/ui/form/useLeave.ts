import { confirmLeave } from '#ui/feedback/confirm.tsx';
import { LEAVE_WORDS, useUnsaved } from '#ui/router/unsaved.ts';

/**
 * Guards the closing of a dialog with unsaved input: it asks first, and so does leaving the page. `words` replace the usual
 * question.
 */
export function useLeave(dirty: boolean, onClose: () => void, words: string = LEAVE_WORDS): () => void {
  useUnsaved(dirty);
  return () => {
    if (!dirty) return onClose();
    void confirmLeave(words).then((yes) => yes && onClose());
  };
}
