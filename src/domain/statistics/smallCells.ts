/**
 * Hiding small groups (design/supplement-people-statistics.md 9, rules 1 and 2): a paper that leaves the room never shows a count from
 * which a reader could tell the result of single persons.
 */

/** A count smaller than this is hidden, and so is the rest of a group when it is smaller. */
export const SMALLEST_CELL = 5;

/** A count of persons. */
export interface Cell {
  key: string;
  count: number;
  /** the persons of the group; null when the count itself is the group (有效) */
  of: number | null;
}

/** A parent that is the sum of its children. A cell may be the child of one line and the parent of another. */
export interface Line {
  parent: string;
  children: readonly string[];
}

const isFew = (value: number): boolean => value >= 1 && value < SMALLEST_CELL;

/** Rule 1: whether the count says too much by itself. A group without persons says nothing. */
export function isSmallCell({ count, of }: Pick<Cell, 'count' | 'of'>): boolean {
  if (of === null) return isFew(count);
  if (of === 0) return false;
  return of < SMALLEST_CELL || isFew(count) || isFew(of - count) || count === of;
}

/** Rule 2 under a visible parent: no hidden child, or at least two whose sum and complement are each 5 or more. */
function isLineSafe(hidden: readonly Cell[]): boolean {
  if (hidden.length === 0) return true;
  const count = hidden.reduce((sum, cell) => sum + cell.count, 0);
  const rest = hidden.reduce((sum, cell) => sum + (cell.of ?? Infinity) - cell.count, 0);
  return hidden.length >= 2 && count >= SMALLEST_CELL && rest >= SMALLEST_CELL;
}

/**
 * Returns the keys of the cells to hide: those that rule 1 hides, those in `hidden` already, and as many others as rule 2 needs. The
 * smallest visible child goes first, ties by key. Under a hidden parent at least one child is hidden too, or the children would add up
 * to it. A cell of `shown` stays visible, because the paper shows it elsewhere; then all of its children may have to go.
 */
export function hideSmallCells(
  cells: readonly Cell[],
  lines: readonly Line[],
  { hidden = [], shown = [] }: { hidden?: Iterable<string>; shown?: readonly string[] } = {},
): Set<string> {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const small = cells.filter((cell) => !shown.includes(cell.key) && isSmallCell(cell)).map(({ key }) => key);
  const gone = new Set([...hidden, ...small]);
  const isSafe = ({ parent }: Line, children: readonly Cell[]) => {
    const hiddenChildren = children.filter(({ key }) => gone.has(key));
    return gone.has(parent) ? hiddenChildren.length > 0 || children.length === 0 : isLineSafe(hiddenChildren);
  };
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const line of lines) {
      const children = line.children.flatMap((key) => byKey.get(key) ?? []);
      if (isSafe(line, children)) continue;
      const [smallest] = children
        .filter(({ key, count, of }) => !gone.has(key) && (of ?? count) > 0)
        .sort((a, b) => a.count - b.count || (a.key < b.key ? -1 : 1));
      const key = smallest?.key ?? line.parent;
      if (gone.has(key) || shown.includes(key)) continue;
      gone.add(key);
      hasChanged = true;
    }
  }
  return gone;
}
