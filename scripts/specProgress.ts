import { actions } from '#server/actions.ts';

export interface SpecProgress {
  total: number;
  declared: number;
  undeclared: string[];
  /** what the product answers besides the specification's calls */
  own: string[];
}

/** How many of the calls named by the specification the registry declares, and which it does not. */
export function specProgress(specified: readonly string[], declared: readonly { name: string }[] = actions): SpecProgress {
  const names = new Set(declared.map((action) => action.name));
  const undeclared = specified.filter((name) => !names.has(name)).sort();
  const askedSpecified = new Set(specified);
  return {
    total: askedSpecified.size,
    declared: askedSpecified.size - undeclared.length,
    undeclared,
    own: [...names].filter((name) => !askedSpecified.has(name)).sort(),
  };
}
