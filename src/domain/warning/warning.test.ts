import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addHours, fromShanghai } from '#domain/base/calendar.ts';
import { unmetCriteria } from '#domain/warning/closing.ts';
import { allowedActions, levelName, NEXT_STATES, transition } from '#domain/warning/warning.ts';
import type { WarningAction } from '#domain/warning/warning.ts';
import { openWarning } from '#domain/warning/warningtrigger.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

const monday = fromShanghai('2026-03-02 10:00');
const teacher = { userid: 'wang', musertype: '005', permissions: ['00014'] };
const warningOf = (level: WarningLevelCode, more: Partial<WarningFacts> = {}): WarningFacts => ({
  ...openWarning(
    { source: '03', level, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [] },
    { minor: true, sector: 'edu', appid: '000000002' },
    monday,
  ).facts,
  ...more,
});
const take = (facts: WarningFacts, action: WarningAction, now = addHours(monday, 2), userid = 'wang') =>
  transition(facts, action, { now, userid });
const taken = { state: '02', owneruserid: 'wang', accepttime: addHours(monday, 1) } as const;

describe('the list of allowed actions of a case', () => {
  const kinds = (facts: WarningFacts, caller = teacher) => allowedActions(facts, caller).map(({ action }) => action);

  it('depends on the state', () => {
    expect(kinds(warningOf(2))).toEqual([
      'accept',
      'assign',
      'exclude',
      'close',
      'raise',
      'lower',
      'notifyguardian',
      'exemptguardian',
      'confirm',
    ]);
    expect(kinds(warningOf(2, taken))).toEqual([
      'assign',
      'verify',
      'exclude',
      'close',
      'raise',
      'lower',
      'notifyguardian',
      'exemptguardian',
    ]);
    expect(kinds(warningOf(4, { ...taken, state: '07' }))).toEqual(['reopen']);
  });

  it('is empty without the permission and for an authority, which may only read', () => {
    expect(kinds(warningOf(3), { ...teacher, permissions: ['00046'] })).toEqual([]);
    expect(kinds(warningOf(3), { ...teacher, musertype: '003' })).toEqual([]);
    expect(kinds(warningOf(3), { ...teacher, musertype: '002' })).not.toContain('notifyguardian');
  });

  it('names the reasons that still block an action', () => {
    const offers = allowedActions(warningOf(3, { ...taken, state: '03' }), teacher);
    expect(offers.find(({ action }) => action === 'intervene')).toEqual({
      action: 'intervene',
      label: '开始干预',
      reasons: ['3级及以上须先完成访谈评估', '须至少有一条干预记录或安全计划', '未成年人3级及以上须先告知监护人或登记豁免原因'],
    });
    expect(offers.find(({ action }) => action === 'observe')?.reasons).toEqual(['3级及以上须先完成访谈评估', '须先建立随访计划']);
  });
});

describe('excluding a false alarm', () => {
  const note = '经核实为误答，学生本人与班主任均确认';

  it('needs a note at level 2 and a second person at level 3', () => {
    expect(take(warningOf(2), { kind: 'exclude', content: note })).toMatchObject({
      ok: true,
      to: '08',
      after: { closereason: '02' },
    });
    expect(take(warningOf(2), { kind: 'exclude', content: '误答' })).toEqual({ ok: false, reasons: ['核实说明不少于10个字'] });
    const grave = warningOf(3, taken);
    expect(take(grave, { kind: 'exclude', content: note })).toEqual({
      ok: false,
      reasons: ['3级及以上须由另一名工作人员复核确认'],
    });
    expect(take(grave, { kind: 'confirm', content: '已复核' })).toEqual({ ok: false, reasons: ['复核人不能是责任人'] });
    const confirmed = take(grave, { kind: 'confirm', content: '已电话复核' }, addHours(monday, 3), 'zhao');
    expect(confirmed).toMatchObject({ ok: true, to: '02' });
    if (confirmed.ok) {
      expect(take(confirmed.after, { kind: 'exclude', content: note }, addHours(monday, 4))).toMatchObject({
        ok: true,
        to: '08',
      });
      expect(take(confirmed.after, { kind: 'exclude', content: note }, addHours(monday, 4), 'zhao')).toMatchObject({ ok: false });
    }
  });
});

describe('verifying a warning', () => {
  it('leaves the case in 已受理 and counts the attempt when staff cannot reach the person', () => {
    const result = take(warningOf(2, taken), { kind: 'verify', contactresult: '03', content: '电话未接' });
    expect(result).toMatchObject({
      ok: true,
      to: '02',
      after: { contactattempts: [addHours(monday, 2)], guardianduetime: null },
    });
  });

  it('starts the seven working days to inform the guardian of a minor at level 2', () => {
    const result = take(warningOf(2, taken), { kind: 'verify', contactresult: '01', content: '面谈属实' });
    expect(result).toMatchObject({ ok: true, to: '03', after: { guardianduetime: fromShanghai('2026-03-11 12:00') } });
  });
});

describe('raising, lowering and reopening a case', () => {
  it('a member of staff may raise to any higher level and remains responsible', () => {
    const raised = take(warningOf(2, { ...taken, state: '04' }), { kind: 'raise', level: 4, reason: '面谈中谈及计划' });
    expect(raised).toMatchObject({
      ok: true,
      to: '04',
      after: { level: 4, peaklevel: 4, accepttime: addHours(monday, 2), assessduetime: addHours(monday, 4) },
    });
    expect(take(warningOf(3), { kind: 'raise', level: 3, reason: '' })).toEqual({
      ok: false,
      reasons: ['请填写原因', '升级后的等级必须高于当前等级'],
    });
  });

  it('a lowered case keeps its highest level on record', () => {
    const facts = warningOf(3, { ...taken, state: '03', riskassess: [{ time: addHours(monday, 1), conclusionlevel: 2 }] });
    expect(take(facts, { kind: 'lower', level: 2, reason: '访谈后风险降低' })).toMatchObject({
      ok: true,
      after: { level: 2, peaklevel: 3, loweredtime: addHours(monday, 2) },
    });
  });

  it('a closed case can be reopened with new deadlines, unless the person has another open one', () => {
    const closed = warningOf(3, { ...taken, state: '07', closereason: '01', closenote: '风险解除，予以结案处理' });
    const time = addDays(monday, 90);
    expect(take(closed, { kind: 'reopen', reason: '家长来电反映' }, time)).toMatchObject({
      ok: true,
      to: '03',
      after: { reopentime: time, closereason: null, closenote: '', assessduetime: addHours(time, 48) },
    });
    expect(take({ ...closed, otheropen: true }, { kind: 'reopen', reason: '家长来电反映' }, time)).toMatchObject({ ok: false });
  });

  it('evidence from before the reopening does not count for closing again', () => {
    const facts = warningOf(2, { ...taken, state: '06', interviewtime: addDays(monday, 20), reopentime: addDays(monday, 30) });
    const close = take(facts, { kind: 'close', closereason: '01', closenote: '风险解除，予以结案处理' }, addDays(monday, 31));
    expect(close).toEqual({ ok: false, reasons: ['已有访谈记录或评估，结论不高于1级', '复测结果稳定'] });
  });
});

describe('the four levels', () => {
  it('have the names of the sector', () => {
    expect([levelName(4, 'edu'), levelName(4, 'health'), levelName(4, 'enterprise')]).toEqual(['特级', '危急', '危机']);
  });
});

/** One random event of a case: an action of staff or a new record. */
const level = fc.constantFrom<WarningLevelCode[]>(1, 2, 3, 4);
const result = fc.constantFrom<(0 | 1 | 2 | 3)[]>(0, 1, 2, 3);
const note = fc.constantFrom('', '好转', '风险解除，支持系统良好，予以结案');
const actions: fc.Arbitrary<WarningAction> = fc.oneof(
  fc.constantFrom<WarningAction[]>(
    { kind: 'accept' },
    { kind: 'intervene' },
    { kind: 'refer' },
    { kind: 'observe' },
    { kind: 'notifyguardian' },
  ),
  fc.record({
    kind: fc.constant('verify' as const),
    contactresult: fc.constantFrom<('01' | '02' | '03')[]>('01', '02', '03'),
    content: fc.constant('已联系'),
  }),
  fc.record({ kind: fc.constant('exclude' as const), content: note }),
  fc.record({ kind: fc.constant('confirm' as const), content: fc.constant('同意') }),
  fc.record({ kind: fc.constant('reopen' as const), reason: fc.constant('再次出现') }),
  fc.record({ kind: fc.constantFrom<('raise' | 'lower')[]>('raise', 'lower'), level, reason: fc.constant('访谈') }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      closereason: fc.constantFrom<('01' | '02' | '03' | '04' | '05')[]>('01', '01', '01', '02', '03', '04', '05'),
      closenote: note,
    }),
  },
);
type Row = { row: 'assess' | 'retest' | 'follow' | 'interfere' | 'referral'; level: 0 | 1 | 2 | 3; good: boolean };
const rows: fc.Arbitrary<Row> = fc.record({
  row: fc.constantFrom<Row['row'][]>('assess', 'retest', 'follow', 'interfere', 'referral'),
  level: result,
  good: fc.boolean(),
});

/** A case handled well for forty days: without further events, only the closing is left. */
const observedCase: Partial<WarningFacts> = {
  ...taken,
  state: '06',
  lastacutesign: null,
  guardiannotified: true,
  interviewtime: addDays(monday, 38),
  riskassess: [{ time: addDays(monday, 38), conclusionlevel: 1 }],
  retests: [{ time: addDays(monday, 38), level: 1, itempositive: false, valid: true }],
  followups: [{ duetime: addDays(monday, 35), status: '02', donetime: addDays(monday, 35) }],
};

function record(facts: WarningFacts, { row, level: resultLevel, good }: Row, now: Date): WarningFacts {
  switch (row) {
    case 'assess':
      return { ...facts, riskassess: [...facts.riskassess, { time: now, conclusionlevel: resultLevel }], interviewtime: now };
    case 'retest':
      return { ...facts, retests: [...facts.retests, { time: now, level: resultLevel, itempositive: !good, valid: true }] };
    case 'follow':
      return {
        ...facts,
        followups: [...facts.followups, { duetime: now, status: good ? '02' : '01', donetime: good ? now : null }],
      };
    case 'interfere':
      return { ...facts, interferes: [...facts.interferes, { time: now }] };
    case 'referral':
      return { ...facts, referrals: [...facts.referrals, { time: now, status: good ? '01' : '03' }] };
  }
}

describe('any sequence of case steps', () => {
  const events = fc.array(
    fc.record({ hours: fc.nat(24 * 12), userid: fc.constantFrom('wang', 'zhao'), what: fc.oneof(actions, rows) }),
    { maxLength: 60 },
  );

  it('closes no case with an unmet criterion and follows the table of states', () => {
    const closed = { resolved: 0, otherwise: 0 };
    fc.assert(
      fc.property(level, fc.boolean(), fc.boolean(), events, (first, minor, isObserved, eventList) => {
        let now = monday;
        // Half of the cases are new. The others are forty days old, because almost no new case would reach closing.
        if (isObserved) now = addDays(monday, 40);
        let facts = warningOf(first, isObserved ? { ...observedCase, minor } : { minor });
        for (const { hours, userid, what: event } of eventList) {
          now = addHours(now, hours);
          if ('row' in event) {
            facts = record(facts, event, now);
            continue;
          }
          const before = facts;
          const outcome = transition(facts, event, { now, userid });
          if (!outcome.ok) {
            expect(outcome.reasons.length).toBeGreaterThan(0);
            continue;
          }
          facts = outcome.after;
          expect(outcome.to).toBe(facts.state);
          if (facts.state !== before.state && facts.state !== '07') expect(NEXT_STATES[before.state]).toContain(facts.state);
          if (facts.state === '07' && facts.closereason) {
            closed[facts.closereason === '01' ? 'resolved' : 'otherwise'] += 1;
            expect(unmetCriteria(facts, facts.closereason, now, userid)).toEqual([]);
            expect(facts.closenote.length).toBeGreaterThanOrEqual(10);
            if (facts.peaklevel >= 3) expect(facts.closereason === '01' || facts.confirmation?.userid !== userid).toBe(true);
            if (facts.peaklevel >= 3 && minor) expect(facts.guardiannotified).toBe(true);
            if (facts.closereason === '01') {
              expect(before.state).toBe('06');
              expect(facts.riskassess.at(-1)?.conclusionlevel ?? 0).toBeLessThanOrEqual(1);
              expect(facts.retests.at(-1)).toMatchObject({ itempositive: false });
              expect(facts.retests.at(-1)?.level).toBeLessThanOrEqual(2);
              expect(facts.followups.filter(({ status }) => status !== '02')).toEqual([]);
            }
          }
          if (facts.level < before.level) expect(before.level - facts.level).toBe(1);
          expect(facts.peaklevel).toBeGreaterThanOrEqual(facts.level);
        }
      }),
      { numRuns: 2000 },
    );
    // Without this check a product that closes no case would pass.
    expect(closed.resolved).toBeGreaterThan(0);
    expect(closed.otherwise).toBeGreaterThan(0);
  });
});
