import { CARE_STATES, earlier, guardianDue, isAssessPending } from '#domain/warning/clock/clocks.ts';
import { stopClocks } from '#domain/warning/decision/applyAction.ts';
import { addHours } from '#domain/base/calendar.ts';
import { isAcceptancePending, latest } from '#domain/warning/warningfacts.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';

/**
 * 并案: two open cases of one person become one (supplement-people-statistics.md, section 5). Every pending clock of the other case goes on
 * in the case that stays, with the earlier of both due times. A clock never ends because of the merge.
 */

/** The hours for which a guardian counts as told, also about the other case (clinical-rules.md A, row "open × news"). */
const GUARDIAN_TOLD_HOURS = 24;

/** What decides which of two cases stays. */
type Rank = Pick<WarningFacts, 'level' | 'createtime'>;
/** Whether a case stays rather than another one: the higher level, then the older case. */
export const isKeptCase = (one: Rank, other: Rank): boolean =>
  one.level === other.level ? one.createtime <= other.createtime : one.level > other.level;

/** The case that stays, with the triggers and the pending clocks of the other one. */
export function joinCase(kept: WarningFacts, other: WarningFacts, now: Date): WarningFacts {
  const joined: WarningFacts = {
    ...kept,
    rulecodes: union(kept.rulecodes, other.rulecodes),
    alertmsgs: union(kept.alertmsgs, other.alertmsgs),
    selfharm: kept.selfharm || other.selfharm,
    peaklevel: other.peaklevel > kept.peaklevel ? other.peaklevel : kept.peaklevel,
    lastacutesign: latest([kept.lastacutesign, other.lastacutesign]),
    contactduetime: earlier(kept.contactduetime, other.contactduetime),
    ...joinGuardian(kept, other, now),
  };
  return withRhythm(isAssessPending(other) ? withOpenNews(joined, other, now) : withOpenAcceptance(joined, other), other);
}

/** The facts of the case that ends because the other one goes on. */
export const closeJoined = (other: WarningFacts, closenote: string): WarningFacts =>
  stopClocks({ ...other, state: '07', closereason: '06', closenote });

const union = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])];

/** Telling the guardian stays due when it is due in one of the cases, unless they were told within a day. */
function joinGuardian(kept: WarningFacts, other: WarningFacts, now: Date): Partial<WarningFacts> {
  const due = guardianDue(other);
  const isExempt = kept.exemption !== null && !kept.guardiannotified && guardianDue(kept) === null;
  const wasJustTold =
    kept.guardiannotified && kept.guardiantime !== null && kept.guardiantime >= addHours(now, -GUARDIAN_TOLD_HOURS);
  if (due === null || isExempt || wasJustTold) return {};
  return { guardiannotified: false, guardiantime: null, guardianduetime: earlier(guardianDue(kept), due) };
}

/** The other case waits for its interview: that is news for the case that stays, with the clocks that run already. */
function withOpenNews(kept: WarningFacts, other: WarningFacts, now: Date): WarningFacts {
  const newsno = kept.newsno + 1;
  const accepts = [kept, other].filter(isAcceptancePending).map(({ acceptduetime }) => acceptduetime);
  return {
    ...kept,
    state: kept.state === '06' ? '03' : kept.state,
    newstime: now,
    newsno,
    interviewtime: null,
    ...(accepts.length > 0
      ? { acceptduetime: accepts.reduce(earlier) ?? null }
      : { accepttime: kept.accepttime && now, acceptno: newsno }),
    assessduetime: isAssessPending(kept) ? earlier(kept.assessduetime, other.assessduetime) : other.assessduetime,
    requestdues: [],
  };
}

/** The other case waits for its acceptance only: so does the case that stays, without voiding its interviews. */
const withOpenAcceptance = (kept: WarningFacts, other: WarningFacts): WarningFacts =>
  isAcceptancePending(other)
    ? {
        ...kept,
        accepttime: null,
        acceptduetime: isAcceptancePending(kept) ? earlier(kept.acceptduetime, other.acceptduetime) : other.acceptduetime,
      }
    : kept;

/** The rhythm of contacts and the visit at the hospital. Outside care a contact is due at the same time. */
function withRhythm(kept: WarningFacts, other: WarningFacts): WarningFacts {
  const isOtherInCare = CARE_STATES.includes(other.state);
  const follow = isOtherInCare ? other.followduetime : null;
  const visit = isOtherInCare ? other.visitduetime : null;
  if (CARE_STATES.includes(kept.state))
    return { ...kept, followduetime: earlier(kept.followduetime, follow), visitduetime: earlier(kept.visitduetime, visit) };
  // 06 has just become 03: its own rhythm goes on as a contact, too.
  const due = [kept.followduetime, kept.visitduetime, follow, visit].reduce(earlier, kept.contactduetime);
  return { ...kept, contactduetime: due, followduetime: null, visitduetime: null };
}
