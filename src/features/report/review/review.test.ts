import { expect, test } from 'vitest';
import * as identity from '#features/identity/identity.contract.ts';
import { renderReports } from '#features/report/renderReport.ts';
import * as ai from '#features/report/list/aiReport.contract.ts';
import * as report from '#features/report/report.contract.ts';
import * as review from '#features/report/review/review.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { aStudent } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const calm = { PHQ9: '0 0 1 1 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
const high = { PHQ9: '2 2 2 2 2 2 3 3 0 0', GAD7: '0 0 0 0 0 0 0' };
const selfHarm = { PHQ9: '0 0 0 0 0 0 0 0 1 0', GAD7: '0 0 0 0 0 0 0' };

/** The report of a new student with these answers. */
async function aReport(server: TestServer, username: string, studentno: string, forms: Record<string, string> = calm) {
  const student = await aStudent(server, { username, studentno });
  const { examcode, token } = await takeExam(server, student, forms);
  const { rows } = await server.as('chen')(report.getCUserReportPageList, { cuserid: student.cuserid });
  return { student, examcode, token, reportcode: rows[0]?.reportcode ?? '' };
}

test('a bulk review takes calm reports and leaves the others with the reason, to be read one by one', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const lin = await aReport(server, '林小雨', '20230301');
  const zhou = await aReport(server, '周明', '20230302', high);
  const he = await aReport(server, '何静', '20230303', selfHarm);
  const preview = await chen(review.getReportBatch, { status: 1, orderby: 'submittime', isasc: '1' });
  expect(preview.total).toBe(3);
  expect(preview.rows.map(({ username, reviewobstacle }) => [username, reviewobstacle])).toEqual([
    ['林小雨', ''],
    ['周明', '综合等级较高，请逐份审核'],
    ['何静', '有关键条目预警，请逐份审核'],
  ]);
  const reports = preview.rows.map(({ reportcode, version }) => ({ reportcode, version }));
  expect(await chen(review.reviewReports, { reports })).toEqual({
    reviewed: 1,
    refused: [
      { reportcode: zhou.reportcode, username: '周明', why: '综合等级较高，请逐份审核' },
      { reportcode: he.reportcode, username: '何静', why: '有关键条目预警，请逐份审核' },
    ],
  });
  expect(await chen(report.getCUserReport, { reportcode: lin.reportcode })).toMatchObject({
    reviewer: '陈静怡',
    version: 2,
    report: { status: 2 },
  });
  expect((await chen(review.getReportBatch, { status: 1 })).total).toBe(2);
});

test('a bulk review leaves out a report that another person changed after the preview', async () => {
  const server = await startServer();
  const { reportcode } = await aReport(server, '林小雨', '20230301');
  await server.as('lu')(report.updateReport, { reportcode, version: 1, conclusion: '已面谈' });
  expect(await server.as('chen')(review.reviewReports, { reports: [{ reportcode, version: 1 }] })).toEqual({
    reviewed: 0,
    refused: [{ reportcode, username: '林小雨', why: '内容刚被他人修改，请打开查看' }],
  });
});

test('a report with an AI text without a review stays hidden from its person and is reviewed alone', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const { reportcode } = await aReport(server, '林小雨', '20230301');
  await server.sqlAsOwner('update report set aistatus = 2');
  expect((await chen(review.getReportBatch, {})).rows[0]).toMatchObject({
    reviewobstacle: 'AI文字待审核，请逐份审核',
    showobstacle: 'AI文字尚未审核',
  });
  expect(await chen(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 })).toEqual({
    updated: 0,
    refused: [{ reportcode, username: '林小雨', why: 'AI文字尚未审核' }],
  });
  await chen(report.updateReport, { reportcode, version: 1, status: 2 });
  expect((await chen(report.getCUserReport, { reportcode })).report.aistatus).toBe(3);
  expect(await chen(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 })).toEqual({ updated: 1, refused: [] });
});

test('every version of a report stays readable, with its writer and with the persons who read it', async () => {
  const server = await startServer();
  const { as, withToken, clock } = server;
  const { reportcode, token } = await aReport(server, '林小雨', '20230301');
  const chen = as('chen');
  await chen(report.getCUserReport, { reportcode });
  await chen(report.updateReport, { reportcode, version: 1, conclusion: '第一稿', status: 2 });
  await chen(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 });
  await withToken(token)(respond.getOwnReport, { reportcode });
  clock.now = new Date(clock.now.getTime() + 3_600_000);
  await as('lu')(report.updateReport, { reportcode, version: 2, conclusion: '第二稿' });
  await as('lu')(report.getCUserReport, { reportcode });

  const { versions, views } = await chen(review.getReportHistory, { reportcode });
  expect(versions.map(({ version, kind, username, conclusion }) => [version, kind, username, conclusion])).toEqual([
    [3, 'written', '陆远', '第二稿'],
    [2, 'reviewed', '陈静怡', '第一稿'],
    [1, 'made', '', ''],
  ]);
  expect(views.map(({ who, version }) => [who, version]).sort()).toEqual(
    [
      ['陈静怡', 1],
      ['受测者本人', 2],
      ['陆远', 3],
    ].sort(),
  );
  const second = await chen(report.getCUserReport, { reportcode, version: 2 });
  expect(second).toMatchObject({ version: 2, conclusion: '第一稿', reviewer: '陈静怡', correctedtime: null });
  expect(JSON.stringify(second.staff)).toContain('第一稿');
  // Changed words wait for a review again.
  expect(await chen(report.getCUserReport, { reportcode })).toMatchObject({ version: 3, reviewer: '', report: { status: 1 } });
  await expect(chen(report.getCUserReport, { reportcode, version: 9 })).rejects.toMatchObject({ code: 130001 });
});

test('every version of a report has the rule text of its own time, also after the rules have changed', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const { reportcode } = await aReport(server, '林小雨', '20230301');
  await server.sqlAsOwner("update report set createtime = now() - interval '1 hour'");
  expect(await renderReports(server.services)).toBe(1);
  // The same report, written by the rules of an earlier release.
  await server.sqlAsOwner(
    "update report set content = replace(content::text, '测评的目的是帮助', '旧规则：帮助')::jsonb || '{\"engine\": \"rules@1.0.0\"}'",
  );
  await chen(report.updateReport, { reportcode, version: 1, conclusion: '第一稿', status: 2 });
  for (const version of [1, 2]) {
    const { staff } = await chen(report.getCUserReport, { reportcode, version });
    expect(staff.engine).toBe('rules@1.0.0');
    expect(JSON.stringify(staff)).toContain('旧规则：帮助');
  }
});

test('a report whose sheet moved shows the old text as 已更正', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const { reportcode, examcode } = await aReport(server, '林小雨', '20230301');
  // He has agreed to the screening, so the moved report is not withheld.
  const { student: zhou } = await aReport(server, '周明', '20230302');
  await chen(report.updateReport, { reportcode, version: 1, conclusion: '写给林小雨的结论' });
  await chen(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason: '核对座位表，答题时两人坐错了位置' });
  const { versions } = await chen(review.getReportHistory, { reportcode });
  expect(versions.map(({ version, kind, isformer }) => [version, kind, isformer])).toEqual([
    [3, 'corrected', 0],
    [2, 'written', 1],
    [1, 'made', 1],
  ]);
  const former = await chen(report.getCUserReport, { reportcode, version: 2 });
  expect(former.correctedtime).not.toBeNull();
  expect(JSON.stringify(former.staff)).toMatch(/林小雨.*写给林小雨的结论/);
  const present = await chen(report.getCUserReport, { reportcode });
  expect(JSON.stringify(present)).not.toContain('林小雨');
  expect(present).toMatchObject({ version: 3, conclusion: '', correctedtime: null });
});

test('old versions keep no words of staff about an anonymised person, and go with an erased report', async () => {
  const server = await startServer();
  const { reportcode, student } = await aReport(server, '林小雨', '20230301');
  await server.as('chen')(report.updateReport, { reportcode, version: 1, conclusion: '已面谈', advice: '两周后复谈' });
  await server.sqlAsOwner('update cuser set anonymizedtime = now() where cuserid = $1', [student.cuserid]);
  expect(await server.sqlAsOwner('select conclusion, advice from reportversion')).toEqual([{ conclusion: '', advice: '' }]);
  const { staff, self } = await server.as('chen')(report.getCUserReport, { reportcode });
  expect(JSON.stringify([staff, self])).not.toContain('林小雨');
  await server.sqlAsOwner('select access.erase_answers($1, false, now())', [student.cuserid]);
  expect(await server.sqlAsOwner('select version from reportversion')).toEqual([]);
});

test('AI个体报告 lists AI reports and reports with an AI text, 孕产妇1.0 its own type', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const plain = await aReport(server, '林小雨', '20230301');
  await server.sqlAsOwner("update plan set reportmode = '02' where plancode = 'P900002'");
  const own = await aReport(server, '周明', '20230302');
  const namesIn = async (request: object) =>
    (await chen(ai.getAsai1UserReportPageList, request)).rows.map(({ username }) => username);
  expect(await namesIn({})).toEqual(['周明']);
  await server.sqlAsOwner('update report set aistatus = 2, aitime = now() where reportcode = $1', [plain.reportcode]);
  expect((await namesIn({})).sort()).toEqual(['周明', '林小雨'].sort());
  expect(await namesIn({ aistatus: 2 })).toEqual(['林小雨']);
  expect(await namesIn({ reporttype: '03' })).toEqual([]);
  await server.sqlAsOwner("update report set reporttype = '03' where reportcode = $1", [own.reportcode]);
  expect(await namesIn({ reporttype: '03' })).toEqual(['周明']);
  expect((await chen(report.getReportMaxTime, { reporttype: '02', since: '2020-01-01 00:00:00' })).newcount).toBe(1);
});

test('the indicator filter of the address bar joins its conditions with “and”', async () => {
  const server = await startServer();
  await aReport(server, '林小雨', '20230301');
  await aReport(server, '周明', '20230302', high);
  const namesIn = async (quotas: string | string[]) =>
    (await server.as('chen')(report.getCUserReportPageList, { quotas } as never)).rows.map(({ username }) => username);
  expect(await namesIn('PHQ9.total:3,4')).toEqual(['周明']);
  expect(await namesIn(['PHQ9.total:0', 'GAD7.total:0'])).toEqual(['林小雨']);
  expect(await namesIn(['PHQ9.total:3', 'GAD7.total:1'])).toEqual([]);
});
