import { addDays, addHours } from '#domain/base/calendar.ts';
import { dischargeDuties, postventionDuties, withDuties } from '#domain/warning/clock/caseduty.ts';
import {
  CARE_STATES,
  earlier,
  followIntervalDays,
  HANDOVER_HOURS,
  SECOND_HOURS,
  TRANSFER_HOURS,
  VISIT_HOURS,
  withContact,
  withFailedContact,
} from '#domain/warning/clock/clocks.ts';
import { deadlinesFor, GUARDIAN_LATEST_DAYS } from '#domain/warning/deadline.ts';
import { exemptUntil, isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { withNews } from '#domain/warning/clock/news.ts';
import type { News } from '#domain/warning/clock/news.ts';
import { hasOpenReferral, isAcceptancePending, isOpen } from '#domain/warning/warningfacts.ts';
import type { ConfirmSubject, WarningFacts, WarningStateCode } from '#domain/warning/warningfacts.ts';
import { TARGETS } from '#domain/warning/decision/warningAction.ts';
import type { ActionContext, WarningAction } from '#domain/warning/decision/warningAction.ts';

/** The facts after an action that `transition` has allowed: the next state and its clocks. */
export function applyAction(facts: WarningFacts, action: WarningAction, context: ActionContext): WarningFacts {
  const { now, human } = context;
  const state = TARGETS[action.kind] ?? facts.state;
  const spans = {
    ...(context.calendar && { calendar: context.calendar }),
    ...(context.overrides && { overrides: context.overrides }),
  };
  const local = context.local && { local: context.local };
  switch (action.kind) {
    case 'accept':
      return {
        ...facts,
        state: facts.state === '01' ? '02' : facts.state,
        owneruserid: action.owneruserid ?? facts.owneruserid ?? context.userid,
        accepttime: now,
        acceptno: facts.newsno,
        guardianduetime:
          facts.guardianduetime && facts.minor
            ? earlier(facts.guardianduetime, addDays(now, GUARDIAN_LATEST_DAYS))
            : facts.guardianduetime,
      };
    case 'unaccept':
      // The clock of the acceptance has never stopped: it still says when the case must be accepted.
      return { ...facts, state, owneruserid: action.owneruserid, accepttime: null, acceptno: 0 };
    case 'assign':
      return handOver(facts, action.owneruserid, context);
    case 'verify':
      return afterContact(facts, action, context);
    case 'intervene':
    case 'refer':
    case 'observe':
      return enterCare(facts, state, now);
    case 'exclude':
      return stopClocks({ ...facts, state, closereason: '02', closenote: action.content });
    case 'close':
      return stopClocks({ ...facts, state: '07', closereason: action.closereason, closenote: action.closenote });
    case 'reopen':
      return {
        ...withNews(
          { ...facts, closereason: null, closenote: '', transfer: null },
          { level: facts.level, selfharm: facts.selfharm, now, isReopened: true, ...spans, ...local },
        ),
        reopentime: now,
      };
    case 'raise': {
      const raised = withNews(facts, { level: action.level, selfharm: false, now, ...spans, ...local });
      // The owner who raises the level has taken note of the news.
      const isByOwner = facts.accepttime !== null && facts.owneruserid === context.userid;
      return isByOwner ? { ...raised, accepttime: now, acceptno: raised.newsno } : raised;
    }
    case 'lower':
      return { ...facts, level: action.level, loweredtime: now };
    case 'notifyguardian':
      return { ...facts, guardiannotified: true, guardiantime: action.time ?? now, exemption: null };
    case 'exemptguardian': {
      const { ground, reason, alternate } = action;
      const exemption = { ground, reason, alternate, time: now, until: exemptUntil(ground, now), by: human };
      return {
        ...facts,
        exemption,
        secondduetime: facts.peaklevel >= 3 ? earlier(facts.secondduetime, addHours(now, SECOND_HOURS)) : facts.secondduetime,
      };
    }
    case 'confirm': {
      const { subject } = action;
      const confirmed = {
        ...facts,
        confirmations: [
          ...facts.confirmations,
          { subject, userid: context.userid, humankeys: human, time: now, newsno: facts.newsno },
        ],
        // A low conclusion has its own clock (riskassess.ts).
        riskassess:
          subject === 'conclusion' ? facts.riskassess.map((assess) => ({ ...assess, needssecond: false })) : facts.riskassess,
      };
      return { ...confirmed, secondduetime: isSecondSettled(confirmed, subject) ? null : facts.secondduetime };
    }
    case 'transfer':
      return {
        ...facts,
        transfer: { to: action.to, time: now, receipttime: null, receiptno: 0, islinked: action.islinked ?? false },
        transferduetime: earlier(facts.transferduetime, addHours(now, TRANSFER_HOURS[facts.level])),
      };
    case 'receive':
      return {
        ...facts,
        transfer: facts.transfer && { ...facts.transfer, receipttime: action.accepttime ?? now, receiptno: facts.newsno },
        transferduetime: null,
      };
    case 'discharge': {
      const discharged = isOpen(facts)
        ? facts
        : withNews(
            { ...facts, closereason: null, closenote: '' },
            { level: facts.level, selfharm: false, now, isReopened: true, ...spans, ...local },
          );
      const added = dischargeDuties(action.afterattempt || facts.peaklevel >= 4, action.time);
      return withDuties({ ...discharged, ...(isOpen(facts) ? {} : { reopentime: now }) }, added);
    }
    case 'reportdeath':
      return withDuties(
        {
          ...facts,
          // A closed case opens again, because two humans must confirm every death.
          ...(isOpen(facts) ? {} : { state: '03' as const, closereason: null, closenote: '', reopentime: now }),
          death: { time: now, by: human, source: action.source },
          requestdues: [],
          secondduetime: earlier(facts.secondduetime, addHours(now, SECOND_HOURS)),
        },
        postventionDuties(now),
      );
    case 'correctdeath':
      return correctDeath(facts, now, { ...spans, ...local });
  }
}

/** A new owner must accept the case: at level 3 or above within 2 hours, else within 24; a pending acceptance is never later. */
function handOver(facts: WarningFacts, owneruserid: string, { now, userid }: ActionContext): WarningFacts {
  // After a death nobody accepts the case anew; its second person and its duties go on.
  if (facts.death) return { ...facts, owneruserid };
  if (owneruserid === userid && facts.accepttime !== null)
    return { ...facts, owneruserid, accepttime: now, acceptno: facts.newsno };
  const due = addHours(now, HANDOVER_HOURS[facts.level]);
  return {
    ...facts,
    owneruserid,
    accepttime: null,
    acceptduetime: isAcceptancePending(facts) ? earlier(facts.acceptduetime, due) : due,
  };
}

/** A contact moves 02 to 03 and settles U; a failed attempt settles nothing. At level 2 the talk sets the time to tell the guardian. */
function afterContact(facts: WarningFacts, action: WarningAction & { kind: 'verify' }, context: ActionContext): WarningFacts {
  const { now } = context;
  if (action.contactresult === '03')
    return { ...withFailedContact(facts, now, action.channel ?? '01'), contactresult: action.contactresult };
  const state = facts.state === '02' ? '03' : facts.state;
  return {
    ...withContact({ ...facts, state }, now),
    contactresult: action.contactresult,
    guardianduetime: facts.guardiannotified
      ? facts.guardianduetime
      : earlier(facts.guardianduetime, guardianDueTime(facts, context)),
  };
}

/** Entering 04, 05 or 06 starts the contact rhythm F, unless it already runs; 05 also starts V. */
function enterCare(facts: WarningFacts, state: WarningStateCode, now: Date): WarningFacts {
  const isInCare = CARE_STATES.includes(facts.state);
  const first = addDays(now, followIntervalDays(facts.level, 0));
  return {
    ...facts,
    state,
    contactcount: isInCare ? facts.contactcount : 0,
    followduetime: isInCare ? (facts.followduetime ?? first) : first,
    visitduetime: visitDue(facts, state, now),
  };
}

/** V starts with 05. It goes on in 04 and 06 while a letter waits for the visit, because only a visit or a refusal ends it. */
function visitDue(facts: WarningFacts, state: WarningStateCode, now: Date): Date | null {
  if (state === '05') return earlier(facts.visitduetime, addHours(now, VISIT_HOURS[facts.level]));
  return hasOpenReferral(facts) ? facts.visitduetime : null;
}

/** A closed case has no clock of care; its duties go on. */
export const stopClocks = (facts: WarningFacts): WarningFacts => ({
  ...facts,
  followduetime: null,
  contactduetime: null,
  visitduetime: null,
  secondduetime: null,
  transferduetime: null,
});

/**
 * Whether a confirmation ends clock C. It runs for an exemption or a low conclusion, and a confirmation of something else leaves it.
 * For a death it runs until a second person closes the case or the report is corrected.
 */
function isSecondSettled(facts: WarningFacts, subject: ConfirmSubject): boolean {
  if (facts.death) return false;
  if (subject === 'exempt') return isGuardianExempt(facts);
  return subject === 'conclusion' && (facts.exemption === null || isGuardianExempt(facts));
}

/** A death reported by mistake: the case goes on as with news, and the postvention ends. */
function correctDeath(facts: WarningFacts, now: Date, spans: Pick<News, 'calendar' | 'overrides' | 'local'>): WarningFacts {
  const duties = facts.duties.map((duty) =>
    duty.kind === 'postvention' && duty.donetime === null ? { ...duty, donetime: now } : duty,
  );
  // Another case is open already, and a person has one: the closed case stays closed without the death.
  if (!isOpen(facts) && facts.otheropen) return { ...facts, death: null, duties, secondduetime: null };
  const alive = { ...facts, death: null, duties, secondduetime: null, closereason: null, closenote: '' };
  return withNews(alive, { level: facts.level, selfharm: false, now, isReopened: !isOpen(facts), ...spans });
}

function guardianDueTime(facts: WarningFacts, { now, calendar, overrides }: ActionContext): Date | null {
  const { level, minor } = facts;
  const spans = { ...(calendar && { calendar }), ...(overrides && { overrides }) };
  return deadlinesFor({ level, itemtrigger: false, triggertime: now, minor, talkedat: now, ...spans }).guardianduetime ?? null;
}
