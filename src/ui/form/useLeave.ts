import { confirm } from '#ui/feedback/confirm.tsx';
import { LEAVE_WORDS, useUnsaved } from '#ui/router/unsaved.ts';

/**
 * How a dialog with something entered is left: asks first while there is any, and the page below asks too. `words` replace the usual
 * question.
 */
export function useLeave(dirty: boolean, onClose: () => void, words: string = LEAVE_WORDS): () => void {
  useUnsaved(dirty);
  return () => {
    if (!dirty) return onClose();
    void confirm({ text: words, yes: '离开', no: '继续编辑' }).then((yes) => yes && onClose());
  };
}
