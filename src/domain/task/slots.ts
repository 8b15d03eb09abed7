import { addDays, fromShanghai, isWorkingDay, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';

/** Time slots of classes (各班时段): each class of a task may have its own time to begin within the window of the task. */

/** A slot as the wire writes it: Shanghai wall clocks. */
export interface Slot {
  teamcode: string;
  begintime: string;
  endtime: string;
}
interface Span {
  begintime: Date;
  endtime: Date;
}

const clock = (time: string) => time.slice(11, 16);
const day = (time: string) => `${Number(time.slice(5, 7))}月${Number(time.slice(8, 10))}日`;

/** Formats two Shanghai wall clocks: 10月8日 10:00–10:45, or 10月8日 10:00 至 10月9日 11:00. */
export const formatSpan = ({ begintime, endtime }: Pick<Slot, 'begintime' | 'endtime'>): string =>
  begintime.slice(0, 10) === endtime.slice(0, 10)
    ? `${day(begintime)} ${clock(begintime)}–${clock(endtime)}`
    : `${day(begintime)} ${clock(begintime)} 至 ${day(endtime)} ${clock(endtime)}`;

/**
 * Returns why a person cannot begin or go on with an exam now, in the words that the person reads; undefined when they can. The slot of
 * the class only decides when to begin: an exam under way goes on until the task ends. Saving an answer asks for no slot.
 */
export function findStartFault(
  now: Date,
  task: Span & { isRunning: boolean },
  slot: (Span & { teamname: string }) | null,
  isUnderWay: boolean,
): string | undefined {
  if (now < task.begintime && !slot) return `测评将于 ${shanghaiTime(task.begintime).slice(0, 16)} 开始`;
  if (!task.isRunning || now > task.endtime) return '本次测评已结束，如需补测请联系老师';
  if (!slot || isUnderWay) return undefined;
  const span = formatSpan({ begintime: shanghaiTime(slot.begintime), endtime: shanghaiTime(slot.endtime) });
  if (now < slot.begintime) return `${slot.teamname}的作答时间是 ${span}，现在还没有到。请到时间再来`;
  return now > slot.endtime ? `${slot.teamname}的作答时间（${span}）已经过了。如需补测请联系老师` : undefined;
}

/** Returns the first slot that does not fit into the window of the task, with the reason; undefined when all do. */
export function findSlotFault(
  slots: readonly Slot[],
  window: Pick<Slot, 'begintime' | 'endtime'>,
): { teamcode: string; reason: string } | undefined {
  for (const { teamcode, begintime, endtime } of slots) {
    if (endtime <= begintime) return { teamcode, reason: '时段的结束时间须晚于开始时间' };
    if (begintime < window.begintime.slice(0, begintime.length) || endtime > window.endtime.slice(0, endtime.length))
      return { teamcode, reason: `时段须在任务的起止时间（${formatSpan(window)}）之内` };
  }
  return undefined;
}

/** How to place classes one after the other. Times are 'HH:mm'; durations are minutes. */
export interface Arrangement {
  /** the begin of the first class, a Shanghai wall clock */
  begintime: string;
  minutes: number;
  pause: number;
  /** classes that answer at the same time */
  atOnce: number;
  /** no class ends later; the next one begins on the next working day at the clock of the first */
  dayend?: string;
}

/** Places the classes in their order, on working days only. */
export function arrangeSlots(
  teamcodes: readonly string[],
  { begintime, minutes, pause, atOnce, dayend = '17:00' }: Arrangement,
): Slot[] {
  const first = fromShanghai(begintime.slice(0, 16));
  const later = (time: Date, more: number) => new Date(time.getTime() + more * 60_000);
  const endOf = (time: Date) => fromShanghai(`${shanghaiDate(time)} ${dayend}`);
  const fits = (time: Date) => later(time, minutes) <= endOf(time);
  const nextDay = (time: Date): Date => {
    const morning = addDays(fromShanghai(`${shanghaiDate(time)} ${clock(begintime)}`), 1);
    return isWorkingDay(morning) ? morning : nextDay(morning);
  };
  const slots: Slot[] = [];
  let begin = first;
  teamcodes.forEach((teamcode, index) => {
    if (index > 0 && index % Math.max(1, atOnce) === 0) {
      begin = later(begin, minutes + pause);
      // A slot that is longer than a day would never fit: it stays where it is.
      if (!fits(begin) && fits(fromShanghai(`${shanghaiDate(begin)} ${clock(begintime)}`))) begin = nextDay(begin);
    }
    const text = (time: Date) => shanghaiTime(time).slice(0, 16);
    slots.push({ teamcode, begintime: text(begin), endtime: text(later(begin, minutes)) });
  });
  return slots;
}
