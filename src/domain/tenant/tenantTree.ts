/**
 * The tree of institutions (conventions.md 0.2): level 0 is the platform, 1 a provider, 2 an authority or area, 3 an institution,
 * 4 a campus, 5 a unit of a campus. A path may leave levels out. `categorycodes[k]` is the code of the ancestor at level k,
 * the node's own code at its own level, and '' elsewhere. `orgpath` joins the codes from the root down, each followed by a dot.
 */
export interface TenantNode {
  musercode: string;
  musertype: string;
  parentmusercode: string | null;
  categorylevel: number;
  categorycodes: readonly string[];
  orgpath: string;
}

const DEEPEST_LEVEL = 5;
/** The platform's own institution: the root of the tree. All institutions are below it, closed ones too. */
export const platformCode = 'AS000001';

/** The level of each account type, unless its parent is at that level or deeper. */
const USUAL_LEVEL: Readonly<Record<string, number>> = { '001': 0, '002': 1, '003': 2, '004': 3, '005': 3 };

/** The types allowed directly below each type. Only the platform and another provider may be above a provider. */
const childTypesOf: Readonly<Record<string, readonly string[]>> = {
  '001': ['002', '003', '004', '005'],
  '002': ['002', '003', '004', '005'],
  '003': ['003', '004', '005'],
  '004': ['004'],
  '005': ['005'],
};
/** Whether an account of type `musertype` may be directly below one of type `parenttype`. */
export const canBeChildOf = (parenttype: string, musertype: string): boolean =>
  childTypesOf[parenttype]?.includes(musertype) ?? false;

/** The node with its place below a parent; undefined when that place would be deeper than level 5. */
export function placeUnder(node: { musercode: string; musertype: string }, parent: TenantNode): TenantNode | undefined {
  const categorylevel = Math.max(USUAL_LEVEL[node.musertype] ?? 3, parent.categorylevel + 1);
  if (categorylevel > DEEPEST_LEVEL) return undefined;
  const categorycodes = Array.from({ length: DEEPEST_LEVEL + 1 }, (_, level) =>
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

export type MoveResult = { places: TenantNode[] } | { refusal: 'below itself' | 'wrong type' | 'too deep' };

/**
 * Moves a node with all its descendants under another parent. `subtree` holds the node and all its descendants in any order.
 * Returns the same nodes in their new places, the moved node first.
 */
export function moveUnder(musercode: string, subtree: readonly TenantNode[], parent: TenantNode): MoveResult {
  if (subtree.some((node) => node.musercode === parent.musercode)) return { refusal: 'below itself' };
  const root = subtree.find((node) => node.musercode === musercode);
  if (!root) throw new RangeError(`${musercode} is not in its own subtree`);
  if (!canBeChildOf(parent.musertype, root.musertype)) return { refusal: 'wrong type' };
  const children = new Map<string | null, TenantNode[]>();
  for (const node of subtree) children.set(node.parentmusercode, [...(children.get(node.parentmusercode) ?? []), node]);
  const places: TenantNode[] = [];
  const queue: [TenantNode, TenantNode][] = [[root, parent]];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const node = placeUnder(...next);
    if (!node) return { refusal: 'too deep' };
    places.push(node);
    for (const child of children.get(node.musercode) ?? []) queue.push([child, node]);
  }
  return { places };
}
