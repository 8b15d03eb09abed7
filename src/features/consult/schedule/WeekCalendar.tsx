import type { CSSProperties } from 'react';
import { shiftDate } from '#domain/base/calendar.ts';
import { placeInLanes, type Placed } from '#domain/consult/lanes.ts';
import { WEEKDAY_NAMES, weekdayOf } from '#domain/consult/slots.ts';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import {
  describe,
  itemsOf,
  stateOf,
  titleOf,
  type Calendar,
  type CalendarItem,
  type Slot,
} from '#features/consult/schedule/calendarItems.ts';
import classes from './calendar.module.css';

/** The hours that the calendar always shows; earlier and later ones appear when something lies in them. */
const SHOWN_HOURS = { first: 8, last: 18 };
/** The number of colours of counsellors in calendar.module.css. */
const COLOURS = 6;

interface Props {
  monday: string;
  /** the day that a phone shows */
  date: string;
  today: string;
  calendar: Calendar;
  counsellors: readonly { userid: string; realname: string }[];
  /** one counsellor is shown: times off fill the column */
  isSingle: boolean;
  onDate: (date: string) => void;
  /** absent: the caller may not book */
  onBook: ((slots: readonly Slot[]) => void) | undefined;
}

/**
 * A week: a column for each day, with what happens in it as a list by time. On a phone one day is visible, and buttons choose it. Both are
 * the same list, so a screen reader and the keyboard get all of it.
 */
export function WeekCalendar({ monday, date, today, calendar, counsellors, isSingle, onDate, onBook }: Props) {
  const dates = [0, 1, 2, 3, 4, 5, 6].map((day) => shiftDate(monday, day));
  const days = dates.map((day) => ({ day, items: placeInLanes(itemsOf(calendar, day)), offs: offsOf(calendar, day) }));
  const all = days.flatMap(({ items }) => items);
  const first = Math.min(SHOWN_HOURS.first, ...all.map(({ from }) => Math.floor(from / 60)));
  const last = Math.max(SHOWN_HOURS.last, ...all.map(({ until }) => Math.ceil(until / 60)));
  const hours = Array.from({ length: last - first }, (_, index) => first + index);
  const colourOf = (userid: string) =>
    Math.max(
      0,
      counsellors.findIndex((person) => person.userid === userid),
    ) % COLOURS;
  return (
    <div>
      <div className={classes['strip']} role="group" aria-label="选择日期">
        {days.map(({ day, items }) => (
          <button
            key={day}
            type="button"
            aria-pressed={day === date}
            data-today={day === today || undefined}
            onClick={() => onDate(day)}
          >
            <span>{WEEKDAY_NAMES[weekdayOf(day)]?.slice(1)}</span>
            <strong>{Number(day.slice(8))}</strong>
            <small data-any={items.some(({ kind }) => kind === 'booked') || undefined} aria-hidden />
          </button>
        ))}
      </div>
      <div className={classes['week']} style={{ '--hours': hours.length } as CSSProperties}>
        <div className={classes['axis']} aria-hidden>
          {hours.map((hour) => (
            <span key={hour}>{String(hour).padStart(2, '0')}:00</span>
          ))}
        </div>
        {days.map(({ day, items, offs }) => (
          <section
            key={day}
            className={classes['day']}
            data-shown={day === date || undefined}
            data-today={day === today || undefined}
            aria-label={`${Number(day.slice(5, 7))}月${Number(day.slice(8))}日 ${WEEKDAY_NAMES[weekdayOf(day)]}${day === today ? '，今天' : ''}`}
          >
            <header className={classes['head']}>
              <span>{WEEKDAY_NAMES[weekdayOf(day)]}</span>
              <strong>{Number(day.slice(8))}</strong>
              {day === today && <em>今天</em>}
            </header>
            {offs.length > 0 && (
              <p className={classes['offs']}>停诊：{offs.map(({ realname, span }) => `${realname} ${span}`).join('；')}</p>
            )}
            <ol className={classes['items']}>
              {isSingle &&
                offs.map((off) => (
                  <li key={off.key} className={classes['hatched']} style={placeStyle(off, first, last)} aria-hidden />
                ))}
              {items.map((item) => (
                <li key={item.key} className={classes['item']} style={placeStyle(item, first, last)}>
                  <Item item={item} colourOf={colourOf} onBook={onBook} />
                </li>
              ))}
              {items.length === 0 && <li className={classes['nothing']}>没有预约，也没有可约时间</li>}
            </ol>
          </section>
        ))}
      </div>
      <p className={classes['legend']}>
        {counsellors.slice(0, 12).map(({ userid, realname }) => (
          <span key={userid} data-colour={colourOf(userid)}>
            {realname}
          </span>
        ))}
        <span data-free>可约时间</span>
      </p>
    </div>
  );
}

/** One item as a link to its registration, or as a button that books. */
function Item({ item, colourOf, onBook }: { item: CalendarItem; colourOf: (userid: string) => number; onBook: Props['onBook'] }) {
  const [params] = useSearchParams();
  const words = describe(item);
  if (item.kind === 'free') {
    const names = item.slots.length === 1 ? item.slots[0].counsellorname : `${item.slots.length} 位咨询师`;
    const text = (
      <>
        <time>{item.begin}</time> <span>可约 {names}</span>
      </>
    );
    if (!onBook)
      return (
        <span className={classes['free']} title={words}>
          {text}
        </span>
      );
    return (
      <button
        type="button"
        className={classes['free']}
        title={words}
        aria-label={`预约 ${words}`}
        onClick={() => onBook(item.slots)}
      >
        {text}
      </button>
    );
  }
  const [first] = item.bookings;
  const query = new URLSearchParams(params);
  query.set('open', String(first.consultid));
  const state = stateOf(first);
  return (
    <Link
      className={classes['booked']}
      to={`?${query.toString()}`}
      title={words}
      aria-label={words}
      data-colour={colourOf(first.counsellor)}
      data-status={first.status}
    >
      <time>{item.begin}</time> <strong data-long>{titleOf(item.bookings)}</strong>
      <span>
        {first.counsellorname}
        {state && ` · ${state}`}
      </span>
    </Link>
  );
}

/** Where an item stands in its column. */
const placeStyle = (
  { from, until, lane = 0, lanes = 1 }: Pick<Placed<CalendarItem>, 'from' | 'until'> & { lane?: number; lanes?: number },
  first: number,
  last: number,
) => {
  const total = (last - first) * 60;
  const top = Math.max(0, from - first * 60);
  const bottom = Math.min(total, until - first * 60);
  return { '--top': top, '--length': Math.max(0, bottom - top), '--lane': lane, '--lanes': lanes } as CSSProperties;
};

/** The times off of a day. */
function offsOf({ offs }: Calendar, date: string) {
  const clock = (time: string) => (time.startsWith(date) ? time.slice(11, 16) : '');
  const minutes = (time: string, other: number) => (time === '' ? other : Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return offs
    .filter(({ begintime, endtime }) => begintime < `${shiftDate(date, 1)} 00:00` && endtime > `${date} 00:00`)
    .map(({ userid, realname, begintime, endtime }) => {
      const [begin, end] = [clock(begintime), clock(endtime)];
      const isWhole = (begin === '' || begin === '00:00') && end === '';
      return {
        key: `${userid} ${begintime}`,
        realname,
        span: isWhole ? '全天' : `${begin || '00:00'}–${end || '24:00'}`,
        from: minutes(begin, 0),
        until: minutes(end, 24 * 60),
      };
    });
}
