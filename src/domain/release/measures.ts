/** What is counted of a group of persons for authorities (decision 0069). */
export interface Measures {
  /** persons with a valid sheet */
  valid: number;
  /** 需关注 across institutions: level 2 or higher, or an alert */
  abnormal: number;
  /** an alert in the valid sheet */
  alert: number;
  /** persons at level 0 to 4 */
  levels: number[];
  depressed: number[];
  anxious: number[];
  /** cases opened in the period; of these settled: closed, or open without an overdue duty; of these closed */
  opened: number;
  settled: number;
  closed: number;
}

/** The same with hidden counts as null. */
export type Outcome = {
  [Key in keyof Measures]: Measures[Key] extends number ? number | null : (number | null)[];
};

export type GroupKind = 'all' | 'grade' | 'gender';

/** A group of a region or of one of its institutions. */
export interface Group {
  /** '': the region */
  musercode: string;
  kind: GroupKind;
  /** '' for all; a grade or a gender */
  code: string;
  measures: Measures;
}

export const LEVELS = [0, 1, 2, 3, 4] as const;
const noLevels = () => LEVELS.map(() => 0);
export const noMeasures = (): Measures => ({
  ...{ valid: 0, abnormal: 0, alert: 0, opened: 0, settled: 0, closed: 0 },
  ...{ levels: noLevels(), depressed: noLevels(), anxious: noLevels() },
});

const SINGLE = ['valid', 'abnormal', 'alert', 'opened', 'settled', 'closed'] as const;
const SPREAD = ['levels', 'depressed', 'anxious'] as const;

/** Adds `more` to `sum`. */
export function addMeasures(sum: Measures, more: Measures): void {
  for (const key of SINGLE) sum[key] += more[key];
  for (const key of SPREAD) sum[key] = sum[key].map((count, level) => count + (more[key][level] ?? 0));
}

/**
 * The counts that are published of a group: of grades and genders only 有效 and 需关注, of all persons also alerts and cases, and of a
 * region also levels. In a school a level nearly always has fewer than 5 persons.
 */
export function cellsOf({ musercode, kind, measures }: Group): Record<string, number> {
  const cells: Record<string, number> = { valid: measures.valid, abnormal: measures.abnormal };
  if (kind !== 'all') return cells;
  for (const key of SINGLE) cells[key] = measures[key];
  if (musercode !== '') return cells;
  for (const key of SPREAD) for (const level of LEVELS) cells[`${key}.${level}`] = measures[key][level] ?? 0;
  return cells;
}

/** The outcome of a group with the counts that `isShown` allows; the others are null. */
export function toOutcome(group: Group, isShown: (cell: string) => boolean): Outcome {
  const cells = cellsOf(group);
  const value = (cell: string) => (cell in cells && isShown(cell) ? (cells[cell] ?? null) : null);
  const spread = (key: string) => LEVELS.map((level) => value(`${key}.${level}`));
  return {
    ...{ valid: value('valid'), abnormal: value('abnormal'), alert: value('alert') },
    ...{ levels: spread('levels'), depressed: spread('depressed'), anxious: spread('anxious') },
    ...{ opened: value('opened'), settled: value('settled'), closed: value('closed') },
  };
}

/** Rounds down to the multiple of 5 that the effort shows. */
export const roundEffort = (count: number): number => count - (count % 5);

/** A sum of hidden and visible counts: hidden as soon as one part is. */
export const addVisible = (parts: readonly (number | null)[]): number | null =>
  parts.some((part) => part === null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);

/** The outcome of several closed systems together. */
export const addOutcomes = (parts: readonly Outcome[]): Outcome => {
  const single = (key: (typeof SINGLE)[number]) => addVisible(parts.map((part) => part[key]));
  const spread = (key: (typeof SPREAD)[number]) =>
    LEVELS.map((level) => addVisible(parts.map((part) => part[key][level] ?? null)));
  return {
    ...{ valid: single('valid'), abnormal: single('abnormal'), alert: single('alert') },
    ...{ levels: spread('levels'), depressed: spread('depressed'), anxious: spread('anxious') },
    ...{ opened: single('opened'), settled: single('settled'), closed: single('closed') },
  };
};

/** The items with a key in common, in the order of their first. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
