import pg from 'pg';

/** As pg-types numbers them. */
const oid = { int8: 20, textArray: 1009 as number, date: 1082, timestamptz: 1184, numeric: 1700 };

const anyTextArray = pg.types.getTypeParser(oid.textArray) as (text: string) => (string | null)[];
const anyTimestamptz = pg.types.getTypeParser(oid.timestamptz) as (text: string) => Date;

/**
 * A `text[]` as PostgreSQL writes it. pg reads it character by character, which took longer than the rest of a page whose rows carry the
 * codes of roles; where nothing is quoted (codes, numbers of persons and institutions) commas part it. The rest is left to pg.
 */
export function textArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  const plain =
    !text.includes('"') && !text.includes('\\') && !text.includes('NULL') && text.startsWith('{') && text.lastIndexOf('{') === 0;
  return plain ? text.slice(1, -1).split(',') : anyTextArray(text);
}

const pair = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

/** 2026-03-02 09:05:00.123456+08 */
const usualTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d$/;

/**
 * A `timestamptz` as PostgreSQL writes it, to the millisecond. Years of four digits and zones of whole hours are read where they stand;
 * the rest (before the year 100, infinity, half hours) is left to pg.
 */
export function timestamptz(text: string): Date {
  const year = usualTime.test(text) ? pair(text, 0) * 100 + pair(text, 2) : 0;
  if (year < 100) return anyTimestamptz(text);
  const zone = text.length - 3;
  const fraction = zone > 19 ? Math.trunc(1000 * Number(text.slice(19, zone))) : 0;
  const hours = pair(text, 11) - (text[zone] === '-' ? -1 : 1) * pair(text, zone + 1);
  return new Date(Date.UTC(year, pair(text, 5) - 1, pair(text, 8), hours, pair(text, 14), pair(text, 17), fraction));
}

// A date has no time zone and stays text; whole and decimal numbers of ours fit a double (they are counts and scores).
pg.types.setTypeParser(oid.date, (text) => text);
pg.types.setTypeParser(oid.int8, Number);
pg.types.setTypeParser(oid.numeric, Number);
pg.types.setTypeParser(oid.textArray, textArray);
pg.types.setTypeParser(oid.timestamptz, timestamptz);
