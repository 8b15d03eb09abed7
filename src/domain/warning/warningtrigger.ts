import { deadlinesFor } from '#domain/warning/deadline.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { platformRules, ruleName, runRules } from '#domain/warning/platformRules.ts';
import type { RuleContext, WarningRule } from '#domain/warning/platformRules.ts';
import type { FormResult, Scale } from '#domain/scoring/scale.ts';
import { levelFourDuties, DEFAULT_LOCAL_DUTIES, dutiesOfSigns, withDuties } from '#domain/warning/clock/caseduty.ts';
import type { LocalDuties, ReportSign } from '#domain/warning/clock/caseduty.ts';
import { withNews } from '#domain/warning/clock/news.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** The reason for a warning: an assessment, an observation or a report. */
export interface WarningTrigger {
  source: WarningFacts['source'];
  /** the level that its rules and alerts require */
  level: WarningLevelCode;
  /** a self-harm answer is part of it */
  itemtrigger: boolean;
  rulecodes: readonly string[];
  /** the names of the institution's own rules among `rulecodes` */
  rulenames?: Readonly<Record<string, string>>;
  /** alert codes of the forms, e.g. ASQ_ACUTE */
  alerts: readonly string[];
  alertmsgs: readonly string[];
  /** news at any level: another institution hands the person over */
  isnews?: boolean;
  /** signs that a report names */
  signs?: readonly ReportSign[];
}

/** A form of one exam with its result. */
export interface TriggerForm {
  scale: Pick<Scale, 'alerts'>;
  result: Pick<FormResult, 'scores' | 'levels' | 'itemscores' | 'alerts' | 'alertlevel'>;
}

/**
 * Codes of alerts about self-harm (clinical-rules.md "News"): PHQ-9 item 9, EPDS item 10, SCL-90 items 15 and 59, GDS-15, ASQ.
 * Each is news, and shortens the first contact to 24 hours.
 */
const ITEM_ALERTS = /^(SI|SELFHARM|ASQ|DEATHTALK|HOPELESS)/;

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
    rulenames: Object.fromEntries(rules.flatMap(({ c, n }) => (n && hits.includes(c) ? [[c, n]] : []))),
    alerts: fired.map((alert) => alert.c),
    alertmsgs: fired.map((alert) => alert.msg),
  };
}

/** The calendar and the own deadlines of the institution. */
export interface TriggerContext {
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
  local?: LocalDuties;
}

/** A line of the append-only log: 新建 a new case, 升级 news that raises the level, 新情况 other news, 追加 no news. */
export interface TriggerLog {
  action: '新建' | '追加' | '新情况' | '升级';
  time: Date;
  fromlevel: WarningLevelCode | null;
  tolevel: WarningLevelCode;
  content: string;
}

/** The level that a trigger may set. A self-report score never sets level 4: of all assessments only the acute ASQ does. */
export function triggerLevel(trigger: Pick<WarningTrigger, 'source' | 'level' | 'alerts'>): WarningLevelCode {
  return trigger.source === '01' && trigger.level === 4 && !trigger.alerts.includes('ASQ_ACUTE') ? 3 : trigger.level;
}

/**
 * Whether a trigger is news for an open case: level 3 or above, a self-harm answer, a raise of the level, or a report of an attempt,
 * a plan, a farewell or abuse. A planned re-test below level 3 without a self-harm answer is none.
 */
export function isNews(open: Pick<WarningFacts, 'level'>, trigger: WarningTrigger): boolean {
  const level = triggerLevel(trigger);
  return trigger.isnews === true || level >= 3 || trigger.itemtrigger || level > open.level || (trigger.signs ?? []).length > 0;
}

/** A new warning in state 01 with its deadlines, duties and its log line. */
export function openWarning(
  trigger: WarningTrigger,
  person: Pick<WarningFacts, 'minor' | 'sector' | 'appid'>,
  time: Date,
  { local = DEFAULT_LOCAL_DUTIES, ...context }: TriggerContext = {},
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
    newstime: time,
    newsno: 1,
    selfharm: trigger.itemtrigger,
    owneruserid: null,
    ownerkeys: [],
    accepttime: null,
    acceptno: 0,
    acceptduetime: due.acceptduetime,
    assessduetime: due.assessduetime,
    guardianduetime: due.guardianduetime ?? null,
    raisedtime: null,
    loweredtime: null,
    reopentime: null,
    contactresult: null,
    contacttries: [],
    contacttime: null,
    contactcount: 0,
    followduetime: null,
    contactduetime: null,
    visitduetime: null,
    secondduetime: null,
    transferduetime: null,
    interviewtime: null,
    lastacutesign: level >= 3 || trigger.itemtrigger ? time : null,
    riskassess: [],
    interviewerkeys: [],
    interferes: [],
    plantext: '',
    safetyplan: null,
    referrals: [],
    followups: [],
    retests: [],
    duties: [],
    guardiannotified: false,
    guardiantime: null,
    exemption: null,
    confirmations: [],
    transfer: null,
    death: null,
    closereason: null,
    closenote: '',
    otheropen: false,
  };
  const duties = [
    ...(level === 4 ? levelFourDuties(time, local) : []),
    ...dutiesOfSigns(trigger.signs ?? [], person.minor, time, local),
  ];
  return {
    facts: withDuties(facts, duties),
    log: { action: '新建', time, fromlevel: null, tolevel: level, content: describeTrigger(trigger) },
  };
}

/**
 * Adds a new trigger to the open warning of a person, with a log line. News starts the clocks anew and voids older interviews,
 * confirmations and exemptions; any other trigger is only logged. The level can only rise.
 * Throws RangeError for a warning that is not open: the server then opens a new one.
 */
export function mergeTrigger(
  open: WarningFacts,
  trigger: WarningTrigger,
  time: Date,
  context: TriggerContext = {},
): { facts: WarningFacts; raised: boolean; news: boolean; log: TriggerLog } {
  if (!isOpen(open)) throw new RangeError(`a warning in state ${open.state} takes no new trigger`);
  const level = triggerLevel(trigger);
  const merged: WarningFacts = {
    ...open,
    rulecodes: uniteCodes(open.rulecodes, trigger.rulecodes),
    alertmsgs: uniteCodes(open.alertmsgs, trigger.alertmsgs),
  };
  const isRaised = level > open.level;
  const news = isNews(open, trigger);
  const log: TriggerLog = {
    action: isRaised ? '升级' : news ? '新情况' : '追加',
    time,
    fromlevel: open.level,
    tolevel: isRaised ? level : open.level,
    content: describeTrigger(trigger),
  };
  if (!news) return { facts: merged, raised: false, news, log };
  const renewed = withNews(merged, { level, selfharm: trigger.itemtrigger, now: time, ...context });
  const local = context.local ?? DEFAULT_LOCAL_DUTIES;
  return {
    facts: withDuties(renewed, dutiesOfSigns(trigger.signs ?? [], open.minor, time, local)),
    raised: isRaised,
    news,
    log,
  };
}

function describeTrigger(trigger: WarningTrigger): string {
  const names = trigger.rulecodes.map((code) => ruleName(code) ?? trigger.rulenames?.[code] ?? '本机构规则');
  return [...new Set([...trigger.alertmsgs, ...names])].join('；');
}

function uniteCodes(before: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])];
}
