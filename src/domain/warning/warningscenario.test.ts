import { describe, expect, it } from 'vitest';
import { addDays, addHours, ageOn, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { closingCriteria } from '#domain/warning/closing.ts';
import { nextDue } from '#domain/warning/clock/clocks.ts';
import { followSchedule } from '#domain/warning/deadline.ts';
import type { WarningAction } from '#domain/warning/decision/warningAction.ts';
import { suggestLevel } from '#domain/warning/riskassess.ts';
import { allowedActions, transition } from '#domain/warning/warning.ts';
import { openWarning } from '#domain/warning/warningtrigger.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';

/** Section 3.5 of the warning design, on a fixed clock: 李明, 14 years and 3 months, submits on a Friday afternoon. */
describe('the worked handling scenario', () => {
  const submit = fromShanghai('2026-03-06 15:00');
  const wang = { userid: 'wang', musertype: '005', permissions: ['00014'], human: ['u:wang'] };
  const lu = { userid: 'lu', human: ['u:lu'] };
  const minor = ageOn('2011-12-02', submit) < 18;

  let facts: WarningFacts;
  const take = (action: WarningAction, now: Date, { userid, human } = { userid: wang.userid, human: wang.human }) => {
    const result = transition(facts, action, { now, userid, human });
    if (result.ok) facts = result.after;
    return result.ok ? { ok: true, to: result.to } : result;
  };

  it('runs from the submitted PHQ-9 of 16 to a closed case', () => {
    expect(ageOn('2011-12-02', submit)).toBe(14);

    // (1) PHQ-9 16 with item 9 = 1, GAD-7 8
    facts = openWarning(
      {
        source: '01',
        level: 3,
        itemtrigger: true,
        rulecodes: ['R01', 'R02', 'R03', 'R04'],
        alerts: ['PHQ9_ITEM9'],
        alertmsgs: [],
      },
      { minor, sector: 'edu', appid: '000000002' },
      submit,
    ).facts;
    expect(facts).toMatchObject({
      state: '01',
      level: 3,
      acceptduetime: addHours(submit, 24),
      assessduetime: addHours(submit, 48),
    });
    expect(nextDue(facts)).toEqual({ kind: 'accept', due: addHours(submit, 24) });

    // (4) accept, verify, interview
    expect(take({ kind: 'intervene' }, addHours(submit, 1))).toEqual({ ok: false, reasons: ['“待受理”状态不能开始干预'] });
    expect(take({ kind: 'accept' }, addHours(submit, 2))).toEqual({ ok: true, to: '02' });
    expect(facts.owneruserid).toBe('wang');
    facts = { ...facts, ownerkeys: wang.human };
    expect(take({ kind: 'verify', contactresult: '01', content: '与学生面谈，情况属实' }, addHours(submit, 18))).toEqual({
      ok: true,
      to: '03',
    });
    facts = { ...facts, interferes: [{ time: addHours(submit, 19) }] };
    expect(take({ kind: 'intervene' }, addHours(submit, 19))).toEqual({
      ok: false,
      reasons: ['“一级预警”和“特级预警”个案须先完成访谈评估', '须先告知监护人（家属），或登记不告知的理由'],
    });
    const interview = {
      ideation: 1,
      plan: 0,
      means: 0,
      attempthistory: 0,
      hopelessness: 0,
      support: 2,
      psychosis: 0,
      substance: 0,
      infantharm: 0,
      abuse: 0,
      asqresult: null,
    } as const;
    expect(suggestLevel(interview).level).toBe(2);
    const finished = { newsno: 1, finished: true, islow: false, asqnegative: true } as const;
    facts = { ...facts, riskassess: [{ ...finished, time: addHours(submit, 19), conclusionlevel: 2 }] };

    // (5) staff inform the guardian after 20 hours, within the 24
    expect(facts.guardianduetime).toEqual(addHours(submit, 24));
    expect(take({ kind: 'notifyguardian' }, addHours(submit, 20))).toMatchObject({ ok: true });

    // (6) intervention, referral, feedback, observation
    expect(take({ kind: 'intervene' }, addHours(submit, 21))).toEqual({ ok: true, to: '04' });
    facts = { ...facts, interferes: [...facts.interferes, { time: addDays(submit, 3) }] };
    expect(take({ kind: 'refer' }, addDays(submit, 3))).toEqual({ ok: false, reasons: ['须先开具转介单'] });
    facts = { ...facts, referrals: [{ time: addDays(submit, 3), status: '01' }] };
    expect(take({ kind: 'refer' }, addDays(submit, 3))).toEqual({ ok: true, to: '05' });
    facts = { ...facts, referrals: [{ time: addDays(submit, 3), status: '04' }] };
    const planned = followSchedule(3, submit, 28);
    facts = { ...facts, followups: planned.map((duetime) => ({ duetime, status: '01', donetime: null })) };
    expect(planned.map((time) => shanghaiTime(time).slice(0, 10))).toEqual([
      '2026-03-13',
      '2026-03-20',
      '2026-03-27',
      '2026-04-03',
    ]);
    expect(take({ kind: 'observe' }, addDays(submit, 5))).toEqual({ ok: true, to: '06' });
    facts = { ...facts, followups: planned.map((duetime) => ({ duetime, status: '02', donetime: addHours(duetime, -4) })) };

    // Closing without a re-test is refused, and the reasons name the missing parts.
    const day29 = addDays(submit, 29);
    const closing = { kind: 'close', closereason: '01', closenote: '情绪稳定，支持充分，按计划结案' } as const;
    expect(take(closing, day29)).toEqual({
      ok: false,
      reasons: ['14天内的访谈评估结论不高于“三级预警”', '复测结果稳定', '第二人复核确认'],
    });
    expect(closingCriteria({ ...facts, closenote: '' }, '01', day29).map(({ key, met, detail }) => [key, met, detail])).toEqual([
      ['assess', false, '最近一次评估结论为“二级预警”'],
      ['retest', false, '尚无有效复测'],
      ['followups', true, ''],
      ['stable', true, ''],
      ['duties', true, ''],
      ['second', false, '须由另一名工作人员复核“结案”'],
      ['guardian', true, ''],
      ['note', false, '结案说明现有0个字'],
    ]);

    // (7) re-test on day 30: PHQ-9 6, item 9 = 0; interview concludes 1
    const day30 = addDays(submit, 30);
    facts = {
      ...facts,
      retests: [{ time: day30, level: 1, itempositive: false, valid: true }],
      riskassess: [...facts.riskassess, { ...finished, time: day30, conclusionlevel: 1 }],
    };
    expect(allowedActions(facts, wang, addHours(day30, 1))).toContainEqual({ action: 'close', label: '结案', reasons: [] });
    const confirm = { kind: 'confirm', subject: 'close', content: '已看过全部记录，同意结案' } as const;
    expect(take(confirm, addHours(day30, 1))).toEqual({ ok: false, reasons: ['复核人不能是责任人'] });
    expect(take(confirm, addHours(day30, 1), lu)).toEqual({ ok: true, to: '06' });
    expect(take(closing, addHours(day30, 1))).toEqual({ ok: true, to: '07' });
    expect(facts).toMatchObject({ state: '07', closereason: '01' });
    expect(nextDue(facts)).toBe(null);
    expect(allowedActions(facts, wang, addHours(day30, 2)).map(({ action }) => action)).toEqual([
      'reopen',
      'discharge',
      'reportdeath',
    ]);
  });
});
