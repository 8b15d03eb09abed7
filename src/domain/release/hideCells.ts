import { hideSmallCells, isSmallCell, type Line } from '#domain/statistics/smallCells.ts';
import { cellKey, differencesOf, factsOf, linesOf, smallCellsOf, type Known } from '#domain/release/closedSystem.ts';
import { isFewForSure, isIsolated, type Fact, type MakeReader, type Reader, type Sum } from '#domain/release/facts.ts';
import { cellsOf, LEVELS, type Group } from '#domain/release/measures.ts';

/** Names of cells that are shown together or not at all. */
const SPREADS = ['levels', 'depressed', 'anxious'].map((name) => LEVELS.map((level) => `${name}.${level}`));

/** Without a whole no part is shown: of a group without 有效 nothing, without 需关注 no level and no alert. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  valid: ['abnormal', 'alert', ...SPREADS.flat()],
  abnormal: ['alert', ...(SPREADS[0] ?? [])],
  opened: ['settled', 'closed'],
};

/** In a group, what is hidden first when its counts of persons, or of cases, tell too much of each other. */
const ORDERS = [
  ['depressed.0', 'anxious.0', 'levels.0', 'alert', 'abnormal', 'valid'],
  ['closed', 'settled', 'opened'],
];

/** Hides the other cells of a group that go with its hidden ones. */
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

/** The sums of a group about which a reader learns single persons. */
function isolatedSums(group: Group, hidden: ReadonlySet<string>, reader: Reader): Sum[] {
  const { rests, gaps } = differencesOf(group);
  const hasHidden = (sum: Sum) => sum.some(([key]) => hidden.has(key));
  const cells = Object.keys(cellsOf(group)).map((cell): Sum => [[cellKey(group, cell), 1]]);
  return [
    ...[...cells, ...rests].filter((sum) => hasHidden(sum) && isIsolated(reader(sum))),
    ...gaps.filter((sum) => isFewForSure(reader(sum))),
  ];
}

/** The next cell of a group to hide because of a sum. */
function nextOfGroup(group: Group, sum: Sum, hidden: ReadonlySet<string>): string | undefined {
  const cells = Object.keys(cellsOf(group));
  const order = ORDERS.map((names) => names.filter((cell) => cells.includes(cell)).map((cell) => cellKey(group, cell)));
  return order.find((keys) => sum.some(([key]) => keys.includes(key) || isOfSpread(key)))?.find((key) => !hidden.has(key));
}
const isOfSpread = (key: string): boolean => SPREADS.flat().some((cell) => key.endsWith(`/${cell}`));

/** The next cell to hide for a cell that the sums of groups give away: the smallest visible one of its lines, else a parent. */
function nextOfLines(
  keys: readonly string[],
  lines: readonly Line[],
  hidden: ReadonlySet<string>,
  counts: ReadonlyMap<string, number>,
) {
  const touching = lines.filter(({ parent, children }) => keys.some((key) => key === parent || children.includes(key)));
  const visible = [...new Set(touching.flatMap(({ children }) => children))].filter((key) => !hidden.has(key));
  const countOf = (key: string) => counts.get(key) ?? 0;
  const [smallest] = visible.filter((key) => countOf(key) > 0).sort((a, b) => countOf(a) - countOf(b) || (a < b ? -1 : 1));
  return smallest ?? touching.map(({ parent }) => parent).find((key) => !hidden.has(key)) ?? visible[0];
}

/**
 * The keys of the cells of a closed system that stay hidden. First the rules of small cells; then, as long as a reader who knows the
 * facts can tell single persons, one more cell for each of these counts. `pause` lets the server answer in between.
 */
export async function hideCells(
  groups: readonly Group[],
  known: Known,
  makeReader: MakeReader,
  pause: () => Promise<void> = async () => undefined,
): Promise<Set<string>> {
  const cells = smallCellsOf(groups);
  const lines = linesOf(groups);
  const counts = new Map(cells.map(({ key, count }) => [key, count]));
  const countOf = (key: string) => counts.get(key) ?? 0;
  const factsByGroup = groups.map((group) => factsOf(group, known));
  const sums = lines.map(({ parent, children }): Fact => ({
    terms: [[parent, 1], ...children.map((key) => [key, -1] as const)],
    min: 0,
    isEqual: true,
  }));
  const facts = [...factsByGroup.flat(), ...sums];
  let hidden = new Set(groups.flatMap(smallParts));
  for (;;) {
    hidden = applyRules(groups, cells, lines, hidden);
    const more = new Set<string>();
    for (const [index, group] of groups.entries()) {
      await pause();
      const reader = makeReader(factsByGroup[index] ?? [], hidden, countOf);
      for (const sum of isolatedSums(group, hidden, reader)) {
        const next = nextOfGroup(group, sum, hidden);
        if (next !== undefined) more.add(next);
      }
    }
    if (more.size === 0) {
      const reader = makeReader(facts, hidden, countOf);
      for (const group of groups) {
        await pause();
        for (const sum of isolatedSums(group, hidden, reader)) {
          const keys = sum.map(([key]) => key);
          const next =
            nextOfLines(keys, lines, hidden, counts) ??
            nextOfGroup(group, sum, hidden) ??
            [...counts.keys()].find((key) => !hidden.has(key));
          if (next !== undefined) more.add(next);
        }
      }
    }
    if (more.size === 0) return hidden;
    for (const key of more) hidden.add(key);
  }
}

/** The hidden cells with all that the rules of small cells hide besides. */
function applyRules(
  groups: readonly Group[],
  cells: ReturnType<typeof smallCellsOf>,
  lines: readonly Line[],
  first: ReadonlySet<string>,
): Set<string> {
  let hidden = new Set(first);
  for (let size = -1; size !== hidden.size;) {
    size = hidden.size;
    hidden = hideSmallCells(cells, lines, { hidden });
    for (const group of groups) hideTogether(group, hidden);
  }
  return hidden;
}
