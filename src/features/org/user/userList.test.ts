import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWorkbook } from '#server/workbook/read.ts';
import { exportUserList, insertUser, selectUserList } from '#features/org/user/user.contract.ts';
import { expireStepUp } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

type File = { filename: string; body: Readable };
const sheetOf = async (file: File) => (await readWorkbook(await buffer(file.body), file.filename)).rows;

test('the user export contains profile and roles but no password, and no cell becomes a formula', async () => {
  const { as, sqlAsOwner } = await startServer();
  await as('ma')(insertUser, {
    sysusername: 'sunyue',
    realname: '孙悦',
    phonenumber: '13800000003',
    post: '=HYPERLINK("http://x")',
    roleids: [],
    duty: 1,
  });
  const rows = await sheetOf((await as('ma')(exportUserList, { keyword: '孙悦' })) as File);
  expect(rows[0]?.[0]).toMatch(/导出，共 1 人。含个人信息，请妥善保管$/);
  expect(rows[1]?.slice(0, 6)).toEqual(['机构', '姓名', '登录账号', '部门', '角色', '职务']);
  const [, , sunyue] = rows;
  expect(sunyue?.slice(0, 3)).toEqual(['云栖市晨光中学', '孙悦', 'sunyue']);
  // The export writes text: the reader would report a formula as not calculated.
  expect(sunyue?.[5]).toBe('=HYPERLINK("http://x")');
  expect(sunyue?.slice(7, 8)).toEqual(['13800000003']);
  expect(sunyue?.slice(10, 12)).toEqual(['是', '待首次登录']);
  expect(
    await sqlAsOwner("select detail->>'rows' as rows from audit.log where action = 'as.m.system.user.exportUserList'"),
  ).toEqual([{ rows: '1' }]);
  await expect(as('chen')(exportUserList, {})).rejects.toMatchObject({ code: 110004 });
});

test('the user export needs a recent step-up', async () => {
  const { as, sqlAsOwner } = await startServer();
  await expireStepUp({ sqlAsOwner }, 'U_MA');
  await expect(as('ma')(exportUserList, {})).rejects.toMatchObject({ code: 110007 });
});

test('a provider lists the staff of its institutions read-only with masked telephones, and nobody beyond them', async () => {
  const { as, sqlAsOwner } = await startServer();
  await sqlAsOwner("update sysuser set phonenumber = '13800000004' where userid = 'U_MA'");
  await sqlAsOwner("update role set codes = array_remove(codes, '00055') where rolekey = 'provideradmin'");
  const school = (await as('fang')(selectUserList, { musercode: 'M_CHENGUANG' })).rows;
  expect(school.map((row) => row.userid)).toContain('U_MA');
  expect(school.find((row) => row.userid === 'U_MA')?.phonenumber).toBe('138****0004');
  expect(school.filter((row) => row.manageable)).toEqual([]);
  // Staff of a single institution always read their own, also with another musercode.
  const own = (await as('ma')(selectUserList, {})).rows.map((row) => row.userid);
  expect((await as('ma')(selectUserList, { musercode: 'M_DONGSHAN' })).rows.map((row) => row.userid)).toEqual(own);
  expect((await as('fang')(selectUserList, { musercode: 'M_NOWHERE' })).total).toBe(0);
});

test('the platform and a provider find a member of staff across their institutions, with the institution', async () => {
  const { as } = await startServer();
  const find = async (who: 'super' | 'fang' | 'ma', filters: object) =>
    (await as(who)(selectUserList, { reach: 'all', pageSize: 200, ...filters })).rows.map(
      (row) => `${row.insname} ${row.realname}`,
    );
  expect(await find('super', { keyword: '乔然' })).toEqual(['云栖市东山中学 乔然']);
  expect(await find('fang', { keyword: '陈静怡' })).toEqual(['云栖市晨光中学 陈静怡']);
  expect((await find('fang', {})).sort()).toEqual((await find('super', {})).sort());
  expect(await find('fang', {})).toContain('安澜心理 方敏');
  expect(await find('fang', { musercode: 'M_RENAI' })).toEqual(['云栖市仁爱妇幼保健院 林医生']);
  // Nobody else reaches another institution, and the pages of all institutions do not overlap.
  expect((await find('ma', {})).every((text) => text.startsWith('云栖市晨光中学'))).toBe(true);
  const pages = await Promise.all([1, 2].map((page) => as('super')(selectUserList, { reach: 'all', page, pageSize: 4 })));
  expect(new Set(pages.flatMap(({ rows }) => rows.map((row) => row.userid))).size).toBe(8);
  expect(pages.map(({ total }) => total)).toEqual([10, 10]);
});

test('a part of a masked telephone finds nobody in other institutions; the whole number does', async () => {
  const { as, sqlAsOwner } = await startServer();
  await sqlAsOwner("update sysuser set phonenumber = '13800000004' where userid in ('U_MA', 'U_FANG')");
  await sqlAsOwner("update role set codes = array_remove(codes, '00055') where rolekey = 'provideradmin'");
  const find = async (keyword: string) =>
    (await as('fang')(selectUserList, { reach: 'all', keyword })).rows.map((row) => `${row.realname} ${row.phonenumber}`).sort();
  expect(await find('1380000')).toEqual(['方敏 13800000004']);
  expect(await find('13800000004')).toEqual(['方敏 13800000004', '马主任 138****0004']);
});

test('the export of all institutions names the institution of each user', async () => {
  const { as } = await startServer();
  const rows = await sheetOf((await as('super')(exportUserList, { reach: 'all', keyword: '林医生' })) as File);
  expect(rows[2]?.slice(0, 2)).toEqual(['云栖市仁爱妇幼保健院', '林医生']);
});
