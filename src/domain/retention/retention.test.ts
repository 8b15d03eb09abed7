import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { keptSince, kindsOf, lastDayOf, monthsOf, retentionKinds } from '#domain/retention/retention.ts';

const kind = (key: string) => {
  const found = retentionKinds.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no kind ${key}`);
  return found;
};

describe('the terms of records', () => {
  test('every kind names its ground and reason, and what happens at the end', () => {
    for (const { key, ground, reason, start, months, words } of retentionKinds)
      expect([key, ground !== '', reason !== '', start !== '', months !== null || Boolean(words)]).toEqual([
        key,
        true,
        true,
        true,
        true,
      ]);
    expect(new Set(retentionKinds.map(({ key }) => key)).size).toBe(retentionKinds.length);
  });

  test('records of a hospital stay at least 15 years, whatever the institution sets; those of a school at most 10', () => {
    expect(monthsOf(kind('medical'))).toBe(360);
    expect(monthsOf(kind('medical'), { medical: 12 })).toBe(180);
    expect(monthsOf(kind('person'))).toBe(36);
    expect(monthsOf(kind('person'), { person: 600 })).toBe(120);
    expect(monthsOf(kind('session'), { session: 1 })).toBe(6);
    expect(monthsOf(kind('order'))).toBeNull();
  });

  test('a school has no medical records, a hospital has no others', () => {
    const keys = (isMedical: boolean) => kindsOf(isMedical).map(({ key }) => key);
    expect(keys(false)).toContain('person');
    expect(keys(false)).not.toContain('medical');
    expect(keys(true)).toContain('medical');
    expect(keys(true)).not.toContain('person');
  });

  test.each([
    ['2025-10-08 00:00', 36, '2028-10-08'],
    ['2025-10-08 23:59', 36, '2028-10-08'],
    ['2024-02-29 12:00', 36, '2027-02-28'],
    ['2025-08-31 12:00', 6, '2026-02-28'],
    ['2025-12-31 12:00', 12, '2026-12-31'],
  ])('a term from %s over %i months ends on %s', (start, months, last) => {
    expect(lastDayOf(fromShanghai(start), months)).toBe(last);
  });

  test('a record is over exactly when it began before the instant that divides records', () => {
    const day = fc.integer({ min: 0, max: 24 * 366 * 12 }).map((hours) => new Date(Date.UTC(2018, 0, 1) + hours * 3_600_000));
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 360 }), fc.integer({ min: -3, max: 3 }), (start, months, shift) => {
        const now = addDays(fromShanghai(lastDayOf(start, months)), shift);
        expect(start < keptSince(months, now)).toBe(lastDayOf(start, months) < shanghaiDate(now));
      }),
    );
  });
});
