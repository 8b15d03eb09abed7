import { describe, expect, it } from 'vitest';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { postventionDuties } from '#domain/warning/clock/caseduty.ts';
import { closingCriteria, findLowerRefusals, unmetCriteria } from '#domain/warning/closing.ts';
import type { CriterionKey } from '#domain/warning/closing.ts';
import type {
  AssessFact,
  Confirmation,
  DutyFact,
  FollowFact,
  RetestFact,
  WarningFacts,
  WarningLevelCode,
} from '#domain/warning/warningfacts.ts';
import { openWarning } from '#domain/warning/warningtrigger.ts';

const opened = fromShanghai('2026-03-02 10:00');
const day = (n: number) => addDays(opened, n);
const now = day(60);

const followup = (n: number, status: FollowFact['status'] = '02'): FollowFact => ({
  duetime: day(n),
  status,
  donetime: status === '02' ? day(n) : null,
});
const interview = (n: number, conclusionlevel: AssessFact['conclusionlevel'], more: Partial<AssessFact> = {}): AssessFact => ({
  time: day(n),
  newsno: 1,
  conclusionlevel,
  finished: true,
  islow: false,
  asqnegative: false,
  ...more,
});
/** Zhao, who neither owns the case nor did the interview, has confirmed. */
const confirmedBy = (who: string, n: number, subject: Confirmation['subject']): Confirmation => ({
  subject,
  userid: who,
  humankeys: [`u:${who}`],
  time: day(n),
  newsno: 1,
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
  ownerkeys: ['u:wang'],
  accepttime: day(0),
  acceptno: 1,
  duties: [],
  guardiannotified: true,
  interviewtime: day(50),
  riskassess: [interview(55, 1)],
  followups: [followup(14), followup(28), followup(56)],
  retests: [retest(58, 1)],
  confirmations: [confirmedBy('zhao', 59, 'close')],
  closenote: '风险解除，支持系统良好，予以结案',
  ...more,
});
const missing = (
  facts: WarningFacts,
  reason: Parameters<typeof closingCriteria>[1] = '01',
  closer: readonly string[] = ['u:wang'],
  policerecord = '',
): [CriterionKey, string][] =>
  unmetCriteria(facts, reason, now, closer, { policerecord }).map(({ key, detail }) => [key, detail]);

describe('a case with everything in order', () => {
  it('may be closed at every level, and the checklist shows each criterion as met', () => {
    for (const level of [1, 2, 3, 4] as const) expect(missing(readyCase(level))).toEqual([]);
    expect(closingCriteria(readyCase(3), '01', now).map(({ title }) => title)).toEqual([
      '14天内的访谈评估结论不高于“三级预警”',
      '复测结果稳定',
      '到期随访全部完成',
      '末次联系距最后一次急性征象满4周',
      '专项职责全部完成',
      '第二人复核确认',
      '已告知监护人（家属）或已登记有效的不告知理由',
      '结案说明不少于10个字',
    ]);
    expect(closingCriteria(readyCase(2), '01', now).map(({ key }) => key)).toEqual([
      'assess',
      'retest',
      'followups',
      'duties',
      'note',
    ]);
  });

  it('of an adult asks for the family at level 4 only', () => {
    const keys = (level: WarningLevelCode) =>
      closingCriteria(readyCase(level, level === 4 ? {} : { guardianduetime: null }), '01', now).map(({ key }) => key);
    expect(keys(3)).not.toContain('guardian');
    expect(keys(4)).toContain('guardian');
  });
});

describe('the interview criterion', () => {
  it('of a level 3 case needs an interview of the last 14 days that concludes level 1 at most', () => {
    expect(missing(readyCase(3, { riskassess: [] }))).toEqual([['assess', '尚无访谈评估']]);
    expect(missing(readyCase(3, { riskassess: [interview(45, 1)] }))).toEqual([['assess', '最近一次评估已是15天前']]);
    expect(missing(readyCase(3, { riskassess: [interview(46, 1)] }))).toEqual([]);
    expect(missing(readyCase(3, { riskassess: [interview(58, 2), interview(55, 1)] }))).toEqual([
      ['assess', '最近一次评估结论为“二级预警”'],
    ]);
  });

  it('is met neither by an unfinished interview nor by a conclusion below the suggestion', () => {
    expect(missing(readyCase(3, { riskassess: [interview(55, 1, { finished: false })] }))).toEqual([['assess', '尚无访谈评估']]);
    for (const level of [2, 3] as const)
      expect(missing(readyCase(level, { riskassess: [interview(55, 0, { islow: true })] }))).toEqual([
        ['assess', '有一次评估结论低于系统建议，须在2026-05-03及以后再做一次访谈评估'],
      ]);
  });

  it('of a level 2 case accepts a note of the last 30 days, unless a later interview concluded a higher level', () => {
    expect(missing(readyCase(2, { riskassess: [] }))).toEqual([]);
    expect(missing(readyCase(2, { riskassess: [], interviewtime: null }))).toEqual([['assess', '尚无访谈记录']]);
    expect(missing(readyCase(2, { riskassess: [], interviewtime: day(30) }))).toEqual([]);
    expect(missing(readyCase(2, { riskassess: [], interviewtime: day(29) }))).toEqual([['assess', '最近一次访谈已是31天前']]);
    expect(missing(readyCase(2, { riskassess: [interview(52, 2)] }))).toEqual([['assess', '最近一次评估结论为“二级预警”']]);
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
    expect(missing(readyCase(3, { retests: [retest(58, 3), retest(30, 1)] }))).toEqual([['retest', '最近一次复测为“一级预警”']]);
  });

  it('ignores invalid re-tests, re-tests with a positive item 9 and re-tests from before the last news', () => {
    expect(missing(readyCase(3, { retests: [retest(58, 1, { itempositive: true })] }))[0]?.[0]).toBe('retest');
    expect(missing(readyCase(3, { retests: [retest(58, 2), retest(40, 2, { itempositive: true })] }))[0]?.[0]).toBe('retest');
    expect(missing(readyCase(3, { retests: [retest(58, null, { valid: false })] }))).toEqual([['retest', '尚无有效复测']]);
    expect(missing(readyCase(2, { newstime: day(59) })).map(([key]) => key)).toEqual(['assess', 'retest']);
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

  it('need at levels 3 and 4 a contact four weeks after the last acute sign, also one from an interview', () => {
    expect(missing(readyCase(4, { lastacutesign: day(28) }))).toEqual([]);
    expect(missing(readyCase(4, { lastacutesign: day(29) }))).toEqual([
      ['stable', '末次联系为2026-04-27，须在2026-04-28及以后完成一次'],
    ]);
    expect(missing(readyCase(4, { lastacutesign: day(29), contacttime: day(57) }))).toEqual([]);
    expect(missing(readyCase(3, { riskassess: [interview(40, 3), interview(55, 1)] }))[0]?.[0]).toBe('stable');
    expect(missing(readyCase(3, { followups: [] }))[0]).toEqual([
      'stable',
      '尚无已完成的随访或联系，须在2026-03-30及以后完成一次',
    ]);
  });

  it('need every duty with a clock of its own, at every level', () => {
    const report: DutyFact = { kind: 'abuse', title: '强制报告：向公安机关报告疑似侵害', duetime: day(1), donetime: null };
    expect(missing(readyCase(2, { duties: [report] }))).toEqual([['duties', '还有1项未完成：强制报告：向公安机关报告疑似侵害']]);
    expect(missing(readyCase(2, { duties: [{ ...report, donetime: day(1) }] }))).toEqual([]);
  });
});

describe('the guardian and note criteria', () => {
  const exemption = {
    ground: 1,
    reason: '监护人疑为伤害来源，已报警处置',
    alternate: '民政局 吴科长 3月3日',
    time: day(1),
    until: null,
    by: ['u:wang'],
  } as const;

  it('need an informed guardian or a confirmed exemption, and a note of ten characters', () => {
    const untold = readyCase(3, { guardiannotified: false });
    expect(missing(untold)[0]?.[0]).toBe('guardian');
    expect(missing({ ...untold, exemption })[0]?.[0]).toBe('guardian');
    const confirmations = [...untold.confirmations, confirmedBy('zhao', 2, 'exempt')];
    expect(missing({ ...untold, exemption, confirmations })).toEqual([]);
    expect(missing({ ...untold, exemption: { ...exemption, ground: 3, until: day(4) }, confirmations })[0]?.[0]).toBe('guardian');
    expect(missing(readyCase(2, { closenote: ' 已好转，结案 ' }))).toEqual([['note', '结案说明现有6个字']]);
  });

  it('refuse an exemption that its applicant has confirmed', () => {
    const confirmations = [confirmedBy('zhao', 59, 'close'), confirmedBy('wang', 2, 'exempt')];
    expect(missing(readyCase(3, { guardiannotified: false, exemption, confirmations }))[0]?.[0]).toBe('guardian');
  });
});

describe('the second human of a grave case', () => {
  const closedWith = (confirmations: Confirmation[], more: Partial<WarningFacts> = {}, closer?: readonly string[]) =>
    missing(readyCase(3, { confirmations, ...more }), '01', closer);
  const missingClose = [['second', '须由另一名工作人员复核“结案”']];

  it('must confirm closing, and closing is what they must confirm', () => {
    expect(closedWith([])).toEqual(missingClose);
    expect(closedWith([confirmedBy('zhao', 59, 'transfer')])).toEqual(missingClose);
    expect(missing(readyCase(2, { confirmations: [] }))).toEqual([]);
    expect(missing(readyCase(3, { level: 1, confirmations: [] }))).toEqual(missingClose);
  });

  it('has confirmed after the last news and within the last seven days', () => {
    expect(closedWith([confirmedBy('zhao', 53, 'close')])).toEqual([]);
    expect(closedWith([confirmedBy('zhao', 52.9, 'close')])).toEqual(missingClose);
    const renewed = closedWith([confirmedBy('zhao', 57, 'close')], { newstime: day(58) });
    expect(renewed).toContainEqual(missingClose[0]);
  });

  it('is another human than the closer, also with two accounts of one telephone', () => {
    const refused = [['second', '复核人与经办人不能为同一人']];
    expect(closedWith([confirmedBy('wang', 59, 'close')])).toEqual(refused);
    const second = { ...confirmedBy('wang2', 59, 'close'), humankeys: ['u:wang2', 'p:13800000001'] };
    expect(closedWith([second], {}, ['u:wang', 'p:13800000001'])).toEqual(refused);
    expect(closedWith([second], {}, ['u:wang', 'p:13800000002'])).toEqual([]);
  });

  it('does not replace a named closer: main and shared accounts are nobody', () => {
    expect(closedWith([confirmedBy('zhao', 59, 'close')], {}, [])).toEqual([
      ['second', '机构主账号和共用账号不能办理须两人的事项，请由具名人员办理'],
    ]);
  });
});

describe('closing as a false alarm, a transfer, a loss of contact or a death', () => {
  const bare = (level: WarningLevelCode, more: Partial<WarningFacts> = {}) =>
    readyCase(level, {
      state: '02',
      riskassess: [],
      retests: [],
      followups: [followup(7, '01')],
      interviewtime: null,
      confirmations: [],
      ...more,
    });
  const made = { contacttime: day(2) };
  const receipt = {
    transfer: { to: '云栖市第七人民医院 · 林医生', time: day(3), receipttime: day(4), receiptno: 1, islinked: false },
  };

  it('needs neither interview nor re-test nor follow-ups', () => {
    expect(missing(bare(2, made), '02')).toEqual([]);
    expect(missing(bare(2, receipt), '03')).toEqual([]);
  });

  it('as a false alarm needs a contact after the last news, and a negative ASQ after a self-harm answer', () => {
    expect(missing(bare(2), '02')).toEqual([['contact', '新情况之后尚未联系到本人']]);
    expect(missing(bare(2, { ...made, newstime: day(3) }), '02')).toEqual([['contact', '新情况之后尚未联系到本人']]);
    const harmed = { ...made, selfharm: true };
    expect(missing(bare(2, harmed), '02')).toEqual([['asq', '尚无ASQ阴性的访谈评估']]);
    expect(missing(bare(2, { ...harmed, riskassess: [interview(3, 0)] }), '02')[0]?.[0]).toBe('asq');
    expect(missing(bare(2, { ...harmed, riskassess: [interview(3, 0, { asqnegative: true })] }), '02')).toEqual([]);
  });

  it('as a transfer needs the receipt, and in a grave case the guardian and a second human', () => {
    expect(missing(bare(2), '03')).toEqual([['receipt', '尚无移交回执']]);
    const waiting = { transfer: { ...receipt.transfer, receipttime: null } };
    expect(missing(bare(2, waiting), '03')).toEqual([['receipt', '尚无移交回执']]);
    expect(missing(bare(3, { ...receipt, guardiannotified: false, closenote: '' }), '03').map(([key]) => key)).toEqual([
      'second',
      'guardian',
      'note',
    ]);
    expect(missing(bare(3, { ...receipt, confirmations: [confirmedBy('zhao', 59, 'transfer')] }), '03')).toEqual([]);
  });

  it('as a loss of contact needs three attempts on three days over two channels, and a second human at every level', () => {
    const attempt = (n: number, channel = '01') => ({ time: day(n), channel });
    const second = { confirmations: [confirmedBy('zhao', 59, 'lost')] };
    const lost = (contacttries: WarningFacts['contacttries'], more: Partial<WarningFacts> = second) =>
      missing(bare(2, { contacttries, ...more }), '04');
    const tries = [attempt(1), attempt(2), attempt(4, '02')];
    expect(lost([attempt(1), attempt(1.2), attempt(2, '02')])).toEqual([['attempts', '已有2个不同日期的联系记录，还差1个']]);
    expect(lost([attempt(1), attempt(2), attempt(4)])).toEqual([['attempts', '联系记录只有1种方式，还须换一种方式联系']]);
    expect(lost(tries)).toEqual([]);
    expect(lost(tries, {})).toEqual([['second', '须由另一名工作人员复核“以失访结案”']]);
    expect(lost(tries, { ...second, newstime: day(3) })[0]).toEqual(['attempts', '已有1个不同日期的联系记录，还差2个']);
  });

  it('as a loss of contact needs the family at level 3, and a police record or proof of safety at level 4', () => {
    const contacttries = [1, 2, 4].map((n) => ({ time: day(n), channel: n === 4 ? '02' : '01' }));
    const facts = (level: WarningLevelCode, more: Partial<WarningFacts> = {}) =>
      bare(level, { contacttries, confirmations: [confirmedBy('zhao', 59, 'lost')], ...more });
    expect(missing(facts(3, { guardiannotified: false }), '04')).toEqual([['family', '失访前须告知监护人或家属']]);
    expect(missing(facts(3), '04')).toEqual([]);
    expect(missing(facts(4, { level: 2 }), '04')).toEqual([['police', '“特级预警”个案失访须有该记录']]);
    expect(missing(facts(4), '04', ['u:wang'], '云栖分局 3月4日 10:00 查找记录〔2026〕12号')).toEqual([]);
  });

  it('as a death needs a reporter and a closer who are two humans, and the first step of the postvention', () => {
    expect(missing(bare(1), '05').map(([key]) => key)).toEqual(['death', 'postvention']);
    const [start, ...rest] = postventionDuties(day(5));
    const death = { death: { time: day(5), by: ['u:wang'], source: '班主任来电' } };
    const begun = { ...death, duties: [{ ...start!, donetime: day(5) }, ...rest] };
    expect(missing(bare(1, { ...death, duties: [start!, ...rest] }), '05', ['u:zhao'])).toEqual([
      ['postvention', '善后清单的第一项尚未完成'],
    ]);
    expect(missing(bare(1, begun), '05', ['u:wang'])).toEqual([['death', '登记人不能自己结案，须由第二人核实后结案']]);
    expect(missing(bare(1, begun), '05', [])).toEqual([['death', '机构主账号和共用账号不能结案']]);
    expect(missing(bare(1, begun), '05', ['u:zhao'])).toEqual([]);
  });
});

describe('lowering the level', () => {
  const interviewed = (conclusionlevel: 0 | 1 | 2 | 3 | 4, n = 58) => ({ riskassess: [interview(n, conclusionlevel)] });

  it('goes one step at a time and not twice in seven days', () => {
    expect(findLowerRefusals(readyCase(4, interviewed(2)), 2, now)).toEqual(['每次只能下调一级']);
    expect(findLowerRefusals(readyCase(2), 1, now)).toEqual([]);
    expect(findLowerRefusals(readyCase(2, { loweredtime: day(54) }), 1, now)).toEqual(['7天内只能下调一次']);
    expect(findLowerRefusals(readyCase(2, { loweredtime: day(53) }), 1, now)).toEqual([]);
  });

  it('needs at every level an interview of the last seven days that supports it', () => {
    expect(findLowerRefusals(readyCase(3, interviewed(2)), 2, now)).toEqual([]);
    expect(findLowerRefusals(readyCase(3, interviewed(2, 52)), 2, now)).toEqual(['下调须有7天内的访谈评估']);
    expect(findLowerRefusals(readyCase(2, { riskassess: [] }), 1, now)).toEqual(['下调须有7天内的访谈评估']);
    expect(findLowerRefusals(readyCase(4, interviewed(4)), 3, now)).toEqual(['最近一次访谈评估结论为“特级预警”，不支持下调']);
  });
});
