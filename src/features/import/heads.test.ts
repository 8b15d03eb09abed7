import { expect, test } from 'vitest';
import { findClassNumber } from '#contract/workbook/classNumbers.ts';
import { validateTable } from '#contract/workbook/importSheet.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { csv } from '#testing/files/classList.ts';
import { xlsx } from '#testing/files/register.ts';
import { startServer } from '#testing/server.ts';

test.each([
  [
    '学生信息 and 监护人信息 over all heads',
    [
      ['晨光中学 2025 级名单', '', '', '', '', '', '', ''],
      ['学生信息', '', '', '', '', '监护人信息', '', ''],
      ['班级', '姓名', '性别', '学号', '电话', '姓名', '与学生关系', '电话'],
    ],
    3,
  ],
  [
    '监护人信息 over its own heads, and all others two rows high',
    [
      ['班级', '姓名', '性别', '学号', '电话', '监护人信息', '', ''],
      ['', '', '', '', '', '姓名', '关系', '联系电话'],
    ],
    2,
  ],
])('heads of two rows are read as one: %s', async (_, heads, headrow) => {
  const { as } = await startServer();
  const row = ['初一3班', '林小雨', '女', '0001', '', '林建国', '父亲', '13900000001'];
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, await xlsx({ 名单: [...heads, row] }));
  expect(staged.notes).toEqual([
    `表头有两行（第 ${headrow - 1}、${headrow} 行），已合在一起读取：“监护人信息”下的“姓名”读作“监护人姓名”`,
  ]);
  expect(staged.verdict.effects).toEqual({ [headrow + 1]: 'new' });
  await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
  const [person] = (await as('chen')(cuser.getCUserPageList, {})).rows;
  expect(await as('chen')(cuser.revealCUser, { cuserid: person!.cuserid })).toMatchObject({
    username: '林小雨',
    phonenumber: '',
    guardian: [{ name: '林建国', relation: '01', phonenumber: '13900000001' }],
  });
});

test('a title above the heads, and a first row that looks like heads, stay what they are', async () => {
  const { as } = await startServer();
  const list = [['学生及监护人信息'], ['团体名称', '姓名', '学号', '监护人'], ['初一3班', '林小雨', '0001', '林建国']];
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, await xlsx({ 名单: list }));
  expect(staged.notes).toEqual([]);
  expect(staged.rows).toEqual(list);
});

const seats = [
  ['年级', '班级', '姓名', '性别', '班内学号', '出生日期'],
  ['初一', '3班', '林小雨', '女', '7', '2013-01-01'],
  ['初二', '3班', '张小北', '男', '7', '2012-01-01'],
  ['初二', '火箭班', '周宁', '女', '12', '2012-02-02'],
];

test('班内学号 is no student number by itself: the import asks, and makes it unique with the class', async () => {
  const { as } = await startServer();
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, csv(seats));
  const before = validateTable('roster', staged, staged.today);
  const column = findClassNumber(before.columns);
  expect(column).toMatchObject({ head: '班内学号', index: 4, why: '只在班内唯一；名单没有学号时，可与班级合成学号' });
  expect(before.rows.map(({ cells }) => cells['cuserno']?.value)).toEqual([null, null, null]);

  const mapping = ['', '', '', '', 'cuserno', ''];
  const verdict = await as('chen')(roster.saveImportEdits, { importid: staged.importid, mapping });
  expect(verdict.effects).toEqual({ 2: 'new', 3: 'new', 4: 'new' });
  const after = validateTable('roster', { ...staged, mapping }, staged.today);
  expect(findClassNumber(after.columns)).toBeUndefined();
  expect(after.notes).toContain('“班内学号”只在班内唯一，已与班级合成学号，例如 7 成为 20250307；作答时用合成的学号');
  await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
  const { rows } = await as('chen')(cuser.getCUserPageList, {});
  expect(new Map(rows.map(({ username, studentno }) => [username, studentno]))).toEqual(
    new Map([
      ['林小雨', '20250307'],
      ['张小北', '20240307'],
      ['周宁', '2024火箭班12'],
    ]),
  );
});

test('a register of students makes 班内学号 unique too, and never asks when the list has a student number', async () => {
  const { as } = await startServer();
  const staged = await as('chen')(roster.checkZLBCUserFromExcel, {}, csv(seats));
  const mapping = ['', '', '', '', 'studentno', ''];
  const numbers = validateTable('students', { ...staged, mapping }, staged.today).rows.map(
    ({ cells }) => cells['studentno']?.value,
  );
  expect(numbers).toEqual(['20250307', '20240307', '2024火箭班12']);
  const both = seats.map((row, index) => [...row, index === 0 ? '学号' : `000${index}`]);
  expect(findClassNumber(validateTable('roster', { rows: both, mapping: [] }, staged.today).columns)).toBeUndefined();
});
