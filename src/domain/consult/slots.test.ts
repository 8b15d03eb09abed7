import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import {
  findOverlap,
  freeSlots,
  isInsideHours,
  overlaps,
  slotsOfDay,
  type Slot,
  type WeeklyHours,
} from '#domain/consult/slots.ts';

const MONDAY = '2025-10-13';
const longAgo = fromShanghai('2025-01-01');
const hours = (more: Partial<WeeklyHours> = {}): WeeklyHours => ({
  userid: 'chen',
  weekday: 1,
  begintime: '09:00',
  endtime: '12:00',
  minutes: 50,
  pause: 10,
  room: '',
  validfrom: '2025-09-01',
  validto: null,
  ...more,
});
const at = (text: string) => fromShanghai(`${MONDAY} ${text}`);
const clocks = (slots: readonly Slot[]) =>
  slots.map(({ begin, end }) => [begin, end].map((time) => shanghaiTime(time).slice(11, 16)).join('–'));
const none = { offs: [], bookings: [] };
const freeOnMonday = (facts: Partial<Parameters<typeof freeSlots>[0]>, now = longAgo) =>
  clocks(freeSlots({ hours: [hours()], ...none, ...facts }, MONDAY, MONDAY, now));

test('hours from 09:00 to 12:00 give three consultations of 50 minutes with 10 minutes between them', () => {
  expect(freeOnMonday({})).toEqual(['09:00–09:50', '10:00–10:50', '11:00–11:50']);
});

test('a consultation that does not fit whole into the hours is not offered', () => {
  expect(freeOnMonday({ hours: [hours({ endtime: '11:49' })] })).toEqual(['09:00–09:50', '10:00–10:50']);
  expect(freeOnMonday({ hours: [hours({ endtime: '11:50' })] })).toHaveLength(3);
});

test('hours apply from their first to their last day', () => {
  const days = (row: WeeklyHours) =>
    freeSlots({ hours: [row], ...none }, '2025-10-06', '2025-10-27', longAgo).map(({ begin }) => shanghaiDate(begin));
  const row = hours({ endtime: '10:00', validfrom: '2025-10-13', validto: '2025-10-20' });
  expect(days(row)).toEqual(['2025-10-13', '2025-10-20']);
});

test('a time that has begun is not offered', () => {
  expect(freeOnMonday({}, at('10:00'))).toEqual(['10:00–10:50', '11:00–11:50']);
  expect(freeOnMonday({}, at('10:01'))).toEqual(['11:00–11:50']);
});

test('a booking takes the time of its counsellor and of its room, and leaves those of others', () => {
  const booking = { counsellor: 'chen', room: '一号室', begin: at('10:00'), end: at('10:50') };
  expect(freeOnMonday({ bookings: [booking] })).toEqual(['09:00–09:50', '11:00–11:50']);
  const elsewhere = { ...booking, counsellor: 'lu' };
  expect(freeOnMonday({ bookings: [elsewhere] })).toHaveLength(3);
  expect(freeOnMonday({ hours: [hours({ room: '一号室' })], bookings: [elsewhere] })).toEqual(['09:00–09:50', '11:00–11:50']);
  // Counsellors without a room of their own do not share one.
  expect(freeOnMonday({ bookings: [{ ...elsewhere, room: '' }] })).toHaveLength(3);
});

test('a time off takes every consultation that it touches', () => {
  expect(freeOnMonday({ offs: [{ userid: 'chen', begin: at('09:50'), end: at('10:01') }] })).toEqual([
    '09:00–09:50',
    '11:00–11:50',
  ]);
  expect(freeOnMonday({ offs: [{ userid: 'lu', begin: at('08:00'), end: at('12:00') }] })).toHaveLength(3);
});

test('a public holiday has no free times, a Saturday that the counsellor chose has', () => {
  expect(freeOnMonday({ calendar: { holidays: [MONDAY] } })).toEqual([]);
  const saturday = freeSlots({ hours: [hours({ weekday: 6 })], ...none, calendar: {} }, '2025-10-18', '2025-10-18', longAgo);
  expect(saturday).toHaveLength(3);
});

test('hours of a counsellor overlap on the same weekday while both are valid', () => {
  const morning = hours();
  expect(findOverlap(hours({ begintime: '11:59', endtime: '13:00' }), [morning])).toBe(morning);
  expect(findOverlap(hours({ begintime: '12:00', endtime: '13:00' }), [morning])).toBeUndefined();
  expect(findOverlap(hours({ weekday: 2 }), [morning])).toBeUndefined();
  expect(findOverlap(hours({ userid: 'lu' }), [morning])).toBeUndefined();
  const ended = hours({ validto: '2025-10-31' });
  expect(findOverlap(hours({ validfrom: '2025-10-31' }), [ended])).toBe(ended);
  expect(findOverlap(hours({ validfrom: '2025-11-01' }), [ended])).toBeUndefined();
});

test('a booking lies inside hours when all of it does', () => {
  const booking = { counsellor: 'chen', begin: at('11:10'), end: at('12:00') };
  expect(isInsideHours(booking, [hours()])).toBe(true);
  expect(isInsideHours(booking, [hours({ endtime: '11:50' })])).toBe(false);
  expect(isInsideHours(booking, [hours({ validto: '2025-10-12' })])).toBe(false);
});

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
const room = fc.constantFrom('', '一号室', '二号室');
const counsellor = fc.constantFrom('chen', 'lu');
/** Any hours of two counsellors, overlapping ones too. */
const anyHours = fc
  .record({
    userid: counsellor,
    weekday: fc.integer({ min: 1, max: 7 }),
    ends: fc.tuple(minute, minute).filter(([a, b]) => a !== b),
    minutes: fc.integer({ min: 10, max: 180 }),
    pause: fc.integer({ min: 0, max: 60 }),
    room,
  })
  .map(({ ends, ...row }) => hours({ ...row, begintime: clock(Math.min(...ends)), endtime: clock(Math.max(...ends)) }));
const anySpan = fc
  .record({ from: fc.integer({ min: 0, max: 14 * 24 * 60 }), length: fc.integer({ min: 1, max: 600 }) })
  .map(({ from, length }) => ({
    begin: new Date(at('00:00').getTime() + from * 60_000),
    end: new Date(at('00:00').getTime() + (from + length) * 60_000),
  }));
const anyFacts = fc.record({
  hours: fc.array(anyHours, { maxLength: 12 }),
  offs: fc.array(
    fc.record({ span: anySpan, userid: counsellor }).map(({ span, userid }) => ({ ...span, userid })),
    { maxLength: 4 },
  ),
  bookings: fc.array(
    fc.record({ span: anySpan, counsellor, room }).map(({ span, ...row }) => ({ ...span, ...row })),
    { maxLength: 12 },
  ),
});
const NEXT_SUNDAY = shanghaiDate(addDays(at('00:00'), 13));
const isSameSlot = (a: Slot) => (b: Slot) => a.counsellor === b.counsellor && a.begin.getTime() === b.begin.getTime();

test('free times never overlap a booking, a time off or each other, and lie inside the hours', () => {
  fc.assert(
    fc.property(anyFacts, anySpan, (facts, { begin: now }) => {
      const free = freeSlots(facts, MONDAY, NEXT_SUNDAY, now);
      for (const [index, slot] of free.entries()) {
        expect(slot.begin >= now).toBe(true);
        expect(isInsideHours(slot, facts.hours)).toBe(true);
        expect(facts.offs.some((off) => off.userid === slot.counsellor && overlaps(off, slot))).toBe(false);
        for (const booking of facts.bookings) {
          if (booking.counsellor === slot.counsellor) expect(overlaps(booking, slot)).toBe(false);
          if (booking.room !== '' && booking.room === slot.room) expect(overlaps(booking, slot)).toBe(false);
        }
        for (const other of free.slice(index + 1))
          if (other.counsellor === slot.counsellor) expect(overlaps(other, slot)).toBe(false);
      }
    }),
  );
});

test('booking a free time takes this time and no other of its counsellor', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat(), (facts, pick) => {
      // Hours of one counsellor do not overlap in the product.
      const rows = facts.hours.filter((row, index) => !findOverlap(row, facts.hours.slice(0, index)));
      const withoutRooms = { ...facts, hours: rows.map((row) => ({ ...row, room: '' })) };
      const free = freeSlots(withoutRooms, MONDAY, NEXT_SUNDAY, longAgo);
      const taken = free[pick % Math.max(1, free.length)];
      if (!taken) return;
      const bookings = [...facts.bookings, taken];
      const left = freeSlots({ ...withoutRooms, bookings }, MONDAY, NEXT_SUNDAY, longAgo);
      expect(left).toEqual(free.filter((slot) => !isSameSlot(taken)(slot)));
    }),
  );
});

test('the consultations of a day do not depend on what is booked', () => {
  expect(clocks(slotsOfDay(hours({ pause: 0, minutes: 30, endtime: '10:45' }), MONDAY))).toEqual([
    '09:00–09:30',
    '09:30–10:00',
    '10:00–10:30',
  ]);
});
