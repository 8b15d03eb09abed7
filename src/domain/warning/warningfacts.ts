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
import type { SafetyPlanFact } from '#domain/warning/safetyPlan.ts';

export type WarningLevelCode = CodeOf<typeof WarningLevel>;
export type WarningStateCode = CodeOf<typeof WarningState>;
export type CloseReasonCode = CodeOf<typeof CloseReason>;
export type ContactResultCode = CodeOf<typeof ContactResult>;

export interface AssessFact {
  time: Date;
  /** level of the interview that counts, 0–4: the conclusion, or the suggestion while a low conclusion waits for its confirmation */
  conclusionlevel: Level;
  /** null: an interview without a stored suggestion */
  suggestedlevel?: Level | null;
  /** false: the ASQ is unfinished, so the interview settles nothing */
  isFinished?: boolean;
  /** true: a low conclusion, confirmed or not; it never meets a closing criterion */
  isLow?: boolean;
}

export interface FollowFact {
  duetime: Date;
  status: CodeOf<typeof FollowStatus>;
  donetime: Date | null;
}

export interface RetestFact {
  time: Date;
  /** level of the primary score; null when the form is not valid */
  level: Level | null;
  /** PHQ-9 item 9 or EPDS item 10 above 0 */
  itempositive: boolean;
  valid: boolean;
}

/**
 * All facts that the decisions about one warning need. The server loads them before it acts, and the case page shows them.
 * Lists need no order. Times are instants; "none yet" is null, never an invented date.
 */
export interface WarningFacts {
  state: WarningStateCode;
  level: WarningLevelCode;
  initiallevel: WarningLevelCode;
  /** highest level since the warning was opened; a lowered case keeps the duties of this level */
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
  /** last time a trigger or a person raised the level */
  raisedtime: Date | null;
  loweredtime: Date | null;
  reopentime: Date | null;

  contactresult: ContactResultCode | null;
  /** failed attempts to reach the person */
  contactattempts: readonly Date[];
  /** last interview note (访谈) */
  interviewtime: Date | null;
  /** last acute sign outside the interviews below: acute ASQ, an attempt, a plan */
  lastacutesign: Date | null;
  riskassess: readonly AssessFact[];
  interferes: readonly { time: Date }[];
  /** safety plan as free text, from before the structured plan */
  plantext: string;
  /** the newest version of the structured safety plan (安全计划) */
  safetyplan: SafetyPlanFact | null;
  referrals: readonly { time: Date; status: CodeOf<typeof ReferralStatus> }[];
  followups: readonly FollowFact[];
  retests: readonly RetestFact[];
  guardiannotified: boolean;
  /** why staff do not inform the guardian (for example: suspected source of harm); '' without an exemption */
  guardianexempt: string;

  /** a second person's confirmation (复核) that the case may be excluded or closed without the criteria */
  confirmation: { userid: string; time: Date } | null;
  closereason: CloseReasonCode | null;
  /** also the draft of the closing dialog */
  closenote: string;
  /** another warning of the same person is open, so this one must not be reopened */
  otheropen: boolean;
}

/** Whether the warning is open: not in 07 or 08. A person has at most one open warning. */
export function isOpen(warning: Pick<WarningFacts, 'state'>): boolean {
  return warning.state !== '07' && warning.state !== '08';
}

/**
 * The time from which evidence counts: the latest opening, raise or reopening. Older evidence says nothing about the present
 * danger. A trigger that does not raise the level changes nothing here, because a re-test at level 2 is such a trigger.
 */
export function evidenceSince(warning: Pick<WarningFacts, 'createtime' | 'raisedtime' | 'reopentime'>): Date {
  return latest([warning.createtime, warning.raisedtime, warning.reopentime]) ?? warning.createtime;
}

/** The most recent finished interview since `evidenceSince`, or null. */
export function lastAssess(
  warning: Pick<WarningFacts, 'createtime' | 'raisedtime' | 'reopentime' | 'riskassess'>,
): AssessFact | null {
  const since = evidenceSince(warning);
  const counted = warning.riskassess.filter((assess) => assess.time >= since && assess.isFinished !== false);
  return counted.reduce<AssessFact | null>((last, assess) => (last === null || assess.time >= last.time ? assess : last), null);
}

/** The earliest due time of an open follow-up, or null: the warning's `nextfollowtime`. */
export function nextFollowTime(warning: Pick<WarningFacts, 'followups'>): Date | null {
  const pending = warning.followups.filter((followup) => followup.status === '01' || followup.status === '03');
  return pending.reduce<Date | null>((first, { duetime }) => (first === null || duetime < first ? duetime : first), null);
}

/**
 * Whether no member of staff has accepted the warning since it was opened or a trigger raised it. A person who raises the
 * level handles the case already, so that raise also sets `accepttime`.
 */
export function isAcceptancePending(warning: Pick<WarningFacts, 'state' | 'accepttime' | 'raisedtime'>): boolean {
  if (!isOpen(warning)) return false;
  return warning.accepttime === null || (warning.raisedtime !== null && warning.accepttime < warning.raisedtime);
}

/** Whether staff informed the guardian or recorded an exemption. */
export function isGuardianSettled(warning: Pick<WarningFacts, 'guardiannotified' | 'guardianexempt'>): boolean {
  return warning.guardiannotified || warning.guardianexempt.trim() !== '';
}

/** The latest of several instants, null when there is none. */
export function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce<Date | null>((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
}
