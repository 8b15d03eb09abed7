import { expect, test } from 'vitest';
import { generateAiReport, saveAiConsent } from '#features/aireport/aireport.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { mergeCUser } from '#features/merge/merge.contract.ts';
import { getCUserReport, getCUserReportPageList, showOrHiddenReport, updateReport } from '#features/report/report.contract.ts';
import { getReportBatch, reviewReports } from '#features/report/review/review.contract.ts';
import { exportReportPdf } from '#features/reportpdf/reportpdf.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { insertAssessTeamCUser } from '#features/team/team.contract.ts';
import { anonymizeLin } from '#testing/factories.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const lin = {
  appid: '000000002',
  username: '林小雨',
  gender: '02' as const,
  birthday: '2011-07-08',
  phonenumber: '10000001234',
  archive: { studentno: '20230301', gradename: '初二', classname: '3班', dorm: '3-201' },
  guardian: [{ name: '林建国', relation: '01' as const, phonenumber: '10000005678' }],
};

/** The tables with a row in which one of these words stands in any column. */
async function findTables({ sqlAsOwner }: TestServer, words: readonly string[]): Promise<string[]> {
  const tables = await sqlAsOwner<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'auth') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sqlAsOwner(`select from ${name} t where t::text like any ($1) limit 1`, [
      words.map((word) => `%${word}%`),
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** 林小雨 has answered, has a report with words of staff, and an older record that was merged into hers. */
async function answered(server: TestServer) {
  const { as } = server;
  const { teamcode } = await addClass(server, { teamname: '初二3班', names: [] });
  const { cuserid } = await as('chen')(insertCUser, lin);
  const old = await as('chen')(insertCUser, { ...lin, archive: { ...lin.archive, studentno: '20190077' } });
  await as('chen')(mergeCUser, { cuserid: old.cuserid, tocuserid: cuserid, reason: '林小雨转班时重复建档' });
  await as('chen')(insertAssessTeamCUser, { teamcode, cuserids: [cuserid] });
  await as('chen')(insertAssessTask, screening([teamcode]));
  const { examcode } = await answerTask(server, { cuserid, username: lin.username, studentno: '20230301' });
  const { report } = await as('chen')(getCUserReport, { examcode });
  const { reportcode } = report;
  await as('chen')(updateReport, { reportcode, version: 1, conclusion: '林小雨近来睡得不好', advice: '请林建国陪伴就医' });
  return { cuserid, examcode, reportcode };
}

test('after 匿名化 no table has the name, number, telephone or birthday of the person, nor those of a merged record', async () => {
  const server = await startServer();
  const { cuserid, examcode } = await answered(server);
  const words = ['林小雨', '林建国', '20230301', '20190077', '10000001234', '10000005678', '2011-07-08', '3-201'];
  expect(await findTables(server, words)).toEqual(
    expect.arrayContaining(['public.cuser', 'public.cuserarchive', 'public.report']),
  );
  await anonymizeLin(server, cuserid);
  expect(await findTables(server, words)).toEqual([]);

  const forms = await server.sqlAsOwner('select answers, raw from examform where examcode = $1', [examcode]);
  expect(forms).toMatchObject(forms.map(() => ({ answers: {}, raw: { itemscores: {}, scores: expect.anything() as object } })));
  const [exam] = await server.sqlAsOwner<{ age: number; classname: string }>(
    'select age, classname from examrecord where examcode = $1',
    [examcode],
  );
  expect(exam).toEqual({ age: 14, classname: '3班' });
  expect(await server.sqlAsOwner('select from examresult where examcode = $1', [examcode])).not.toHaveLength(0);
});

test('the report of an anonymised person says that its text was deleted, and is neither printed nor edited', async () => {
  const server = await startServer();
  const { as } = server;
  const { cuserid, reportcode } = await answered(server);
  await anonymizeLin(server, cuserid);
  expect((await as('chen')(getCUserReportPageList, {})).rows).toMatchObject([{ reportcode, username: '已删除' }]);
  const read = await as('chen')(getCUserReport, { reportcode });
  expect(read).toMatchObject({ conclusion: '', advice: '', staff: { sections: [{ title: '报告内容已删除' }] } });
  await expect(as('chen')(exportReportPdf, { reportcode, audience: 'staff' })).rejects.toMatchObject({
    code: 140001,
    message: '报告内容已删除，不能打印或导出',
  });
  const changes = { reportcode, version: read.version, conclusion: '林小雨' };
  await expect(as('chen')(updateReport, changes)).rejects.toMatchObject({ message: '报告内容已删除，不能修改' });
});

test('the report of an anonymised person is not reviewed, not shown to the person and not rewritten by AI', async () => {
  const server = await startServer();
  const { as } = server;
  const { cuserid, reportcode } = await answered(server);
  await anonymizeLin(server, cuserid);
  const { rows } = await as('chen')(getReportBatch, { reportcodes: [reportcode] });
  expect(rows).toMatchObject([{ reportcode, reviewobstacle: '报告内容已删除', showobstacle: '报告内容已删除' }]);
  const refused = [{ reportcode, username: '已删除', why: '报告内容已删除' }];
  const reports = [{ reportcode, version: rows[0]?.version ?? 0 }];
  expect(await as('chen')(reviewReports, { reports })).toEqual({ reviewed: 0, refused });
  expect(await as('chen')(showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 })).toEqual({ updated: 0, refused });
  await expect(as('chen')(updateReport, { reportcode, version: reports[0]?.version ?? 0, status: 2 })).rejects.toMatchObject({
    code: 140001,
    message: '报告内容已删除，不能修改',
  });
  await as('ma')(saveAiConsent, { allowed: 1 });
  await expect(as('chen')(generateAiReport, { reportcode })).rejects.toMatchObject({
    code: 140001,
    message: '报告内容已删除，不能生成 AI 文字',
  });
});
