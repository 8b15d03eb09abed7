import { addDays, addHours } from '#domain/base/calendar.ts';
import { isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { pendingConclusions } from '#domain/warning/riskassess.ts';
import { hasOpenReferral, isAcceptancePending, isOpen, isSinceNews } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/**
 * The clocks of an open case (clinical-rules.md section A). Each pending clock has a due time and ends by its own event only.
 * `nextdue` of a case is the earliest of them. Every open case has one.
 */
export const DUE_LABELS = {
  accept: '受理',
  assess: '访谈评估',
  guardian: '告知监护人或家属',
  step: '下一步处置',
  follow: '联系本人',
  contact: '再次联系',
  visit: '到诊跟进',
  second: '第二人复核',
  transfer: '移交回执',
  followup: '随访',
  duty: '专项职责',
} as const;
export type DueKind = keyof typeof DUE_LABELS;
export interface Due {
  kind: DueKind;
  due: Date;
}

type ByLevel = Readonly<Record<WarningLevelCode, number>>;
const HOURS_OF_DAYS = (days: number) => days * 24;
/** N: hours to the next step in 02 and 03, once the case is accepted and assessed. */
export const STEP_HOURS: ByLevel = { 1: HOURS_OF_DAYS(7), 2: HOURS_OF_DAYS(7), 3: 24, 4: 2 };
/** U: hours to reach a person after a failed attempt. */
export const CONTACT_HOURS: ByLevel = { 1: HOURS_OF_DAYS(3), 2: 24, 3: 12, 4: 2 };
/** V: hours to the visit at the hospital. Afterwards feedback is due every seven days. */
export const VISIT_HOURS: ByLevel = { 1: HOURS_OF_DAYS(7), 2: HOURS_OF_DAYS(7), 3: 24, 4: 24 };
/** Days between two feedbacks of the hospital after the visit. */
const FEEDBACK_DAYS = 7;
/** C: hours to the confirmation by a second person. */
export const SECOND_HOURS = 24;
/** X: hours to the receipt of a transfer. */
export const TRANSFER_HOURS: ByLevel = { 1: 72, 2: 72, 3: 24, 4: 24 };
/** A: hours in which a new owner accepts a case that is handed over. */
export const HANDOVER_HOURS: ByLevel = { 1: 24, 2: 24, 3: 2, 4: 2 };

/** F: days to the next contact after `made` contacts. Level 3: four times 7, then 14. Level 4: seven times 1, then 7. */
export function followIntervalDays(level: WarningLevelCode, made: number): number {
  if (level === 4) return made < 7 ? 1 : 7;
  if (level === 3) return made < 4 ? 7 : 14;
  return level === 2 ? 14 : 28;
}

/** States in which the contact rhythm F runs. */
export const CARE_STATES: readonly string[] = ['04', '05', '06'];

/** The facts after a contact was made: U ends, and in 04 to 06 the next contact is due by the rhythm of the level. */
export function withContact(facts: WarningFacts, now: Date): WarningFacts {
  const made = facts.contactcount + 1;
  const isInCare = CARE_STATES.includes(facts.state);
  return {
    ...facts,
    contacttime: now,
    contactcount: made,
    contactduetime: null,
    followduetime: isInCare ? addDays(now, followIntervalDays(facts.level, made)) : facts.followduetime,
  };
}

/** The facts after a failed attempt to reach the person: U runs, no other clock ends. */
export function withFailedContact(facts: WarningFacts, now: Date, channel: string): WarningFacts {
  const due = addHours(now, CONTACT_HOURS[facts.level]);
  return {
    ...facts,
    contacttries: [...facts.contacttries, { time: now, channel }],
    contactduetime: earlier(facts.contactduetime, due),
  };
}

/** How long a failed attempt that was recorded by mistake can be taken back. */
export const WITHDRAW_TRY_MINUTES = 10;

/** The facts without the last failed attempt. `before` is when U was due before that attempt; an attempt that set no U leaves it. */
export function withoutLastTry(facts: WarningFacts, before: Date | null): WarningFacts {
  const last = facts.contacttries.at(-1);
  if (!last) return facts;
  const hasSet = facts.contactduetime?.getTime() === addHours(last.time, CONTACT_HOURS[facts.level]).getTime();
  return {
    ...facts,
    contacttries: facts.contacttries.slice(0, -1),
    contactduetime: hasSet ? before : facts.contactduetime,
  };
}

/**
 * The facts after the feedback on a referral. V goes on while another letter waits for its visit. In 05, after a visit, the hospital's
 * feedback is due every seven days; a refusal ends V.
 */
export function withVisit(facts: WarningFacts, now: Date): WarningFacts {
  if (hasOpenReferral(facts)) return facts;
  const isVisited = facts.referrals.some(({ status }) => status === '02' || status === '04');
  return { ...facts, visitduetime: facts.state === '05' && isVisited ? addDays(now, FEEDBACK_DAYS) : null };
}

/** The earlier of two instants; null counts as none. */
export function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Whether the interview since the last news is still missing. */
export function isAssessPending(
  facts: Pick<WarningFacts, 'state' | 'assessduetime' | 'newstime' | 'newsno' | 'riskassess'>,
): boolean {
  return isOpen(facts) && facts.assessduetime !== null && firstAssess(facts) === null;
}

/** The time of the first finished interview since the last news. */
function firstAssess(facts: Pick<WarningFacts, 'newstime' | 'newsno' | 'riskassess'>): Date | null {
  return facts.riskassess
    .filter((assess) => assess.finished && isSinceNews(facts, assess))
    .reduce<Date | null>((first, { time }) => earlier(first, time), null);
}

/** When telling the guardian is due; null when it is settled or not needed. */
export function guardianDue(facts: WarningFacts): Date | null {
  if (facts.guardiannotified || facts.guardianduetime === null) return null;
  if (isGuardianExempt(facts)) return facts.exemption?.until ?? null;
  return facts.guardianduetime;
}

/** All pending clocks of a case. A closed case keeps only its duties: reports, contacts after a discharge, postvention. */
export function pendingClocks(facts: WarningFacts): Due[] {
  const dues: Due[] = [];
  const add = (kind: DueKind, due: Date | null) => {
    if (due !== null) dues.push({ kind, due });
  };
  const openDuties = facts.duties.filter(({ donetime }) => donetime === null);
  for (const duty of openDuties) if (duty.kind !== 'danger') add('duty', duty.duetime);
  if (!isOpen(facts)) return dues;
  add('second', facts.secondduetime);
  for (const due of facts.requestdues ?? []) add('second', due);
  // After a death no clock of care runs; the second person and the duties remain.
  if (facts.death) return dues;
  const [conclusion] = pendingConclusions(facts);
  if (conclusion) add('second', addHours(conclusion.time, SECOND_HOURS));
  const isUnaccepted = isAcceptancePending(facts);
  const isUnassessed = isAssessPending(facts);
  if (isUnaccepted) add('accept', facts.acceptduetime);
  if (isUnassessed) add('assess', facts.assessduetime);
  add('guardian', guardianDue(facts));
  if ((facts.state === '02' || facts.state === '03') && !isUnaccepted && !isUnassessed) {
    const accepted = facts.accepttime ?? facts.newstime;
    // Level 1 needs no interview, so one that took place does not move its step later.
    const assessed = (facts.assessduetime && firstAssess(facts)) ?? accepted;
    const since = assessed > accepted ? assessed : accepted;
    // Lowering never moves a pending step later.
    const isLowered = facts.loweredtime !== null && facts.loweredtime >= since;
    add('step', addHours(since, STEP_HOURS[isLowered ? facts.peaklevel : facts.level]));
  }
  if (CARE_STATES.includes(facts.state)) add('follow', facts.followduetime);
  add('contact', facts.contactduetime);
  // A letter waits for its visit also after news led from 06 back to 03.
  add('visit', facts.visitduetime);
  add('transfer', facts.transferduetime);
  for (const { status, duetime } of facts.followups) if (status === '01' || status === '03') add('followup', duetime);
  // The danger ends with the case. Of clocks with one due time the first is next: acceptance comes before the record.
  for (const duty of openDuties) if (duty.kind === 'danger') add('duty', duty.duetime);
  return dues;
}

/** The next due clock, or null when nothing is due. An open case always has one. */
export function nextDue(facts: WarningFacts): Due | null {
  return pendingClocks(facts).reduce<Due | null>((first, due) => (first === null || due.due < first.due ? due : first), null);
}

/** Whether the next clock of the case has run out. */
export function isOverdue(facts: WarningFacts, now: Date): boolean {
  const next = nextDue(facts);
  return next !== null && next.due < now;
}
