import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { headsOf } from '#contract/workbook/column.ts';
import { validateTable } from '#contract/workbook/importSheet.ts';
import { staffWorksheet } from '#contract/workbook/staff.columns.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { MESSAGE_HEAD } from '#server/workbook/write.ts';
import { entryOfKey } from '#contract/menuTree.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { login } from '#features/session/session.contract.ts';
import { getImport } from '#features/team/roster/roster.contract.ts';
import { insertRole } from '#features/access/role/role.contract.ts';
import { giveRole } from '#testing/factories.ts';
import { bytesOf, csv } from '#testing/files/classList.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';
import { startServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';
import * as dept from '#features/org/dept/dept.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import * as sheet from '#features/org/import/staffImport.contract.ts';

const HEADS = ['登录账号', '姓名', '部门', '角色', '联系电话', '接收预警'];
const zhao = ['zhaoyi', '赵一', '心理健康中心', '心理教师/医生', '13800000001', '是'];
const li = ['lisi', '李四', '', '班主任、心理教师/医生', '', ''];
const wrongRow = ['chen', '钱二', '没有的部门', '平台管理员', '', ''];

/** 晨光中学 with a 心理健康中心, and its administrator 马校长. */
async function startSchool() {
  const server = await startServer();
  const ma = server.as('ma');
  await ma(dept.insertDept, { parentid: 0, deptname: '心理健康中心' });
  return { server, ma, staff: async () => (await ma(user.selectUserList, { pageSize: 200 })).rows };
}
type School = Awaited<ReturnType<typeof startSchool>>;
const importStaff = async ({ ma }: School, rows: string[][] = [zhao, li]) => {
  const { importid } = await ma(sheet.checkUserSheet, {}, csv([HEADS, ...rows]));
  return ma(sheet.commitUserImport, { importid, skiperror: '1' });
};

test('a valid staff list creates accounts with department, roles and duty, each with its own one-time password', async () => {
  const school = await startSchool();
  const { server, ma } = school;
  const staged = await ma(sheet.checkUserSheet, {}, csv([HEADS, zhao, li]));
  expect(staged.verdict).toEqual({ remarks: [], effects: { 2: 'new', 3: 'new' } });
  expect(await ma(user.selectUserList, { keyword: '赵一' })).toMatchObject({ total: 0 });
  const result = await ma(sheet.commitUserImport, { importid: staged.importid });
  expect(result).toMatchObject({
    total: 2,
    success: 2,
    failed: 0,
    errors: [],
    errorfileurl: '',
    undountil: '2025-10-09 10:00:00',
  });
  expect(result.created.map((item) => [item.row, item.realname, item.sysusername])).toEqual([
    [2, '赵一', 'zhaoyi'],
    [3, '李四', 'lisi'],
  ]);
  const rows = await school.staff();
  expect(rows.find((row) => row.realname === '赵一')).toMatchObject({
    deptname: '心理健康中心',
    rolenames: ['心理教师/医生'],
    phonenumber: '13800000001',
    duty: 1,
    state: 'waiting',
  });
  expect([...(rows.find((row) => row.realname === '李四')?.rolenames ?? [])].sort()).toEqual(['心理教师/医生', '班主任']);
  const [first, second] = result.created.map((item) => item.onetime);
  expect(first).not.toBe(second);
  // The process builds the list of common passwords once; on a busy machine this takes a while.
  await isCommonPassword(md5(''));
  const session = await signIn(server, 'zhaoyi', first as string);
  expect(session.mustchangepwd).toBe(true);
  await expect(signIn(server, 'zhaoyi', first as string)).rejects.toMatchObject({ code: 110015 });
  await server.withToken(session.token)(updateMUser, { musercode: 'M_CHENGUANG', pwd: md5('Own-zhaoyi-9!') });
  expect((await signIn(server, 'zhaoyi', 'Own-zhaoyi-9!')).mustchangepwd).toBe(false);
  await expect(signIn(server, 'lisi', first as string)).rejects.toMatchObject({ code: 110001 });
});

test('a staff list shows every error at its cell, also several in one row, and the marked file shows the same errors', async () => {
  const { server, ma } = await startSchool();
  const { deptid } = await ma(dept.insertDept, { parentid: 0, deptname: '初中部' });
  const { deptid: high } = await ma(dept.insertDept, { parentid: 0, deptname: '高中部' });
  for (const parentid of [deptid, high]) await ma(dept.insertDept, { parentid, deptname: '教学部' });
  const rows = [
    wrongRow,
    ['赵一', '赵一', '教学部', '心理老师', '', ''],
    ['SunSan', '孙三', '初中部/教学部', '班主任', '', ''],
    ['sunsan', '周五', '', '班主任', '', ''],
    ['qiao', '', '', '班主任', '138', '也许'],
    ['wuliu', '陈静怡', '', '班主任', '', ''],
  ];
  await server.sqlAsOwner("update sysuser set realname = '陈静怡' where userid = 'U_CHEN'");
  const { importid, verdict } = await ma(sheet.checkUserSheet, {}, csv([HEADS, ...rows]));
  expect(verdict.remarks.map(({ row, key, kind, message }) => [row, key, kind, message])).toEqual([
    [2, 'sysusername', 'error', '该账号已存在：本机构用户“陈静怡”'],
    [2, 'deptname', 'error', '没有部门“没有的部门”，请先在部门管理中新增'],
    [2, 'rolenames', 'error', '没有角色“平台管理员”，可填写：机构管理员、心理教师/医生、班主任、预警值守、护士'],
    [3, 'sysusername', 'error', '登录账号为 2–32 位字母、数字或 _ . - @'],
    [3, 'deptname', 'error', '有 2 个部门叫“教学部”，请连同上级部门填写，如“初中部/教学部”'],
    [3, 'rolenames', 'error', expect.stringMatching(/^没有角色“心理老师”，可填写：.*心理教师\/医生/)],
    [4, 'sysusername', 'error', '与第 5 行的账号相同（不区分大小写）'],
    [5, 'sysusername', 'error', '与第 4 行的账号相同（不区分大小写）'],
    [6, 'sysusername', 'error', '该账号已存在，请换一个'],
    [7, 'realname', 'warning', expect.stringMatching(/^本机构已有同名用户（账号 chen/)],
  ]);
  expect(verdict.effects).toEqual({ 7: 'new' });
  await expect(ma(sheet.commitUserImport, { importid })).rejects.toMatchObject({ code: 160003 });
  const refused = await ma(sheet.importUser, {}, csv([HEADS, ...rows]));
  expect(refused).toMatchObject({ total: 6, success: 0, failed: 5, created: [], undountil: '' });
  expect(refused.errors.filter((error) => error.row === 6).map((error) => error.field)).toEqual([
    '姓名',
    '联系电话',
    '接收预警',
    '登录账号',
  ]);

  const app = fastify();
  serveFiles(app, server.services, () => server.clock.now);
  const response = await app.inject(refused.errorfileurl);
  expect(response.statusCode).toBe(200);
  const markedRows = (await readWorkbook(response.rawPayload, '错误回执.xlsx')).rows;
  expect(markedRows[0]).toEqual([...HEADS, MESSAGE_HEAD]);
  expect(markedRows[1]?.[6]).toContain('“角色”没有角色“平台管理员”');
  expect(markedRows[5]?.[6]).toMatch(/“登录账号”.*“姓名”/s);
  expect(markedRows[6]?.[6] ?? '').toBe('');
  await app.close();
});

test('rows corrected in the grid survive closing the page and are then imported', async () => {
  const { ma } = await startSchool();
  const { importid } = await ma(sheet.checkUserSheet, {}, csv([HEADS, zhao, wrongRow, ['合计', '', '', '', '', '']]));
  const verdict = await ma(sheet.saveUserImportEdits, {
    importid,
    edits: [
      { row: 3, key: 'sysusername', value: 'qianer' },
      { row: 3, key: 'deptname', value: '' },
      { row: 3, key: 'rolenames', value: '班主任' },
    ],
    removed: [4],
  });
  expect(verdict).toEqual({ remarks: [], effects: { 2: 'new', 3: 'new' } });
  expect(await ma(sheet.getUserImportList, {})).toMatchObject([{ importid, filename: '名单.csv', state: 'staged' }]);
  expect((await ma(sheet.getUserImport, { importid })).rows[2]?.[0]).toBe('qianer');
  expect(await ma(sheet.commitUserImport, { importid })).toMatchObject({ success: 2, failed: 0 });
  await expect(ma(sheet.saveUserImportEdits, { importid })).rejects.toThrow('已经导入');
});

test('an import of the valid rows leaves out the wrong rows, and the receipt marks only the wrong rows', async () => {
  const school = await startSchool();
  const result = await importStaff(school, [zhao, wrongRow, li]);
  expect(result).toMatchObject({
    total: 3,
    success: 2,
    failed: 1,
    errorfileurl: expect.stringMatching(/^\/files\?k=/) as string,
  });
  expect((await school.staff()).map((row) => row.realname)).toEqual(expect.arrayContaining(['赵一', '李四']));
  const file = (await school.ma(sheet.exportUserImportErrors, { importid: result.importid })) as {
    filename: string;
    body: unknown;
  };
  expect(file.filename).toBe('错误回执_名单.xlsx');
  const { rows } = await readWorkbook(await bytesOf(file.body), file.filename);
  expect(rows.map((row) => (row[6] ?? '') !== '')).toEqual([true, false, true, false]);
});

test('a staff import committed twice is applied once, and only one response holds the passwords', async () => {
  const { server, ma } = await startSchool();
  const { importid } = await ma(sheet.checkUserSheet, {}, csv([HEADS, zhao, li]));
  const results = await Promise.all([ma(sheet.commitUserImport, { importid }), ma(sheet.commitUserImport, { importid })]);
  expect(results.map((item) => item.success)).toEqual([2, 2]);
  expect(results.map((item) => item.created.length).sort()).toEqual([0, 2]);
  expect((await ma(sheet.getUserImport, { importid })).result).toMatchObject({ success: 2, created: [], validuntil: '' });
  expect(await server.sqlAsOwner("select count(*)::int as n from sysuser where sysusername in ('zhaoyi', 'lisi')")).toEqual([
    { n: 2 },
  ]);
});

test('the server stores no password and no uploaded staff list in clear text', async () => {
  const school = await startSchool();
  const result = await importStaff(school, [zhao, wrongRow]);
  const [row] = await school.server.sqlAsOwner<{ all: string }>(
    `select (select string_agg(row_to_json(j)::text, '') from job j)
      || (select string_agg(row_to_json(l)::text, '') from audit.log l)
      || (select string_agg(row_to_json(a)::text, '') from auth.account a) as all`,
  );
  expect(row?.all).toContain('zhaoyi');
  expect(row?.all).not.toContain(result.created[0]?.onetime);
  expect(row?.all).not.toContain(md5(result.created[0]?.onetime as string));
  expect(row?.all).not.toMatch(/13800000001/);
});

const staffSize = sizeOf(300, 5000);

test(`a staff list of ${staffSize} rows is imported and undone; a list of 5,001 rows is refused`, async () => {
  const school = await startSchool();
  const { ma } = school;
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => [
      `t${index}`,
      `教师${'甲乙丙丁戊己庚辛'[index % 8] as string}${index}`,
      '',
      '班主任',
      '',
      '',
    ]);
  const before = (await ma(user.selectUserList, {})).total;
  const result = await importStaff(school, rows(staffSize));
  expect(result).toMatchObject({ total: staffSize, success: staffSize, failed: 0 });
  expect(new Set(result.created.map((item) => item.onetime)).size).toBe(staffSize);
  expect((await ma(user.selectUserList, {})).total).toBe(before + staffSize);
  expect(await ma(sheet.undoUserImport, { importid: result.importid })).toEqual({ users: staffSize });
  expect((await ma(user.selectUserList, {})).total).toBe(before);
  await expect(ma(sheet.checkUserSheet, {}, csv([HEADS, ...rows(5001)]))).rejects.toThrow(
    '一次最多导入 5000 行，本文件有 5001 行',
  );
});

describe('undoing a staff import', () => {
  test('restores the institution, closes the new accounts and frees their names', async () => {
    const school = await startSchool();
    const { server, ma } = school;
    const before = await school.staff();
    const result = await importStaff(school);
    expect(await ma(sheet.undoUserImport, { importid: result.importid })).toEqual({ users: 2 });
    expect(await school.staff()).toEqual(before);
    await expect(signIn(server, 'zhaoyi', result.created[0]?.onetime as string)).rejects.toMatchObject({ code: 110001 });
    expect(await ma(sheet.getUserImport, { importid: result.importid })).toMatchObject({ undone: true });
    await expect(ma(sheet.undoUserImport, { importid: result.importid })).rejects.toThrow('该次导入已经撤销');
    expect(await importStaff(school)).toMatchObject({ success: 2 });
  });

  test('is refused before the import is committed and after 24 hours', async () => {
    const school = await startSchool();
    const { server, ma } = school;
    const { importid } = await ma(sheet.checkUserSheet, {}, csv([HEADS, zhao]));
    await expect(ma(sheet.undoUserImport, { importid })).rejects.toThrow('还没有导入');
    await ma(sheet.commitUserImport, { importid });
    server.clock.now = new Date(server.clock.now.getTime() + 24 * 3600_000 + 1000);
    await expect(ma(sheet.undoUserImport, { importid })).rejects.toThrow('超过 24 小时');
  });

  test('is refused once an imported user was changed, granted a right, made responsible for something or deleted', async () => {
    for (const [changeSql, refusal] of [
      [
        "update sysuser set post = '主任', updatetime = updatetime + interval '1 second' where sysusername = 'zhaoyi'",
        '有 1 人被修改',
      ],
      [
        `insert into sysuserpermission (userid, code, effect, musercode)
          select userid, '00014', 'grant', musercode from sysuser where sysusername = 'lisi'`,
        '有 1 人被修改',
      ],
      [
        `insert into assessteam (teamcode, musercode, appid, teamname, teamtype, owneruserid)
          select 'G900001', musercode, '000000002', '初二1班', '01', userid from sysuser where sysusername = 'lisi'`,
        '“李四”已负责',
      ],
      ["update sysuser set isdeleted = 1 where sysusername = 'zhaoyi'", '已有 1 人被删除'],
    ] as const) {
      const school = await startSchool();
      const { importid } = await importStaff(school);
      await school.server.sqlAsOwner(changeSql);
      await expect(school.ma(sheet.undoUserImport, { importid })).rejects.toThrow(refusal);
    }
  });
});

test('a lost password list is created again only for users who have never signed in', async () => {
  const school = await startSchool();
  const { server, ma } = school;
  const result = await importStaff(school);
  const [first, second] = result.created.map((item) => item.onetime) as [string, string];
  await signIn(server, 'zhaoyi', first);
  await expect(ma(sheet.undoUserImport, { importid: result.importid })).rejects.toThrow('“赵一”已经登录过，不能撤销');
  const again = await ma(sheet.renewUserPasswords, { importid: result.importid });
  expect(again.created.map((item) => [item.row, item.sysusername])).toEqual([[3, 'lisi']]);
  await expect(signIn(server, 'lisi', second)).rejects.toMatchObject({ code: 110001 });
  expect((await signIn(server, 'lisi', again.created[0]?.onetime as string)).mustchangepwd).toBe(true);
  await expect(ma(sheet.renewUserPasswords, { importid: result.importid })).rejects.toThrow('都已登录过');
});

test('a staff import cannot be opened by another school, a colleague or restricted staff', async () => {
  const school = await startSchool();
  const { server, ma } = school;
  const { importid } = await importStaff(school);
  const codes = (...keys: Parameters<typeof entryOfKey>[0][]) => keys.map((key) => entryOfKey(key)?.menuid as number);
  const { roleid } = await ma(insertRole, {
    rolename: '人事',
    rolekey: 'hr',
    datascope: 1,
    menuids: codes('organization.users'),
  });
  const colleague = await addColleague(server, { sysusername: 'hr', roleids: [roleid] });
  await giveRole(server, 'U_QIAO', 'insadmin');
  for (const call of [server.as('qiao'), colleague.call])
    for (const action of [
      sheet.getUserImport,
      sheet.saveUserImportEdits,
      sheet.commitUserImport,
      sheet.undoUserImport,
      sheet.renewUserPasswords,
      sheet.exportUserImportErrors,
    ])
      await expect(call(action, { importid })).rejects.toMatchObject({ code: 130001 });
  expect(await server.as('qiao')(sheet.getUserImportList, {})).toEqual([]);
  await expect(ma(getImport, { importid })).rejects.toMatchObject({ code: 130001 });
  // Staff who cannot assign a role cannot assign it by an import.
  expect(
    (await colleague.call(sheet.checkUserSheet, {}, csv([HEADS, li]))).verdict.remarks.map((remark) => remark.message),
  ).toEqual(['该账号已存在：本机构用户“李四”', '不能授予角色“班主任”；不能授予角色“心理教师/医生”']);
  await expect(server.as('wang')(sheet.checkUserSheet, {}, csv([HEADS, zhao]))).rejects.toMatchObject({ code: 110004 });
  await expect(server.nobody(login, { username: 'zhaoyi', pwd: md5('x') })).rejects.toMatchObject({ code: 110001 });
});

test('the template with its own example row is valid except for the department, which must exist', async () => {
  const { ma } = await startSchool();
  const template = (await ma(sheet.exportUserTemplate, {})) as { filename: string; body: unknown };
  const { rows } = await readWorkbook(await bytesOf(template.body), template.filename);
  expect(rows[0]).toEqual(headsOf(staffWorksheet));
  const filled = csv([rows[0] as string[], staffWorksheet.columns.map((column) => column.example)]);
  expect(await ma(sheet.importUser, {}, filled)).toMatchObject({ total: 1, success: 1, errors: [] });
});

test('two names in one cell of a staff list are asked about', () => {
  const rows = [HEADS, ['wujiu', '吴九，郑十', '', '心理教师/医生', '', '']];
  const [row] = validateTable('staff', { rows, mapping: HEADS.map(() => '') }, '2025-10-08').rows;
  expect(row?.cells['realname']?.warning).toBe('像是 2 个人：“吴九”、“郑十”，一格只填一人，请核对');
});
