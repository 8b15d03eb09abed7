import { solve, type Constraint } from 'yalps';

/**
 * A reader who collects every number of every call and asks what single persons it gives away. It knows nothing of the code that hides
 * counts. Its unknowns are the persons of a school, grade and gender by their result, and the levels of each region.
 */

/** Persons of a school with a grade and a gender in common. */
export interface Place {
  district: string;
  school: string;
  grade: string;
  gender: string;
  /** persons who came after this day; a number of an earlier release does not count them */
  since?: string;
}
/** The results of a valid sheet that the reader tells apart. */
const RESULTS = ['calm', 'abnormal', 'alert'] as const;
type Result = (typeof RESULTS)[number];

/** A count of the release: of which persons, and what is counted. */
export interface Target {
  where: Partial<Place>;
  measure: string;
  /** the day of the release that the number comes from */
  day?: string;
}

/** Without a day a count means all persons. */
const LAST_DAY = '9999-12-31';

type Terms = ReadonlyMap<string, number>;

export class Attacker {
  private readonly constraints = new Map<string, Constraint>();
  private readonly variables = new Map<string, Map<string, number>>();
  private readonly places: readonly Place[];

  /** @param days the days of the releases that the reader sees */
  constructor(places: readonly Place[], days: readonly string[] = [LAST_DAY]) {
    this.places = places;
    for (const day of days) {
      for (const district of new Set(places.map((place) => place.district))) this.relateLevels(district, day);
      for (const school of new Set(places.map((place) => place.school)))
        for (const [less, more] of [
          ['closed', 'settled'],
          ['settled', 'opened'],
        ] as const)
          this.know({ where: { school }, measure: more, day }, { min: 0 }, { where: { school }, measure: less, day });
    }
  }

  /** The reader sees a number. */
  see(target: Target, count: number): void {
    this.know(target, { equal: count });
  }

  /** 实测 of a school's grade is shown rounded down: at most so many persons have a valid sheet. */
  seeEffort(where: Partial<Place>, tested: number): void {
    this.know({ where, measure: 'valid' }, { max: tested + 4 });
  }

  /** Without the flag no open case has an overdue duty; with it at least one case has. */
  seeFlag(school: string, hasOverdue: boolean, isOfPeriod: boolean): void {
    const [opened, settled] = [
      { where: { school }, measure: 'opened' },
      { where: { school }, measure: 'settled' },
    ] as const;
    if (!hasOverdue) this.know(opened, { equal: 0 }, settled);
    else if (isOfPeriod) this.know(opened, { min: 1 }, settled);
  }

  /** The bounds of a count, or of a count minus a part of it. */
  boundsOf(target: Target, part?: Target): { min: number; max: number } {
    const terms = this.termsOf(target, part);
    return { min: Math.ceil(this.optimize(terms, 'minimize') - 1e-6), max: Math.floor(this.optimize(terms, 'maximize') + 1e-6) };
  }

  private know(target: Target, constraint: Constraint, minus?: Target): void {
    const name = `${this.constraints.size}`;
    this.constraints.set(name, constraint);
    for (const [key, factor] of this.termsOf(target, minus)) this.variable(key).set(name, factor);
  }

  private variable(key: string): Map<string, number> {
    const variable = this.variables.get(key) ?? new Map<string, number>();
    this.variables.set(key, variable);
    return variable;
  }

  private termsOf(target: Target, minus?: Target): Terms {
    const terms = new Map<string, number>();
    for (const [item, factor] of [[target, 1] as const, ...(minus ? [[minus, -1] as const] : [])])
      for (const key of this.keysOf(item)) terms.set(key, (terms.get(key) ?? 0) + factor);
    return terms;
  }

  private keysOf({ where, measure, day = LAST_DAY }: Target): string[] {
    const places = this.places.filter(
      (place) =>
        (place.since === undefined || place.since <= day) &&
        Object.entries(where).every(([key, value]) => place[key as keyof Place] === value),
    );
    const results: Partial<Record<string, readonly Result[]>> = {
      valid: RESULTS,
      abnormal: ['abnormal', 'alert'],
      alert: ['alert'],
    };
    const counted = results[measure];
    if (counted) return places.flatMap((place) => counted.map((result) => `${Object.values(place).join(' ')} ${result}`));
    if (/^(opened|settled|closed)$/.test(measure))
      return [...new Set(places.map(({ school }) => school))].map((school) => `${school} ${measure} ${day}`);
    return [...new Set(places.map(({ district }) => district))].map((district) => `${district} ${measure} ${day}`);
  }

  /** The levels of a region add up to 有效; 需关注 lies between level 2 and level 2 with the alerts; no form's level exceeds the whole. */
  private relateLevels(district: string, day: string): void {
    const where = { district };
    const level = (name: string, number: number) => ({ where, measure: `${name}.${number}`, day });
    const add = (constraint: Constraint, more: readonly Target[], less: readonly Target[]) => {
      const name = `${this.constraints.size}`;
      this.constraints.set(name, constraint);
      for (const [items, factor] of [
        [more, 1],
        [less, -1],
      ] as const)
        for (const item of items)
          for (const key of this.keysOf(item)) this.variable(key).set(name, (this.variable(key).get(name) ?? 0) + factor);
    };
    const from = (name: string, least: number) =>
      [0, 1, 2, 3, 4].filter((item) => item >= least).map((item) => level(name, item));
    for (const name of ['levels', 'depressed', 'anxious']) add({ equal: 0 }, from(name, 0), [{ where, measure: 'valid', day }]);
    add({ min: 0 }, [{ where, measure: 'abnormal', day }], from('levels', 2));
    add({ min: 0 }, [...from('levels', 2), { where, measure: 'alert', day }], [{ where, measure: 'abnormal', day }]);
    for (const least of [1, 2, 3, 4])
      for (const name of ['depressed', 'anxious']) add({ min: 0 }, from('levels', least), from(name, least));
  }

  private optimize(terms: Terms, direction: 'minimize' | 'maximize'): number {
    const variables = new Map([...this.variables].map(([key, entries]) => [key, new Map(entries)]));
    for (const [key, factor] of terms) {
      const variable = variables.get(key) ?? new Map<string, number>();
      variables.set(key, variable.set('target', factor));
    }
    const { status, result } = solve({ direction, objective: 'target', constraints: this.constraints, variables });
    if (status === 'unbounded') return direction === 'minimize' ? -Infinity : Infinity;
    if (status !== 'optimal') throw new Error(`the numbers contradict each other: ${status}`);
    return result;
  }
}

/** Whether bounds tell of single persons: 1 to 4, or a hidden count exactly. */
export const isolates = ({ min, max }: { min: number; max: number }, isHidden: boolean): boolean =>
  (min >= 1 && max <= 4) || (isHidden && min === max);
