import { addDays, addHours, addWorkingDays } from '#domain/base/calendar.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { isAcceptancePending, isGuardianSettled, isOpen, lastAssess, nextFollowTime } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** A length of time: calendar hours, or working days of the institution. */
export type Span = { hours: number } | { workingdays: number };

/** Follow-ups every `days` days, `times` times; without `times` for as long as the warning is open. */
export interface Cadence {
  days: number;
  times?: number;
}

/** The persons who get a notice of a warning, with their labels. */
export const NOTIFY_LABELS = {
  owner: '责任人',
  counsellor: '心理教师/医生',
  duty: '值班人员',
  leader: '分管领导',
  provider: '服务商值守',
  principal: '校长/科主任',
  authority: '主管部门',
} as const;
export type NotifyTarget = keyof typeof NOTIFY_LABELS;

export interface LevelDuties {
  /** first contact */
  accept: Span;
  /** structured interview; null: optional */
  assess: Span | null;
  /** informing the guardian or family: for which persons, and counted from the trigger or from the talk with the person */
  guardian: { within: Span; persons: 'minors' | 'all'; from: 'trigger' | 'talk' } | null;
  follow: readonly Cadence[];
  notify: readonly NotifyTarget[];
  /** report to the authority, level 4 only */
  report: Span | null;
}

/**
 * The duties of each level. Levels 1–2 count in working days of the institution, levels 3–4 in calendar hours.
 * "At once" of level 4 means the two hours of its first contact.
 */
export const DUTIES: Readonly<Record<WarningLevelCode, LevelDuties>> = {
  1: { accept: { workingdays: 7 }, assess: null, guardian: null, follow: [{ days: 28 }], notify: ['owner'], report: null },
  2: {
    accept: { workingdays: 3 },
    assess: { workingdays: 7 },
    guardian: { within: { workingdays: 7 }, persons: 'minors', from: 'talk' },
    follow: [{ days: 14 }],
    notify: ['owner', 'counsellor'],
    report: null,
  },
  3: {
    accept: { hours: 24 },
    assess: { hours: 48 },
    guardian: { within: { hours: 24 }, persons: 'minors', from: 'trigger' },
    follow: [{ days: 7, times: 4 }, { days: 14 }],
    notify: ['owner', 'counsellor', 'duty', 'leader', 'provider'],
    report: null,
  },
  4: {
    accept: { hours: 2 },
    assess: { hours: 2 },
    guardian: { within: { hours: 2 }, persons: 'all', from: 'trigger' },
    follow: [
      { days: 1, times: 7 },
      { days: 7, times: 8 },
    ],
    notify: ['owner', 'counsellor', 'duty', 'leader', 'provider', 'principal', 'authority'],
    report: { hours: 24 },
  },
};

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
  /** report to the authority, level 4 */
  reportduetime?: Date;
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
  const guardianduetime = earliest(guardian);
  const report = DUTIES[input.level].report;
  return {
    acceptduetime: earliest(accept) ?? input.triggertime,
    assessduetime: earliest(assess),
    ...(guardianduetime ? { guardianduetime } : {}),
    ...(report ? { reportduetime: spanEnd(input.triggertime, report) } : {}),
  };
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

/** The duties with a due time, with their labels. */
export const DUE_LABELS = { accept: '受理', assess: '评估', guardian: '告知监护人或家属', followup: '随访' } as const;
export type DueKind = keyof typeof DUE_LABELS;
export interface Due {
  kind: DueKind;
  due: Date;
}

export type DueFacts = Pick<
  WarningFacts,
  | 'state'
  | 'level'
  | 'accepttime'
  | 'acceptduetime'
  | 'assessduetime'
  | 'guardianduetime'
  | 'guardiannotified'
  | 'guardianexempt'
  | 'raisedtime'
  | 'reopentime'
  | 'createtime'
  | 'riskassess'
  | 'followups'
>;

/**
 * The next duty and its due time, or null when nothing is due (closed, or no date). It is acceptance while that is pending.
 * It is the interview in 02 and 03, and later at level 3 or 4 without an interview since the raise. Else it is the next
 * follow-up. Informing the guardian runs in parallel and is the next duty when its due time is earliest.
 */
export function currentDue(warning: DueFacts): Due | null {
  if (!isOpen(warning)) return null;
  const dues: Due[] = [];
  const stepDue = stateDue(warning);
  if (stepDue) dues.push(stepDue);
  if (warning.guardianduetime && !isGuardianSettled(warning)) dues.push({ kind: 'guardian', due: warning.guardianduetime });
  return dues.reduce<Due | null>((first, due) => (first === null || due.due < first.due ? due : first), null);
}

function stateDue(warning: DueFacts): Due | null {
  if (isAcceptancePending(warning)) return warning.acceptduetime && { kind: 'accept', due: warning.acceptduetime };
  const isEarly = warning.state === '02' || warning.state === '03';
  const isUnassessed = warning.level >= 3 && warning.raisedtime !== null && lastAssess(warning) === null;
  if (warning.assessduetime && (isEarly || isUnassessed)) return { kind: 'assess', due: warning.assessduetime };
  const follow = nextFollowTime(warning);
  return follow && { kind: 'followup', due: follow };
}

/** Whether the warning's next duty is past its time. */
export function isOverdue(warning: DueFacts, now: Date): boolean {
  const next = currentDue(warning);
  return next !== null && next.due < now;
}

function dutyEnds(from: Date, duty: Span, own: Span | undefined, level: WarningLevelCode, calendar?: WorkCalendar): Date[] {
  if (!own) return [spanEnd(from, duty, calendar)];
  return level >= 3 ? [spanEnd(from, duty, calendar), spanEnd(from, own, calendar)] : [spanEnd(from, own, calendar)];
}

function spanEnd(from: Date, span: Span, calendar?: WorkCalendar): Date {
  return 'hours' in span ? addHours(from, span.hours) : addWorkingDays(from, span.workingdays, calendar);
}

function earliest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((first, time) => (first === null || time < first ? time : first), null);
}
