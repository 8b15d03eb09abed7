import { hideSmallCells, isSmallCell } from '#domain/statistics/smallCells.ts';
import { cellKey, linesOf, smallCellsOf, type Known } from '#domain/release/closedSystem.ts';
import { cellsOf, LEVELS, type Group } from '#domain/release/measures.ts';

/** The names of cells that are shown together or not at all. */
const SPREADS = ['levels', 'depressed', 'anxious'].map((name) => LEVELS.map((level) => `${name}.${level}`));

/** Without a whole no part is shown: no count of a group without 有效, no level and no alert without 需关注, no settled case without cases. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  valid: ['abnormal', 'alert', ...SPREADS.flat()],
  abnormal: ['alert', ...(SPREADS[0] ?? [])],
  opened: ['settled', 'closed'],
};

/** The hidden cells of a group and the other cells of the group that are hidden with them. */
function hideTogether(group: Group, hidden: Set<string>): void {
  const cells = Object.keys(cellsOf(group));
  const isHidden = (cell: string) => hidden.has(cellKey(group, cell));
  const hide = (names: readonly string[]) => {
    for (const cell of names) if (cells.includes(cell)) hidden.add(cellKey(group, cell));
  };
  for (const [whole, parts] of Object.entries(PARTS)) if (isHidden(whole)) hide(parts);
  for (const spread of SPREADS) if (spread.some(isHidden)) hide(spread);
}

/** Cells of cases that say too much by themselves: parts of fewer than 5 cases, and parts that leave 1 to 4. */
function smallParts(group: Group): string[] {
  const { opened, settled, closed } = group.measures;
  if (group.kind !== 'all' || opened === 0) return [];
  const isSmall = (count: number) => count !== opened && isSmallCell({ count, of: opened });
  return Object.entries({ settled, closed }).flatMap(([cell, count]) =>
    opened < 5 || isSmall(count) ? [cellKey(group, cell)] : [],
  );
}

/** The keys of the cells of a closed system that stay hidden. */
export function hideCells(groups: readonly Group[], _known: Known): Set<string> {
  const cells = smallCellsOf(groups);
  const lines = linesOf(groups);
  let hidden = new Set(groups.flatMap(smallParts));
  for (let size = -1; size !== hidden.size;) {
    size = hidden.size;
    hidden = hideSmallCells(cells, lines, { hidden });
    for (const group of groups) hideTogether(group, hidden);
  }
  return hidden;
}
