import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readWorkbook } from '#server/workbook/read.ts';
import * as approval from '#features/approval/approval.contract.ts';
import * as archive from '#features/archive/archive.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { aWoman, setPermission } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const bookOf = async (answer: unknown) => {
  const { filename, body } = answer as { filename: string; body: Readable };
  const content = await buffer(body);
  return { content, book: await readWorkbook(content, filename) };
};
/** The first person of a worksheet, by head. */
const firstPerson = ([, heads = [], cells = []]: readonly (readonly string[])[]) =>
  Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? '']));

const addPupil = ({ as }: Pick<TestServer, 'as'>, username: string, studentno: string, gender: '01' | '02' = '02') =>
  as('chen')(cuser.insertCUser, {
    appid: '000000002',
    username,
    gender,
    birthday: '2011-07-08',
    phonenumber: '13800000001',
    archive: { studentno, eduphase: '02', gradecode: 'J2', gradename: '初二', classname: '3班', leftbehind: 1, dorm: 'A301' },
    guardian: [{ name: '林建国', relation: '01', phonenumber: '13900000001' }],
  });

test('the export of students has the heads of the template, follows the list’s filters and is audited with the persons', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { cuserid, archiveno } = await addPupil(server, '林小雨', '0001');
  await addPupil(server, '张小北', '0002', '01');
  const { book } = await bookOf(await as('chen')(exportCuserList, { gender: '02' }));
  expect(book.rows[0]?.[0]).toBe('陈静怡 于 2025-10-08 10:00:00 导出，学生共 1 人。含个人信息，请妥善保管');
  expect(book.rows).toHaveLength(3);
  expect(firstPerson(book.rows)).toMatchObject({
    受测者编号: cuserid,
    档案号: archiveno,
    学号: '0001',
    姓名: '林小雨',
    性别: '女',
    出生日期: '2011-07-08',
    学段: '初中',
    年级: '初二',
    班级: '3班',
    宿舍: 'A301',
    是否留守: '是',
    联系电话: '13800000001',
    监护人姓名: '林建国',
    监护人关系: '父亲',
    监护人电话: '13900000001',
    所属机构: '云栖市晨光中学',
  });
  expect(
    await sqlAsOwner("select cuserids, detail->>'rows' as rows from audit.log where action = 'as.m.cuser.exportCuserList'"),
  ).toEqual([{ cuserids: [cuserid], rows: '1' }]);
  await expect(as('wang')(exportCuserList, {})).rejects.toMatchObject({ code: 110004 });
});

test('the exported students can be imported again and change nobody', async () => {
  const server = await startServer();
  const { as } = server;
  await addPupil(server, '林小雨', '0001');
  await addPupil(server, '张小北', '0002', '01');
  const { approvalid } = await as('chen')(approval.insertAccessApproval, {
    call: 'as.m.cuser.exportCuserList',
    purpose: '核对学籍信息',
  });
  await expect(as('chen')(exportCuserList, {})).rejects.toMatchObject({ code: 140003, data: { persons: 2, minors: 2 } });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  const { content } = await bookOf(await as('chen')(exportCuserList, { approvalid }));
  const staged = await as('chen')(roster.checkZLBCUserFromExcel, {}, { filename: '受测者.xlsx', mime: '', content });
  expect(Object.values(staged.verdict.effects)).toEqual(['same', 'same']);
});

test('the export of a hospital has the dates of the pregnancy, and a filter of 档案管理 applies', async () => {
  const server = await startServer();
  const { as } = server;
  await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26', checkupno: 'RA77001', highrisk: '1' } });
  await aWoman(server, { username: '何静', archive: { edcdate: '2026-05-01' } });
  const { book } = await bookOf(await as('lin')(exportCuserList, { appid: '000000001', highrisk: 1 }));
  expect(book.rows).toHaveLength(3);
  expect(firstPerson(book.rows)).toMatchObject({ 姓名: '苏晓', 末次月经: '2025-03-26', 建册号: 'RA77001', 是否高危: '是' });
  const early = await as('lin')(archive.getCUserArchivePageList, { stagecode: 'YC01' });
  expect((await bookOf(await as('lin')(exportCuserList, { stagecode: 'YC01' }))).book.rows).toHaveLength(2 + early.total);
});

test('all populations have a worksheet each', async () => {
  const { as } = await startServer();
  for (const [appid, username] of [
    ['000000003', '赵护士'],
    ['000000004', '钱奶奶'],
  ] as const)
    await as('lin')(cuser.insertCUser, { appid, username, gender: '02', birthday: '1960-01-01', archive: {}, guardian: [] });
  const { book } = await bookOf(await as('lin')(exportCuserList, {}));
  const sheets = [book, ...(book.others ?? [])];
  expect(sheets.map((sheet) => [sheet.sheetname, firstPerson(sheet.rows)['人群'], firstPerson(sheet.rows)['姓名']])).toEqual([
    ['高压职业', '高压职业', '赵护士'],
    ['中老年', '中老年', '钱奶奶'],
  ]);
});

test('without the right 00055 names are masked and sensitive fields are not in the file', async () => {
  const server = await startServer();
  const { as } = server;
  await addPupil(server, '林小雨', '0001');
  await setPermission(server, 'U_CHEN', '00055', 'deny');
  const person = firstPerson((await bookOf(await as('chen')(exportCuserList, {}))).book.rows);
  expect(person).toMatchObject({ 姓名: '林**', 联系电话: '138****0001', 监护人姓名: '林**', 出生日期: '' });
  expect(person).not.toHaveProperty('是否留守');
});

test('the exported women and employees can be imported again with templates B and C and change nobody', async () => {
  const { as } = await startServer();
  const person = { gender: '02' as const, birthday: '1995-03-02', phonenumber: '13800000001' };
  const women = { ...person, appid: '000000001', username: '苏晓', archive: { lmpdate: '2025-03-26', edcdate: '2025-12-31' } };
  const staff = { ...person, appid: '000000003', username: '赵护士', archive: { employeeno: 'A1', jobtype: '01', shiftwork: 1 } };
  await as('lin')(cuser.insertCUser, women);
  await as('lin')(cuser.insertCUser, staff);
  for (const [appid, check] of [
    ['000000001', roster.checkZNBCUserFromExcel],
    ['000000003', roster.checkZABCUserFromExcel],
  ] as const) {
    const { content } = await bookOf(await as('lin')(exportCuserList, { appid }));
    const staged = await as('lin')(check, {}, { filename: '受测者.xlsx', mime: '', content });
    expect(Object.values(staged.verdict.effects)).toEqual(['same']);
  }
});
