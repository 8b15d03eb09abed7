import { useState } from 'react';
import type { ListLook } from '#contract/listView.ts';
import { readPreference, savePreference } from '#ui/api/preference.ts';

/** The look of a list that its reader has not changed. */
export const PLAIN_LOOK: ListLook = { columns: {}, density: 'comfortable', widths: {} };

/** Returns the look of a list and its setter. The browser remembers it for each account. */
export function useLook(listName: string) {
  const [shown, setShown] = useState<ListLook>(() => ({
    ...PLAIN_LOOK,
    ...readPreference<Partial<ListLook>>(`look.${listName}`),
  }));
  const setLook = (next: ListLook) => {
    setShown(next);
    savePreference(`look.${listName}`, next);
  };
  return { look: shown, setLook };
}
