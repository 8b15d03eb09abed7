/**
 * The tree of institutions (conventions.md 0.2): level 0 is the platform, 1 a provider, 2 an authority or area, 3 an institution, 4 a
 * campus, 5 a unit of it. `categorycodes[k]` names the ancestor at level k, the node itself at its own level, and '' elsewhere: levels
 * may be left out. `orgpath` joins the codes from the root down, each followed by a dot.
 */
export interface Place {
  musercode: string;
  musertype: string;
  parentmusercode: string | null;
  categorylevel: number;
  categorycodes: readonly string[];
  orgpath: string;
}

const deepestLevel = 5;
/** The platform's own institution, root of the tree: what is below it is everything, closed institutions too. */
export const platformCode = 'AS000001';

/** The level an account of each type has when nothing pushes it further down. */
const usualLevel: Readonly<Record<string, number>> = { '001': 0, '002': 1, '003': 2, '004': 3, '005': 3 };

/** Which types may stand directly below which: nothing is above a provider but the platform and another provider. */
const belowOf: Readonly<Record<string, readonly string[]>> = {
  '001': ['002', '003', '004', '005'],
  '002': ['002', '003', '004', '005'],
  '003': ['003', '004', '005'],
  '004': ['004'],
  '005': ['005'],
};
export const canBeChildOf = (parenttype: string, musertype: string): boolean => belowOf[parenttype]?.includes(musertype) ?? false;

/** Where a node comes to stand below a parent; undefined when that would be deeper than level 5. */
export function placeUnder(node: { musercode: string; musertype: string }, parent: Place): Place | undefined {
  const categorylevel = Math.max(usualLevel[node.musertype] ?? 3, parent.categorylevel + 1);
  if (categorylevel > deepestLevel) return undefined;
  const categorycodes = Array.from({ length: deepestLevel + 1 }, (_, level) =>
    level <= parent.categorylevel ? (parent.categorycodes[level] ?? '') : level === categorylevel ? node.musercode : '',
  );
  return {
    musercode: node.musercode,
    musertype: node.musertype,
    parentmusercode: parent.musercode,
    categorylevel,
    categorycodes,
    orgpath: `${parent.orgpath}${node.musercode}.`,
  };
}

export type Moved = { places: Place[] } | { refused: 'below itself' | 'wrong type' | 'too deep' };

/**
 * Moves a node with everything below it under another parent. `subtree` holds the node and all its descendants in any order;
 * the answer has the same nodes in their new places, the node itself first.
 */
export function moveUnder(musercode: string, subtree: readonly Place[], parent: Place): Moved {
  if (subtree.some((node) => node.musercode === parent.musercode)) return { refused: 'below itself' };
  const root = subtree.find((node) => node.musercode === musercode);
  if (!root) throw new RangeError(`${musercode} is not in its own subtree`);
  if (!canBeChildOf(parent.musertype, root.musertype)) return { refused: 'wrong type' };
  const children = new Map<string | null, Place[]>();
  for (const node of subtree) children.set(node.parentmusercode, [...(children.get(node.parentmusercode) ?? []), node]);
  const places: Place[] = [];
  const waiting: [Place, Place][] = [[root, parent]];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const placed = placeUnder(...next);
    if (!placed) return { refused: 'too deep' };
    places.push(placed);
    for (const child of children.get(placed.musercode) ?? []) waiting.push([child, placed]);
  }
  return { places };
}
