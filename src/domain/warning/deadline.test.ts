import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addHours, daysBetween, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { isOverdue } from '#domain/warning/clock/clocks.ts';
import { deadlinesFor, followUpDueTime, followSchedule, findOverrideProblems, retestDue } from '#domain/warning/deadline.ts';
import type { DeadlineOverrides, Span } from '#domain/warning/deadline.ts';
import { openWarning } from '#domain/warning/warningtrigger.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

const fridayAfternoon = fromShanghai('2026-03-06 15:00');
const due = (level: WarningLevelCode, more: Partial<Parameters<typeof deadlinesFor>[0]> = {}) => {
  const { acceptduetime, assessduetime, guardianduetime } = deadlinesFor({
    level,
    itemtrigger: false,
    triggertime: fridayAfternoon,
    ...more,
  });
  return [acceptduetime, assessduetime, guardianduetime].map((time) => (time ? shanghaiTime(time).slice(5, 16) : null));
};
const warningOf = (level: WarningLevelCode, more: Partial<WarningFacts> = {}): WarningFacts => ({
  ...openWarning(
    { source: '03', level, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [] },
    { minor: true, sector: 'edu', appid: '000000002' },
    fridayAfternoon,
  ).facts,
  ...more,
});

describe('a warning opened on Friday at 15:00', () => {
  it('at level 1 has seven working days for the first contact and needs no interview', () => {
    expect(due(1)).toEqual(['03-17 15:00', null, null]);
  });

  it('at level 2 has three working days, and seven for the interview', () => {
    expect(due(2)).toEqual(['03-11 15:00', '03-17 15:00', null]);
  });

  it('at level 2 with a positive item 9 has 24 and 48 hours, also on a weekend', () => {
    expect(due(2, { itemtrigger: true })).toEqual(['03-07 15:00', '03-08 15:00', null]);
  });

  it('at level 3 has 24 hours, 48 for the interview, and 24 to inform the guardian of a minor', () => {
    expect(due(3)).toEqual(['03-07 15:00', '03-08 15:00', null]);
    expect(due(3, { minor: true })).toEqual(['03-07 15:00', '03-08 15:00', '03-07 15:00']);
  });

  it('at level 4 has two hours for every duty at any age', () => {
    expect(due(4)).toEqual(['03-06 17:00', '03-06 17:00', '03-06 17:00']);
  });

  it('at level 2 has seven working days after the talk to inform the guardian of a minor', () => {
    expect(due(2, { minor: true, talkedat: fromShanghai('2026-03-09 10:00') })[2]).toBe('03-18 10:00');
    expect(due(2, { talkedat: fromShanghai('2026-03-09 10:00') })[2]).toBe(null);
  });

  it('at level 2 has at most 14 days after the acceptance is due to inform the guardian of a minor, also without a talk', () => {
    expect(due(2, { minor: true })[2]).toBe('03-25 15:00');
    expect(due(2, { minor: true, talkedat: fromShanghai('2026-03-20 10:00') })[2]).toBe('03-25 15:00');
  });

  it('does not count the holidays of the institution at levels 1 and 2 only', () => {
    const calendar = { holidays: ['2026-03-09', '2026-03-10'] };
    expect(due(2, { calendar })[0]).toBe('03-13 15:00');
    expect(due(3, { calendar })[0]).toBe('03-07 15:00');
  });

  it('has a cap in calendar days at levels 1 and 2, however long the holidays are', () => {
    const march = Array.from({ length: 31 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`);
    const calendar = { holidays: march };
    expect(due(2, { calendar }).slice(0, 2)).toEqual(['03-13 15:00', '03-20 15:00']);
    expect(due(1, { calendar })[0]).toBe('03-20 15:00');
    expect(due(2, { calendar, overrides: { 2: { accept: { workingdays: 5 } } } })[0]).toBe('03-13 15:00');
  });
});

describe('an institution with its own deadlines', () => {
  it('may shorten the deadlines of levels 3 and 4 but not extend them', () => {
    expect(due(3, { overrides: { 3: { accept: { hours: 6 } } } })[0]).toBe('03-06 21:00');
    expect(due(3, { overrides: { 3: { accept: { hours: 96 } } } })[0]).toBe('03-07 15:00');
    expect(due(4, { overrides: { 4: { assess: { workingdays: 1 } } } })[1]).toBe('03-06 17:00');
    expect(findOverrideProblems({ 3: { accept: { hours: 96 } }, 4: { accept: { hours: 1 } } })).toEqual([
      '3级受理时限只能缩短，不能超过24小时',
    ]);
    expect(findOverrideProblems({ 2: { accept: { hours: 0 } } })).toEqual(['2级受理时限必须大于0']);
    expect(findOverrideProblems({ 1: { accept: { workingdays: 10 } }, 2: { assess: { hours: 72 } } })).toEqual([]);
  });

  it('may extend the deadlines of levels 1 and 2, except after a positive item 9', () => {
    expect(due(2, { overrides: { 2: { accept: { workingdays: 5 } } } })[0]).toBe('03-13 15:00');
    expect(due(2, { itemtrigger: true, overrides: { 2: { accept: { workingdays: 5 } } } })[0]).toBe('03-07 15:00');
  });

  it('never has a later deadline at a higher level', () => {
    const span = fc.oneof(
      fc.record({ hours: fc.integer({ min: 1, max: 400 }) }),
      fc.record({ workingdays: fc.integer({ min: 1, max: 20 }) }),
    ) as fc.Arbitrary<Span>;
    const ownSpans = fc.record({ accept: span, assess: span, guardian: span }, { requiredKeys: [] });
    const overrides = fc.record(
      { 1: ownSpans, 2: ownSpans, 3: ownSpans, 4: ownSpans },
      { requiredKeys: [] },
    ) as fc.Arbitrary<DeadlineOverrides>;
    const times = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    const timeOrInfinity = (time: Date | null | undefined) => time?.getTime() ?? Infinity;
    fc.assert(
      fc.property(
        times,
        overrides,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (moment, ownDeadlines, itemtrigger, minor, isTalked) => {
          const dues = ([1, 2, 3, 4] as const).map((level) =>
            deadlinesFor({
              level,
              itemtrigger,
              triggertime: moment,
              minor,
              overrides: ownDeadlines,
              ...(isTalked ? { talkedat: addHours(moment, 5) } : {}),
            }),
          );
          dues.slice(1).forEach((higher, index) => {
            const lower = dues[index];
            expect(timeOrInfinity(higher.acceptduetime)).toBeLessThanOrEqual(timeOrInfinity(lower?.acceptduetime));
            expect(timeOrInfinity(higher.assessduetime)).toBeLessThanOrEqual(timeOrInfinity(lower?.assessduetime));
            expect(timeOrInfinity(higher.guardianduetime)).toBeLessThanOrEqual(timeOrInfinity(lower?.guardianduetime));
          });
          expect(timeOrInfinity(dues[2]?.acceptduetime)).toBeLessThanOrEqual(timeOrInfinity(addHours(moment, 24)));
          expect(timeOrInfinity(dues[3]?.acceptduetime)).toBeLessThanOrEqual(timeOrInfinity(addHours(moment, 2)));
        },
      ),
    );
  });
});

describe('the follow-ups of a warning', () => {
  const days = (level: WarningLevelCode) =>
    followSchedule(level, fridayAfternoon).map((time) => daysBetween(fridayAfternoon, time));

  it('take place at level 4 daily for a week, then weekly for eight weeks', () => {
    expect(days(4)).toEqual([1, 2, 3, 4, 5, 6, 7, 14, 21, 28, 35, 42, 49, 56, 63]);
  });

  it('take place at level 3 weekly for four weeks, then every 14 days', () => {
    expect(days(3)).toEqual([7, 14, 21, 28, 42, 56]);
  });

  it('take place at level 2 every 14 days and at level 1 every 28 days', () => {
    expect(days(2)).toEqual([14, 28, 42, 56]);
    expect(days(1)).toEqual([28, 56]);
  });

  it('continue with the last interval while the warning is open', () => {
    expect(followUpDueTime(4, fridayAfternoon, 16)).toEqual(addDays(fridayAfternoon, 70));
    expect(followUpDueTime(3, fridayAfternoon, 7)).toEqual(addDays(fridayAfternoon, 70));
  });

  it('include a re-test after the days of the plan or after 28 days, whichever is earlier', () => {
    expect(retestDue(fridayAfternoon, 14)).toEqual(addDays(fridayAfternoon, 14));
    expect(retestDue(fridayAfternoon, 90)).toEqual(addDays(fridayAfternoon, 28));
    expect(retestDue(fridayAfternoon)).toEqual(addDays(fridayAfternoon, 28));
  });
});

it('a warning is overdue only after its first clock has run out', () => {
  const warning = warningOf(3, { minor: false, guardianduetime: null });
  expect(isOverdue(warning, addHours(fridayAfternoon, 24))).toBe(false);
  expect(isOverdue(warning, addHours(fridayAfternoon, 24.1))).toBe(true);
});
