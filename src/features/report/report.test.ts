import { expect, test } from 'vitest';
import { closingParagraphFor, sentencesOf, type ReportContent } from '#domain/report/report.content.ts';
import * as report from '#features/report/report.contract.ts';
import { renderReports } from '#features/report/renderReport.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import * as trend from '#features/trend/trend.contract.ts';
import { aClassOf } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import { addStudent, takeExam } from '#testing/exam.ts';

/** PHQ-9 15 with item 9 at 1; GAD-7 8. */
const highScores = { PHQ9: '2 2 2 2 2 2 1 1 1 1', GAD7: '2 1 1 1 1 1 1' };
const lowScores = { PHQ9: '0 0 1 1 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };

const day = 86_400_000;
async function withReport(forms: Record<string, string> = highScores) {
  const server = await startServer();
  const student = await addStudent(server);
  const { examcode, token } = await takeExam(server, student, forms);
  const { rows } = await server.as('chen')(report.getCUserReportPageList, {});
  const [row] = rows;
  if (!row) throw new Error('no report');
  return { ...server, server, student, examcode, token, row, reportcode: row.reportcode };
}

test('the report of an exam is listed with its indicators and opens in both versions', async () => {
  const { as, row, reportcode, examcode } = await withReport();
  expect(row).toMatchObject({
    examcode,
    username: '林小雨',
    age: 15,
    belongs: '初三 3班',
    overalllevel: 3,
    hasalert: 1,
    isabnormal: 1,
    status: 1,
    isshow: 0,
    valid: 1,
  });
  expect(row.quotas.map(({ quotacode, score, level }) => [quotacode, score, level])).toEqual([
    ['PHQ9.total', 15, 3],
    ['GAD7.total', 8, 1],
  ]);
  const opened = await as('chen')(report.getCUserReport, { reportcode });
  expect(opened.report.planname).toContain('学生');
  expect(opened.staff.sections.map((section) => section.key)).toContain('appendix');
  expect(sentencesOf(opened.staff).some((paragraph) => paragraph.because?.length)).toBe(true);
  expect(sentencesOf(opened.self).at(-1)?.text).toBe(closingParagraphFor({ isChild: false, call: '你' }));
  expect(JSON.stringify(opened.self)).not.toMatch(/because|"alert"|预警/);
  expect(await as('chen')(report.getCUserReport, { examcode })).toMatchObject({ report: { reportcode } });
});

test('the second test of a day is compared with the first', async () => {
  const server = await startServer();
  const student = await addStudent(server);
  await takeExam(server, student, lowScores);
  server.clock.now = new Date(server.clock.now.getTime() + day / 12);
  const { examcode } = await takeExam(server, student, highScores);
  const { staff } = await server.as('chen')(report.getCUserReport, { examcode });
  const compared = staff.sections.find(({ key }) => key === 'compare');
  expect(JSON.stringify(compared)).toContain('2 → 15（↑13，上升）');
});

const caseOf = (content: ReportContent) =>
  content.sections
    .find((section) => section.key === 'overall')
    ?.blocks.find((block) => 'title' in block && block.title === '危机个案');

test('the staff version shows the open case as it stands when it is opened, with its own clocks', async () => {
  const { as, clock, row, reportcode } = await withReport();
  const opened = await as('chen')(report.getCUserReport, { reportcode });
  const detail = await as('chen')(warning.getWarningDetail, { warningcode: row.warningcode });
  const waiting = caseOf(opened.staff);
  expect(waiting).toMatchObject({ type: 'kv' });
  const valueOf = (block: ReturnType<typeof caseOf>, label: string) =>
    block?.type === 'kv' ? block.items.find((item) => item.label === label)?.value : undefined;
  expect(valueOf(waiting, '状态')).toBe('待受理');
  expect(valueOf(waiting, '受理时限')).toBe(`${detail.acceptduetime?.slice(0, 16)}前`);
  expect(valueOf(waiting, '访谈评估时限')).toBe(`${detail.full?.assessduetime?.slice(0, 16)}前`);
  expect(caseOf(opened.self)).toBeUndefined();

  await as('chen')(handling.acceptWarning, { warningcode: row.warningcode });
  const accepted = caseOf((await as('chen')(report.getCUserReport, { reportcode })).staff);
  expect(valueOf(accepted, '状态')).toBe('已受理');
  expect(valueOf(accepted, '负责人')).toBe('陈静怡');
  expect(valueOf(accepted, '受理时限')).toMatch(/^已于.*完成$/);

  clock.now = new Date(clock.now.getTime() + 30 * day);
  const late = caseOf((await as('chen')(report.getCUserReport, { reportcode })).staff);
  expect(valueOf(late, '访谈评估时限')).toMatch(/已超时$/);
});

test('the staff version of a person without a case says so and names no deadline', async () => {
  const { as, row, reportcode } = await withReport(lowScores);
  expect(row.warningcode).toBe('');
  const { staff } = await as('chen')(report.getCUserReport, { reportcode });
  expect(caseOf(staff)).toMatchObject({ type: 'text', text: expect.stringMatching(/没有进行中的个案。$/) as string });
  expect(JSON.stringify(staff)).not.toContain('时限');
});

test('a report of abuse changes what staff read about the family, also in a report that was written before', async () => {
  const { as, services, student, reportcode } = await withReport(lowScores);
  await renderReports(services);
  const suggestions = async () =>
    JSON.stringify(
      (await as('chen')(report.getCUserReport, { reportcode })).staff.sections.find(({ key }) => key === 'suggestion'),
    );
  expect(await suggestions()).toContain('未询问：单独询问，勿邀家人共同参与');
  await as('chen')(handling.insertWarning, {
    cuserid: student.cuserid,
    level: 3,
    content: '学生说在家里被打，手臂有伤',
    signs: ['abuse'],
  });
  expect(await suggestions()).toContain('阳性：单独询问，勿邀家人共同参与');
  expect(await suggestions()).not.toContain('未询问：');
});

test('the first read renders the text of a report, with the facts of the submission', async () => {
  const { as, sqlAsOwner, services, reportcode } = await withReport();
  const state = () => sqlAsOwner('select content is null as unwritten, basis is null as nobasis from report');
  expect(await state()).toEqual([{ unwritten: true, nobasis: false }]);
  const first = await as('chen')(report.getCUserReport, { reportcode });
  await sqlAsOwner("update muser set insname = '改了名的学校' where musercode = 'M_CHENGUANG'");
  const renamed = await as('chen')(report.getCUserReport, { reportcode });
  expect([renamed.staff, renamed.self]).toEqual([first.staff, first.self]);
  expect(await renderReports(services)).toBe(1);
  expect(await renderReports(services)).toBe(0);
  expect(await state()).toEqual([{ unwritten: false, nobasis: true }]);
  const rendered = await as('chen')(report.getCUserReport, { reportcode });
  expect([rendered.staff, rendered.self]).toEqual([first.staff, first.self]);
});

test('the audit log records every read of a report or trend with the person', async () => {
  const { as, sqlAsOwner, student, reportcode, examcode } = await withReport();
  await as('chen')(report.getCUserReport, { reportcode });
  await as('chen')(report.getExamForms, { examcode });
  await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid });
  const auditRows = await sqlAsOwner(
    "select accountid, action, cuserids, minors from audit.log where kind = 'reveal' and accountid = 'U_CHEN' order by id",
  );
  expect(auditRows).toEqual([
    { accountid: 'U_CHEN', action: 'as.m.exam.getCUserReport', cuserids: [student.cuserid], minors: 1 },
    { accountid: 'U_CHEN', action: 'as.m.exam.getExamForms', cuserids: [student.cuserid], minors: 1 },
    { accountid: 'U_CHEN', action: 'as.m.exam.getPHQ9ChartsData', cuserids: [student.cuserid], minors: 1 },
  ]);
});

test('a report cannot be read by another school, the education bureau or a class teacher', async () => {
  const server = await withReport();
  const { as, student, reportcode, examcode } = server;
  await aClassOf(server, [student.cuserid], { teamname: '初三(3)班', owneruserid: 'U_WANG' });
  await expect(as('qiao')(report.getCUserReport, { reportcode })).rejects.toMatchObject({
    code: 130001,
    message: '报告不存在或已删除',
  });
  await expect(as('zhou')(report.getCUserReport, { reportcode })).rejects.toMatchObject({ code: 110004 });
  expect((await as('qiao')(report.getCUserReportPageList, {})).total).toBe(0);
  await expect(as('qiao')(trend.getPHQ9ChartsData, { cuserid: student.cuserid })).rejects.toMatchObject({ code: 130001 });
  // Her right to the crisis screen opens reports to other callers.
  await expect(as('wang')(report.getCUserReport, { reportcode })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(report.getExamForms, { examcode })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(trend.getPHQ9ChartsData, { cuserid: student.cuserid })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(report.getCUserReportPageList, {})).rejects.toMatchObject({ code: 110004 });
});

test('a caller reads single answers only with the right to answers', async () => {
  const { as, student, reportcode } = await withReport();
  // The night duty may read the report without the answers.
  const opened = await as('duty')(report.getCUserReport, { reportcode });
  expect(opened.staff.sections.map((section) => section.key)).not.toContain('appendix');
  const scores = await as('duty')(trend.getPHQ9ChartsData, { cuserid: student.cuserid });
  expect([scores.items, scores.points[0]?.item9, scores.points[0]?.ring]).toEqual([[], null, 1]);
  expect((await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid })).points[0]?.item9).toBe(1);
});

test('a reviewer with an old version gets an error with the texts that another reviewer saved', async () => {
  const { as, clock, reportcode } = await withReport();
  clock.now = new Date('2025-10-09T01:30:00Z');
  expect(
    await as('chen')(report.updateReport, {
      reportcode,
      version: 1,
      conclusion: '近两周情绪低落，已面谈。',
      advice: '一周后复谈',
    }),
  ).toEqual({ version: 2, status: 1 });
  await expect(as('lu')(report.updateReport, { reportcode, version: 1, conclusion: '另一份结论' })).rejects.toMatchObject({
    code: 140002,
    data: { version: 2, conclusion: '近两周情绪低落，已面谈。', advice: '一周后复谈' },
  });
  expect(await as('lu')(report.updateReport, { reportcode, version: 2, status: 2 })).toEqual({ version: 3, status: 2 });
  const after = await as('chen')(report.getCUserReport, { reportcode });
  expect(after).toMatchObject({
    conclusion: '近两周情绪低落，已面谈。',
    reviewer: '陆远',
    reviewtime: '2025-10-09 09:30:00',
    version: 3,
    report: { status: 2 },
  });
  const conclusion = after.staff.sections.find((section) => section.key === 'conclusion');
  expect(conclusion?.blocks).toMatchObject([
    { text: '近两周情绪低落，已面谈。' },
    { text: '一周后复谈' },
    { items: [{ value: '陆远' }, { value: '2025-10-09' }, {}] },
  ]);
  expect(JSON.stringify(after.self)).not.toContain('已面谈');
  await expect(as('duty')(report.updateReport, { reportcode, version: 3, status: 2 })).rejects.toMatchObject({ code: 110004 });
  await expect(as('qiao')(report.updateReport, { reportcode, version: 3, status: 2 })).rejects.toMatchObject({ code: 130001 });
});

test('reports are shown to or hidden from respondents all together or not at all', async () => {
  const { as, withToken, token, student, reportcode } = await withReport(lowScores);
  const own = withToken(token);
  expect(await own(respond.getOwnReports, {})).toEqual([]);
  await expect(
    as('chen')(report.showOrHiddenReport, { reportcodes: [reportcode, 'R0000000999'], isshow: 1 }),
  ).rejects.toMatchObject({ code: 130001 });
  expect(await own(respond.getOwnReports, {})).toEqual([]);
  expect(await as('chen')(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 })).toEqual({
    updated: 1,
    refused: [],
  });
  expect((await own(respond.getOwnReports, {})).map((item) => item.reportcode)).toEqual([reportcode]);
  expect(await as('chen')(report.getReportCount, { cuserids: [student.cuserid, 'C_NOBODY'] })).toEqual([
    { cuserid: student.cuserid, reportcount: 1, showcount: 1 },
    { cuserid: 'C_NOBODY', reportcount: 0, showcount: 0 },
  ]);
  await as('chen')(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 0 });
  expect(await own(respond.getOwnReports, {})).toEqual([]);
});

test('reports are found by level, indicator, date and name initials', async () => {
  const { server, as, clock } = await withReport();
  const other = await addStudent(server, { username: '周明', studentno: '20230302', classname: '4班' });
  clock.now = new Date('2025-10-10T02:00:00Z');
  await takeExam(server, other, lowScores);
  const findNames = async (filters: object) =>
    (await as('chen')(report.getCUserReportPageList, filters)).rows.map((row) => row.username);
  expect(await findNames({})).toEqual(['周明', '林小雨']);
  expect(await findNames({ levels: [3, 4] })).toEqual(['林小雨']);
  expect(
    await findNames({
      quotas: [
        { quotacode: 'PHQ9.total', levels: [0] },
        { quotacode: 'GAD7.total', levels: [0] },
      ],
    }),
  ).toEqual(['周明']);
  expect(await findNames({ begindate: '2025-10-09', enddate: '2025-10-10' })).toEqual(['周明']);
  expect(await findNames({ keyword: 'lxy' })).toEqual(['林小雨']);
  expect(await findNames({ classname: '4班', isabnormal: 0 })).toEqual(['周明']);
  expect(await as('chen')(report.getReportMaxTime, { since: '2025-10-09 00:00:00' })).toEqual({
    maxtime: '2025-10-10 10:04:00',
    newcount: 1,
    withheldcount: 0,
  });
  // The time has no fraction of a second: the newest report is not newer than itself.
  const { maxtime } = await as('chen')(report.getReportMaxTime, {});
  expect(await as('chen')(report.getReportMaxTime, { since: maxtime ?? '' })).toMatchObject({ newcount: 0 });
});
