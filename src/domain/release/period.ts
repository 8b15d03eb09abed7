import { fromShanghai, addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { termOf } from '#domain/statistics/term.ts';

/** A period of what is published: a school term ('2026-2027', '1') or a quarter ('2026', 'Q3'). */
export interface Period {
  year: string;
  term: string;
}

/** The population of students, whose periods are school terms. The periods of the others are quarters. */
export const STUDENTS = '000000002';
/** The populations in the order in which a page without a choice looks for something published. */
export const POPULATIONS = [STUDENTS, '000000001', '000000004', '000000003', '000000005'];
/** Days between the end of a period's last task, or of the period, and the release of its outcome. */
export const RELEASE_DAYS = 7;

/** The period of a Shanghai date for a population. */
export function periodOf(appid: string, date: string): Period {
  if (appid === STUDENTS) return termOf(date);
  return { year: date.slice(0, 4), term: `Q${Math.ceil(Number(date.slice(5, 7)) / 3)}` };
}

/** The first and the last day of a period; undefined when it is none. The first term lasts from August to January. */
export function spanOf({ year, term }: Period): { begindate: string; enddate: string } | undefined {
  const quarter = /^Q([1-4])$/.exec(term)?.[1];
  if (quarter && /^\d{4}$/.test(year)) {
    const first = (Number(quarter) - 1) * 3 + 1;
    const next = first === 10 ? `${Number(year) + 1}-01-01` : `${year}-${String(first + 3).padStart(2, '0')}-01`;
    return { begindate: `${year}-${String(first).padStart(2, '0')}-01`, enddate: dayBefore(next) };
  }
  const [begin, end] = /^(\d{4})-(\d{4})$/.exec(year)?.slice(1) ?? [];
  if (!begin || !end || (term !== '1' && term !== '2')) return undefined;
  return term === '1'
    ? { begindate: `${begin}-08-01`, enddate: `${end}-01-31` }
    : { begindate: `${end}-02-01`, enddate: `${end}-07-31` };
}
const dayBefore = (date: string): string => shanghaiDate(addDays(fromShanghai(date), -1));

/** Whether a period has begun. */
export const hasBegun = (period: Period, now: Date): boolean => {
  const span = spanOf(period);
  return span !== undefined && span.begindate <= shanghaiDate(now);
};

/** Whether a period is over. */
export const hasEnded = (period: Period, now: Date): boolean => {
  const span = spanOf(period);
  return span !== undefined && span.enddate < shanghaiDate(now);
};

/** Newest first. */
export const compareNewest = (a: Period, b: Period): number =>
  a.year === b.year ? (a.term < b.term ? 1 : Number(a.term > b.term) * -1) : a.year < b.year ? 1 : -1;

/**
 * Whether the outcome of a closed system may be released (decision 0069): 7 days after the last task of its institutions ended, if
 * each has had one and the period is a term; at the latest 7 days after the period.
 * @param taskends the end of the last task of each institution; null: none
 */
export function isReleaseDue(period: Period, taskends: readonly (Date | null)[], now: Date): boolean {
  const span = spanOf(period);
  if (!span) return false;
  if (now >= addDays(fromShanghai(span.enddate), 1 + RELEASE_DAYS)) return true;
  if (period.term.startsWith('Q') || taskends.length === 0) return false;
  return taskends.every((end) => end !== null && addDays(end, RELEASE_DAYS) <= now);
}
