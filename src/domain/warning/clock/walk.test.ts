import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addHours, fromShanghai } from '#domain/base/calendar.ts';
import type { ReportSign } from '#domain/warning/clock/caseduty.ts';
import { CARE_STATES, isAssessPending, nextDue, pendingClocks, withContact } from '#domain/warning/clock/clocks.ts';
import type { DueKind } from '#domain/warning/clock/clocks.ts';
import { unmetCriteria } from '#domain/warning/closing.ts';
import { isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { confirmationOf, CONFIRM_SUBJECTS } from '#domain/warning/decision/secondPerson.ts';
import { TARGETS } from '#domain/warning/decision/warningAction.ts';
import type { WarningAction } from '#domain/warning/decision/warningAction.ts';
import { NEXT_STATES, transition } from '#domain/warning/warning.ts';
import { isAcceptancePending, isOpen, lastAssess } from '#domain/warning/warningfacts.ts';
import type { ConfirmSubject, Exemption, WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { mergeTrigger, openWarning } from '#domain/warning/warningtrigger.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';

/**
 * Random walks over the events of one case (clinical-rules.md section A). Wang has two accounts with one telephone, and `main` is the
 * main account of the institution, behind which nobody stands. The test keeps its own record of news and of who confirmed what.
 */
const monday = fromShanghai('2026-03-02 10:00');
const KEYS = {
  wang: ['u:wang', 'p:13800000001'],
  wang2: ['u:wang2', 'p:13800000001'],
  zhao: ['u:zhao', 'p:13800000002'],
  lu: ['u:lu'],
  main: [],
} as const;
type User = keyof typeof KEYS;
/** The human behind an account; null: nobody. */
const humanOf = (user: User) => (user === 'main' ? null : user === 'wang2' ? 'wang' : user);

const level = fc.constantFrom<WarningLevelCode[]>(1, 2, 3, 4);
const LONG = '风险解除，支持系统良好，已逐项核对';
const text = fc.constantFrom('', '好转', LONG, LONG, LONG, LONG);
const users = fc.constantFrom<User[]>('wang', 'wang', 'zhao', 'zhao', 'lu', 'wang2', 'main');

const triggers = fc.record({
  event: fc.constant('trigger' as const),
  level,
  itemtrigger: fc.boolean(),
  source: fc.constantFrom<WarningFacts['source'][]>('01', '02', '03'),
  signs: fc.subarray<ReportSign>(['attempt', 'plan', 'farewell', 'abuse'], { maxLength: 1 }),
});

const closings = fc.record({
  kind: fc.constant('close' as const),
  closereason: fc.constantFrom<('01' | '02' | '03' | '04' | '05')[]>('01', '01', '01', '02', '03', '04', '05'),
  closenote: text,
  policerecord: text,
});
const confirmations = fc.record({
  kind: fc.constant('confirm' as const),
  subject: fc.constantFrom('close', ...(Object.keys(CONFIRM_SUBJECTS) as ConfirmSubject[]), 'close'),
  content: text,
});
const actions: fc.Arbitrary<WarningAction> = fc.oneof(
  fc.constantFrom<WarningAction[]>(
    { kind: 'accept' },
    { kind: 'intervene' },
    { kind: 'refer' },
    { kind: 'observe' },
    { kind: 'notifyguardian' },
    { kind: 'receive' },
    { kind: 'reportdeath', source: '班主任来电' },
    { kind: 'correctdeath', reason: '同名误报，本人已到校上课' },
  ),
  fc.record({ kind: fc.constant('assign' as const), owneruserid: users }),
  fc.record({ kind: fc.constant('transfer' as const), to: fc.constantFrom('', '第七人民医院 · 林医生') }),
  fc.record({
    kind: fc.constant('verify' as const),
    contactresult: fc.constantFrom<('01' | '02' | '03')[]>('01', '02', '03', '03'),
    content: fc.constantFrom('', '已联系'),
    channel: fc.constantFrom('01', '02'),
  }),
  fc.record({ kind: fc.constant('exclude' as const), content: text }),
  fc.record({
    kind: fc.constant('exemptguardian' as const),
    ground: fc.integer({ min: 1, max: 6 }) as fc.Arbitrary<Exemption['ground']>,
    reason: text,
    alternate: fc.constantFrom('', '姑姑 林敏'),
  }),
  fc.record({ kind: fc.constant('reopen' as const), reason: fc.constantFrom('', '再次出现') }),
  fc.record({ kind: fc.constantFrom<('raise' | 'lower')[]>('raise', 'lower', 'lower'), level, reason: fc.constant('访谈') }),
  fc.record({ kind: fc.constant('discharge' as const), time: fc.constant(monday), afterattempt: fc.boolean() }),
  { weight: 5, arbitrary: confirmations },
  { weight: 5, arbitrary: closings },
);

type Row = { event: 'assess' | 'retest' | 'follow' | 'interfere' | 'referral' | 'duty'; level: 0 | 1 | 2 | 3; good: boolean };
const rows: fc.Arbitrary<Row> = fc.record({
  event: fc.constantFrom<Row['event'][]>('assess', 'assess', 'retest', 'follow', 'interfere', 'referral', 'duty'),
  level: fc.constantFrom<(0 | 1 | 2 | 3)[]>(0, 1, 1, 2, 3),
  good: fc.boolean(),
});

/** A case handled well for forty days: without further events, only the closing is left. */
const observedCase: Partial<WarningFacts> = {
  state: '06',
  owneruserid: 'wang',
  ownerkeys: KEYS.wang,
  accepttime: addHours(monday, 1),
  acceptno: 1,
  guardiannotified: true,
  guardiantime: addHours(monday, 2),
  contacttime: addDays(monday, 38),
  followduetime: addDays(monday, 45),
  interviewtime: addDays(monday, 38),
  riskassess: [{ time: addDays(monday, 38), newsno: 1, conclusionlevel: 1, finished: true, islow: false, asqnegative: true }],
  interviewerkeys: KEYS.wang,
  retests: [{ time: addDays(monday, 38), level: 1, itempositive: false, valid: true }],
  followups: [{ duetime: addDays(monday, 35), status: '02', donetime: addDays(monday, 35) }],
  duties: [],
};

/** A new record of the case, as the server adds it. */
function record(facts: WarningFacts, { event, level: result, good }: Row, user: User, now: Date): WarningFacts {
  switch (event) {
    case 'assess':
      return {
        ...withContact(facts, now),
        riskassess: [
          ...facts.riskassess,
          {
            time: now,
            newsno: facts.newsno,
            conclusionlevel: result,
            finished: good || result > 0,
            islow: !good && result > 1,
            asqnegative: good,
          },
        ],
        interviewerkeys: KEYS[user],
        interviewtime: now,
      };
    case 'retest':
      return { ...facts, retests: [...facts.retests, { time: now, level: result, itempositive: !good, valid: true }] };
    case 'follow': {
      const waiting = facts.followups.find(({ status }) => status === '01');
      if (!waiting)
        return { ...facts, followups: [...facts.followups, { duetime: addDays(now, 7), status: '01', donetime: null }] };
      const done = { ...waiting, status: '02', donetime: now } as const;
      return { ...withContact(facts, now), followups: facts.followups.map((item) => (item === waiting ? done : item)) };
    }
    case 'interfere':
      return { ...facts, interferes: [...facts.interferes, { time: now }] };
    case 'referral':
      return { ...facts, referrals: [...facts.referrals, { time: now, status: good ? '01' : '03' }] };
    case 'duty': {
      const open = facts.duties.find(({ donetime }) => donetime === null);
      return { ...facts, duties: facts.duties.map((duty) => (duty === open ? { ...duty, donetime: now } : duty)) };
    }
  }
}

type Trigger = typeof triggers extends fc.Arbitrary<infer T> ? T : never;
type Step = { event: 'action'; action: WarningAction } | Row | Trigger;
const steps: fc.Arbitrary<{ minutes: number; user: User; step: Step }> = fc.record({
  // Steps of half an hour and of days meet running clocks and clocks that have run out. Others fall into the same millisecond.
  minutes: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 8 * 1440 }), fc.constant(0)),
  user: users,
  step: fc.oneof(
    { weight: 1, arbitrary: triggers },
    { weight: 7, arbitrary: actions.map((action) => ({ event: 'action' as const, action })) },
    { weight: 3, arbitrary: rows },
  ),
});

/** The case after a step, or null when the step is refused. */
function findNext(facts: WarningFacts, step: Step, user: User, now: Date): WarningFacts | null {
  if (step.event === 'trigger') return isOpen(facts) ? mergeTrigger(facts, toTrigger(step), now).facts : null;
  if (step.event === 'action') {
    const result = transition(facts, step.action, { now, userid: user, human: KEYS[user] });
    if (!result.ok) {
      expect(result.reasons.length).toBeGreaterThan(0);
      return null;
    }
    return followUpsOf(facts, result.after);
  }
  return step.event === 'duty' || (isOpen(facts) && !facts.death) ? record(facts, step, user, now) : null;
}

/** The server cancels the planned follow-ups of a case that is closed, and derives the keys of the owner from the account. */
function followUpsOf(before: WarningFacts, after: WarningFacts): WarningFacts {
  const ends = (isOpen(before) && !isOpen(after)) || (after.death !== null && before.death === null);
  return {
    ...after,
    ownerkeys: after.owneruserid === null ? [] : KEYS[after.owneruserid as User],
    followups: ends
      ? after.followups.map((item) => (item.status === '01' ? { ...item, status: '05' as const } : item))
      : after.followups,
  };
}

const toTrigger = ({ level: triggerlevel, itemtrigger, source, signs }: Trigger): WarningTrigger => ({
  source,
  level: triggerlevel,
  itemtrigger,
  signs,
  rulecodes: [],
  alerts: [],
  alertmsgs: [],
});

/** Whether the step is news by the definition of clinical-rules.md, in the words of the test. */
function isNewsStep(before: WarningFacts, step: Step): boolean {
  if (step.event === 'trigger') {
    const reached = step.source === '01' ? Math.min(step.level, 3) : step.level;
    return reached >= 3 || step.itemtrigger || reached > before.level || step.signs.length > 0;
  }
  if (step.event !== 'action') return false;
  const { kind } = step.action;
  return kind === 'raise' || kind === 'reopen' || kind === 'correctdeath' || (kind === 'discharge' && !isOpen(before));
}

const kindOf = (step: Step) => (step.event === 'action' ? step.action.kind : step.event);
const CONTACTS = ['verify', 'assess', 'follow'];
const CARE_STEPS = ['intervene', 'refer', 'observe'];
/** The events that may end each clock, or start it anew. Closing, a death and its correction end the clocks of care. */
const SETTLED_BY: Readonly<Record<DueKind, readonly string[]>> = {
  accept: ['accept', 'assign', 'raise'],
  assess: ['assess'],
  guardian: ['notifyguardian', 'exemptguardian', 'confirm'],
  step: [...CARE_STEPS, 'accept', 'assign'],
  follow: CONTACTS,
  contact: CONTACTS,
  visit: CARE_STEPS,
  second: ['confirm'],
  transfer: ['receive'],
  followup: ['follow'],
  duty: ['duty', 'correctdeath'],
};
/** News replaces these clocks: acceptance and interview run again, and the second person would confirm something older. */
const VOID_BY_NEWS: readonly DueKind[] = ['step', 'follow', 'second'];

/** The pending clocks of a case by name; each duty has its own. */
function clocksOf(facts: WarningFacts): Map<string, { kind: DueKind; due: Date }> {
  const clocks = pendingClocks(facts).filter(({ kind }) => kind !== 'duty');
  const duties = facts.duties.filter(({ donetime }) => donetime === null);
  return new Map([
    ...clocks.map((clock) => [clock.kind, clock] as const),
    ...duties.map(({ title, duetime }) => [title, { kind: 'duty' as const, due: duetime }] as const),
  ]);
}

function expectNoClockLater(before: WarningFacts, after: WarningFacts, step: Step): void {
  const isEnd = !isOpen(after) || (after.death !== null && before.death === null);
  const isNews = after.newsno > before.newsno;
  const later = clocksOf(after);
  for (const [name, { kind, due }] of clocksOf(before)) {
    if (isEnd && kind !== 'duty') continue;
    if (SETTLED_BY[kind].includes(kindOf(step)) || (isNews && VOID_BY_NEWS.includes(kind))) continue;
    const next = later.get(name);
    expect([kindOf(step), name, Number(next?.due ?? Infinity) <= Number(due)]).toEqual([kindOf(step), name, true]);
  }
}

function expectOlderEvidenceVoid(after: WarningFacts, now: Date, isByOwner: boolean): void {
  expect(after).toMatchObject({ newstime: now, lastacutesign: now });
  expect(isAcceptancePending(after)).toBe(!isByOwner);
  expect(lastAssess(after)).toBe(null);
  expect(isAssessPending(after)).toBe(after.assessduetime !== null);
  if (after.level >= 2) expect(after.assessduetime).not.toBe(null);
  for (const subject of Object.keys(CONFIRM_SUBJECTS) as ConfirmSubject[]) expect(confirmationOf(after, subject, now)).toBe(null);
  expect(after.exemption?.ground ?? 1).toBe(1);
  const unmet = (reason: '01' | '02') => unmetCriteria(after, reason, now, KEYS.zhao).map(({ key }) => key);
  expect(unmet('01')).toEqual(expect.arrayContaining(['assess', 'retest']));
  expect(unmet('02')).toContain('contact');
  if (after.peaklevel >= 3) for (const reason of ['01', '02'] as const) expect(unmet(reason)).toContain('second');
}

/** What the test itself remembers of a case: confirmations with their humans, and who reported the death. */
interface Memory {
  news: Date;
  /** the confirmations since the last news, in their order */
  confirmed: { subject: string; human: string | null; time: Date }[];
  reporter: string | null;
}
const SUBJECT_OF = { '01': 'close', '02': 'exclude', '03': 'transfer', '04': 'lost', '05': 'death' } as const;

function expectTwoHumans(after: WarningFacts, memory: Memory, user: User, now: Date): boolean {
  const reason = after.closereason ?? '01';
  // Only a merge of two records closes a case as 并案, and no walk merges.
  if (reason === '06') throw new Error('no step of staff joins cases');
  if (after.peaklevel < 3 && reason !== '04' && reason !== '05') return false;
  const closer = humanOf(user);
  expect(closer).not.toBe(null);
  if (reason === '05') {
    expect([memory.reporter === null, memory.reporter === closer]).toEqual([false, false]);
    return true;
  }
  const seconds = memory.confirmed.filter(
    ({ subject, human, time }) =>
      subject === SUBJECT_OF[reason] && human !== null && human !== closer && time >= addDays(now, -7),
  );
  expect(seconds).not.toEqual([]);
  return true;
}

/** The police record of a closing. */
const policeRecordOf = (action: WarningAction) => (action.kind === 'close' ? { policerecord: action.policerecord ?? '' } : {});

describe('any sequence of events of a case', () => {
  it('keeps a next due time, never moves a clock later, never forgets its peak and is closed by two humans where two are needed', () => {
    // Counts what the walks have met, see the end.
    const seen = { news: 0, resolved: 0, otherwise: 0, byTwo: 0, dead: 0, lowered: 0, exempted: 0 };
    const first = fc.record({
      level,
      itemtrigger: fc.boolean(),
      minor: fc.boolean(),
      start: fc.constantFrom<('new' | 'observed' | 'dead')[]>('new', 'new', 'observed', 'observed', 'dead'),
    });
    fc.assert(
      fc.property(first, fc.array(steps, { maxLength: 60, size: 'max' }), ({ start, minor, ...opening }, list) => {
        // The cases in observation are forty days old, because almost no new case would reach closing.
        let now = start === 'observed' ? addDays(monday, 40) : monday;
        const opened = openWarning(
          { ...toTrigger({ event: 'trigger', source: '03', signs: [], ...opening }) },
          { minor, sector: 'edu', appid: '000000002' },
          monday,
        ).facts;
        let facts: WarningFacts = start === 'observed' ? { ...opened, ...observedCase, lastacutesign: null } : opened;
        const memory: Memory = { news: facts.newstime, confirmed: [], reporter: null };
        if (start === 'dead') {
          const action = { kind: 'reportdeath', source: '班主任来电' } as const;
          facts = findNext(facts, { event: 'action', action }, 'zhao', now)!;
          memory.reporter = 'zhao';
        }
        for (const { minutes, user, step } of list) {
          now = addHours(now, minutes / 60);
          const before = facts;
          const after = findNext(before, step, user, now);
          if (!after) continue;
          facts = after;

          if (isOpen(after)) expect([kindOf(step), after.state, nextDue(after)]).not.toContain(null);
          expectNoClockLater(before, after, step);
          expect(after.level).toBeLessThanOrEqual(after.peaklevel);
          expect(after.peaklevel).toBeGreaterThanOrEqual(before.peaklevel);
          if (after.level < before.level) expect([kindOf(step), before.level - after.level]).toEqual(['lower', 1]);
          if (CARE_STATES.includes(after.state) && !after.death) expect(after.followduetime).not.toBe(null);

          if (isNewsStep(before, step)) {
            memory.news = now;
            memory.confirmed = [];
            seen.news += 1;
            expectOlderEvidenceVoid(after, now, step.event === 'action' && after.accepttime === now);
            if (step.event === 'trigger') expect(after.accepttime).toEqual(before.accepttime);
          } else if (step.event === 'trigger') expect({ ...after, rulecodes: [], alertmsgs: [] }).toEqual(before);
          expect(after.newstime).toEqual(memory.news);

          if (step.event !== 'action') continue;
          const { action } = step;
          if (action.kind === 'confirm') {
            expect([humanOf(user) === null, humanOf(user) === humanOf((before.owneruserid ?? 'main') as User)]).toEqual([
              false,
              false,
            ]);
            memory.confirmed.push({ subject: action.subject, human: humanOf(user), time: now });
          }
          if (action.kind === 'reportdeath') memory.reporter = humanOf(user);
          if (action.kind === 'lower') seen.lowered += 1;
          if (isGuardianExempt(after) && !isGuardianExempt(before)) seen.exempted += 1;
          if (after.state !== before.state && after.state !== '07')
            expect([...NEXT_STATES[before.state], TARGETS[action.kind] ?? '03']).toContain(after.state);
          if (isOpen(before) && !isOpen(after) && after.closereason && after.closereason !== '06') {
            expect(unmetCriteria(after, after.closereason, now, KEYS[user], policeRecordOf(action))).toEqual([]);
            if (expectTwoHumans(after, memory, user, now)) seen.byTwo += 1;
            if (after.closereason === '01') expect(before.state).toBe('06');
            seen[after.closereason === '01' ? 'resolved' : 'otherwise'] += 1;
            if (after.closereason === '05') seen.dead += 1;
          }
        }
      }),
      { numRuns: 1000 },
    );
    // Without this check a product that closes no case would pass.
    for (const [what, times] of Object.entries(seen)) expect([what, times > 0]).toEqual([what, true]);
  });
});
