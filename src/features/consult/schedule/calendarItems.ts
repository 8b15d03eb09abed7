import { ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import type { Timed } from '#domain/consult/lanes.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getConsultCalendar } from '#features/consult/schedule/schedule.contract.ts';

export type Calendar = ResponseOf<typeof getConsultCalendar>;
export type Booking = Calendar['bookings'][number];
export type Slot = Calendar['free'][number];

/** What the calendar shows in one place: the bookings of one session, or the free times of several counsellors at one time. */
export type CalendarItem = Timed & { key: string; begin: string; end: string } & (
    { kind: 'booked'; bookings: readonly [Booking, ...Booking[]] } | { kind: 'free'; slots: readonly [Slot, ...Slot[]] }
  );

const clockOf = (time: string): string => time.slice(11, 16);
const minutesOf = (time: string): number => Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));

/** Returns rows that have one key together, in the order of their first ones. */
function together<T>(rows: readonly T[], keyOf: (row: T) => string): [string, [T, ...T[]]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups];
}

/** Times of one day. A time that reaches into the next day ends at midnight. */
const spanOf = ({ slotbegin, slotend }: { slotbegin: string; slotend: string }) => ({
  from: minutesOf(slotbegin),
  until: slotend.slice(0, 10) === slotbegin.slice(0, 10) ? minutesOf(slotend) : 24 * 60,
  begin: clockOf(slotbegin),
  end: clockOf(slotend),
});

/** Returns what a day of the calendar shows. A group session is one item, and so are free times at the same time. */
export function itemsOf({ bookings, free }: Pick<Calendar, 'bookings' | 'free'>, date: string): CalendarItem[] {
  const isOfDay = ({ slotbegin }: { slotbegin: string }) => slotbegin.startsWith(date);
  const sessionOf = (row: Booking) => `${row.status} ${row.groupid ?? row.consultid} ${row.slotbegin}`;
  return [
    ...together(bookings.filter(isOfDay), sessionOf).map(([key, rows]): CalendarItem => ({
      kind: 'booked',
      key,
      bookings: rows,
      ...spanOf(rows[0]),
    })),
    ...together(free.filter(isOfDay), (row) => `${row.slotbegin} ${row.slotend}`).map(([key, slots]): CalendarItem => ({
      kind: 'free',
      key,
      slots,
      ...spanOf(slots[0]),
    })),
  ];
}

/** Who comes, in a few words. */
export function titleOf([first, ...others]: readonly [Booking, ...Booking[]]): string {
  return others.length === 0 ? first.username : `${first.username} 等 ${others.length + 1} 人`;
}

/** The state of a booking where it is no coming one, e.g. 爽约. */
export const stateOf = ({ status }: Booking): string => (status === ConsultStatus.booked ? '' : ConsultStatus.label(status));

/** A booking in one sentence, for screen readers and the title. */
export function describe(item: CalendarItem): string {
  const time = `${item.begin}–${item.end}`;
  if (item.kind === 'free') return `${time} 可约：${item.slots.map(({ counsellorname }) => counsellorname).join('、')}`;
  const [first] = item.bookings;
  const names = item.bookings.map(({ username, belongs }) => [username, belongs].filter(Boolean).join(' ')).join('、');
  const state = ConsultStatus.label(first.status);
  return [time, names, first.counsellorname, ConsultType.label(first.consulttype), first.room, state].filter(Boolean).join('，');
}
