import { expect, test } from 'vitest';
import { addDays, addHours, shanghaiTime } from '#domain/base/calendar.ts';
import type { RequestOf } from '#contract/action.ts';
import * as plan from '#features/plan/plan.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const NO_FINDINGS = { ideation: 0, attempthistory: 0, support: 2 };
const WITH_ITEM_9 = { PHQ9: '2 2 1 1 1 1 1 1 1 1', GAD7: '0 0 0 0 0 0 0' };
const WITHOUT_SELF_HARM = { GAD7: '3 3 3 2 2 2 2' };
const LOW_REASON = '与本人、班主任和母亲分别谈过，问卷为误选，近期没有任何想法和计划';

type Assess = RequestOf<typeof handling.insertRiskAssess>;

/** 林小雨 of 初二3班, 14 years old, with PHQ-9 and GAD-7 or with `forms` alone. chen has accepted and verified her case. */
async function inTalk(forms?: Readonly<Record<string, string>>) {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const chen = server.as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'], birthday: '2011-07-08' });
  const own =
    forms &&
    (await chen(plan.insertMUserExamPlan, {
      appid: '000000002',
      planname: '秋季筛查',
      forms: Object.keys(forms).map((formcode) => ({ formcode })),
    }));
  await takeExam(server, pupils[0]!, forms ?? WITH_ITEM_9, own && { plancode: own.plancode });
  const { warningcode } = (await chen(warning.getWarningPageList, {})).rows[0]!;
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，情况属实' });
  const assess = (answers: Partial<Assess>) =>
    chen(handling.insertRiskAssess, { warningcode, ...NO_FINDINGS, conclusionlevel: 2, ...answers });
  const detail = async () => chen(warning.getWarningDetail, { warningcode });
  /** The pending clocks of the case by kind. */
  const clocks = async () => Object.fromEntries((await detail()).full!.clocks.map(({ kind, at }) => [kind, at]));
  return { ...server, chen, warningcode, assess, detail, clocks };
}

test('an ASQ with a yes and no answer to question 5 is positive and unfinished: the assessment stays due (L13)', async () => {
  const { assess, detail, clocks } = await inTalk();
  const saved = await assess({ asqanswers: { q1: '1', q2: '1', q3: '1', q4: '1' }, conclusionlevel: 3 });
  expect(saved).toMatchObject({ asqresult: '04', isfinished: 0, suggestedlevel: 3, reasons: ['ASQ 阳性'], level: 3 });
  const unfinished = await detail();
  expect(await clocks()).toHaveProperty('assess');
  expect(unfinished.full?.assesses[0]).toMatchObject({ asqresult: '04', isfinished: 0 });
  expect(unfinished.full?.logs[0]?.content).toContain('ASQ：阳性·未完成');
  expect(unfinished.full?.criteria['01']?.find(({ key }) => key === 'assess')).toMatchObject({ met: false });

  await assess({ asqanswers: { q1: '1', q2: '1', q3: '1', q4: '1', q5: '0' }, conclusionlevel: 3 });
  expect(await clocks()).not.toHaveProperty('assess');
});

test('an ASQ with questions left and no positive answer is not negative and settles nothing', async () => {
  const { assess, clocks } = await inTalk();
  expect(await assess({ asqanswers: { q1: '0', q2: '0', q3: '0', q4: null } })).toMatchObject({ asqresult: '07', isfinished: 0 });
  expect(await clocks()).toHaveProperty('assess');
});

test('a yes to question 5 alone raises the case to level 4, and its owner accepts it within two hours (L14)', async () => {
  const { as, warningcode, detail, clocks, sqlAsOwner, clock } = await inTalk();
  clock.now = addHours(clock.now, 1);
  // lu interviews; the owner chen has not taken note yet.
  const saved = await as('lu')(handling.insertRiskAssess, {
    warningcode,
    ...NO_FINDINGS,
    asqanswers: { q1: '0', q2: '0', q3: '0', q4: '0', q5: '1' },
    conclusionlevel: 4,
  });
  expect(saved).toMatchObject({ asqresult: '01', suggestedlevel: 4, level: 4 });
  expect(await detail()).toMatchObject({ level: 4, pending: 1 });
  expect(await clocks()).toMatchObject({ accept: shanghaiTime(addHours(clock.now, 2)) });
  expect(await sqlAsOwner('select lastacutesign is not null as acute from warning')).toEqual([{ acute: true }]);
});

test('a refused question 5 after another yes counts as acute until it is ruled out', async () => {
  const { assess } = await inTalk();
  expect(await assess({ asqanswers: { q1: '1', q2: '0', q3: '0', q4: '0', q5: '9' }, conclusionlevel: 4 })).toMatchObject({
    asqresult: '02',
    suggestedlevel: 4,
    level: 4,
  });
});

test('a conclusion far below the suggestion needs a reason, and the suggestion rules until a second person confirms (L15)', async () => {
  const { assess, detail, sqlAsOwner } = await inTalk();
  const low: Partial<Assess> = { ideation: 3, plan: 1, means: 1, conclusionlevel: 0 };
  await expect(assess(low)).rejects.toMatchObject({
    code: 120002,
    data: { field: 'lowreason' },
    message: '结论明显低于系统建议（特级预警），请写明理由，不少于20个字',
  });
  await expect(assess({ ...low, lowreason: '学生误选' })).rejects.toMatchObject({ code: 120002 });
  expect(await sqlAsOwner('select count(*)::int as n from riskassess')).toEqual([{ n: 0 }]);

  expect(await assess({ ...low, lowreason: LOW_REASON })).toMatchObject({ suggestedlevel: 4, level: 4, needssecond: 1 });
  const { full, level } = await detail();
  expect(level).toBe(4);
  expect(full?.assesses[0]).toMatchObject({ conclusionlevel: 0, effectivelevel: 4, lowreason: LOW_REASON, confirmed: '' });
  expect(full?.logs.some(({ content }) => content.includes(`低于系统建议的理由：${LOW_REASON}`))).toBe(true);
});

test('a low conclusion waits 24 hours for a second human, who is neither owner nor interviewer; then it counts', async () => {
  const { as, assess, detail, clocks, warningcode, clock } = await inTalk();
  clock.now = addHours(clock.now, 1);
  await assess({ ideation: 2, conclusionlevel: 1, lowreason: LOW_REASON });
  expect(await clocks()).toMatchObject({ second: shanghaiTime(addHours(clock.now, 24)) });
  const confirm = async (who: 'chen' | 'lu') => {
    const { version, full } = await as(who)(warning.getWarningDetail, { warningcode });
    const request = { warningcode, version, subject: 'conclusion' as const, content: '已独立核对作答与访谈记录，同意' };
    return { full, confirmed: as(who)(special.confirmWarning, request) };
  };
  const own = await confirm('chen');
  expect(own.full?.confirmable).not.toContain('conclusion');
  await expect(own.confirmed).rejects.toMatchObject({ code: 140001, message: '复核人不能是责任人' });
  expect((await detail()).full?.assesses[0]?.effectivelevel).toBe(3);

  const second = await confirm('lu');
  expect(second.full?.confirmable).toContain('conclusion');
  await second.confirmed;
  expect((await detail()).full?.assesses[0]).toMatchObject({ effectivelevel: 1, confirmed: expect.stringMatching(/^陆远 · /) });
  expect(await clocks()).not.toHaveProperty('second');
  await expect((await confirm('lu')).confirmed).rejects.toMatchObject({ message: '没有待复核的评估结论' });
});

test('the interviewer cannot confirm the own conclusion, also when a colleague owns the case', async () => {
  const { as, assess, warningcode, detail } = await inTalk();
  await as('lu')(handling.insertRiskAssess, {
    warningcode,
    ...NO_FINDINGS,
    ideation: 2,
    conclusionlevel: 1,
    lowreason: LOW_REASON,
  });
  // A later interview by chen, also low, does not make lu the second human of the own conclusion.
  await assess({ ideation: 2, conclusionlevel: 1, lowreason: LOW_REASON });
  const { version } = await detail();
  await expect(
    as('lu')(special.confirmWarning, { warningcode, version, subject: 'conclusion', content: '已核对作答与访谈记录，同意' }),
  ).rejects.toMatchObject({ code: 140001, message: '复核人不能是访谈人' });
});

test('abuse found in the talk with a minor starts the duty to report within two hours', async () => {
  const { assess, detail, clock } = await inTalk();
  await assess({ abuse: 1 });
  expect((await detail()).full?.duties).toMatchObject([
    { kind: 'abuse', duetime: shanghaiTime(addHours(clock.now, 2)), donetime: null },
  ]);
});

test('a conclusion one level below a suggestion of level 2 needs no second person', async () => {
  const { assess } = await inTalk();
  expect(await assess({ ideation: 1, conclusionlevel: 1 })).toMatchObject({ suggestedlevel: 2, needssecond: 0 });
  await expect(assess({ ideation: 1, conclusionlevel: 0 })).rejects.toMatchObject({ data: { field: 'lowreason' } });
});

test('a low conclusion never meets the closing criterion; an interview seven days later does', async () => {
  const { assess, detail, clock } = await inTalk();
  const criterion = async () => (await detail()).full?.criteria['01']?.find(({ key }) => key === 'assess');
  clock.now = addHours(clock.now, 1);
  await assess({ attempthistory: 1, ideation: 1, conclusionlevel: 1, lowreason: LOW_REASON });
  expect(await criterion()).toMatchObject({ met: false });
  clock.now = addDays(clock.now, 3);
  await assess({ conclusionlevel: 0 });
  expect(await criterion()).toMatchObject({
    met: false,
    detail: '有一次评估结论低于系统建议，须在2025-10-17及以后再做一次访谈评估',
  });
  clock.now = addDays(clock.now, 4);
  await assess({ conclusionlevel: 0 });
  expect(await criterion()).toMatchObject({ met: true });
});

test('after a screening without a question about self-harm the first talk asks the ASQ, or says why not', async () => {
  const { assess, detail } = await inTalk(WITHOUT_SELF_HARM);
  expect((await detail()).full?.asqfirst).toBe(1);
  await expect(assess({})).rejects.toMatchObject({
    code: 120002,
    data: { field: 'asqskipreason' },
    message: '本次筛查没有问到自伤或自杀，请先询问 ASQ；不能询问时请写明原因',
  });
  expect(await assess({ asqskipreason: '家长在场，约定明早单独再谈' })).toMatchObject({ asqresult: null, isfinished: 1 });
  const skipped = await detail();
  expect(skipped.full?.asqfirst).toBe(1);
  expect(skipped.full?.logs[0]?.content).toContain('未询问 ASQ 的原因：家长在场，约定明早单独再谈');
  await assess({ asqanswers: { q1: '0', q2: '0', q3: '0', q4: '0' } });
  expect((await detail()).full?.asqfirst).toBe(0);
});

test('after a screening that asked about self-harm the ASQ is not required', async () => {
  const { assess, detail } = await inTalk();
  expect((await detail()).full?.asqfirst).toBe(0);
  expect(await assess({})).toMatchObject({ asqresult: null, isfinished: 1 });
});

test('abuse alone suggests level 2, and its findings stand in the log', async () => {
  const { assess, detail } = await inTalk();
  expect(await assess({ abuse: 1 })).toMatchObject({ suggestedlevel: 2, reasons: ['疑似侵害、忽视或欺凌'] });
  const lines = (await detail()).full?.logs.map(({ action, content }) => [action, content]);
  expect(lines?.find(([action]) => action === '访谈')?.[1]).toBe(
    '结论：二级预警（系统建议 二级预警）。自杀意念：无；具体计划：无；可获得的工具：无；自伤或自杀未遂：无；ASQ：未询问；' +
      '疑似侵害、忽视或欺凌：是；支持：支持充分',
  );
});

test('nobody concludes an interview in the name of another', async () => {
  const { as, withToken, warningcode, sqlAsOwner } = await inTalk();
  const { token } = await as('fang')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助处置' });
  await expect(
    withToken(token)(handling.insertRiskAssess, { warningcode, ...NO_FINDINGS, conclusionlevel: 2 }),
  ).rejects.toMatchObject({ code: 110011 });
  expect(await sqlAsOwner('select count(*)::int as n from riskassess')).toEqual([{ n: 0 }]);
});

test('an answer that the ASQ does not have is refused', async () => {
  const { assess } = await inTalk();
  await expect(assess({ asqanswers: { q1: '7' } })).rejects.toMatchObject({ code: 120002, data: { field: 'asqanswers' } });
});
