import type { CodeOf } from '#domain/base/enum.ts';
import type {
  CloseReason,
  ContactResult,
  FollowStatus,
  ReferralStatus,
  Sector,
  WarningLevel,
  WarningSource,
  WarningState,
} from '#domain/base/enums.ts';
import type { Level } from '#domain/scoring/scale.ts';

export type WarningLevelCode = CodeOf<typeof WarningLevel>;
export type WarningStateCode = CodeOf<typeof WarningState>;
export type CloseReasonCode = CodeOf<typeof CloseReason>;
export type ContactResultCode = CodeOf<typeof ContactResult>;

export interface AssessFact {
  time: Date;
  /** what the interviewer concluded, 0–4 */
  conclusionlevel: Level;
}

export interface FollowFact {
  duetime: Date;
  status: CodeOf<typeof FollowStatus>;
  donetime: Date | null;
}

export interface RetestFact {
  time: Date;
  /** level of the primary score; null when the sheet is not valid */
  level: Level | null;
  /** PHQ-9 item 9 or EPDS item 10 above 0 */
  itempositive: boolean;
  valid: boolean;
}

/**
 * Everything the decisions about one warning depend on: what the server loads before it acts, and what the case page shows.
 * Lists need no order. Times are instants; "none yet" is null, never a made-up date.
 */
export interface WarningFacts {
  state: WarningStateCode;
  level: WarningLevelCode;
  initiallevel: WarningLevelCode;
  /** highest level since the warning was opened; a lowered case keeps the duties of the level it had */
  peaklevel: WarningLevelCode;
  source: CodeOf<typeof WarningSource>;
  appid: string;
  sector: CodeOf<typeof Sector>;
  /** under 18 */
  minor: boolean;
  rulecodes: readonly string[];
  alertmsgs: readonly string[];

  createtime: Date;
  owneruserid: string | null;
  /** last acceptance (受理) */
  accepttime: Date | null;
  acceptduetime: Date | null;
  assessduetime: Date | null;
  guardianduetime: Date | null;
  /** last time the level went up, by a trigger or a person */
  raisedtime: Date | null;
  loweredtime: Date | null;
  reopentime: Date | null;

  contactresult: ContactResultCode | null;
  /** documented attempts to reach the person that failed */
  contactattempts: readonly Date[];
  /** last interview note (访谈) */
  interviewtime: Date | null;
  /** last acute sign reported outside the interviews listed here: acute ASQ, an attempt, a plan */
  lastacutesign: Date | null;
  riskassess: readonly AssessFact[];
  interferes: readonly { time: Date }[];
  /** safety plan (安全计划) of the last interview */
  plantext: string;
  referrals: readonly { time: Date; status: CodeOf<typeof ReferralStatus> }[];
  followups: readonly FollowFact[];
  retests: readonly RetestFact[];
  guardiannotified: boolean;
  /** why the guardian is not told (for example: suspected source of harm); '' when there is no exemption */
  guardianexempt: string;

  /** a second person's confirmation (复核) that the case may be excluded or closed without the criteria */
  confirmation: { userid: string; time: Date } | null;
  closereason: CloseReasonCode | null;
  /** also the draft the closing dialog holds */
  closenote: string;
  /** another warning of the same person is open: this one must not be reopened beside it */
  otheropen: boolean;
}

/** 07 and 08 are ends; a person has at most one warning in any other state. */
export function isOpen(warning: Pick<WarningFacts, 'state'>): boolean {
  return warning.state !== '07' && warning.state !== '08';
}

/**
 * Evidence older than this says nothing about the present danger: the warning was opened, its level was raised, or it was
 * reopened since. A new trigger that does not raise the level does not reset it, because a re-test at level 2 is itself one.
 */
export function evidenceSince(warning: Pick<WarningFacts, 'createtime' | 'raisedtime' | 'reopentime'>): Date {
  return latest([warning.createtime, warning.raisedtime, warning.reopentime]) ?? warning.createtime;
}

/** The most recent interview that counts, or null. */
export function lastAssess(
  warning: Pick<WarningFacts, 'createtime' | 'raisedtime' | 'reopentime' | 'riskassess'>,
): AssessFact | null {
  const since = evidenceSince(warning);
  const counted = warning.riskassess.filter((assess) => assess.time >= since);
  return counted.reduce<AssessFact | null>((last, assess) => (last === null || assess.time >= last.time ? assess : last), null);
}

/** Earliest follow-up still to be done, or null: the warning's `nextfollowtime`. */
export function nextFollowTime(warning: Pick<WarningFacts, 'followups'>): Date | null {
  const pending = warning.followups.filter((followup) => followup.status === '01' || followup.status === '03');
  return pending.reduce<Date | null>((first, { duetime }) => (first === null || duetime < first ? duetime : first), null);
}

/**
 * Nobody has taken the warning over since it was opened or a trigger raised it. (A person who raises the level has the case
 * in hand: `accepttime` moves with it.)
 */
export function acceptancePending(warning: Pick<WarningFacts, 'state' | 'accepttime' | 'raisedtime'>): boolean {
  if (!isOpen(warning)) return false;
  return warning.accepttime === null || (warning.raisedtime !== null && warning.accepttime < warning.raisedtime);
}

/** The guardian was told, or it is written down why not. */
export function guardianSettled(warning: Pick<WarningFacts, 'guardiannotified' | 'guardianexempt'>): boolean {
  return warning.guardiannotified || warning.guardianexempt.trim() !== '';
}

/** The latest of several instants, null when there is none. */
export function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce<Date | null>((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
}
