import { addDays, addHours } from '#domain/base/calendar.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { DEFAULT_LOCAL_DUTIES, levelFourDuties, withDuties } from '#domain/warning/clock/caseduty.ts';
import type { LocalDuties } from '#domain/warning/clock/caseduty.ts';
import { CARE_STATES, earlier, followIntervalDays, guardianDue, isAssessPending } from '#domain/warning/clock/clocks.ts';
import { deadlinesFor } from '#domain/warning/deadline.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import { withMeansDuty } from '#domain/warning/safetyPlan.ts';
import { isAcceptancePending } from '#domain/warning/warningfacts.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

/** Hours for which a guardian counts as told also after news. */
const GUARDIAN_TOLD_HOURS = 24;

/** The news: its level, whether a self-harm answer is part of it, and the spans of the institution. */
export interface News {
  level: WarningLevelCode;
  selfharm: boolean;
  now: Date;
  /** a reopened case tells the guardian anew in any case */
  isReopened?: boolean;
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
  local?: LocalDuties;
}

/**
 * The facts after news (clinical-rules.md section A, "open × news"). Accept and assess start anew, telling the guardian too from
 * level 3. Observation goes back to 03. Older interviews, confirmations, exclusions and exemptions count for nothing, because they
 * are older than the news (`isSinceNews`). A clock that still runs never becomes due later.
 */
export function withNews(
  facts: WarningFacts,
  { now, isReopened = false, local = DEFAULT_LOCAL_DUTIES, ...news }: News,
): WarningFacts {
  const level = news.level > facts.level ? news.level : facts.level;
  const selfharm = facts.selfharm || news.selfharm;
  const due = deadlinesFor({
    level,
    itemtrigger: news.selfharm,
    triggertime: now,
    minor: facts.minor,
    ...(news.calendar && { calendar: news.calendar }),
    ...(news.overrides && { overrides: news.overrides }),
  });
  const state = facts.state === '06' || isReopened ? '03' : facts.state;
  const isInCare = CARE_STATES.includes(state);
  const renewed: WarningFacts = {
    ...facts,
    state,
    level,
    selfharm,
    peaklevel: level > facts.peaklevel ? level : facts.peaklevel,
    raisedtime: level > facts.level ? now : facts.raisedtime,
    newstime: now,
    newsno: facts.newsno + 1,
    // Talks and failed attempts before the news say nothing about it. The log keeps them.
    interviewtime: null,
    contacttime: null,
    contacttries: [],
    lastacutesign: now,
    acceptduetime: isAcceptancePending(facts) ? earlier(facts.acceptduetime, due.acceptduetime) : due.acceptduetime,
    assessduetime: isAssessPending(facts) ? earlier(facts.assessduetime, due.assessduetime) : due.assessduetime,
    ...guardianAnew(facts, level, due.guardianduetime ?? null, now, isReopened),
    contactcount: 0,
    followduetime: isInCare ? earlier(facts.followduetime, addDays(now, followIntervalDays(level, 0))) : null,
    // A second person confirmed something older; only a reported death still waits for its second person.
    secondduetime: facts.death ? facts.secondduetime : null,
    requestdues: [],
  };
  const isFirstAtFour = level === 4 && (facts.level < 4 || isReopened);
  const withReport = isFirstAtFour ? withDuties(renewed, levelFourDuties(now, local)) : renewed;
  return facts.safetyplan?.openmeans ? withMeansDuty(withReport, now) : withReport;
}

/** Telling the guardian anew, from level 3 unless they were told within a day; an exemption stands only on ground 1. */
function guardianAnew(
  facts: WarningFacts,
  level: WarningLevelCode,
  due: Date | null,
  now: Date,
  isReopened: boolean,
): Pick<WarningFacts, 'guardiannotified' | 'guardiantime' | 'guardianduetime' | 'exemption'> {
  const { guardiannotified, guardiantime, guardianduetime } = facts;
  // A valid exemption has settled the old clock, so a voided one does not bring its due time back.
  const pending = guardianDue(facts);
  const exemption = facts.exemption?.ground === 1 ? facts.exemption : null;
  const wasJustTold = guardiannotified && guardiantime !== null && guardiantime >= addHours(now, -GUARDIAN_TOLD_HOURS);
  if (due === null || (!isReopened && (level < 3 || wasJustTold)))
    return {
      guardiannotified,
      guardiantime,
      // News voids the exemption of an adult below level 4: it is decided again within a day.
      guardianduetime: guardiannotified ? guardianduetime : (earlier(pending, due) ?? (guardianduetime && addHours(now, 24))),
      exemption,
    };
  return {
    guardiannotified: false,
    guardiantime: null,
    guardianduetime: isReopened ? due : earlier(pending, due),
    exemption,
  };
}
