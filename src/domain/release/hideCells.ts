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

/** The total of the region, which is hidden last. */
const REGION = cellKey({ musercode: '', kind: 'all', code: '' }, '');

/**
 * The next cell to hide for cells that the sums give away: the smallest visible one of their lines. If all of these are hidden, of the
 * lines around, up to `steps` away.
 */
function nextOfLines(
  keys: readonly string[],
  lines: readonly Line[],
  { hidden, counts, steps }: { hidden: ReadonlySet<string>; counts: ReadonlyMap<string, number>; steps: number },
): string | undefined {
  const reached = new Set(keys);
  const countOf = (key: string) => counts.get(key) ?? 0;
  for (let step = 0, size = -1; step < steps && size !== reached.size; step += 1) {
    size = reached.size;
    for (const { parent, children } of lines.filter((line) => [line.parent, ...line.children].some((key) => reached.has(key))))
      for (const key of [parent, ...children]) reached.add(key);
    const [smallest] = [...reached]
      .filter((key) => !hidden.has(key) && countOf(key) > 0 && !key.startsWith(REGION))
      .sort((x, y) => countOf(x) - countOf(y) || (x < y ? -1 : 1));
    if (smallest !== undefined) return smallest;
  }
  return steps > 1 ? [...reached].find((key) => !hidden.has(key)) : undefined;
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
      const isolated: Sum[] = [];
      for (const group of groups) {
        await pause();
        isolated.push(...isolatedSums(group, hidden, reader));
      }
      const next = (sum: Sum, steps: number) =>
        nextOfLines(
          sum.map(([key]) => key),
          lines,
          { hidden, counts, steps },
        );
      for (const key of isolated.map((sum) => next(sum, 1))) if (key !== undefined) more.add(key);
      // What is farther away may be hidden in vain, so one cell at a time.
      const [first] = isolated;
      if (more.size === 0 && first) {
        const far = next(first, Infinity) ?? cells.find(({ key }) => !hidden.has(key))?.key;
        if (far === undefined) throw new Error('every count is hidden, and a reader still knows one');
        more.add(far);
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
