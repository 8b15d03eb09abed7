import { deadlinesFor } from '#domain/warning/deadline.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { runRules, platformRules } from '#domain/warning/platformRules.ts';
import type { RuleContext, WarningRule } from '#domain/warning/platformRules.ts';
import type { FormResult, Scale } from '#domain/scoring/scale.ts';
import { raised } from '#domain/warning/warning.ts';
import { acceptancePending, isOpen } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** What raised suspicion: an assessment, an observation, a report. */
export interface WarningTrigger {
  source: WarningFacts['source'];
  /** the level its rules and alerts ask for */
  level: WarningLevelCode;
  /** an item-9/10 answer above 0 is part of it */
  itemtrigger: boolean;
  rulecodes: readonly string[];
  /** alert codes of the forms, e.g. ASQ_ACUTE */
  alerts: readonly string[];
  alertmsgs: readonly string[];
}

/** A form of one sitting with what came of it. */
export interface TriggerForm {
  scale: Pick<Scale, 'alerts'>;
  result: Pick<FormResult, 'scores' | 'levels' | 'itemscores' | 'alerts' | 'alertlevel'>;
}

/** Alerts of an answer about self-harm (PHQ-9 item 9, EPDS item 10, SCL-90 item 15): they shorten the first contact to 24 hours. */
const ITEM_ALERTS = /^(SI|SELFHARM)\d?$/;

/**
 * What the forms of one sitting call for, or null when no warning is due. A half-answered sitting works, too: its scores are
 * null and only its alerts speak. `minlevel` is the institution's lowest level that opens a warning (2 unless it wants them all).
 */
export function triggerFromForms(
  forms: Readonly<Record<string, TriggerForm>>,
  {
    rules = platformRules,
    minlevel = 2,
    source = '01',
    ...ctx
  }: RuleContext & { rules?: readonly WarningRule[]; minlevel?: 1 | 2; source?: WarningTrigger['source'] } = {},
): WarningTrigger | null {
  const facts = Object.fromEntries(Object.entries(forms).map(([formcode, { result }]) => [formcode, result]));
  const { hits, warninglevel } = runRules(rules, facts, ctx);
  if (warninglevel < minlevel || warninglevel === 0) return null;
  const fired = Object.values(forms).flatMap(({ scale, result }) =>
    (scale.alerts ?? []).filter((alert) => result.alerts.includes(alert.c)),
  );
  return {
    source,
    level: warninglevel,
    itemtrigger: fired.some((alert) => ITEM_ALERTS.test(alert.c)),
    rulecodes: hits,
    alerts: fired.map((alert) => alert.c),
    alertmsgs: fired.map((alert) => alert.msg),
  };
}

/** Deadlines as the institution set them. */
export interface TriggerContext {
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
}

/** A line for the append-only log; 新建 when the warning is created, 追加 when a trigger joins it, 升级 when it raised the level. */
export interface TriggerLog {
  action: '新建' | '追加' | '升级';
  time: Date;
  fromlevel: WarningLevelCode | null;
  tolevel: WarningLevelCode;
  content: string;
}

/** Level 4 is never set by a self-report score: from an assessment only the acute ASQ calls for it. */
export function triggerLevel(trigger: Pick<WarningTrigger, 'source' | 'level' | 'alerts'>): WarningLevelCode {
  return trigger.source === '01' && trigger.level === 4 && !trigger.alerts.includes('ASQ_ACUTE') ? 3 : trigger.level;
}

/** A new warning in state 01 with its deadlines running. */
export function openWarning(
  trigger: WarningTrigger,
  person: Pick<WarningFacts, 'minor' | 'sector' | 'appid'>,
  time: Date,
  context: TriggerContext = {},
): { facts: WarningFacts; log: TriggerLog } {
  const level = triggerLevel(trigger);
  const due = deadlinesFor({ level, itemtrigger: trigger.itemtrigger, at: time, minor: person.minor, ...context });
  const facts: WarningFacts = {
    ...person,
    state: '01',
    level,
    initiallevel: level,
    peaklevel: level,
    source: trigger.source,
    rulecodes: [...trigger.rulecodes],
    alertmsgs: [...trigger.alertmsgs],
    createtime: time,
    owneruserid: null,
    accepttime: null,
    acceptduetime: due.acceptduetime,
    assessduetime: due.assessduetime,
    guardianduetime: due.guardianduetime ?? null,
    raisedtime: null,
    loweredtime: null,
    reopentime: null,
    contactresult: null,
    contactattempts: [],
    interviewtime: null,
    lastacutesign: level === 4 ? time : null,
    riskassess: [],
    interferes: [],
    plantext: '',
    referrals: [],
    followups: [],
    retests: [],
    guardiannotified: false,
    guardianexempt: '',
    confirmation: null,
    closereason: null,
    closenote: '',
    otheropen: false,
  };
  return { facts, log: { action: '新建', time, fromlevel: null, tolevel: level, content: describe(trigger) } };
}

/**
 * Joins a new trigger to the person's open warning: the log grows, rules and messages are added, the level can only rise.
 * The accept timer starts anew only when it rose; while nobody has made contact, an earlier deadline of the new trigger
 * counts, and a later one never does. Throws RangeError for a warning that is no longer open: that person gets a new one.
 */
export function mergeTrigger(
  open: WarningFacts,
  trigger: WarningTrigger,
  time: Date,
  context: TriggerContext = {},
): { facts: WarningFacts; raised: boolean; log: TriggerLog } {
  if (!isOpen(open)) throw new RangeError(`a warning in state ${open.state} takes no new trigger`);
  const level = triggerLevel(trigger);
  const joined: WarningFacts = {
    ...open,
    rulecodes: union(open.rulecodes, trigger.rulecodes),
    alertmsgs: union(open.alertmsgs, trigger.alertmsgs),
    lastacutesign: level === 4 ? time : open.lastacutesign,
  };
  const rises = level > open.level;
  const log: TriggerLog = {
    action: rises ? '升级' : '追加',
    time,
    fromlevel: open.level,
    tolevel: rises ? level : open.level,
    content: describe(trigger),
  };
  if (rises)
    return { facts: { ...joined, ...raised(joined, level, { now: time, ...context }, trigger.itemtrigger) }, raised: true, log };
  if (acceptancePending(open) && open.acceptduetime) {
    const due = deadlinesFor({ level, itemtrigger: trigger.itemtrigger, at: time, minor: open.minor, ...context });
    const sooner = due.acceptduetime < open.acceptduetime ? due.acceptduetime : open.acceptduetime;
    return { facts: { ...joined, acceptduetime: sooner }, raised: false, log };
  }
  return { facts: joined, raised: false, log };
}

function describe(trigger: WarningTrigger): string {
  return [...trigger.alertmsgs, ...(trigger.rulecodes.length > 0 ? [`命中规则 ${trigger.rulecodes.join('、')}`] : [])].join('；');
}

function union(before: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])];
}
