import { useRef, useState } from 'react';
import type { ListLook } from '#contract/listView.ts';
import { readPreference, savePreference } from '#ui/api/preference.ts';

/** The look of a list that its reader has not changed. */
export const PLAIN_LOOK: ListLook = { columns: {}, density: 'comfortable', widths: {} };

/**
 * Returns the look of a list. The browser remembers it for each account. The look of a view is shown and never remembered: a colleague's
 * view must not change how the reader's own list looks.
 */
export function useLook(listName: string) {
  const readOwn = (): ListLook => ({ ...PLAIN_LOOK, ...readPreference<Partial<ListLook>>(`look.${listName}`) });
  const [shown, setShown] = useState(readOwn);
  const isOfView = useRef(false);
  return {
    look: shown,
    /** Changes the look. Inside a view the change is not remembered, until the view is saved. */
    setLook: (next: ListLook) => {
      setShown(next);
      if (!isOfView.current) savePreference(`look.${listName}`, next);
    },
    /** Shows the look of a view; without one, the reader's own. */
    showLook: (ofView: ListLook | undefined) => {
      isOfView.current = ofView !== undefined;
      setShown(ofView ?? readOwn());
    },
  };
}
