import { addDays, addHours, addWorkingDays } from '#domain/base/calendar.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { acceptancePending, guardianSettled, isOpen, lastAssess, nextFollowTime } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** A length of time: calendar hours, or working days of the institution. */
export type Span = { hours: number } | { workingdays: number };

/** Follow-ups every `days` days, `times` times; without `times` for as long as the warning is open. */
export interface Cadence {
  days: number;
  times?: number;
}

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
  /** telling the guardian or family: of whom, and counted from the trigger or from the talk with the person */
  guardian: { within: Span; of: 'minor' | 'everyone'; from: 'trigger' | 'talk' } | null;
  follow: readonly Cadence[];
  notify: readonly NotifyTarget[];
  /** report to the authority, level 4 only */
  report: Span | null;
}

/**
 * What each level obliges to. Levels 1–2 run in working days of the institution, 3–4 in calendar hours. "At once" of
 * level 4 is the two hours of its first contact.
 */
export const DUTIES: Readonly<Record<WarningLevelCode, LevelDuties>> = {
  1: { accept: { workingdays: 7 }, assess: null, guardian: null, follow: [{ days: 28 }], notify: ['owner'], report: null },
  2: {
    accept: { workingdays: 3 },
    assess: { workingdays: 7 },
    guardian: { within: { workingdays: 7 }, of: 'minor', from: 'talk' },
    follow: [{ days: 14 }],
    notify: ['owner', 'counsellor'],
    report: null,
  },
  3: {
    accept: { hours: 24 },
    assess: { hours: 48 },
    guardian: { within: { hours: 24 }, of: 'minor', from: 'trigger' },
    follow: [{ days: 7, times: 4 }, { days: 14 }],
    notify: ['owner', 'counsellor', 'duty', 'leader', 'provider'],
    report: null,
  },
  4: {
    accept: { hours: 2 },
    assess: { hours: 2 },
    guardian: { within: { hours: 2 }, of: 'everyone', from: 'trigger' },
    follow: [
      { days: 1, times: 7 },
      { days: 7, times: 8 },
    ],
    notify: ['owner', 'counsellor', 'duty', 'leader', 'provider', 'principal', 'authority'],
    report: { hours: 24 },
  },
};

/** PHQ-9 item 9 or EPDS item 10 above 0: a weekend must not lie between the answer and the talk. From level 2 on. */
export const ITEM_TRIGGER = { accept: { hours: 24 }, assess: { hours: 48 } } as const;

/** An institution's own deadlines. Levels 3 and 4 can only be tightened: a longer span there is without effect. */
export type DeadlineOverrides = { readonly [K in WarningLevelCode]?: { accept?: Span; assess?: Span; guardian?: Span } };

export interface DeadlineInput {
  level: WarningLevelCode;
  /** an item-9/10 answer is among the triggers */
  itemtrigger: boolean;
  /** when the trigger arrived */
  at: Date;
  /** under 18 */
  minor?: boolean;
  /** when the person was first talked to; level 2 tells the guardian only after that */
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
 * When each duty of a warning falls due. A level inherits every earlier deadline of the levels below it, so a higher level is
 * never later, whatever the institution set.
 */
export function deadlinesFor(input: DeadlineInput): Deadlines {
  const accept: Date[] = [];
  const assess: Date[] = [];
  const guardian: Date[] = [];
  for (const level of LEVELS.filter((item) => item <= input.level)) {
    const duties = DUTIES[level];
    const own = input.overrides?.[level];
    accept.push(...ends(input.at, duties.accept, own?.accept, level, input.calendar));
    if (duties.assess) assess.push(...ends(input.at, duties.assess, own?.assess, level, input.calendar));
    if (level >= 2 && input.itemtrigger) {
      accept.push(spanEnd(input.at, ITEM_TRIGGER.accept));
      assess.push(spanEnd(input.at, ITEM_TRIGGER.assess));
    }
    if (duties.guardian && (duties.guardian.of === 'everyone' || input.minor)) {
      const from = duties.guardian.from === 'talk' ? input.talkedat : input.at;
      if (from) guardian.push(...ends(from, duties.guardian.within, own?.guardian, level, input.calendar));
    }
  }
  const guardianduetime = earliest(guardian);
  const report = DUTIES[input.level].report;
  return {
    acceptduetime: earliest(accept) ?? input.at,
    assessduetime: earliest(assess),
    ...(guardianduetime ? { guardianduetime } : {}),
    ...(report ? { reportduetime: spanEnd(input.at, report) } : {}),
  };
}

/** What is wrong with an institution's deadlines, in Chinese; empty when they may be saved. */
export function overrideProblems(overrides: DeadlineOverrides): string[] {
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
 * programme: 7 days and 8 weeks); `isFollowUpDue` says what comes after.
 */
export function followSchedule(level: WarningLevelCode, from: Date, horizondays = 63): Date[] {
  const planned: Date[] = [];
  for (let seq = 1; ; seq += 1) {
    const due = isFollowUpDue(level, from, seq);
    if (due > addDays(from, horizondays)) return planned;
    planned.push(due);
  }
}

/** Due time of the follow-up number `seq` (from 1). After the last counted cadence its interval goes on while the warning is open. */
export function isFollowUpDue(level: WarningLevelCode, from: Date, seq: number): Date {
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

/** The interval after which every level is tested again, in days; a plan may ask for it sooner, never later. */
export const RETEST_DAYS = 28;

/** When the re-test is due: the earlier of the plan's `retestdays` and the product's interval. */
export function retestDue(from: Date, planretestdays?: number | null): Date {
  const own = planretestdays != null && planretestdays > 0 ? planretestdays : RETEST_DAYS;
  return addDays(from, Math.min(own, RETEST_DAYS));
}

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
 * What must be done next and by when, or null when nothing is due (closed, or waiting for no date). Acceptance while it is
 * pending; the interview in 02 and 03, and later for a level 3 or 4 that was raised and not interviewed since; else the next
 * follow-up. Telling the guardian runs beside all of them and is named when it comes first.
 */
export function currentDue(warning: DueFacts): Due | null {
  if (!isOpen(warning)) return null;
  const dues: Due[] = [];
  const step = stateDue(warning);
  if (step) dues.push(step);
  if (warning.guardianduetime && !guardianSettled(warning)) dues.push({ kind: 'guardian', due: warning.guardianduetime });
  return dues.reduce<Due | null>((first, due) => (first === null || due.due < first.due ? due : first), null);
}

function stateDue(warning: DueFacts): Due | null {
  if (acceptancePending(warning)) return warning.acceptduetime && { kind: 'accept', due: warning.acceptduetime };
  const early = warning.state === '02' || warning.state === '03';
  const unseen = warning.level >= 3 && warning.raisedtime !== null && lastAssess(warning) === null;
  if (warning.assessduetime && (early || unseen)) return { kind: 'assess', due: warning.assessduetime };
  const follow = nextFollowTime(warning);
  return follow && { kind: 'followup', due: follow };
}

/** Whether the warning's next duty is past its time. */
export function isOverdue(warning: DueFacts, now: Date): boolean {
  const next = currentDue(warning);
  return next !== null && next.due < now;
}

function ends(from: Date, duty: Span, own: Span | undefined, level: WarningLevelCode, calendar?: WorkCalendar): Date[] {
  if (!own) return [spanEnd(from, duty, calendar)];
  return level >= 3 ? [spanEnd(from, duty, calendar), spanEnd(from, own, calendar)] : [spanEnd(from, own, calendar)];
}

function spanEnd(from: Date, span: Span, calendar?: WorkCalendar): Date {
  return 'hours' in span ? addHours(from, span.hours) : addWorkingDays(from, span.workingdays, calendar);
}

function earliest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((first, time) => (first === null || time < first ? time : first), null);
}
