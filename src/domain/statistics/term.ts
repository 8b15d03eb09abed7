import { schoolYearOf } from '#domain/person/grades.ts';

/** A term of a school year: '1' is the autumn term, '2' the spring term. */
export interface SchoolTerm {
  /** such as 2025-2026 */
  year: string;
  term: string;
}

/** The months before and with today that a page covers when no term has a task. */
const MONTHS_WITHOUT_TERM = 12;

/**
 * The term of a day (design/supplement-people-statistics.md 8.4): August to January are the first, February to July the second.
 * January belongs to the school year that has begun before.
 */
export function termOf(date: string): SchoolTerm {
  const month = Number(date.slice(5, 7));
  return { year: schoolYearOf(date), term: month >= 2 && month <= 7 ? '2' : '1' };
}

const keyOf = ({ year, term }: SchoolTerm): string => `${year}/${term}`;

/** The order of terms: negative when `a` is earlier than `b`. */
export const compareTermOrder = (a: SchoolTerm, b: SchoolTerm): number =>
  keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b));

/** The latest of `terms` before `term`; undefined when there is none. */
export const termBefore = <T extends SchoolTerm>(terms: readonly T[], term: SchoolTerm): T | undefined =>
  terms
    .filter((candidate) => compareTermOrder(candidate, term) < 0)
    .sort(compareTermOrder)
    .at(-1);

/** The same day `months` months earlier; the last day of that month when it has no such day. */
function monthsBefore(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** The 12 months up to and with today. */
export function lastYearOf(today: string): { begindate: string; enddate: string } {
  const before = monthsBefore(today, MONTHS_WITHOUT_TERM);
  const next = new Date(`${before}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return { begindate: next.toISOString().slice(0, 10), enddate: today };
}

/**
 * The period on which a page of statistics opens: the current term, else the latest term with tasks, else 12 months. `terms` are the
 * terms with tasks. A term that has not begun is not opened.
 */
export function openingPeriod(today: string, terms: readonly SchoolTerm[]): SchoolTerm | { begindate: string; enddate: string } {
  const current = termOf(today);
  const begun = terms.filter((term) => compareTermOrder(term, current) <= 0).sort(compareTermOrder);
  const latest = begun.at(-1);
  return latest ? { year: latest.year, term: latest.term } : lastYearOf(today);
}
