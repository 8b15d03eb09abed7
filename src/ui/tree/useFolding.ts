import { useState } from 'react';
import { readPreference, savePreference } from '#ui/api/preference.ts';

/** Remembers in this browser which nodes of a tree are folded. All nodes are open at first. */
export function useFolding(tree: string) {
  const key = `folded.${tree}`;
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => new Set(readPreference<number[]>(key) ?? []));
  const save = (next: ReadonlySet<number>) => {
    setFolded(next);
    savePreference(key, [...next]);
  };
  return {
    isOpen: (id: number) => !folded.has(id),
    toggle: (id: number) =>
      save(folded.has(id) ? new Set([...folded].filter((other) => other !== id)) : new Set([...folded, id])),
  };
}
