import fastify from 'fastify';
import { expect, test } from 'vitest';
import { headsOf, templateColumnsOf } from '#contract/workbook/column.ts';
import { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import { studentWorksheet } from '#contract/workbook/student.columns.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { startServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';
import { HEADS, bytesOf, class3, csv, fingerprint } from '#testing/files/classList.ts';

const rosterSize = sizeOf(300, 5000);

test(`a class list of ${rosterSize} rows is imported and undone; a list of 5,001 rows is refused`, async () => {
  const server = await startServer();
  const rows = (count: number) => [
    HEADS,
    ...Array.from({ length: count }, (_, index) => [
      `初${'一二三'[index % 3] as string}${Math.floor(index / 50) + 1}班`,
      `学生${'甲乙丙丁戊己庚辛'[index % 8] as string}`,
      String(100000 + index),
      index % 2 ? '男' : '女',
      `138${String(index).padStart(8, '0')}`,
    ]),
  ];
  const before = await fingerprint(server);
  const staged = await server.as('chen')(roster.checkAssessTeamRoster, {}, csv(rows(rosterSize)));
  expect(Object.keys(staged.verdict.effects)).toHaveLength(rosterSize);
  const result = await server.as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
  expect(result).toMatchObject({ total: rosterSize, success: rosterSize, created: rosterSize });
  expect((await server.as('chen')(cuser.getCUserPageList, {})).total).toBe(rosterSize);
  expect(await server.sqlAsOwner('select sum(membercount)::int as n from assessteam')).toEqual([{ n: rosterSize }]);
  await server.as('chen')(roster.undoImport, { importid: result.importid });
  expect(await fingerprint(server)).toEqual(before);
  await expect(server.as('chen')(roster.checkAssessTeamRoster, {}, csv(rows(5001)))).rejects.toThrow(
    '一次最多导入 5000 行，本文件有 5001 行',
  );
});

test('the error receipt of an import can be downloaded by link for one hour', async () => {
  const server = await startServer();
  const app = fastify();
  serveFiles(app, server.services, () => server.clock.now);
  const invalidFile = csv([HEADS, ['初二3班', '林小雨', '0101', '女', ''], ['初二3班', '', '0102', '男', '']]);
  const refusedImport = await server.as('chen')(roster.importAssessTeamRoster, {}, invalidFile);
  expect(refusedImport).toMatchObject({ success: 0, failed: 1, errorfileurl: expect.stringMatching(/^\/files\?k=/) as string });
  const partialImport = await server.as('chen')(roster.importAssessTeamRoster, { skiperror: '1' }, invalidFile);
  const download = await app.inject(partialImport.errorfileurl);
  expect(download.statusCode).toBe(200);
  const { rows } = await readWorkbook(download.rawPayload, '错误回执.xlsx');
  expect(rows.flat().join()).toContain('姓名');
  expect((await server.as('chen')(roster.importAssessTeamRoster, {}, csv(class3))).errorfileurl).toBe('');
  server.clock.now = new Date(server.clock.now.getTime() + 61 * 60_000);
  expect((await app.inject(partialImport.errorfileurl)).statusCode).toBe(404);
  await app.close();
});

test('a filled-in template can be imported, and an exported team is read back unchanged', async () => {
  const { as } = await startServer();
  for (const [kind, sheet, action] of [
    ['roster', rosterWorksheet, roster.importAssessTeamRoster],
    ['students', studentWorksheet, roster.importZLBCUserFromExcel],
  ] as const) {
    const template = (await as('chen')(roster.exportRosterTemplate, { kind })) as { filename: string; body: unknown };
    const { rows } = await readWorkbook(await bytesOf(template.body), template.filename);
    expect(rows[0]).toEqual(headsOf(sheet));
    const filled = csv(
      [rows[0] as string[], templateColumnsOf(sheet).map((column) => column.example ?? '')],
      template.filename.replace('.xlsx', '.csv'),
    );
    expect(await as('chen')(action, {}, filled)).toMatchObject({ total: 1, success: 1, errors: [] });
  }
  const [createdTeam] = (await as('chen')(team.getAssessTeamPageList, {})).rows;
  const exported = (await as('chen')(team.exportAssessTeamRoster, { teamcode: createdTeam!.teamcode })) as {
    filename: string;
    body: unknown;
  };
  const secondImport = await as('chen')(
    roster.importAssessTeamRoster,
    {},
    { filename: exported.filename, mime: '', content: await bytesOf(exported.body) },
  );
  expect(secondImport).toMatchObject({ total: 1, success: 1, unchanged: 1, created: 0 });
});

test('a student register imports guardians, boarding and the responsible teacher, and refuses an unknown account', async () => {
  const { as } = await startServer();
  const heads = [
    '学号',
    '姓名',
    '性别',
    '学段',
    '年级',
    '班级',
    '是否寄宿',
    '监护人姓名',
    '监护人关系',
    '监护人电话',
    '班主任账号',
  ];
  const line = ['0001', '林小雨', '女', '初中', '2024级', '（3）班', '是', '林建国', '父亲', '13900000000', 'wang'];
  await as('chen')(roster.importZLBCUserFromExcel, {}, csv([heads, line]));
  const [row] = (await as('chen')(cuser.getCUserPageList, {})).rows;
  expect(row).toMatchObject({ belongs: '初二 3班', ownername: '王班主任' });
  const person = await as('chen')(cuser.revealCUser, { cuserid: row!.cuserid });
  expect(person).toMatchObject({
    archive: { gradecode: 'J2', eduphase: '02', boarding: 1 },
    guardian: [{ name: '林建国', relation: '01', phonenumber: '13900000000' }],
  });
  expect(await as('chen')(roster.importZLBCUserFromExcel, {}, csv([heads, line]))).toMatchObject({ unchanged: 1 });
  const wrong = await as('chen')(roster.importZLBCUserFromExcel, {}, csv([heads, line.with(10, 'nemo')]));
  expect(wrong.errors.map((error) => error.message)).toEqual(['第 2 行“班主任账号”没有账号“nemo”，请填写本机构用户的登录账号']);
});

test('a file that is not a class list is refused with a message and adds no rows', async () => {
  const { as, sqlAsOwner } = await startServer();
  await expect(as('chen')(roster.checkAssessTeamRoster, {})).rejects.toThrow('文件不能为空');
  await expect(
    as('chen')(
      roster.checkAssessTeamRoster,
      {},
      csv([
        ['菜名', '价格'],
        ['番茄炒蛋', '12'],
      ]),
    ),
  ).rejects.toMatchObject({ code: 160001 });
  await expect(
    as('chen')(roster.checkAssessTeamRoster, {}, { filename: '名单.xlsx', mime: '', content: Buffer.from('x') }),
  ).rejects.toMatchObject({ code: 160002 });
  expect(await sqlAsOwner('select count(*) as n from job')).toEqual([{ n: 0 }]);
});

test('an uploaded list is stored encrypted', async () => {
  const { as, sqlAsOwner } = await startServer();
  await as('chen')(roster.importAssessTeamRoster, {}, csv([...class3, ['初二（3）班', '错行', '', '', '13800000099']]));
  const [row] = await sqlAsOwner<{ all: string }>("select string_agg(row_to_json(j)::text, '') as all from job j");
  expect(row?.all).not.toMatch(/林小雨|13800000001|13800000099/);
});
