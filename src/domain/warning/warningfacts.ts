import type { CodeOf } from '#domain/base/enum.ts';
import type {
  CloseReason,
  ContactResult,
  FollowStatus,
  ReferralStatus,
  Sector,
  StaffCloseReason,
  WarningSource,
  WarningState,
} from '#domain/base/enums.ts';
import type { Level } from '#domain/scoring/scale.ts';

export type WarningLevelCode = 1 | 2 | 3 | 4;
export type WarningStateCode = CodeOf<typeof WarningState>;
export type CloseReasonCode = CodeOf<typeof CloseReason>;
export type StaffCloseReasonCode = CodeOf<typeof StaffCloseReason>;
export type ContactResultCode = CodeOf<typeof ContactResult>;

export interface AssessFact {
  time: Date;
  /** the number of the news that the interviewer knew; see `WarningFacts.newsno` */
  newsno: number;
  /** the level that counts, 0–4: the conclusion, or the suggestion while a low conclusion waits for its second person */
  conclusionlevel: Level;
  /** the level that the findings suggest; absent or null: an interview from before suggestions were stored */
  suggestedlevel?: Level | null;
  /** false: the ASQ was left unfinished, so the interview settles nothing */
  finished: boolean;
  /** the conclusion is low against the suggestion, so it meets no closing criterion */
  islow: boolean;
  /** a low conclusion that no second person has confirmed */
  needssecond?: boolean;
  /** the ASQ was asked and is negative */
  asqnegative: boolean;
}

/** A failed attempt to reach the person. Channels: 01 phone, 02 in person, 03 message, 04 through others. */
export interface ContactTry {
  time: Date;
  channel: string;
}

/** A duty with a clock of its own; `domain/warning/clock/caseduty.ts` says which duties exist. */
export interface DutyFact {
  /** absent until the database has stored the duty */
  dutyid?: number;
  kind: DutyKind;
  title: string;
  duetime: Date;
  donetime: Date | null;
}
export type DutyKind = 'authority' | 'abuse' | 'injury' | 'discharge' | 'return' | 'postvention' | 'means' | 'danger';

/** What a second person confirms. */
export type ConfirmSubject = 'close' | 'exclude' | 'transfer' | 'lost' | 'death' | 'exempt' | 'conclusion';
/** A confirmation. `humankeys` identify the human: account, phone, certificate. */
export interface Confirmation {
  subject: ConfirmSubject;
  userid: string;
  humankeys: readonly string[];
  time: Date;
  /** the number of the news that the second person knew */
  newsno: number;
}

/** Why the guardian is not told. `until`: a temporary ground lapses then. */
export interface Exemption {
  ground: 1 | 2 | 3 | 4 | 5 | 6;
  reason: string;
  /** who is told instead */
  alternate: string;
  time: Date;
  until: Date | null;
  /** keys of the human who applied */
  by: readonly string[];
}

/** Where a case goes. The receipt also has the number of the news that the receiver knew. */
export interface Transfer {
  to: string;
  time: Date;
  receipttime: Date | null;
  receiptno: number;
  /** the receiver is an institution of the platform, and only its acceptance of the linked case is the receipt */
  islinked: boolean;
}

export interface SafetyPlanFact {
  time: Date;
  /** no required part is missing */
  complete: boolean;
  /** nobody has dealt with some of the means */
  openmeans: boolean;
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
  /** the last news: opening, grave or self-harm trigger, raise, reopening. Older records count for nothing. */
  newstime: Date;
  /** the number of the last news, from 1. A record with a smaller number is older, also within the same millisecond. */
  newsno: number;
  /** a self-harm answer is among the triggers */
  selfharm: boolean;
  owneruserid: string | null;
  /** keys of the human who owns the case */
  ownerkeys: readonly string[];
  /** last acceptance (受理) */
  accepttime: Date | null;
  /** the number of the news at the last acceptance */
  acceptno: number;
  acceptduetime: Date | null;
  assessduetime: Date | null;
  guardianduetime: Date | null;
  /** last time a trigger or a person raised the level */
  raisedtime: Date | null;
  loweredtime: Date | null;
  reopentime: Date | null;

  contactresult: ContactResultCode | null;
  /** failed attempts to reach the person */
  contacttries: readonly ContactTry[];
  /** last contact made */
  contacttime: Date | null;
  /** contacts made since the last news or since 04–06 began; it decides the rhythm of F */
  contactcount: number;
  /** clocks F, U, V, C and X of clinical-rules.md; null: not running */
  followduetime: Date | null;
  contactduetime: Date | null;
  visitduetime: Date | null;
  secondduetime: Date | null;
  transferduetime: Date | null;
  /** last interview note (访谈) */
  interviewtime: Date | null;
  /** last acute sign outside the interviews below: acute ASQ, an attempt, a plan */
  lastacutesign: Date | null;
  riskassess: readonly AssessFact[];
  /** keys of the human who did the last interview */
  interviewerkeys: readonly string[];
  interferes: readonly { time: Date }[];
  /** safety plan as free text, from before the structured plan */
  plantext: string;
  /** the newest version of the structured safety plan (安全计划) */
  safetyplan: SafetyPlanFact | null;
  referrals: readonly { time: Date; status: CodeOf<typeof ReferralStatus> }[];
  followups: readonly FollowFact[];
  retests: readonly RetestFact[];
  duties: readonly DutyFact[];
  guardiannotified: boolean;
  guardiantime: Date | null;
  exemption: Exemption | null;

  /** confirmations by a second person */
  confirmations: readonly Confirmation[];
  /** when the answers to acts that wait for a second person are due; news voids these requests */
  requestdues?: readonly Date[];
  /** where the case goes, and the receiver's receipt */
  transfer: Transfer | null;
  /** the reported death, until a second person closes the case or the report is corrected */
  death: { time: Date; by: readonly string[]; source: string } | null;
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

/** Whether a record is not older than the last news. The number decides between records of the same millisecond. */
export function isSinceNews(
  { newstime, newsno }: Pick<WarningFacts, 'newstime' | 'newsno'>,
  record: { time: Date; newsno: number },
): boolean {
  return record.newsno >= newsno && record.time >= newstime;
}

/** Whether a referral letter still waits for the visit or the refusal. */
export const hasOpenReferral = ({ referrals }: Pick<WarningFacts, 'referrals'>): boolean =>
  referrals.some(({ status }) => status === '01');

/** The most recent finished interview since the last news, or null. */
export function lastAssess(warning: Pick<WarningFacts, 'newstime' | 'newsno' | 'riskassess'>): AssessFact | null {
  const counted = warning.riskassess.filter((assess) => assess.finished && isSinceNews(warning, assess));
  return counted.reduce<AssessFact | null>((last, assess) => (last === null || assess.time >= last.time ? assess : last), null);
}

/** Whether no member of staff has accepted the warning since the last news. */
export function isAcceptancePending(
  warning: Pick<WarningFacts, 'state' | 'accepttime' | 'acceptno' | 'newstime' | 'newsno'>,
): boolean {
  const { accepttime, acceptno } = warning;
  return isOpen(warning) && (accepttime === null || !isSinceNews(warning, { time: accepttime, newsno: acceptno }));
}

/** The latest of several instants, null when there is none. */
export function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce<Date | null>((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
}
