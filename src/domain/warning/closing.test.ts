import { describe, expect, it } from 'vitest';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { closingCriteria, findLowerRefusals, unmetCriteria } from '#domain/warning/closing.ts';
import type { CriterionKey } from '#domain/warning/closing.ts';
import type { FollowFact, RetestFact, WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { openWarning } from '#domain/warning/warningtrigger.ts';

const opened = fromShanghai('2026-03-02 10:00');
const day = (n: number) => addDays(opened, n);
const now = day(60);

const followup = (n: number, status: FollowFact['status'] = '02'): FollowFact => ({
  duetime: day(n),
  status,
  donetime: status === '02' ? day(n) : null,
});
const retest = (n: number, level: RetestFact['level'], more: Partial<RetestFact> = {}): RetestFact => ({
  time: day(n),
  level,
  itempositive: false,
  valid: true,
  ...more,
});

/** 陈静, 16: a case of the given level in observation with everything in order on day 60. */
const readyCase = (level: WarningLevelCode, more: Partial<WarningFacts> = {}): WarningFacts => ({
  ...openWarning(
    { source: '03', level, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [] },
    { minor: true, sector: 'edu', appid: '000000002' },
    opened,
  ).facts,
  state: '06',
  owneruserid: 'wang',
  accepttime: day(0),
  lastacutesign: null,
  guardiannotified: true,
  interviewtime: day(50),
  riskassess: [{ time: day(55), conclusionlevel: 1 }],
  followups: [followup(14), followup(28), followup(56)],
  retests: [retest(58, 1)],
  closenote: '风险解除，支持系统良好，予以结案',
  ...more,
});
const missing = (
  facts: WarningFacts,
  reason: Parameters<typeof closingCriteria>[1] = '01',
  closer = 'wang',
): [CriterionKey, string][] => unmetCriteria(facts, reason, now, closer).map(({ key, detail }) => [key, detail]);

describe('a case with everything in order', () => {
  it('may be closed at every level, and the checklist shows each criterion as met', () => {
    for (const level of [1, 2, 3, 4] as const) expect(missing(readyCase(level))).toEqual([]);
    expect(closingCriteria(readyCase(3), '01', now).map(({ title }) => title)).toEqual([
      '14天内的访谈评估结论不高于1级',
      '复测结果稳定',
      '到期随访全部完成',
      '末次随访距最后一次急性征象满4周',
      '已告知监护人或已登记豁免原因',
      '结案说明不少于10个字',
    ]);
    expect(closingCriteria(readyCase(2), '01', now).map(({ key }) => key)).toEqual(['assess', 'retest', 'followups', 'note']);
    expect(closingCriteria(readyCase(3, { minor: false }), '01', now).map(({ key }) => key)).not.toContain('guardian');
  });
});

describe('the interview criterion', () => {
  it('of a level 3 case needs an interview of the last 14 days that concludes level 1 at most', () => {
    expect(missing(readyCase(3, { riskassess: [] }))).toEqual([['assess', '尚无访谈评估']]);
    expect(missing(readyCase(3, { riskassess: [{ time: day(45), conclusionlevel: 1 }] }))).toEqual([
      ['assess', '最近一次评估已是15天前'],
    ]);
    expect(missing(readyCase(3, { riskassess: [{ time: day(46), conclusionlevel: 1 }] }))).toEqual([]);
    const worse = [
      { time: day(58), conclusionlevel: 2 },
      { time: day(55), conclusionlevel: 1 },
    ] as const;
    expect(missing(readyCase(3, { riskassess: worse }))).toEqual([['assess', '最近一次评估结论为2级']]);
  });

  it('of a level 2 case accepts a note, unless a later interview concluded a higher level', () => {
    expect(missing(readyCase(2, { riskassess: [] }))).toEqual([]);
    expect(missing(readyCase(2, { riskassess: [], interviewtime: null }))).toEqual([['assess', '尚无访谈记录']]);
    expect(missing(readyCase(2, { riskassess: [{ time: day(52), conclusionlevel: 2 }] }))).toEqual([
      ['assess', '最近一次评估结论为2级'],
    ]);
  });

  it('of a case that once had level 3 keeps the rule of level 3 after lowering', () => {
    const lowered = readyCase(3, { level: 2, riskassess: [] });
    expect(missing(lowered)).toEqual([['assess', '尚无访谈评估']]);
  });
});

describe('the re-test criterion', () => {
  it('is met by one at level 1, or by two at level 2 at least 14 days apart', () => {
    expect(missing(readyCase(3, { retests: [] }))).toEqual([['retest', '尚无有效复测']]);
    expect(missing(readyCase(3, { retests: [retest(58, 2)] }))[0]?.[0]).toBe('retest');
    expect(missing(readyCase(3, { retests: [retest(58, 2), retest(44, 2)] }))).toEqual([]);
    expect(missing(readyCase(3, { retests: [retest(58, 2), retest(45, 2)] }))).toEqual([['retest', '最近两次复测间隔不足14天']]);
    expect(missing(readyCase(3, { retests: [retest(58, 3), retest(30, 1)] }))).toEqual([['retest', '最近一次复测为3级']]);
  });

  it('ignores invalid re-tests, re-tests with a positive item 9 and re-tests from before a raise', () => {
    expect(missing(readyCase(3, { retests: [retest(58, 1, { itempositive: true })] }))[0]?.[0]).toBe('retest');
    expect(missing(readyCase(3, { retests: [retest(58, 2), retest(40, 2, { itempositive: true })] }))[0]?.[0]).toBe('retest');
    expect(missing(readyCase(3, { retests: [retest(58, null, { valid: false })] }))).toEqual([['retest', '尚无有效复测']]);
    expect(missing(readyCase(2, { raisedtime: day(59) })).map(([key]) => key)).toEqual(['assess', 'retest']);
  });
});

describe('the follow-up criteria', () => {
  it('need every due follow-up; planned and cancelled ones, and lost ones with a later visit, do not block', () => {
    expect(missing(readyCase(2, { followups: [followup(14), followup(28, '03'), followup(42, '01')] }))).toEqual([
      ['followups', '还有2次到期随访未完成：2026-03-30、2026-04-13'],
    ]);
    expect(
      missing(readyCase(2, { followups: [followup(14, '04'), followup(28), followup(42, '05'), followup(70, '01')] })),
    ).toEqual([]);
    expect(missing(readyCase(2, { followups: [followup(14), followup(28, '04')] }))[0]?.[0]).toBe('followups');
  });

  it('need at levels 3 and 4 a follow-up four weeks after the last acute sign, also one from an interview', () => {
    expect(missing(readyCase(4, { lastacutesign: day(28) }))).toEqual([]);
    expect(missing(readyCase(4, { lastacutesign: day(29) }))).toEqual([
      ['stable', '末次随访为2026-04-27，须在2026-04-28及以后完成一次'],
    ]);
    const assessments = [
      { time: day(40), conclusionlevel: 3 },
      { time: day(55), conclusionlevel: 1 },
    ] as const;
    expect(missing(readyCase(3, { riskassess: assessments }))[0]?.[0]).toBe('stable');
    expect(missing(readyCase(3, { followups: [] }))[0]).toEqual(['stable', '尚无已完成的随访，须在2026-03-30及以后完成一次']);
  });
});

describe('the guardian and note criteria', () => {
  it('need an informed guardian or an exemption, and a note of ten characters', () => {
    expect(missing(readyCase(3, { guardiannotified: false }))[0]?.[0]).toBe('guardian');
    expect(missing(readyCase(3, { guardiannotified: false, guardianexempt: '监护人疑为伤害来源' }))).toEqual([]);
    expect(missing(readyCase(2, { closenote: ' 已好转，结案 ' }))).toEqual([['note', '结案说明现有6个字']]);
  });
});

describe('closing as a false alarm, a transfer, a loss of contact or a death', () => {
  const bare = (level: WarningLevelCode, more: Partial<WarningFacts> = {}) =>
    readyCase(level, { state: '02', riskassess: [], retests: [], followups: [followup(7, '01')], interviewtime: null, ...more });

  it('needs neither interview nor re-test nor follow-ups', () => {
    for (const reason of ['02', '03', '05'] as const) expect(missing(bare(2), reason)).toEqual([]);
  });

  it('needs from level 3 the confirmation of another person than the closer, after the latest evidence of danger', () => {
    expect(missing(bare(3), '03')).toEqual([['second', '3级及以上须由另一名工作人员复核确认']]);
    expect(missing(bare(3, { confirmation: { userid: 'zhao', time: day(3) } }), '03')).toEqual([]);
    expect(missing(bare(3, { confirmation: { userid: 'wang', time: day(3) } }), '03')).toEqual([
      ['second', '复核人与结案人不能为同一人'],
    ]);
    expect(missing(bare(3, { confirmation: { userid: 'zhao', time: day(3) }, reopentime: day(9) }), '03')[0]?.[0]).toBe('second');
  });

  it('for loss of contact needs three attempts on different days', () => {
    const attempts = [day(1), addDays(day(1), 0.2), day(2)];
    expect(missing(bare(2, { contactattempts: attempts }), '04')).toEqual([['attempts', '已有2个不同日期的联系记录，还差1个']]);
    expect(missing(bare(2, { contactattempts: [...attempts, day(4)] }), '04')).toEqual([]);
  });

  it('needs the guardian of a minor and the note too', () => {
    const facts = bare(3, { guardiannotified: false, closenote: '', confirmation: { userid: 'zhao', time: day(3) } });
    expect(missing(facts, '05').map(([key]) => key)).toEqual(['guardian', 'note']);
  });
});

describe('lowering the level', () => {
  const interviewed = (conclusionlevel: 0 | 1 | 2 | 3 | 4, n = 58) => ({ riskassess: [{ time: day(n), conclusionlevel }] });

  it('goes one step at a time and not twice in seven days', () => {
    expect(findLowerRefusals(readyCase(4, interviewed(2)), 2, now)).toEqual(['每次只能下调一级']);
    expect(findLowerRefusals(readyCase(2), 1, now)).toEqual([]);
    expect(findLowerRefusals(readyCase(2, { loweredtime: day(54) }), 1, now)).toEqual(['7天内只能下调一次']);
    expect(findLowerRefusals(readyCase(2, { loweredtime: day(53) }), 1, now)).toEqual([]);
  });

  it('from level 4 or 3 needs an interview of the last seven days that supports it', () => {
    expect(findLowerRefusals(readyCase(3, interviewed(2)), 2, now)).toEqual([]);
    expect(findLowerRefusals(readyCase(3, interviewed(2, 52)), 2, now)).toEqual(['从3级或4级下调须有7天内的访谈评估']);
    expect(findLowerRefusals(readyCase(3, { riskassess: [] }), 2, now)).toEqual(['从3级或4级下调须有7天内的访谈评估']);
    expect(findLowerRefusals(readyCase(4, interviewed(4)), 3, now)).toEqual(['最近一次访谈评估结论为4级，不支持下调']);
  });
});
