import { deadlinesFor } from '#domain/warning/deadline.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { runRules, platformRules } from '#domain/warning/platformRules.ts';
import type { RuleContext, WarningRule } from '#domain/warning/platformRules.ts';
import type { FormResult, Scale } from '#domain/scoring/scale.ts';
import { raiseLevel } from '#domain/warning/warning.ts';
import { isAcceptancePending, isOpen } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** The reason for a warning: an assessment, an observation or a report. */
export interface WarningTrigger {
  source: WarningFacts['source'];
  /** the level that its rules and alerts require */
  level: WarningLevelCode;
  /** an item-9/10 answer above 0 is part of it */
  itemtrigger: boolean;
  rulecodes: readonly string[];
  /** alert codes of the forms, e.g. ASQ_ACUTE */
  alerts: readonly string[];
  alertmsgs: readonly string[];
}

/** A form of one exam with its result. */
export interface TriggerForm {
  scale: Pick<Scale, 'alerts'>;
  result: Pick<FormResult, 'scores' | 'levels' | 'itemscores' | 'alerts' | 'alertlevel'>;
}

/** Codes of alerts about self-harm (PHQ-9 item 9, EPDS item 10, SCL-90 item 15). They shorten the first contact to 24 hours. */
const ITEM_ALERTS = /^(SI|SELFHARM)\d?$/;

/**
 * The trigger from the forms of one exam, or null when no warning is due. It also works for an unfinished exam: the scores are
 * null and only the alerts count. `minlevel` is the lowest level at which the institution opens a warning (default 2).
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

/** The calendar and the own deadlines of the institution. */
export interface TriggerContext {
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
}

/** A line of the append-only log: 新建 for a new warning, 追加 for an added trigger, 升级 for a trigger that raised the level. */
export interface TriggerLog {
  action: '新建' | '追加' | '升级';
  time: Date;
  fromlevel: WarningLevelCode | null;
  tolevel: WarningLevelCode;
  content: string;
}

/** The level that a trigger may set. A self-report score never sets level 4: of all assessments only the acute ASQ does. */
export function triggerLevel(trigger: Pick<WarningTrigger, 'source' | 'level' | 'alerts'>): WarningLevelCode {
  return trigger.source === '01' && trigger.level === 4 && !trigger.alerts.includes('ASQ_ACUTE') ? 3 : trigger.level;
}

/** A new warning in state 01 with its deadlines and its log line. */
export function openWarning(
  trigger: WarningTrigger,
  person: Pick<WarningFacts, 'minor' | 'sector' | 'appid'>,
  time: Date,
  context: TriggerContext = {},
): { facts: WarningFacts; log: TriggerLog } {
  const level = triggerLevel(trigger);
  const due = deadlinesFor({ level, itemtrigger: trigger.itemtrigger, triggertime: time, minor: person.minor, ...context });
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
    safetyplan: null,
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
  return { facts, log: { action: '新建', time, fromlevel: null, tolevel: level, content: describeTrigger(trigger) } };
}

/**
 * Adds a new trigger to the open warning of a person, with a log line. The level can only rise; a raise restarts the accept
 * timer. While acceptance is pending, an earlier deadline of the new trigger replaces the present one; a later one does not.
 * Throws RangeError for a warning that is not open: the server then opens a new one.
 */
export function mergeTrigger(
  open: WarningFacts,
  trigger: WarningTrigger,
  time: Date,
  context: TriggerContext = {},
): { facts: WarningFacts; raised: boolean; log: TriggerLog } {
  if (!isOpen(open)) throw new RangeError(`a warning in state ${open.state} takes no new trigger`);
  const level = triggerLevel(trigger);
  const merged: WarningFacts = {
    ...open,
    rulecodes: uniteCodes(open.rulecodes, trigger.rulecodes),
    alertmsgs: uniteCodes(open.alertmsgs, trigger.alertmsgs),
    lastacutesign: level === 4 ? time : open.lastacutesign,
  };
  const isRaised = level > open.level;
  const log: TriggerLog = {
    action: isRaised ? '升级' : '追加',
    time,
    fromlevel: open.level,
    tolevel: isRaised ? level : open.level,
    content: describeTrigger(trigger),
  };
  if (isRaised)
    return {
      facts: { ...merged, ...raiseLevel(merged, level, { now: time, ...context }, trigger.itemtrigger) },
      raised: true,
      log,
    };
  if (isAcceptancePending(open) && open.acceptduetime) {
    const due = deadlinesFor({ level, itemtrigger: trigger.itemtrigger, triggertime: time, minor: open.minor, ...context });
    const sooner = due.acceptduetime < open.acceptduetime ? due.acceptduetime : open.acceptduetime;
    return { facts: { ...merged, acceptduetime: sooner }, raised: false, log };
  }
  return { facts: merged, raised: false, log };
}

function describeTrigger(trigger: WarningTrigger): string {
  return [...trigger.alertmsgs, ...(trigger.rulecodes.length > 0 ? [`命中规则 ${trigger.rulecodes.join('、')}`] : [])].join('；');
}

function uniteCodes(before: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])];
}
