import { describe, expect, it } from 'vitest';
import { addDays, addHours, fromShanghai } from '#domain/base/calendar.ts';
import { dischargeDuties, withDuties } from '#domain/warning/clock/caseduty.ts';
import {
  isOverdue,
  nextDue,
  pendingClocks,
  withContact,
  withFailedContact,
  withoutLastTry,
} from '#domain/warning/clock/clocks.ts';
import type { DueKind } from '#domain/warning/clock/clocks.ts';
import { withNews } from '#domain/warning/clock/news.ts';
import { openWarning } from '#domain/warning/warningtrigger.ts';
import type { AssessFact, Exemption, WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

const friday = fromShanghai('2026-03-06 15:00');
const after = (hours: number) => addHours(friday, hours);
const warningOf = (level: WarningLevelCode, more: Partial<WarningFacts> = {}): WarningFacts => ({
  ...openWarning(
    { source: '03', level, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [] },
    { minor: true, sector: 'edu', appid: '000000002' },
    friday,
  ).facts,
  duties: [],
  ...more,
});
const adult = { minor: false, guardianduetime: null };
const accepted = { state: '03', accepttime: after(1), acceptno: 1, owneruserid: 'wang', ownerkeys: ['u:wang'] } as const;
const interview = (hours: number, more: Partial<AssessFact> = {}): AssessFact => ({
  time: after(hours),
  newsno: 1,
  conclusionlevel: 2,
  finished: true,
  islow: false,
  asqnegative: false,
  ...more,
});
const kinds = (facts: WarningFacts) => pendingClocks(facts).map(({ kind }) => kind);
const dueOf = (facts: WarningFacts, kind: DueKind) => pendingClocks(facts).find((due) => due.kind === kind)?.due;

describe('the next duty of a warning', () => {
  it('is acceptance until staff accept the warning, then the interview, then the next step, then the next contact', () => {
    expect(nextDue(warningOf(3, adult))).toEqual({ kind: 'accept', due: after(24) });
    expect(nextDue(warningOf(3, { ...adult, ...accepted }))).toEqual({ kind: 'assess', due: after(48) });
    const assessed = { ...adult, ...accepted, riskassess: [interview(5)] };
    expect(nextDue(warningOf(3, assessed))).toEqual({ kind: 'step', due: after(29) });
    const observed = warningOf(3, { ...assessed, state: '06', followduetime: addDays(friday, 7) });
    expect(nextDue(observed)).toEqual({ kind: 'follow', due: addDays(friday, 7) });
    expect(nextDue({ ...observed, state: '07' })).toBe(null);
  });

  it('is a planned follow-up when that comes before the contact of the rhythm', () => {
    const followups = [
      { duetime: addDays(friday, 3), status: '01', donetime: null },
      { duetime: addDays(friday, 2), status: '02', donetime: addDays(friday, 2) },
    ] as const;
    const facts = { ...adult, ...accepted, riskassess: [interview(5)], followduetime: addDays(friday, 7) };
    expect(nextDue(warningOf(3, { ...facts, state: '06', followups }))).toEqual({ kind: 'followup', due: addDays(friday, 3) });
  });

  it('is to inform the guardian when that is due first', () => {
    expect(nextDue(warningOf(3, accepted))?.kind).toBe('guardian');
    expect(nextDue(warningOf(3, { ...accepted, guardiannotified: true }))?.kind).toBe('assess');
  });

  it('is overdue only after its due time', () => {
    expect(isOverdue(warningOf(4), after(2))).toBe(false);
    expect(isOverdue(warningOf(4), after(2.01))).toBe(true);
  });

  it('is acceptance and interview again in any open state after news', () => {
    const news = { newstime: after(120), acceptduetime: after(122), assessduetime: after(122) };
    const facts = { ...adult, ...accepted, ...news, state: '04', riskassess: [interview(5)] } as const;
    const renewed = warningOf(4, { ...facts, followduetime: after(144) });
    expect(kinds(renewed)).toEqual(['accept', 'assess', 'follow']);
    expect(kinds({ ...renewed, accepttime: after(121), acceptno: 2 })).toEqual(['assess', 'follow']);
    expect(kinds({ ...renewed, accepttime: after(121), acceptno: 2, riskassess: [interview(121, { newsno: 2 })] })).toEqual([
      'follow',
    ]);
  });
});

describe('an exemption from telling the guardian', () => {
  const exemption: Exemption = {
    ground: 3,
    reason: '三次电话均无人接听，已上门一次',
    alternate: '姑姑 林敏 3月7日',
    time: after(2),
    until: after(74),
    by: ['u:wang'],
  };
  const second = { subject: 'exempt', userid: 'zhao', humankeys: ['u:zhao'], time: after(3), newsno: 1 } as const;

  it('at level 3 stops the clock only after a second human has confirmed it, and lapses', () => {
    const facts = warningOf(3, { ...accepted, exemption });
    expect(dueOf(facts, 'guardian')).toEqual(after(24));
    expect(dueOf({ ...facts, confirmations: [{ ...second, humankeys: ['u:wang'] }] }, 'guardian')).toEqual(after(24));
    expect(dueOf({ ...facts, confirmations: [second] }, 'guardian')).toEqual(after(74));
    const lasting = { ...exemption, ground: 1, until: null } as const;
    expect(dueOf({ ...facts, exemption: lasting, confirmations: [second] }, 'guardian')).toBeUndefined();
  });

  it('needs the second human also after the level was lowered', () => {
    expect(dueOf(warningOf(3, { ...accepted, exemption, level: 2 }), 'guardian')).toEqual(after(24));
  });
});

describe('the clocks that events start', () => {
  const inCare = (level: WarningLevelCode, more: Partial<WarningFacts> = {}) =>
    warningOf(level, { ...adult, ...accepted, state: '04', riskassess: [interview(2)], ...more });

  it('F follows the rhythm of the level: at level 4 seven times daily and then weekly, at level 3 four times weekly', () => {
    const daysBetweenContacts = (level: WarningLevelCode, count: number) => {
      let facts = inCare(level);
      return Array.from({ length: count }, () => {
        facts = withContact(facts, friday);
        return Math.round((Number(dueOf(facts, 'follow')) - Number(friday)) / 86_400_000);
      });
    };
    expect(daysBetweenContacts(4, 8)).toEqual([1, 1, 1, 1, 1, 1, 7, 7]);
    expect(daysBetweenContacts(3, 5)).toEqual([7, 7, 7, 14, 14]);
    expect(daysBetweenContacts(2, 2)).toEqual([14, 14]);
    expect(daysBetweenContacts(1, 2)).toEqual([28, 28]);
  });

  it('U runs from the first failed attempt until a contact, and settles no other clock', () => {
    const facts = warningOf(4, { ...adult, ...accepted, state: '02' });
    const tried = withFailedContact(withFailedContact(facts, after(1), '01'), after(1.5), '02');
    expect(dueOf(tried, 'contact')).toEqual(after(3));
    expect(kinds(tried)).toEqual([...kinds(facts), 'contact']);
    expect(kinds(withContact(tried, after(2)))).toEqual(kinds(facts));
    const spans = ([1, 2, 3, 4] as const).map((level) => dueOf(withFailedContact(warningOf(level), friday, '01'), 'contact'));
    expect(spans).toEqual([after(72), after(24), after(12), after(2)]);
  });

  it('without the last failed attempt U is due as before it, also when it ran already', () => {
    const facts = warningOf(4, { ...adult, ...accepted, state: '02' });
    expect(kinds(withoutLastTry(withFailedContact(facts, after(1), '01'), null))).toEqual(kinds(facts));
    const running = withFailedContact(facts, after(1), '01');
    const second = withFailedContact(running, after(1.5), '01');
    expect(withoutLastTry(second, running.contactduetime)).toEqual(running);
    // U of an attempt at a lower level ran longer, and goes on.
    const longer = { ...facts, contactduetime: after(24) };
    expect(withoutLastTry(withFailedContact(longer, after(1), '01'), after(24))).toEqual(longer);
  });

  it('V goes on when news leads from observation back to the interview, because the letter still waits for its visit', () => {
    const facts = inCare(1, {
      state: '06',
      referrals: [{ time: after(3), status: '01' }],
      visitduetime: addDays(friday, 7),
    });
    const renewed = withNews(facts, { level: 4, selfharm: false, now: after(5) });
    expect(renewed.state).toBe('03');
    expect(dueOf(renewed, 'visit')).toEqual(addDays(friday, 7));
  });

  it('N does not move later when the level is lowered', () => {
    const facts = warningOf(3, { ...adult, ...accepted, riskassess: [interview(5)] });
    expect(dueOf({ ...facts, level: 2, loweredtime: after(6) }, 'step')).toEqual(dueOf(facts, 'step'));
  });

  it('after a discharge contacts are due within 72 hours, after an attempt also within 24', () => {
    const discharged = (isGrave: boolean) =>
      pendingClocks(withDuties(warningOf(2, { state: '07' }), dischargeDuties(isGrave, friday)));
    expect(discharged(true)).toEqual([
      { kind: 'duty', due: after(24) },
      { kind: 'duty', due: after(72) },
      { kind: 'duty', due: addDays(friday, 7) },
    ]);
    expect(discharged(false)[0]).toEqual({ kind: 'duty', due: after(72) });
  });

  it('after a death no clock of care runs, only the second human and the duties', () => {
    const death = { time: after(9), by: ['u:wang'], source: '班主任来电' };
    expect(kinds(inCare(3, { followduetime: after(99), contactduetime: after(20), secondduetime: after(33), death }))).toEqual([
      'second',
    ]);
  });
});
