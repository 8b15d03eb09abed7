import { daysBetween, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';

/** A telephone line for help: reference data of a region, or an institution's own line. */
export interface Hotline {
  number: string;
  name: string;
  /** 'HH:MM-HH:MM', '00:00-24:00' for the whole day, an end before the start for a night; otherwise words */
  hours: string;
  /** the day on which somebody checked the number and its hours, 'YYYY-MM-DD' */
  checkedon: string;
}

/** A line as a person reads it. */
export interface HotlineView {
  number: string;
  name: string;
  /** the hours in words */
  hours: string;
}

/** Hours that nobody has checked for this number of days are not repeated (clinical-rules J). */
const HOURS_VALID_DAYS = 180;
const WHOLE_DAY = '00:00-24:00';
const localHours = '时间以当地公布为准';

/** 急救 and 报警 answer day and night everywhere in China. */
export const emergencyLines: readonly HotlineView[] = [
  { number: '120', name: '医疗急救', hours: '24小时' },
  { number: '110', name: '报警求助', hours: '24小时' },
];

/** The line of the whole country that answers at night, when a region has none (press 2024; clinical-rules J: 北京). */
export const defaultNightLine = '010-82951332';

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const parseHours = (hours: string): readonly [from: number, to: number] | undefined => {
  const match = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(hours);
  return match ? [minutesOf(match[1] as string), minutesOf(match[2] as string)] : undefined;
};
const isStale = (line: Hotline, now: Date) =>
  !line.checkedon || daysBetween(fromShanghai(line.checkedon), now) > HOURS_VALID_DAYS;

/** Between 22:00 and 07:00 most lines and all schools are silent (clinical-rules B: quiet hours). */
export function isNight(now: Date): boolean {
  const hour = Number(shanghaiTime(now).slice(11, 13));
  return hour >= 22 || hour < 7;
}

/** Whether a line answers now; null when its published hours do not say so. */
export function isOpenNow(line: Hotline, now: Date): boolean | null {
  const span = parseHours(line.hours);
  if (!span) return null;
  const minute = minutesOf(shanghaiTime(now).slice(11, 16));
  const [from, to] = span;
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The hours of a line in words, for example 08:00–次日02:00; hours older than 180 days are left to the local announcement. */
export function formatHours(line: Hotline, now: Date): string {
  if (isStale(line, now)) return localHours;
  const span = parseHours(line.hours);
  if (!span) return line.hours || localHours;
  if (line.hours === WHOLE_DAY) return '24小时';
  const [from = '', to = ''] = line.hours.split('-');
  return `${from}–${span[1] < span[0] ? '次日' : ''}${to}`;
}

/**
 * The lines in the order in which a person should try them: those that answer now, then those whose hours are not known, then the
 * closed ones. By day an unknown line comes before a closed one only; 120 and 110 are always at the end.
 */
export function chooseHotlines(lines: readonly Hotline[], now: Date): HotlineView[] {
  const rank = (line: Hotline) => {
    const isOpen = isOpenNow(line, now);
    // Lines without exact hours answer by day; 12356 is open at least 18 hours a day.
    if (isOpen === null) return isNight(now) ? 1 : 0;
    return isOpen ? 0 : 2;
  };
  const known = lines.filter(({ number }) => !emergencyLines.some((line) => line.number === number));
  return [
    ...known
      .map((line, index) => ({ line, index }))
      .sort((a, b) => rank(a.line) - rank(b.line) || a.index - b.index)
      .map(({ line }) => ({ number: line.number, name: line.name, hours: formatHours(line, now) })),
    ...emergencyLines,
  ];
}

/** The number that answers all day and night: the first such line, otherwise the nationwide one. */
export const findDayAndNightLine = (lines: readonly Hotline[]): string =>
  lines.find(({ hours }) => hours === WHOLE_DAY)?.number ?? defaultNightLine;
