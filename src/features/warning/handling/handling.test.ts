import { expect, test } from 'vitest';
import { addDays, addHours, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { addClass } from '#testing/school.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { startServer } from '#testing/server.ts';
import { takeExam } from '#testing/exam.ts';

const friday = '2025-10-10T06:00:00Z';
const SEVERE_ANSWERS = { PHQ9: '2 2 2 2 2 2 2 1 1 1', GAD7: '2 1 1 1 1 1 1' };

/** Wang's class 初二3班 with the student 林小雨. She submitted PHQ-9 16 with item 9 positive and GAD-7 8 on a Friday afternoon. */
async function screened() {
  const server = await startServer({ now: friday });
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周明'],
    owneruserid: 'U_WANG',
    birthday: '2011-07-08',
  });
  const pupil = pupils[0]!;
  await takeExam(server, pupil, SEVERE_ANSWERS);
  const [row] = (await server.as('chen')(warning.getWarningPageList, {})).rows;
  const { warningcode } = row!;
  const submit = server.clock.now;
  const setClock = (time: Date) => (server.clock.now = time);
  const detail = async () => server.as('chen')(warning.getWarningDetail, { warningcode });
  return { ...server, pupil, other: pupils[1]!, warningcode, submit, at: setClock, detail };
}
const interview = { ideation: 1, attempthistory: 0, support: 2 };

test('the worked case runs from the submitted exam to the closed case', async () => {
  const { as, sqlAsOwner, detail, at, submit, warningcode, pupil, ...rest } = await screened();
  const chen = as('chen');
  // (1) level 3, to be accepted within 24 hours and assessed within 48 because of the answer to item 9
  const opened = await detail();
  expect(opened).toMatchObject({
    level: 3,
    levelname: '一级预警',
    state: '01',
    pending: 1,
    isoverdue: 0,
    due: { kind: 'accept', at: shanghaiTime(addHours(submit, 24)) },
  });
  expect(opened.full).toMatchObject({
    assessduetime: shanghaiTime(addHours(submit, 48)),
    minor: true,
    rules: [{ rulecode: 'R01' }, { rulecode: 'R02' }, { rulecode: 'R03' }, { rulecode: 'R04' }],
  });
  expect(opened.full?.answers).toMatchObject([{ question: expect.stringContaining('第9题'), answer: '好几天' }]);
  expect(opened.full?.actions.find((action) => action.action === 'intervene')).toBeUndefined();

  // (4) accept, verify, interview
  at(addHours(submit, 2));
  await expect(chen(handling.startIntervene, { warningcode })).rejects.toMatchObject({
    code: 140001,
    message: '“待受理”状态不能开始干预',
  });
  expect(await chen(handling.acceptWarning, { warningcode })).toMatchObject({ state: '02' });
  at(addHours(submit, 18));
  expect(await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，情况属实' })).toMatchObject(
    { state: '03' },
  );
  await chen(care.insertInterfere, {
    cuserid: pupil.cuserid,
    warningcode,
    kind: '01',
    minutes: 40,
    content: '首次心理辅导，建立关系',
  });
  await expect(chen(handling.startIntervene, { warningcode })).rejects.toMatchObject({
    code: 140001,
    data: { reasons: ['“一级预警”和“特级预警”个案须先完成访谈评估', '须先告知监护人（家属），或登记不告知的理由'] },
  });
  at(addHours(submit, 19));
  expect(
    await chen(handling.insertRiskAssess, {
      warningcode,
      ...interview,
      conclusionlevel: 2,
      asqanswers: { q1: '0', q2: '0', q3: '0', q4: '0' },
      safetyplan: aSafetyPlan(),
    }),
  ).toMatchObject({ suggestedlevel: 2, asqresult: '06', level: 3, plangaps: [] });

  // (5) the guardian, 20 hours after
  at(addHours(submit, 20));
  await chen(handling.notifyGuardian, {
    warningcode,
    guardianname: '林建国',
    method: '01',
    content: '已说明筛查情况与陪伴要求，家长表示配合',
  });
  // (6) intervention, referral, feedback, observation
  at(addHours(submit, 21));
  const ready = (await detail()).full?.actions.filter((action) => ['intervene', 'observe'].includes(action.action));
  expect(ready).toEqual([
    { action: 'intervene', label: '开始干预', reasons: [], bysecond: 0 },
    { action: 'observe', label: '转入随访观察', reasons: [], bysecond: 0 },
  ]);
  expect(await chen(handling.startIntervene, { warningcode })).toMatchObject({
    state: '04',
  });
  at(addDays(submit, 3));
  await chen(care.insertInterfere, { cuserid: pupil.cuserid, warningcode, kind: '01', minutes: 50, content: '第二次心理辅导' });
  await expect(
    chen(handling.closeWarning, { warningcode, closereason: '01', closenote: '情绪稳定，支持充分，按计划结案' }),
  ).rejects.toMatchObject({ code: 140001 });
  const { referralid } = await chen(handling.insertReferral, {
    warningcode,
    tohospital: '云栖市第七人民医院',
    todept: '心理科',
    reason: '建议进一步评估',
  });
  expect(await detail()).toMatchObject({ state: '05', referred: 1 });
  at(addDays(submit, 5));
  await chen(handling.updateReferral, {
    warningcode,
    referralid,
    status: '04',
    visitdate: '2025-10-14',
    feedback: '已就诊，建议继续心理辅导',
  });
  const { state, duetimes } = await chen(handling.observe, { warningcode, begindate: '2025-10-10' });
  expect(state).toBe('06');
  expect(duetimes.slice(0, 4)).toEqual([
    '2025-10-17 17:00:00',
    '2025-10-24 17:00:00',
    '2025-10-31 17:00:00',
    '2025-11-07 17:00:00',
  ]);
  for (const due of duetimes.slice(0, 4)) {
    at(fromShanghai(due));
    const next = (await detail()).full?.followups.find((followup) => followup.status === '01');
    expect(next?.duetime).toBe(due);
    await chen(care.finishFollowUp, { followupid: next!.followupid, content: '睡眠改善，情绪平稳', currentlevel: 1 });
  }
  // Closing without a re-test is refused with the unmet criteria.
  at(addDays(submit, 29));
  const closing = { warningcode, closereason: '01' as const, closenote: '情绪稳定，支持充分，按计划结案' };
  await expect(chen(handling.closeWarning, closing)).rejects.toMatchObject({
    code: 140001,
    data: { reasons: ['14天内的访谈评估结论不高于“三级预警”', '复测结果稳定', '第二人复核确认'] },
  });
  expect((await detail()).full?.criteria['01']?.map(({ key, met }) => [key, met])).toEqual([
    ['assess', false],
    ['retest', false],
    ['followups', true],
    ['stable', true],
    ['duties', true],
    ['second', false],
    ['guardian', true],
  ]);

  // (7) re-test and interview on day 30
  at(addDays(submit, 30));
  await takeExam({ as, sqlAsOwner, ...rest } as never, pupil, { PHQ9: '1 1 1 1 1 1 0 0 0 0', GAD7: '0 0 0 0 0 0 0' });
  await chen(handling.insertRiskAssess, { warningcode, ideation: 0, attempthistory: 0, support: 2, conclusionlevel: 1 });
  // 陆远 has opened the case, is neither owner nor interviewer, and confirms the closing that she sees.
  const { version } = await detail();
  const second = { warningcode, subject: 'close' as const, content: '已看过全部记录，同意结案' };
  await expect(as('lu')(special.confirmWarning, second)).rejects.toMatchObject({ code: 120002 });
  await expect(chen(special.confirmWarning, { ...second, version })).rejects.toMatchObject({ message: '复核人不能是责任人' });
  await as('lu')(special.confirmWarning, { ...second, version });
  expect(await chen(handling.closeWarning, closing)).toMatchObject({ state: '07' });
  expect(await sqlAsOwner('select riskflag, mentalstate from cuser where cuserid = $1', [pupil.cuserid])).toEqual([
    { riskflag: 0, mentalstate: 2 },
  ]);
  const closed = await detail();
  expect(closed.due).toBe(null);
  expect(closed.full?.actions.map((action) => action.action)).toEqual(['reopen', 'discharge', 'reportdeath']);
  expect(closed.full?.followups.filter((followup) => followup.status === '01')).toEqual([]);
  expect(
    closed.full?.logs
      .map((log) => log.action)
      .reverse()
      .slice(0, 9),
  ).toEqual(['新建', '受理', '核实', '干预', '访谈', '安全计划', '告知监护人', '干预', '干预']);
});

test('of two staff who accept a case at once one succeeds, and the refusal of the other names the owner', async () => {
  const { as, warningcode, detail } = await screened();
  const results = await Promise.allSettled([
    as('chen')(handling.acceptWarning, { warningcode }),
    as('lu')(handling.acceptWarning, { warningcode }),
  ]);
  const [accepted] = results.filter((result) => result.status === 'fulfilled');
  const [refused] = results.filter((result) => result.status === 'rejected');
  expect(accepted).toMatchObject({ value: { state: '02' } });
  const { ownername } = await detail();
  expect(refused).toMatchObject({
    reason: { code: 140001, message: expect.stringMatching(new RegExp(`^${ownername} 已于 10-10 \\d\\d:\\d\\d 受理$`)) },
  });
});

test('a step on an outdated case is refused and names who changed it', async () => {
  const { as, warningcode, detail } = await screened();
  const { version } = await detail();
  await as('lu')(handling.assignWarning, { warningcode, owneruserid: 'U_LU', version });
  await expect(as('chen')(handling.assignWarning, { warningcode, owneruserid: 'U_CHEN', version })).rejects.toMatchObject({
    code: 140002,
    data: { by: '陆远', action: '分派' },
  });
  expect((await detail()).owneruserid).toBe('U_LU');
});

test('a class teacher reads only that a student needs attention and who the owner is', async () => {
  const { as, warningcode } = await screened();
  const wang = as('wang');
  await expect(wang(warning.getWarningPageList, { levels: [1] })).rejects.toMatchObject({
    code: 110004,
    data: { field: 'levels' },
  });
  const { rows } = await wang(warning.getWarningPageList, {});
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    username: '林小雨',
    level: null,
    levelname: '关注',
    statename: '待受理',
    ownername: '陈静怡',
    triggers: '',
    due: null,
  });
  const seen = await wang(warning.getWarningDetail, { warningcode });
  expect(seen.full).toBe(null);
  expect(JSON.stringify(seen)).not.toMatch(/第9题|PHQ|一级|R04|16/);
  expect(await wang(warning.getWarningCount, {})).toMatchObject({ open: 1, overdue: 0, levels: [0, 0, 0, 0, 0] });
  await expect(wang(warning.getAnxiousDepressedReportPageList, {})).rejects.toMatchObject({ code: 110004 });
  await expect(wang(handling.acceptWarning, { warningcode })).rejects.toMatchObject({ code: 110004 });
});

test('a case does not exist for other institutions, and the education bureau reads no case and no count of cases', async () => {
  const { as, warningcode } = await screened();
  for (const person of ['qiao', 'lin'] as const) {
    expect((await as(person)(warning.getWarningPageList, {})).total).toBe(0);
    await expect(as(person)(warning.getWarningDetail, { warningcode })).rejects.toMatchObject({ code: 130001 });
    await expect(as(person)(handling.acceptWarning, { warningcode })).rejects.toMatchObject({ code: 130001 });
  }
  await expect(as('nobody')(warning.getWarningPageList, {})).rejects.toMatchObject({ code: 110004 });
  for (const call of [warning.getWarningPageList, warning.getWarningCount, warning.getAnxiousDepressedReportPageList])
    await expect(as('zhou')(call, {})).rejects.toMatchObject({ code: 110004 });
  await expect(as('zhou')(warning.getWarningDetail, { warningcode })).rejects.toMatchObject({ code: 110004 });
  expect((await as('fang')(warning.getWarningPageList, {})).total).toBe(1);
});

test('the answers of a case need the right to answers, and reading a case is audited', async () => {
  const { as, warningcode, pupil, sqlAsOwner } = await screened();
  expect((await as('duty')(warning.getWarningDetail, { warningcode })).full?.answers).toBe(null);
  expect((await as('chen')(warning.getAnxiousDepressedReportPageList, {})).rows[0]).toMatchObject({
    depscore: 16,
    deplevel: 3,
    anxscore: 8,
    item9: 1,
    warningcode,
  });
  expect((await as('duty')(warning.getAnxiousDepressedReportPageList, {})).rows[0]).toMatchObject({ depscore: 16, item9: null });
  expect(await sqlAsOwner("select accountid, cuserids from audit.log where action = 'as.m.warning.getWarningDetail'")).toEqual([
    { accountid: 'U_DUTY', cuserids: [pupil.cuserid] },
  ]);
});

test('an acute ASQ in an interview raises the case to 特级 and notifies again; abuse adds the duty to report', async () => {
  const { as, warningcode, sqlAsOwner } = await screened();
  await as('chen')(handling.acceptWarning, { warningcode });
  const done = await as('chen')(handling.insertRiskAssess, {
    warningcode,
    ideation: 2,
    attempthistory: 0,
    support: 1,
    abuse: 1,
    conclusionlevel: 4,
    asqanswers: { q1: '1', q2: '0', q3: '1', q4: '0', q5: '1' },
  });
  expect(done).toMatchObject({ suggestedlevel: 4, level: 4 });
  expect(await sqlAsOwner('select level, peaklevel from warning')).toEqual([{ level: 4, peaklevel: 4 }]);
  expect(await sqlAsOwner('select riskflag from cuser where cuserid = (select cuserid from warning)')).toEqual([{ riskflag: 4 }]);
  expect(await sqlAsOwner("select count(*)::int as n from warninglog where action = '强制报告'")).toEqual([{ n: 1 }]);
  const raised = await sqlAsOwner<{ title: string }>("select title from notification where title like '%升为%'");
  expect(raised[0]?.title).toBe('预警升为特级预警，待受理');
});

test('a level 3 case with a self-harm answer is a false alarm only after a talk, a negative ASQ and a second human', async () => {
  const { as, warningcode, at, submit, detail } = await screened();
  const chen = as('chen');
  await chen(handling.acceptWarning, { warningcode });
  const exclude = { warningcode, contactresult: '02' as const, content: '学生误选，已当面逐题核对答案', falsealarm: 1 };
  await expect(chen(handling.verifyWarning, exclude)).rejects.toMatchObject({
    code: 140001,
    data: {
      reasons: ['新情况之后须与本人取得联系', '自伤相关条目阳性：须有ASQ阴性的访谈', '须由另一名工作人员复核“排除/误报”'],
    },
  });
  at(addHours(submit, 1));
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，自述误点' });
  const asqanswers = { q1: '0', q2: '0', q3: '0', q4: '0' };
  await chen(handling.insertRiskAssess, { warningcode, ...interview, ideation: 0, conclusionlevel: 0, asqanswers });
  await expect(chen(handling.verifyWarning, exclude)).rejects.toMatchObject({
    message: '须由另一名工作人员复核“排除/误报”',
  });
  const confirm = async (who: 'chen' | 'lu', content = '已与学生逐题核对，同意排除') =>
    as(who)(special.confirmWarning, { warningcode, version: (await detail()).version, subject: 'exclude', content });
  await expect(confirm('chen')).rejects.toMatchObject({ message: '复核人不能是责任人' });
  await expect(confirm('lu', '同意')).rejects.toMatchObject({ code: 120002 });
  await confirm('lu');
  expect(await chen(handling.verifyWarning, exclude)).toMatchObject({ state: '08' });
  at(addHours(submit, 2));
  expect(await chen(handling.reopenWarning, { warningcode, reason: '班主任反映新情况' })).toMatchObject({ state: '03' });
  expect((await detail()).due).toEqual({ kind: 'accept', at: shanghaiTime(addHours(submit, 26)) });
});

test('a follow-up is recorded once, and an open case always has a next follow-up', async () => {
  const { as, warningcode, other, detail, at, submit } = await screened();
  void other;
  await as('chen')(handling.acceptWarning, { warningcode });
  await as('chen')(handling.verifyWarning, { warningcode, contactresult: '01', content: '属实，已面谈' });
  await as('chen')(handling.insertRiskAssess, {
    warningcode,
    ...interview,
    conclusionlevel: 2,
    safetyplan: aSafetyPlan(),
  });
  await as('chen')(handling.observe, { warningcode });
  const planned = (await detail()).full!.followups;
  const [first] = planned;
  await Promise.allSettled(
    [1, 2].map(() => as('chen')(care.finishFollowUp, { followupid: first!.followupid, content: '已面谈' })),
  ).then((both) => {
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });
  at(addDays(submit, 70));
  expect((await as('chen')(care.getFollowUpPageList, { view: 'overdue' })).total).toBe(planned.length - 1);
  for (const item of planned.slice(1)) await as('chen')(care.finishFollowUp, { followupid: item.followupid, content: '已面谈' });
  const leftFollowups = (await detail()).full!.followups.filter((followup) => followup.status === '01');
  expect(leftFollowups).toHaveLength(1);
  expect(leftFollowups[0]!.duetime > shanghaiTime(addDays(submit, 70))).toBe(true);
});

test('a second manual report of a person joins the open case', async () => {
  const { as, other } = await screened();
  const report = { cuserid: other.cuserid, level: 3, content: '同学反映其近日多次说不想活了' };
  const first = await as('wang')(handling.insertWarning, report);
  expect(first.joined).toBe(false);
  expect(await as('chen')(handling.insertWarning, { ...report, level: 4, content: '面谈中表达明确计划，已有人陪伴' })).toEqual({
    warningcode: first.warningcode,
    joined: true,
  });
  const { rows } = await as('chen')(warning.getWarningPageList, { keyword: '周明' });
  expect(rows[0]).toMatchObject({
    level: 4,
    source: '03',
    triggers: '同学反映其近日多次说不想活了；面谈中表达明确计划，已有人陪伴',
  });
});

test('overdue cases are listed first and can be filtered', async () => {
  const { as, other, at, submit, warningcode } = await screened();
  await as('chen')(handling.insertWarning, { cuserid: other.cuserid, level: 2, content: '课堂上情绪低落，趴桌哭泣' });
  at(addHours(submit, 25));
  const { rows } = await as('chen')(warning.getWarningPageList, {});
  expect(rows.map((row) => [row.username, row.isoverdue, row.due?.kind])).toEqual([
    ['林小雨', 1, 'accept'],
    ['周明', 0, 'accept'],
  ]);
  expect((await as('chen')(warning.getWarningPageList, { overdue: 1 })).rows.map((row) => row.warningcode)).toEqual([
    warningcode,
  ]);
  expect(await as('chen')(warning.getWarningCount, {})).toMatchObject({
    open: 2,
    overdue: 1,
    pending: 2,
    today: 0,
    levels: [0, 0, 1, 1, 0],
  });
});
