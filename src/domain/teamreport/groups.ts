import type { StackChart } from '#domain/chart/stackOption.ts';
import { hideSmallCells, type Cell, type Line } from '#domain/statistics/smallCells.ts';
import type { DimensionFacts, GroupFacts, TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';

/** A group as the report shows it; null is hidden. */
export interface ShownGroup {
  key: string;
  name: string;
  isChild: boolean;
  total: number | null;
  valid: number | null;
  abnormal: number | null;
}
export interface ShownGroups {
  rows: ShownGroup[];
  /** the groups that may stand in a picture: five levels where all of them stand, else 需关注 and the others */
  bars: Pick<StackChart, 'levels' | 'groups' | 'colours'>;
}

const ROOT = '';

/** The whole with its groups, and each grade with its classes. */
function linesOf(groups: readonly GroupFacts[]): Line[] {
  const parents = new Map<string, string[]>();
  for (const { key, parent = ROOT } of groups) parents.set(parent, [...(parents.get(parent) ?? []), key]);
  return [...parents].map(([parent, children]) => ({ parent, children }));
}

type Outcome = Pick<TeamReportFacts['outcome'], 'valid' | 'abnormal' | 'levels'>;

/** The keys of the groups whose valid persons, or whose persons with this result, are hidden. */
function hide(
  groups: readonly GroupFacts[],
  root: Outcome,
  count: ((group: Outcome) => number) | null,
  hidden: Iterable<string>,
) {
  const toCell = (key: string, group: Outcome): Cell =>
    count ? { key, count: count(group), of: group.valid } : { key, count: group.valid, of: null };
  const cells = [toCell(ROOT, root), ...groups.map((group) => toCell(group.key, { ...group, levels: group.levels ?? [] }))];
  return hideSmallCells(cells, linesOf(groups), { hidden, shown: [ROOT] });
}

/** The groups in their order, each grade followed by its classes. */
const inOrder = (groups: readonly GroupFacts[]): GroupFacts[] =>
  groups
    .filter(({ parent }) => parent === undefined)
    .flatMap((group) => [group, ...groups.filter(({ parent }) => parent === group.key)]);

/**
 * The groups of a dimension with small groups hidden (supplement-people-statistics.md 9, rules 1 and 2); undefined when fewer than two
 * groups have results, because one group is the whole.
 */
export function showGroups(root: Outcome, { groups }: Pick<DimensionFacts, 'groups'>): ShownGroups | undefined {
  // A class that is the whole grade says nothing more than its grade.
  const siblings = (group: GroupFacts) => groups.filter(({ parent, valid }) => parent === group.parent && valid > 0);
  const used = groups.filter((group) => group.parent === undefined || siblings(group).length > 1);
  if (used.filter(({ parent, valid }) => parent === undefined && valid > 0).length < 2 && used.every(({ parent }) => !parent))
    return undefined;
  const noValid = hide(used, root, null, []);
  const noAbnormal = hide(used, root, ({ abnormal }) => abnormal, noValid);
  const areLevelsShown =
    used.every(({ levels }) => levels !== null) &&
    OVERALL_LEVELS.every((_, level) => hide(used, root, ({ levels }) => levels[level] ?? 0, noValid).size === 0);
  const ordered = inOrder(used);
  const rows = ordered.map(({ key, parent, name, total, valid, abnormal }) => ({
    key,
    name,
    isChild: parent !== undefined,
    total,
    valid: noValid.has(key) ? null : valid,
    abnormal: noAbnormal.has(key) || noValid.has(key) ? null : abnormal,
  }));
  if (rows.every(({ valid, abnormal }) => valid === null || abnormal === null)) return undefined;
  const shown = ordered.filter(({ key, valid }) => valid > 0 && !noValid.has(key) && !noAbnormal.has(key));
  const bars = areLevelsShown
    ? { levels: OVERALL_LEVELS, groups: shown.map(({ name, levels }) => ({ name, counts: levels ?? [] })) }
    : {
        levels: ['其余', '需关注'],
        colours: [0, 2],
        groups: shown.map(({ name, valid, abnormal }) => ({ name, counts: [valid - abnormal, abnormal] })),
      };
  return { rows, bars };
}
