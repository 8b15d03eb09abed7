import { useSyncExternalStore } from 'react';

/** The selected rows of a list, stored outside React's state: selecting one renders that row and the bulk bar, not the screen. */
export interface Selection {
  keys: () => ReadonlySet<string>;
  set: (keys: Iterable<string>) => void;
  toggle: (key: string) => void;
  subscribe: (listener: () => void) => () => void;
}

export function makeSelection(): Selection {
  let heldSet: ReadonlySet<string> = new Set();
  const listeners = new Set<() => void>();
  const set = (keys: Iterable<string>) => {
    const next = new Set(keys);
    if (next.size === 0 && heldSet.size === 0) return;
    heldSet = next;
    for (const listener of listeners) listener();
  };
  return {
    keys: () => heldSet,
    set,
    toggle: (key) => set(heldSet.has(key) ? [...heldSet].filter((text) => text !== key) : [...heldSet, key]),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns all selected keys. */
export const useSelected = (selection: Selection): ReadonlySet<string> =>
  useSyncExternalStore(selection.subscribe, selection.keys);
/** Says whether one row is selected. */
export const useIsSelected = (selection: Selection, key: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.keys().has(key));
