import { expect, test } from 'vitest';
import { validateTable } from '#contract/workbook/importSheet.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { csv } from '#testing/files/classList.ts';
import { registerRows, xlsx } from '#testing/files/register.ts';
import { startServer } from '#testing/server.ts';

const byName = <T extends { username: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.username, row]));

test('the export of the national student register imports as it is, with classes, guardians and boarding', async () => {
  const { as } = await startServer();
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, await xlsx({ 学生基本信息: registerRows }));
  expect(staged.verdict.remarks).toEqual([]);
  expect(staged.verdict.teams.map((item) => [item.teamname, item.count])).toEqual([
    ['初一（1）班', 2],
    ['初二（2）班', 1],
  ]);
  await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
  const persons = byName((await as('chen')(cuser.getCUserPageList, {})).rows);
  expect(persons.get('林小雨')).toMatchObject({ belongs: '初一 1班', studentno: 'L0000000001' });
  const lin = await as('chen')(cuser.revealCUser, { cuserid: persons.get('林小雨')!.cuserid });
  expect(lin).toMatchObject({
    birthday: '2013-09-08',
    archive: { gradecode: 'J1', boarding: 1, leftbehind: 1 },
    guardian: [
      { name: '林建国', relation: '01', phonenumber: '13900000002' },
      { name: '王秀英', relation: '03', phonenumber: '13900000001' },
    ],
  });
  const zhou = await as('chen')(cuser.revealCUser, { cuserid: persons.get('周宁')!.cuserid });
  expect(zhou).toMatchObject({ archive: { boarding: 0, leftbehind: 0 }, guardian: [{ name: '周强', relation: '01' }] });
});

test('the same export imports as a register of students; the phase follows from the grade', async () => {
  const { as } = await startServer();
  const result = await as('chen')(roster.importZLBCUserFromExcel, {}, await xlsx({ 学生基本信息: registerRows }));
  expect(result).toMatchObject({ total: 3, success: 3, created: 3, errors: [] });
  const { rows } = await as('chen')(cuser.getCUserPageList, { keyword: '周宁' });
  expect(await as('chen')(cuser.revealCUser, { cuserid: rows[0]!.cuserid })).toMatchObject({
    archive: { eduphase: '02', gradecode: 'J2', classname: '2班' },
  });
});

test('the server does not keep what an import does not take: health, address, and of the ID number only the birthday', async () => {
  const { as } = await startServer();
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, await xlsx({ 学生基本信息: registerRows }));
  expect(JSON.stringify(staged.rows)).not.toMatch(/健康"|幸福路|1-汉族|"110101201309080041"/);
  expect(staged.rows[2]).toContain('******20130908****');
});

test('a birthday that differs from the ID number, or does not fit the grade, is remarked at the row', async () => {
  const { as } = await startServer();
  const heads = ['姓名', '性别', '出生日期', '身份证号', '年级', '班级', '学号'];
  const upload = csv([
    heads,
    ['林小雨', '女', '20130908', '110101201309090041', '初一', '1班', '0001'],
    ['张小北', '男', '19990102', '', '初一', '1班', '0002'],
    ['周宁', '女', '20130304', '', '初二', '七(1)班', '0003'],
  ]);
  const { checked, verdict } = await checkedBy(as, upload);
  expect(verdict.effects).toEqual({ 2: 'new', 3: 'new', 4: 'new' });
  expect(checked.warnings.map(({ message }) => message)).toEqual([
    '第 2 行“出生日期”证件号中的出生日期是 2013-09-09，与这里不同，请核对',
    '第 3 行“出生日期”按出生日期是 26 岁，与“初一”不符，请核对',
    '第 4 行“班级”写的是“初一”，与年级“初二”不同，请核对；未改时年级按“初二”，班级按“七(1)班”',
  ]);
});

test('one worksheet a class becomes one list, and the name of the sheet is the class', async () => {
  const { as } = await startServer();
  const heads = ['学号', '姓名', '性别'];
  const staged = await as('chen')(
    roster.checkAssessTeamRoster,
    {},
    await xlsx({
      '初一（1）班': [heads, ['0001', '林小雨', '女']],
      '初一（2）班': [heads.toReversed(), ['男', '张小北', '0002'], ['男', '周宁', '0003']],
      统计: [
        ['项目', '数'],
        ['总数', 3],
      ],
    }),
  );
  expect(staged.notes).toEqual([
    '已合并 2 张工作表：“初一（1）班”（第 2–2 行）、“初一（2）班”（第 3–4 行）',
    '工作表“统计”没有姓名列，没有读取',
    '名单中没有班级，用工作表的名称作为班级，例如“初一（1）班”',
  ]);
  expect(staged.verdict.teams.map((item) => [item.teamname, item.count])).toEqual([
    ['初一（1）班', 1],
    ['初一（2）班', 2],
  ]);
});

test('a class that exists under another spelling is the same class', async () => {
  const { as } = await startServer();
  await as('chen')(
    roster.importAssessTeamRoster,
    {},
    csv([
      ['团体名称', '姓名', '学号', '性别'],
      ['初一3班', '林小雨', '0001', '女'],
    ]),
  );
  const staged = await as('chen')(
    roster.checkAssessTeamRoster,
    {},
    csv([
      ['年级', '班级', '姓名', '学号', '性别'],
      ['七年级', '3', '张小北', '0002', '男'],
      ['初一', '703', '周宁', '0003', '女'],
    ]),
  );
  expect(staged.verdict.teams).toMatchObject([{ teamname: '初一3班', existing: true, count: 2 }]);
});

test('lines with a sum or a signature are no persons, and a short number among long ones is remarked', async () => {
  const { as } = await startServer();
  const rows = Array.from({ length: 8 }, (_, index) => [
    '初一1班',
    `学生${'甲乙丙丁戊己庚辛'[index] as string}`,
    `2025000${index}`,
    '男',
  ]);
  const { checked, verdict } = await checkedBy(
    as,
    csv([
      ['团体名称', '姓名', '学号', '性别'],
      ...rows.with(3, ['初一1班', '学生丁', '203', '男']),
      ['合计', '', '', '8 人'],
      ['制表人：王老师', '', '', ''],
    ]),
  );
  expect(Object.keys(verdict.effects)).toHaveLength(8);
  expect(checked.notes).toEqual(['第 10、11 行是“合计”一类的行，不是人员，未导入']);
  expect(checked.warnings.map(({ row, message }) => [row, message])).toContainEqual([
    5,
    '第 5 行“学号/工号”只有 3 位，同列多为 8 位，请核对',
  ]);
});

test('a child without a number is imported with a word about how it signs in', async () => {
  const { as } = await startServer();
  const { verdict } = await checkedBy(
    as,
    csv([
      ['团体名称', '姓名', '性别', '出生日期'],
      ['初一1班', '林小雨', '女', '2013-01-01'],
      ['初一1班', '张小北', '男', ''],
    ]),
  );
  expect(verdict.remarks).toMatchObject([
    { row: 2, kind: 'warning', message: '没有学号，作答时用姓名、班级和出生日期进入' },
    { row: 3, kind: 'warning', message: expect.stringContaining('没有学号，也没有出生日期') as string },
  ]);
});

test('an import from inside a class needs no column for the class, and remarks a row of another class', async () => {
  const { as } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, {
    teamname: '初一（1）班',
    teamtype: '01',
    appid: '000000002',
    year: '2025-2026',
    gradename: '初一',
  });
  const staged = await as('chen')(
    roster.checkAssessTeamRoster,
    { teamcode },
    csv([
      ['姓名', '学号', '性别'],
      ['林小雨', '0001', '女'],
      ['张小北', '0002', '男'],
    ]),
  );
  expect(staged.verdict).toMatchObject({ remarks: [], teams: [{ teamname: '初一（1）班', existing: true, count: 2 }] });
  await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
  expect((await as('chen')(cuser.getCUserPageList, {})).rows.map((row) => row.belongs)).toEqual(['初一 1班', '初一 1班']);
  const other = await as('chen')(
    roster.checkAssessTeamRoster,
    { teamcode },
    csv([
      ['姓名', '学号', '性别', '班级'],
      ['周宁', '0003', '女', '初二2班'],
    ]),
  );
  expect(other.verdict.remarks).toMatchObject([{ row: 2, message: '表中写的是“初二（2）班”，将加入“初一（1）班”，请核对' }]);
});

/** Uploads a list and checks it as the browser does. */
async function checkedBy(as: Awaited<ReturnType<typeof startServer>>['as'], upload: ReturnType<typeof csv>) {
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, upload);
  return { ...staged, checked: validateTable('roster', staged, staged.today) };
}
