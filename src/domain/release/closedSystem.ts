import type { Cell, Line } from '#domain/statistics/smallCells.ts';
import type { Fact, Sum } from '#domain/release/facts.ts';
import { addMeasures, cellsOf, LEVELS, noMeasures, type Group, type GroupKind, type Measures } from '#domain/release/measures.ts';

/**
 * A closed system: the institutions of one sector and region with one population in one period. Its groups, the sums that connect them,
 * and what else a reader knows about their counts.
 */

/** Persons of an institution with a grade and a gender in common, without cases. */
export interface PersonRow extends Omit<Measures, 'opened' | 'settled' | 'closed'> {
  musercode: string;
  /** '': without a grade */
  gradecode: string;
  /** 01, 02; others are unknown */
  gender: string;
}
/** The cases of an institution that were opened in the period. */
export type CaseRow = Pick<Measures, 'opened' | 'settled' | 'closed'> & { musercode: string };

/** The gender code of persons of unknown gender. */
export const UNKNOWN_GENDER = '00';
const genderOf = (code: string): string => (code === '01' || code === '02' ? code : UNKNOWN_GENDER);

/** The groups of a closed system. Without any grade, as in a hospital, there are no groups by grade. */
export function groupsOf(persons: readonly PersonRow[], cases: readonly CaseRow[]): Group[] {
  const groups = new Map<string, Group>();
  const add = (musercode: string, kind: GroupKind, code: string, measures: Partial<Measures>) => {
    const key = groupKey({ musercode, kind, code });
    const group = groups.get(key) ?? { musercode, kind, code, measures: noMeasures() };
    groups.set(key, group);
    addMeasures(group.measures, { ...noMeasures(), ...measures });
  };
  const hasGrades = persons.some(({ gradecode }) => gradecode !== '');
  for (const { musercode: institution, gradecode, gender, ...measures } of persons)
    for (const musercode of ['', institution]) {
      add(musercode, 'all', '', measures);
      if (hasGrades) add(musercode, 'grade', gradecode, measures);
      // The gender is that of the valid sheet, so persons without one would stand here with nothing to count.
      if (measures.valid > 0) add(musercode, 'gender', genderOf(gender), measures);
    }
  for (const { musercode: institution, ...measures } of cases)
    for (const musercode of ['', institution]) add(musercode, 'all', '', measures);
  return [...groups.values()];
}

export const groupKey = ({ musercode, kind, code }: Omit<Group, 'measures'>): string => `${musercode}/${kind}/${code}`;
export const cellKey = (group: Omit<Group, 'measures'>, cell: string): string => `${groupKey(group)}/${cell}`;

/** The count of which a count is a part; undefined: it is no part of another. */
export function wholeOf(cell: string): string | undefined {
  if (cell === 'valid' || cell === 'opened') return undefined;
  return cell === 'settled' || cell === 'closed' ? 'opened' : 'valid';
}

/**
 * The cells of the groups for the rules of small cells. All cases settled says something about an institution and nothing about a
 * person, so a whole group is no reason to hide it.
 */
export function smallCellsOf(groups: readonly Group[]): Cell[] {
  return groups.flatMap((group) => {
    const cells = cellsOf(group);
    return Object.entries(cells).map(([cell, count]) => {
      const whole = wholeOf(cell);
      return { key: cellKey(group, cell), count, of: whole === undefined || whole === 'opened' ? null : (cells[whole] ?? 0) };
    });
  });
}

/** The sums that everybody knows: regions of institutions; groups of their grades and of their genders. */
export function linesOf(groups: readonly Group[]): Line[] {
  const lines = new Map<string, { parent: string; children: string[] }>();
  const add = (name: string, parent: string, child: string) => {
    const line = lines.get(name) ?? { parent, children: [] };
    lines.set(name, line);
    line.children.push(child);
  };
  for (const group of groups)
    for (const cell of Object.keys(cellsOf(group))) {
      const key = cellKey(group, cell);
      if (group.musercode !== '') {
        const region = cellKey({ ...group, musercode: '' }, cell);
        add(`institutions ${region}`, region, key);
      }
      if (group.kind !== 'all') {
        const all = cellKey({ musercode: group.musercode, kind: 'all', code: '' }, cell);
        add(`${group.kind} ${all}`, all, key);
      }
    }
  return [...lines.values()];
}

/** What a reader knows of the effort of an institution and of its flag, besides the counts. */
export interface Known {
  /** 实测 by `musercode/gradecode`, as it is shown */
  tested: ReadonlyMap<string, number>;
  /** institutions with an overdue duty */
  overdue: ReadonlySet<string>;
}

/** The cells of a level and of those above it. */
const from = (name: string, level: number): string[] => LEVELS.filter((item) => item >= level).map((item) => `${name}.${item}`);

/**
 * What a reader knows about the counts of one group. A fact that the counts contradict is left out: a reader who believes it learns
 * nothing true. So facts that hold only for usual questionnaires belong here too.
 */
export function factsOf(group: Group, { tested, overdue }: Known): Fact[] {
  const cells = cellsOf(group);
  const facts: Fact[] = [];
  /** The sum of `more` minus the sum of `less` is at least `min`. */
  const atLeast = (more: readonly string[], less: readonly string[], min = 0, isEqual = false) => {
    const sum = (names: readonly string[]) => names.reduce((total, name) => total + (cells[name] ?? 0), 0);
    const value = sum(more) - sum(less);
    if (isEqual ? value !== min : value < min) return;
    const terms = [...more.map((name) => [name, 1] as const), ...less.map((name) => [name, -1] as const)];
    facts.push({ terms: terms.map(([name, factor]) => [cellKey(group, name), factor] as const), min, isEqual });
  };
  atLeast(['valid'], ['abnormal']);
  const most = mostTested(group, tested);
  if (most !== undefined) atLeast([], ['valid'], -most);
  if (group.kind !== 'all') return facts;
  atLeast(['valid'], ['alert']);
  atLeast(['abnormal'], ['alert']);
  atLeast(['opened'], ['settled']);
  atLeast(['settled'], ['closed']);
  if (group.musercode !== '') {
    // Without the flag no open case has an overdue duty.
    if (overdue.has(group.musercode)) atLeast(['opened'], ['settled'], 1);
    else atLeast(['settled'], ['opened'], 0, true);
    return facts;
  }
  for (const name of ['levels', 'depressed', 'anxious']) {
    atLeast(['valid'], from(name, 0));
    atLeast(from(name, 0), ['valid'], 0, true);
  }
  atLeast(['abnormal'], from('levels', 2));
  atLeast([...from('levels', 2), 'alert'], ['abnormal']);
  for (const level of [1, 2, 3, 4]) {
    atLeast(from('levels', level), from('depressed', level));
    atLeast(from('levels', level), from('anxious', level));
    // The level of a sheet is the highest of its forms' and of its alert's.
    atLeast([...from('depressed', level), ...from('anxious', level), 'alert'], from('levels', level));
  }
  // An alert is a level of its own: 2 or 3.
  atLeast(from('levels', 2), ['alert']);
  atLeast(from('levels', 2), ['abnormal'], 0, true);
  return facts;
}

/** The most persons of a group who can have handed in, as the effort shows it; undefined where it does not tell. */
function mostTested({ musercode, kind, code }: Group, tested: Known['tested']): number | undefined {
  if (musercode === '' || kind === 'gender') return undefined;
  if (kind === 'grade') return (tested.get(`${musercode}/${code}`) ?? 0) + 4;
  const grades = [...tested].filter(([key]) => key.startsWith(`${musercode}/`));
  return grades.reduce((sum, [, count]) => sum + count + 4, 0);
}

/**
 * The counts of a group that nobody may learn, besides the cells themselves: what a part leaves of its whole, and what lies between two
 * nested counts, such as persons at level 2 without a depression at level 2.
 */
export function differencesOf(group: Group): { rests: Sum[]; gaps: Sum[] } {
  const cells = Object.keys(cellsOf(group));
  const minus = (more: readonly string[], less: readonly string[]): Sum => [
    ...more.map((cell) => [cellKey(group, cell), 1] as const),
    ...less.map((cell) => [cellKey(group, cell), -1] as const),
  ];
  const rests = cells.flatMap((cell) => (wholeOf(cell) === 'valid' ? [minus(['valid'], [cell])] : []));
  if (group.kind !== 'all') return { rests, gaps: [] };
  // That no case is overdue is what the flag says, so the rest of the cases may be 0.
  const cases = [minus(['opened'], ['settled']), minus(['opened'], ['closed']), minus(['settled'], ['closed'])];
  if (group.musercode !== '') return { rests, gaps: cases };
  const gaps = [
    ...cases,
    minus(['abnormal'], from('levels', 2)),
    ...['levels', 'depressed', 'anxious'].map((name) => minus(['valid'], from(name, 0))),
    ...[1, 2, 3, 4].flatMap((level) => ['depressed', 'anxious'].map((name) => minus(from('levels', level), from(name, level)))),
  ];
  return { rests, gaps };
}
