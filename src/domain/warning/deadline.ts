import { addDays, addHours, addWorkingDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** A length of time: calendar hours, or working days of the institution, at most `maxdays` calendar days. */
export type Span = { hours: number } | { workingdays: number; maxdays?: number };

/** Follow-ups every `days` days, `times` times; without `times` for as long as the warning is open. */
export interface Cadence {
  days: number;
  times?: number;
}

export interface LevelDuties {
  /** first contact */
  accept: Span;
  /** structured interview; null: optional */
  assess: Span | null;
  /** informing the guardian or family: for which persons, and counted from the trigger or from the talk with the person */
  guardian: { within: Span; persons: 'minors' | 'all'; from: 'trigger' | 'talk' } | null;
  follow: readonly Cadence[];
}

/**
 * The duties of each level (clinical-rules.md section A). Levels 1–2 count in working days with a cap in calendar days; levels 3–4
 * count in calendar hours. "At once" of level 4 means the two hours of its first contact.
 */
export const DUTIES: Readonly<Record<WarningLevelCode, LevelDuties>> = {
  1: { accept: { workingdays: 7, maxdays: 14 }, assess: null, guardian: null, follow: [{ days: 28 }] },
  2: {
    accept: { workingdays: 3, maxdays: 7 },
    assess: { workingdays: 7, maxdays: 14 },
    guardian: { within: { workingdays: 7, maxdays: 14 }, persons: 'minors', from: 'talk' },
    follow: [{ days: 14 }],
  },
  3: {
    accept: { hours: 24 },
    assess: { hours: 48 },
    guardian: { within: { hours: 24 }, persons: 'minors', from: 'trigger' },
    follow: [{ days: 7, times: 4 }, { days: 14 }],
  },
  4: {
    accept: { hours: 2 },
    assess: { hours: 2 },
    guardian: { within: { hours: 2 }, persons: 'all', from: 'trigger' },
    follow: [
      { days: 1, times: 7 },
      { days: 7, times: 8 },
    ],
  },
};
/** Days after acceptance at which the guardian of a minor is told at the latest, also without a talk (level 2). */
export const GUARDIAN_LATEST_DAYS = 14;

/** Spans after PHQ-9 item 9 or EPDS item 10 above 0, from level 2: no weekend may lie between the answer and the talk. */
export const ITEM_TRIGGER = { accept: { hours: 24 }, assess: { hours: 48 } } as const;

/** The own deadlines of an institution. At levels 3 and 4 a longer span has no effect. */
export type DeadlineOverrides = { readonly [K in WarningLevelCode]?: { accept?: Span; assess?: Span; guardian?: Span } };

export interface DeadlineInput {
  level: WarningLevelCode;
  /** an item-9/10 answer above 0 is among the triggers */
  itemtrigger: boolean;
  /** when the trigger arrived */
  triggertime: Date;
  /** under 18 */
  minor?: boolean;
  /** time of the first talk with the person; at level 2 the guardian is informed only after it */
  talkedat?: Date;
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
}

export interface Deadlines {
  acceptduetime: Date;
  /** null: no structured interview is required (level 1) */
  assessduetime: Date | null;
  guardianduetime?: Date;
}

const LEVELS: readonly WarningLevelCode[] = [1, 2, 3, 4];

/**
 * The due time of each duty of a warning. A level inherits the earlier deadlines of the levels below it. So a higher level
 * is never later, also with own deadlines of the institution.
 */
export function deadlinesFor(input: DeadlineInput): Deadlines {
  const accept: Date[] = [];
  const assess: Date[] = [];
  const guardian: Date[] = [];
  for (const level of LEVELS.filter((item) => item <= input.level)) {
    const duties = DUTIES[level];
    const own = input.overrides?.[level];
    accept.push(...dutyEnds(input.triggertime, duties.accept, own?.accept, level, input.calendar));
    if (duties.assess) assess.push(...dutyEnds(input.triggertime, duties.assess, own?.assess, level, input.calendar));
    if (level >= 2 && input.itemtrigger) {
      accept.push(spanEnd(input.triggertime, ITEM_TRIGGER.accept));
      assess.push(spanEnd(input.triggertime, ITEM_TRIGGER.assess));
    }
    if (duties.guardian && (duties.guardian.persons === 'all' || input.minor)) {
      const from = duties.guardian.from === 'talk' ? input.talkedat : input.triggertime;
      if (from) guardian.push(...dutyEnds(from, duties.guardian.within, own?.guardian, level, input.calendar));
    }
  }
  const acceptduetime = earliest(accept) ?? input.triggertime;
  if (input.level >= 2 && input.minor) guardian.push(addDays(acceptduetime, GUARDIAN_LATEST_DAYS));
  const guardianduetime = earliest(guardian);
  return { acceptduetime, assessduetime: earliest(assess), ...(guardianduetime ? { guardianduetime } : {}) };
}

/** The faults of an institution's own deadlines, in Chinese; empty when they may be saved. */
export function findOverrideProblems(overrides: DeadlineOverrides): string[] {
  const problems: string[] = [];
  for (const level of LEVELS) {
    for (const [key, name] of [
      ['accept', '受理'],
      ['assess', '评估'],
      ['guardian', '告知监护人'],
    ] as const) {
      const own = overrides[level]?.[key];
      if (!own) continue;
      const amount = 'hours' in own ? own.hours : own.workingdays;
      const duty = key === 'guardian' ? DUTIES[level].guardian?.within : DUTIES[level][key];
      if (!(amount > 0) || ('workingdays' in own && !Number.isInteger(amount))) problems.push(`${level}级${name}时限必须大于0`);
      else if (level >= 3 && duty && (!('hours' in own) || ('hours' in duty && own.hours > duty.hours)))
        problems.push(`${level}级${name}时限只能缩短，不能超过${'hours' in duty ? duty.hours : ''}小时`);
    }
  }
  return problems;
}

/**
 * Due times of the follow-ups planned from `from`. An open-ended cadence is planned for nine weeks (the length of the level 4
 * programme: 7 days and 8 weeks). `followUpDueTime` gives the later ones.
 */
export function followSchedule(level: WarningLevelCode, from: Date, horizondays = 63): Date[] {
  const planned: Date[] = [];
  for (let seq = 1; ; seq += 1) {
    const due = followUpDueTime(level, from, seq);
    if (due > addDays(from, horizondays)) return planned;
    planned.push(due);
  }
}

/** Due time of follow-up number `seq` (from 1). The interval of the last cadence continues while the warning is open. */
export function followUpDueTime(level: WarningLevelCode, from: Date, seq: number): Date {
  const cadences = DUTIES[level].follow;
  let days = 0;
  let left = seq;
  for (const [index, cadence] of cadences.entries()) {
    const times = index === cadences.length - 1 ? left : Math.min(left, cadence.times ?? left);
    days += times * cadence.days;
    left -= times;
  }
  return addDays(from, days);
}

/** The re-test interval of every level, in days. A plan may set a shorter one, never a longer one. */
export const RETEST_DAYS = 28;

/** The due time of the re-test: after the plan's `retestdays` or the product's interval, whichever is earlier. */
export function retestDue(from: Date, planretestdays?: number | null): Date {
  const own = planretestdays != null && planretestdays > 0 ? planretestdays : RETEST_DAYS;
  return addDays(from, Math.min(own, RETEST_DAYS));
}

/** EPDS totals that are repeated, and the days after which (孕产妇心理健康管理专家共识 2019: 10–12, in 2–4 weeks; clinical-rules.md G). */
const EPDS_REPEAT = { min: 10, max: 12, firstday: 14, lastday: 28 } as const;

/** When an EPDS total must be repeated: due at 17:00 of day 14, overdue after day 28; null when it need not be. */
export function epdsRetest(total: number | null | undefined, from: Date): { duetime: Date; latesttime: Date } | null {
  if (total == null || total < EPDS_REPEAT.min || total > EPDS_REPEAT.max) return null;
  const day = (days: number) => shanghaiDate(addDays(from, days));
  return {
    duetime: fromShanghai(`${day(EPDS_REPEAT.firstday)} 17:00`),
    latesttime: fromShanghai(day(EPDS_REPEAT.lastday + 1)),
  };
}

/** The ends of a duty: an institution's own span replaces the shipped one at levels 1 and 2, but not the cap in calendar days. */
function dutyEnds(from: Date, duty: Span, own: Span | undefined, level: WarningLevelCode, calendar?: WorkCalendar): Date[] {
  if (!own) return [spanEnd(from, duty, calendar)];
  if (level >= 3) return [spanEnd(from, duty, calendar), spanEnd(from, own, calendar)];
  const cap = 'workingdays' in duty && duty.maxdays !== undefined ? [addDays(from, duty.maxdays)] : [];
  return [spanEnd(from, own, calendar), ...cap];
}

/** The end of a span. A long holiday never moves it behind the cap. */
function spanEnd(from: Date, span: Span, calendar?: WorkCalendar): Date {
  if ('hours' in span) return addHours(from, span.hours);
  const end = addWorkingDays(from, span.workingdays, calendar);
  const cap = span.maxdays === undefined ? end : addDays(from, span.maxdays);
  return end < cap ? end : cap;
}

function earliest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((first, time) => (first === null || time < first ? time : first), null);
}
