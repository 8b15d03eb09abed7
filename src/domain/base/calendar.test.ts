import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  addDays,
  addHours,
  addWorkingDays,
  ageOn,
  daysBetween,
  fromShanghai,
  isWorkingDay,
  shanghaiDate,
  shanghaiTime,
} from '#domain/base/calendar.ts';

const processZone = process.env.TZ;

// Node reads TZ again after an assignment, so one process can test three time zones.
describe.each(['UTC', 'Asia/Shanghai', 'America/Los_Angeles'])('a server that runs in %s', (zone) => {
  const inZone = (body: () => void) => () => {
    process.env.TZ = zone;
    body();
  };
  afterEach(() => {
    if (processZone === undefined) delete process.env.TZ;
    else process.env.TZ = processZone;
  });

  it(
    'writes an instant as the date and the clock of Shanghai',
    inZone(() => {
      const lateEvening = new Date('2026-03-08T16:30:05Z');
      expect(shanghaiDate(lateEvening)).toBe('2026-03-09');
      expect(shanghaiTime(lateEvening)).toBe('2026-03-09 00:30:05');
      expect(fromShanghai('2026-03-09 00:30:05')).toEqual(lateEvening);
      expect(fromShanghai('2026-03-09').toISOString()).toBe('2026-03-08T16:00:00.000Z');
    }),
  );

  it(
    'counts three working days from Friday afternoon to Wednesday afternoon, also where the clocks change that weekend',
    inZone(() => {
      expect(shanghaiTime(addWorkingDays(fromShanghai('2026-03-06 15:00'), 3))).toBe('2026-03-11 15:00:00');
      expect(shanghaiTime(addHours(fromShanghai('2026-03-06 15:00'), 72))).toBe('2026-03-09 15:00:00');
    }),
  );

  it(
    'counts a pupil as 14 from midnight of the 14th birthday in Shanghai, not before',
    inZone(() => {
      expect(ageOn('2012-09-01', fromShanghai('2026-08-31 23:59:59'))).toBe(13);
      expect(ageOn('2012-09-01', fromShanghai('2026-09-01'))).toBe(14);
    }),
  );
});

describe('working days of an institution', () => {
  it('skips the national holiday and counts the make-up Saturday', () => {
    const school = {
      holidays: ['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'],
      makeupdays: ['2026-10-10'],
    };
    expect(shanghaiDate(addWorkingDays(fromShanghai('2026-09-30 10:00'), 3, school))).toBe('2026-10-10');
    expect(isWorkingDay(fromShanghai('2026-10-10'), school)).toBe(true);
    expect(isWorkingDay(fromShanghai('2026-10-11'), school)).toBe(false);
  });

  it('uses the working weekdays of the institution, and Monday to Friday when it has none', () => {
    const saturday = fromShanghai('2026-03-07 09:00');
    expect(isWorkingDay(saturday, { workdays: [1, 2, 3, 4, 5, 6] })).toBe(true);
    expect(isWorkingDay(saturday, { workdays: [] })).toBe(false);
    expect(shanghaiDate(addWorkingDays(saturday, 1, { workdays: [] }))).toBe('2026-03-09');
  });

  it('does not count part of a working day', () => {
    expect(() => addWorkingDays(fromShanghai('2026-03-07'), 1.5)).toThrow(RangeError);
    expect(() => addWorkingDays(fromShanghai('2026-03-07'), -1)).toThrow(RangeError);
  });

  it('always ends on a working day at the same clock time, at least as many calendar days later', () => {
    const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 1, max: 30 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (from, n, workdays) => {
          const end = addWorkingDays(from, n, { workdays });
          expect(isWorkingDay(end, { workdays })).toBe(true);
          expect(shanghaiTime(end).slice(11)).toBe(shanghaiTime(from).slice(11));
          expect(daysBetween(from, end)).toBeGreaterThanOrEqual(n);
        },
      ),
    );
  });
});

describe('the age of a person', () => {
  it('who was born on 29 February increases on 1 March in a common year and on 29 February in a leap year', () => {
    expect(ageOn('2012-02-29', fromShanghai('2026-02-28 23:00'))).toBe(13);
    expect(ageOn('2012-02-29', fromShanghai('2026-03-01'))).toBe(14);
    expect(ageOn('2012-02-29', fromShanghai('2028-02-28'))).toBe(15);
    expect(ageOn('2012-02-29', fromShanghai('2028-02-29'))).toBe(16);
  });

  it('cannot be computed from a birthday that does not exist', () => {
    expect(() => ageOn('2011-02-29', new Date(0))).toThrow(RangeError);
    expect(() => ageOn('20110201', new Date(0))).toThrow(RangeError);
    expect(() => fromShanghai('2026-13-01')).toThrow(RangeError);
  });
});

describe('days between two moments', () => {
  it('are counted by date: from late evening to the next morning is one day', () => {
    expect(daysBetween(fromShanghai('2026-05-01 23:00'), fromShanghai('2026-05-02 07:00'))).toBe(1);
    expect(daysBetween(fromShanghai('2026-05-02 07:00'), fromShanghai('2026-05-02 23:00'))).toBe(0);
    expect(daysBetween(fromShanghai('2026-05-02'), addDays(fromShanghai('2026-05-02'), 28))).toBe(28);
  });
});
