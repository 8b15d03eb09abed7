import { actions } from '#server/actions.ts';

/** The progress of the registry towards the specification. */
export interface SpecProgress {
  total: number;
  declared: number;
  undeclared: string[];
  /** calls of the product that are not in the specification */
  own: string[];
}

/** Returns how many calls of the specification the registry declares, and lists the calls that it does not. */
export function specProgress(specified: readonly string[], declared: readonly { name: string }[] = actions): SpecProgress {
  const names = new Set(declared.map((action) => action.name));
  const undeclared = specified.filter((name) => !names.has(name)).sort();
  const specifiedNames = new Set(specified);
  return {
    total: specifiedNames.size,
    declared: specifiedNames.size - undeclared.length,
    undeclared,
    own: [...names].filter((name) => !specifiedNames.has(name)).sort(),
  };
}
