import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addHours, fromShanghai } from '#domain/base/calendar.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';
import { pendingClocks } from '#domain/warning/clock/clocks.ts';
import { mergeTrigger, openWarning, triggerFromForms, triggerLevel } from '#domain/warning/warningtrigger.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

const monday = fromShanghai('2026-03-02 10:00');
const student = { minor: true, sector: 'edu', appid: '000000002' } as const;
const trigger = (level: WarningLevelCode, more: Partial<WarningTrigger> = {}): WarningTrigger => ({
  source: '01',
  level,
  itemtrigger: false,
  rulecodes: [`R0${level}`],
  alerts: [],
  alertmsgs: [],
  ...more,
});
const acute = trigger(4, { rulecodes: ['R08'], alerts: ['ASQ_ACUTE'], alertmsgs: ['ASQ 急性阳性'] });

describe('level 4', () => {
  it('comes only from the acute ASQ or a person, never from a self-report score', () => {
    expect(triggerLevel(trigger(4))).toBe(3);
    expect(triggerLevel(acute)).toBe(4);
    expect(triggerLevel(trigger(4, { source: '03' }))).toBe(4);
    expect(openWarning(trigger(4), student, monday).facts).toMatchObject({ level: 3, initiallevel: 3 });
    expect(openWarning(acute, student, monday).facts).toMatchObject({ level: 4, lastacutesign: monday });
  });
});

describe('a new trigger on an open case', () => {
  const accepted: WarningFacts = {
    ...openWarning(trigger(2), student, monday).facts,
    state: '04',
    owneruserid: 'wang',
    accepttime: addHours(monday, 3),
    acceptno: 1,
  };

  it('of a higher level raises the case and starts acceptance and interview anew', () => {
    const time = addDays(monday, 5);
    const merged = mergeTrigger(accepted, acute, time);
    expect(merged.raised).toBe(true);
    expect(merged.facts).toMatchObject({
      level: 4,
      peaklevel: 4,
      initiallevel: 2,
      state: '04',
      owneruserid: 'wang',
      raisedtime: time,
      newstime: time,
      lastacutesign: time,
      acceptduetime: addHours(time, 2),
      assessduetime: addHours(time, 2),
      rulecodes: ['R02', 'R08'],
      alertmsgs: ['ASQ 急性阳性'],
    });
    expect(merged.log).toEqual({ action: '升级', time, fromlevel: 2, tolevel: 4, content: 'ASQ 急性阳性' });
  });

  it('of level 3 or with a self-harm answer is news, also when it does not raise the level', () => {
    const grave: WarningFacts = { ...accepted, level: 3, peaklevel: 3, state: '06', followduetime: addDays(monday, 7) };
    const time = addDays(monday, 5);
    for (const news of [trigger(3), trigger(2, { itemtrigger: true })]) {
      const merged = mergeTrigger(grave, news, time);
      expect(merged).toMatchObject({ news: true, raised: false, log: { action: '新情况', tolevel: 3 } });
      expect(merged.facts).toMatchObject({ state: '03', newstime: time, lastacutesign: time, followduetime: null });
      expect(pendingClocks(merged.facts).map(({ kind, due }) => [kind, due])).toEqual([
        ['accept', addHours(time, 24)],
        ['assess', addHours(time, 48)],
        ['guardian', addHours(time, 24)],
      ]);
    }
  });

  it('that reports an attempt, a plan, a farewell or abuse is news at every level; abuse of a minor adds the report', () => {
    const time = addDays(monday, 5);
    for (const sign of ['attempt', 'plan', 'farewell', 'abuse'] as const)
      expect(mergeTrigger(accepted, trigger(1, { source: '03', signs: [sign] }), time).news).toBe(true);
    const { facts } = mergeTrigger(accepted, trigger(1, { source: '03', signs: ['abuse'] }), time);
    expect(facts.duties).toMatchObject([{ kind: 'abuse', duetime: addHours(time, 2), donetime: null }]);
    const adult = mergeTrigger({ ...accepted, minor: false }, trigger(1, { source: '03', signs: ['abuse'] }), time);
    expect(adult.facts.duties).toEqual([]);
  });

  it('that is news tells the guardian anew from level 3, unless they were told within a day', () => {
    const time = addDays(monday, 5);
    const lastTold = (hours: number) => ({ ...accepted, guardiannotified: true, guardiantime: addHours(time, -hours) });
    expect(mergeTrigger(lastTold(24), trigger(3), time).facts).toMatchObject({ guardiannotified: true });
    const anew = { guardiannotified: false, guardianduetime: addHours(time, 24) };
    expect(mergeTrigger(lastTold(25), trigger(3), time).facts).toMatchObject(anew);
  });

  it('that is news voids an exemption, except one because the guardian is a suspected source of harm', () => {
    const time = addDays(monday, 5);
    const exempted = (ground: 1 | 2): WarningFacts => ({
      ...accepted,
      guardianduetime: addDays(monday, 1),
      exemption: { ground, reason: '已核实并报告负责人', alternate: '姑姑 林敏', time: monday, until: null, by: ['u:wang'] },
    });
    const due = (ground: 1 | 2) =>
      pendingClocks(mergeTrigger(exempted(ground), trigger(2, { itemtrigger: true }), time).facts).find(
        ({ kind }) => kind === 'guardian',
      )?.due;
    expect(due(1)).toBeUndefined();
    // The old due time was settled by the exemption, so the clock starts anew and is not overdue at once.
    expect(due(2)).toEqual(addDays(time, 15));
  });

  it('that raises to level 4 adds the companion in danger and the report to the authority, once', () => {
    const { facts } = mergeTrigger(accepted, acute, addDays(monday, 5));
    expect(facts.duties).toMatchObject([
      { kind: 'danger', duetime: addHours(addDays(monday, 5), 2) },
      { kind: 'authority', duetime: addDays(monday, 6) },
    ]);
    expect(mergeTrigger(facts, acute, addDays(monday, 5.5)).facts.duties).toEqual(facts.duties);
    const local = { authorityhours: null, abusehours: 2, injuryhours: 24, caseyears: 10 };
    expect(mergeTrigger(accepted, acute, addDays(monday, 5), { local }).facts.duties.map(({ kind }) => kind)).toEqual(['danger']);
  });

  it('of the same or a lower level adds a log line and does not change level and timers', () => {
    const merged = mergeTrigger(accepted, trigger(2, { rulecodes: ['R02', 'R06'] }), addDays(monday, 5));
    expect(merged.raised).toBe(false);
    expect(merged.facts).toEqual({ ...accepted, rulecodes: ['R02', 'R06'] });
    expect(merged.news).toBe(false);
    expect(merged.log).toMatchObject({ action: '追加', fromlevel: 2, tolevel: 2 });
    expect(mergeTrigger(accepted, trigger(1), addDays(monday, 5)).facts.level).toBe(2);
  });

  it('with a positive item 9 makes a pending first contact due earlier', () => {
    const waiting = openWarning(trigger(2), student, monday).facts;
    const merged = mergeTrigger(waiting, trigger(2, { itemtrigger: true }), addHours(monday, 4));
    expect(merged.facts.acceptduetime).toEqual(addHours(monday, 28));
    const raisedLate = mergeTrigger(waiting, trigger(3), addHours(monday, 70));
    expect(raisedLate.facts.acceptduetime).toEqual(addHours(monday, 72));
  });

  it('is refused for a closed case, because the person gets a new warning', () => {
    expect(() => mergeTrigger({ ...accepted, state: '07' }, trigger(3), monday)).toThrow(RangeError);
  });

  it('never lowers the level and never makes a pending first contact due later', () => {
    const levels = fc.constantFrom<WarningLevelCode[]>(1, 2, 3, 4);
    const triggers = fc.record({
      level: levels,
      item: fc.boolean(),
      source: fc.constantFrom<WarningFacts['source'][]>('01', '02', '03'),
      hours: fc.nat(200),
    });
    fc.assert(
      fc.property(triggers, fc.array(triggers, { maxLength: 8 }), (first, more) => {
        let time = monday;
        let facts = openWarning(trigger(first.level, { itemtrigger: first.item, source: first.source }), student, time).facts;
        for (const next of more) {
          time = addHours(time, next.hours);
          const merged = mergeTrigger(facts, trigger(next.level, { itemtrigger: next.item, source: next.source }), time);
          expect(merged.facts.level).toBeGreaterThanOrEqual(facts.level);
          expect(merged.raised).toBe(merged.facts.level > facts.level);
          expect(merged.facts.peaklevel).toBe(merged.facts.level);
          expect(Number(merged.facts.acceptduetime)).toBeLessThanOrEqual(Number(facts.acceptduetime));
          facts = merged.facts;
        }
      }),
    );
  });
});

describe('the trigger of an exam', () => {
  const examOf = (sheets: Record<string, readonly (string | null)[]>) =>
    Object.fromEntries(
      Object.entries(sheets).map(([formcode, row]) => {
        const scale = scaleOf(formcode)!;
        const result = score(scale, Object.fromEntries(scale.items.map((item, index) => [item.c, row[index] ?? null])));
        if (result.kind === 'invalid') throw new Error(`${formcode} refused`);
        return [formcode, { scale, result }];
      }),
    );

  it('lists the rules, the alerts and the answer about self-harm of the worked scenario', () => {
    const forms = examOf({ PHQ9: ['2', '2', '2', '2', '2', '2', '2', '1', '1'], GAD7: ['2', '1', '1', '1', '1', '1', '1'] });
    expect(triggerFromForms(forms)).toMatchObject({
      source: '01',
      level: 3,
      itemtrigger: true,
      rulecodes: ['R01', 'R02', 'R03', 'R04'],
      alerts: ['SI1'],
    });
    expect(triggerFromForms(forms)?.alertmsgs[0]).toContain('第9题');
  });

  it('detects an alert answer in an unfinished exam', () => {
    expect(triggerFromForms(examOf({ PHQ9: [null, null, null, null, null, null, null, null, '2'] }))).toMatchObject({
      level: 3,
      itemtrigger: true,
      rulecodes: [],
      alerts: ['SI2'],
    });
    expect(triggerFromForms(examOf({ EPDS: [null, null, null, null, null, null, null, null, null, '3'] }))).toMatchObject({
      itemtrigger: true,
    });
  });

  it('is empty below the lowest level of the institution', () => {
    const mild = examOf({ PHQ9: ['1', '1', '1', '1', '1', '1', '0', '0', '0'] });
    expect(triggerFromForms(mild)).toBe(null);
    expect(triggerFromForms(mild, { minlevel: 1 })).toMatchObject({ level: 1, itemtrigger: false, rulecodes: ['R01'] });
    expect(triggerFromForms(examOf({ PHQ9: Array(9).fill('0') }), { minlevel: 1 })).toBe(null);
  });
});
