import { useSyncExternalStore } from 'react';

/**
 * The selected rows of a list, kept beside React's state: selecting one row draws that row and the bulk bar again, not the screen.
 */
export interface Selection {
  keys: () => ReadonlySet<string>;
  set: (keys: Iterable<string>) => void;
  toggle: (key: string) => void;
  subscribe: (tell: () => void) => () => void;
}

export function makeSelection(): Selection {
  let held: ReadonlySet<string> = new Set();
  const listeners = new Set<() => void>();
  const set = (keys: Iterable<string>) => {
    const next = new Set(keys);
    if (next.size === 0 && held.size === 0) return;
    held = next;
    for (const tell of listeners) tell();
  };
  return {
    keys: () => held,
    set,
    toggle: (key) => set(held.has(key) ? [...held].filter((text) => text !== key) : [...held, key]),
    subscribe: (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
}

/** All selected keys. */
export const useSelected = (selection: Selection): ReadonlySet<string> =>
  useSyncExternalStore(selection.subscribe, selection.keys);
/** Whether one row is selected. */
export const useIsSelected = (selection: Selection, key: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.keys().has(key));
