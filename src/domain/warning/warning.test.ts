import { describe, expect, it } from 'vitest';
import { addDays, addHours, fromShanghai } from '#domain/base/calendar.ts';
import { nextDue, pendingClocks } from '#domain/warning/clock/clocks.ts';
import { confirmationOf } from '#domain/warning/decision/secondPerson.ts';
import { levelName } from '#domain/warning/levels.ts';
import { allowedActions, transition } from '#domain/warning/warning.ts';
import type { WarningAction } from '#domain/warning/decision/warningAction.ts';
import { mergeTrigger, openWarning } from '#domain/warning/warningtrigger.ts';
import { isAcceptancePending, lastAssess } from '#domain/warning/warningfacts.ts';
import type { AssessFact, Exemption, WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

const monday = fromShanghai('2026-03-02 10:00');
const teacher = { userid: 'wang', musertype: '005', permissions: ['00014'], human: ['u:wang'] };
const warningOf = (level: WarningLevelCode, more: Partial<WarningFacts> = {}): WarningFacts => ({
  ...openWarning(
    { source: '03', level, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [] },
    { minor: true, sector: 'edu', appid: '000000002' },
    monday,
  ).facts,
  ...more,
});
const take = (facts: WarningFacts, action: WarningAction, now = addHours(monday, 2), userid = 'wang') =>
  transition(facts, action, { now, userid, human: [`u:${userid}`] });
const interview = (time: Date, conclusionlevel: AssessFact['conclusionlevel'], asqnegative = false): AssessFact => ({
  time,
  newsno: 1,
  conclusionlevel,
  finished: true,
  islow: false,
  asqnegative,
});
const taken = { state: '02', owneruserid: 'wang', ownerkeys: ['u:wang'], accepttime: addHours(monday, 1), acceptno: 1 } as const;

describe('evidence of the same millisecond as news', () => {
  const second = { subject: 'close', userid: 'zhao', humankeys: ['u:zhao'], time: monday, newsno: 1 } as const;
  const old = warningOf(2, {
    ...taken,
    accepttime: monday,
    contacttime: monday,
    interviewtime: monday,
    riskassess: [interview(monday, 1)],
    confirmations: [second],
  });
  const news = { source: '03', level: 3, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [] } as const;
  const after = mergeTrigger(old, news, monday).facts;

  it('counts for nothing when it is older in the order of the events', () => {
    expect(isAcceptancePending(old)).toBe(false);
    expect(isAcceptancePending(after)).toBe(true);
    expect(lastAssess(after)).toBe(null);
    expect(confirmationOf(after, 'close', monday)).toBe(null);
  });

  it('counts when it is newer in the order of the events', () => {
    const result = take(after, { kind: 'accept' }, monday);
    if (!result.ok) throw new Error(result.reasons.join());
    const { newsno } = result.after;
    const renewed = {
      ...result.after,
      riskassess: [{ ...interview(monday, 1), newsno }],
      confirmations: [{ ...second, newsno }],
    };
    expect(isAcceptancePending(renewed)).toBe(false);
    expect(lastAssess(renewed)).toMatchObject({ newsno });
    expect(confirmationOf(renewed, 'close', monday)).toMatchObject({ userid: 'zhao' });
  });
});

describe('the list of allowed actions of a case', () => {
  const kinds = (facts: WarningFacts, caller = teacher) =>
    allowedActions(facts, caller, addHours(monday, 2)).map(({ action }) => action);

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
      'transfer',
      'discharge',
      'reportdeath',
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
      'transfer',
      'discharge',
      'reportdeath',
    ]);
    const transfer = { to: '第七人民医院', time: monday, receipttime: null, receiptno: 0, islinked: false };
    expect(kinds(warningOf(2, { ...taken, transfer }))).toContain('receive');
    expect(kinds(warningOf(4, { ...taken, state: '07' }))).toEqual(['reopen', 'discharge', 'reportdeath']);
  });

  it('is empty without the permission and for an authority, which may only read', () => {
    expect(kinds(warningOf(3), { ...teacher, permissions: ['00046'] })).toEqual([]);
    expect(kinds(warningOf(3), { ...teacher, musertype: '003' })).toEqual([]);
    expect(kinds(warningOf(3), { ...teacher, musertype: '002' })).not.toContain('notifyguardian');
  });

  it('names the reasons that still block an action', () => {
    const offers = allowedActions(warningOf(3, { ...taken, state: '03' }), teacher, addHours(monday, 2));
    expect(offers.find(({ action }) => action === 'intervene')).toEqual({
      action: 'intervene',
      label: '开始干预',
      reasons: [
        '“一级预警”和“特级预警”个案须先完成访谈评估',
        '须至少有一条干预记录或完整的安全计划',
        '须先告知监护人（家属），或登记不告知的理由',
      ],
    });
    expect(offers.find(({ action }) => action === 'observe')?.reasons).toEqual(['须先完成访谈评估']);
  });
});

describe('excluding a false alarm', () => {
  const note = '经核实为误答，学生本人与班主任均确认';
  const met = { ...taken, state: '03', contacttime: addHours(monday, 2) } as const;

  it('needs a contact with the person after the last news, and a note', () => {
    expect(take(warningOf(2, met), { kind: 'exclude', content: note })).toMatchObject({
      ok: true,
      to: '08',
      after: { closereason: '02' },
    });
    expect(take(warningOf(2, met), { kind: 'exclude', content: '误答' })).toEqual({
      ok: false,
      reasons: ['核实说明不少于10个字'],
    });
    const unmet = { ok: false, reasons: ['新情况之后须与本人取得联系'] };
    expect(take(warningOf(2), { kind: 'exclude', content: note })).toEqual(unmet);
    expect(take(warningOf(2, { ...met, newstime: addHours(monday, 3) }), { kind: 'exclude', content: note })).toEqual(unmet);
  });

  it('after a self-harm answer needs an interview with a negative ASQ', () => {
    const harmed = warningOf(2, { ...met, selfharm: true });
    expect(take(harmed, { kind: 'exclude', content: note })).toEqual({
      ok: false,
      reasons: ['自伤相关条目阳性：须有ASQ阴性的访谈'],
    });
    const negative = { ...harmed, riskassess: [interview(addHours(monday, 2), 0, true)] };
    expect(take(negative, { kind: 'exclude', content: note })).toMatchObject({ ok: true, to: '08' });
  });

  it('at level 3 needs a second human, whose confirmation is void after news', () => {
    const grave = warningOf(3, met);
    expect(take(grave, { kind: 'exclude', content: note })).toEqual({
      ok: false,
      reasons: ['须由另一名工作人员复核“排除/误报”'],
    });
    const confirm = { kind: 'confirm', subject: 'exclude', content: '已电话复核，学生确为误点' } as const;
    expect(take(grave, confirm)).toEqual({ ok: false, reasons: ['复核人不能是责任人'] });
    expect(take(grave, { ...confirm, content: '已复核' }, addHours(monday, 3), 'zhao')).toEqual({
      ok: false,
      reasons: ['复核意见不少于10个字'],
    });
    const confirmed = take(grave, confirm, addHours(monday, 3), 'zhao');
    expect(confirmed).toMatchObject({ ok: true, to: '03' });
    if (!confirmed.ok) return;
    const exclude = (facts: WarningFacts, userid?: string) =>
      take(facts, { kind: 'exclude', content: note }, addHours(monday, 4), userid).ok;
    expect(exclude(confirmed.after)).toBe(true);
    expect(exclude(confirmed.after, 'zhao')).toBe(false);
    const news = mergeTrigger(
      confirmed.after,
      { source: '05', level: 3, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: ['告别的话'] },
      addHours(monday, 3.5),
    ).facts;
    expect(exclude({ ...news, contacttime: addHours(monday, 3.6) })).toBe(false);
  });
});

describe('a second human', () => {
  const confirm = (human: readonly string[], facts = warningOf(3, { ...taken, interviewerkeys: ['u:lu'] })) =>
    transition(
      facts,
      { kind: 'confirm', subject: 'close', content: '已看过全部记录，同意' },
      { now: addHours(monday, 2), userid: 'x', human },
    );

  it('is neither owner nor interviewer, also with another account of one telephone, and no shared account', () => {
    expect(confirm(['u:wang'])).toEqual({ ok: false, reasons: ['复核人不能是责任人'] });
    expect(confirm(['u:lu', 'p:13800000003'])).toEqual({ ok: false, reasons: ['复核人不能是访谈人'] });
    const owned = warningOf(3, { ...taken, ownerkeys: ['u:wang', 'p:13800000001'] });
    expect(confirm(['u:wang2', 'p:13800000001'], owned)).toEqual({ ok: false, reasons: ['复核人不能是责任人'] });
    expect(confirm([])).toEqual({ ok: false, reasons: ['机构主账号和共用账号不能复核，请由具名人员复核'] });
    expect(confirm(['u:zhao']).ok).toBe(true);
  });

  it('who confirms closing does not end the wait for the one who confirms an exemption', () => {
    const action = { kind: 'exemptguardian', ground: 1, reason: '监护人疑为侵害人，已报警', alternate: '民政局 吴科长' } as const;
    const exempted = take(warningOf(3, taken), action);
    expect(exempted).toMatchObject({ ok: true, after: { secondduetime: addHours(monday, 26) } });
    if (!exempted.ok) return;
    const second = (subject: 'close' | 'exempt') =>
      take(exempted.after, { kind: 'confirm', subject, content: '已看过全部记录，同意' }, addHours(monday, 3), 'zhao');
    expect(second('close')).toMatchObject({ ok: true, after: { secondduetime: addHours(monday, 26) } });
    expect(second('exempt')).toMatchObject({ ok: true, after: { secondduetime: null } });
  });
});

describe('not telling the guardian', () => {
  const exempt = (
    facts: WarningFacts,
    ground: Exemption['ground'],
    reason = '已核实情况并报告学校负责人',
    alternate = '姑姑 林敏',
  ) => take(facts, { kind: 'exemptguardian', ground, reason, alternate });

  it('needs a ground from the list, ten characters and the name of who is told instead', () => {
    expect(exempt(warningOf(3, taken), 2)).toMatchObject({ ok: true, after: { exemption: { until: addHours(monday, 26) } } });
    expect(exempt(warningOf(3, taken), 2, '无', ' ')).toEqual({
      ok: false,
      reasons: ['不告知的原因不少于10个字', '请写明改为告知了谁（姓名、身份、时间）'],
    });
    expect(exempt(warningOf(3, taken), 3)).toEqual({ ok: false, reasons: ['须先有3次未联系上的记录'] });
    expect(exempt(warningOf(3, taken), 6).ok).toBe(false);
    expect(exempt(warningOf(3, { ...taken, minor: false }), 6).ok).toBe(true);
    expect(exempt(warningOf(4, { ...taken, minor: false }), 6).ok).toBe(false);
    expect(exempt(warningOf(3, { ...taken, minor: false }), 5).ok).toBe(false);
  });
});

describe('handing a case over', () => {
  it('gives the new owner two hours at level 3 and a day below, never more than was left', () => {
    const assign = { kind: 'assign', owneruserid: 'lu' } as const;
    expect(take(warningOf(3, taken), assign)).toMatchObject({
      after: { owneruserid: 'lu', accepttime: null, acceptduetime: addHours(monday, 4) },
    });
    expect(take(warningOf(2, taken), assign)).toMatchObject({ after: { acceptduetime: addHours(monday, 26) } });
    expect(take(warningOf(3), assign, addHours(monday, 23))).toMatchObject({ after: { acceptduetime: addHours(monday, 24) } });
  });
});

describe('a reported death', () => {
  const dead = (facts = warningOf(2, { ...taken, state: '04', followduetime: addDays(monday, 14) })) =>
    take(facts, { kind: 'reportdeath', source: '班主任来电' });

  it('stops all clocks of care, waits for a second human and begins the postvention', () => {
    const reported = dead();
    expect(reported).toMatchObject({ ok: true, to: '04', after: { secondduetime: addHours(monday, 26) } });
    if (!reported.ok) return;
    expect(new Set(pendingClocks(reported.after).map(({ kind }) => kind))).toEqual(new Set(['second', 'duty']));
    const kinds = allowedActions(reported.after, teacher, addHours(monday, 3)).map(({ action }) => action);
    expect(kinds).toEqual(['assign', 'close', 'correctdeath']);
  });

  it('is corrected by two humans, also after the case was closed, and the case goes on as after news', () => {
    const reported = dead();
    if (!reported.ok) throw new Error('refused');
    const correct = { kind: 'correctdeath', reason: '同名误报，本人已到校上课' } as const;
    const confirm = { kind: 'confirm', subject: 'death', content: '已见到本人，确系同名误报' } as const;
    for (const facts of [reported.after, { ...reported.after, state: '07', closereason: '05', secondduetime: null } as const]) {
      expect(take(facts, correct)).toEqual({ ok: false, reasons: ['须由另一名工作人员复核“死亡登记的更正”'] });
      const confirmed = take(facts, confirm, addHours(monday, 3), 'zhao');
      if (!confirmed.ok) throw new Error('refused');
      expect(confirmed.after.secondduetime).toEqual(facts.secondduetime);
      const corrected = take(confirmed.after, correct, addHours(monday, 4));
      expect(corrected).toMatchObject({ ok: true, after: { death: null, closereason: null, newstime: addHours(monday, 4) } });
      if (corrected.ok) expect(nextDue(corrected.after)).not.toBe(null);
    }
  });

  it('needs a named reporter and a source', () => {
    const report = (human: readonly string[], source: string) =>
      transition(warningOf(2), { kind: 'reportdeath', source }, { now: monday, userid: 'x', human });
    expect(report([], '班主任来电')).toMatchObject({ ok: false });
    expect(report(['u:wang'], ' ')).toMatchObject({ ok: false });
  });
});

describe('verifying a warning', () => {
  it('leaves the case in 已受理, counts the attempt and starts the clock of the next one when staff cannot reach the person', () => {
    const result = take(warningOf(2, taken), { kind: 'verify', contactresult: '03', content: '电话未接' });
    expect(result).toMatchObject({
      ok: true,
      to: '02',
      after: {
        contacttries: [{ time: addHours(monday, 2), channel: '01' }],
        contactduetime: addHours(monday, 26),
        acceptduetime: warningOf(2).acceptduetime,
      },
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
    const facts = warningOf(3, { ...taken, state: '03', riskassess: [interview(addHours(monday, 1), 2)] });
    expect(take(facts, { kind: 'lower', level: 2, reason: '访谈后风险降低' })).toMatchObject({
      ok: true,
      after: { level: 2, peaklevel: 3, loweredtime: addHours(monday, 2) },
    });
  });

  it('a case that the owner raises from observation goes back to 03, and the owner has accepted the news', () => {
    const observed = warningOf(2, { ...taken, state: '06', followduetime: addDays(monday, 14) });
    const raise = { kind: 'raise', level: 3, reason: '随访中谈及想死' } as const;
    const news = { newstime: addHours(monday, 2), lastacutesign: addHours(monday, 2), followduetime: null };
    expect(take(observed, raise)).toMatchObject({ to: '03', after: { ...news, accepttime: addHours(monday, 2) } });
    const byAnother = take(observed, raise, addHours(monday, 2), 'lu');
    expect(byAnother.ok && nextDue(byAnother.after)).toEqual({ kind: 'accept', due: addHours(monday, 26) });
  });

  it('a closed case can be reopened with new deadlines, unless the person has another open one', () => {
    const closed = warningOf(3, { ...taken, state: '07', closereason: '01', closenote: '风险解除，予以结案处理' });
    const time = addDays(monday, 90);
    expect(take(closed, { kind: 'reopen', reason: '家长来电反映' }, time)).toMatchObject({
      ok: true,
      to: '03',
      after: { reopentime: time, closereason: null, closenote: '', newstime: time },
    });
    const reopened = take(closed, { kind: 'reopen', reason: '家长来电反映' }, time);
    expect(reopened.ok && pendingClocks(reopened.after)).toEqual([
      { kind: 'accept', due: addHours(time, 24) },
      { kind: 'assess', due: addHours(time, 48) },
      { kind: 'guardian', due: addHours(time, 24) },
    ]);
    expect(take({ ...closed, otheropen: true }, { kind: 'reopen', reason: '家长来电反映' }, time)).toMatchObject({ ok: false });
  });

  it('evidence from before the reopening does not count for closing again', () => {
    const facts = warningOf(2, { ...taken, state: '06', interviewtime: addDays(monday, 20), newstime: addDays(monday, 30) });
    const close = take(facts, { kind: 'close', closereason: '01', closenote: '风险解除，予以结案处理' }, addDays(monday, 31));
    expect(close).toEqual({ ok: false, reasons: ['30天内有访谈记录或评估，结论不高于“三级预警”', '复测结果稳定'] });
  });
});

describe('the four levels', () => {
  it('have the names of the sector', () => {
    expect([levelName(4, 'edu'), levelName(4, 'health'), levelName(4, 'enterprise')]).toEqual(['特级预警', '危急', '危机']);
  });
});
