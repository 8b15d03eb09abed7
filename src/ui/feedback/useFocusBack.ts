import { useEffect, useState } from 'react';

/**
 * Gives the focus back to where it was before this dialog, when the dialog is taken away. Mantine does so only for a dialog that stays
 * mounted. A focus that is already somewhere else stays there.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog may still hold the focus while it is being removed.
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
