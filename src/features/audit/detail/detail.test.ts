import { expect, test } from 'vitest';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { FIELD_TITLES } from '#features/audit/detail/fieldNames.ts';
import { selectRoleList } from '#features/access/role/role.contract.ts';
import { updateProfile } from '#features/account/profile.contract.ts';
import { getCUserPageList, updateCUser } from '#features/cuser/cuser.contract.ts';
import { insertDept } from '#features/org/dept/dept.contract.ts';
import { updateUser } from '#features/org/user/user.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const detailOf = async (server: Server, action: string) => {
  const [row] = (await server.as('ma')(getAuditPageList, { action })).rows;
  return { object: row?.objectname, detail: Object.fromEntries((row?.detail ?? []).map(({ key, value }) => [key, value])) };
};

test('the audit log says an edit of a user in names, Chinese titles and old → new values, and masks the telephone', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { deptid } = await ma(insertDept, { parentid: 0, deptname: '心理健康中心' });
  const roles = (await ma(selectRoleList, { pageSize: 200 })).rows;
  const roleid = roles.find((role) => role.rolekey === 'classteacher')?.roleid as number;
  await ma(updateUser, {
    userid: 'U_DUTY',
    deptid,
    duty: 0,
    post: '值班教师',
    phonenumber: '13800000007',
    email: 'duty@example.com',
    roleids: [roleid],
  });
  const { object, detail } = await detailOf(server, '修改用户');
  expect(object).toBe('值班员');
  expect(detail).toMatchObject({
    部门: '空 → 心理健康中心',
    职务: '空 → 值班教师',
    联系电话: '空 → 138****0007',
    邮箱: '空 → d***@example.com',
    增加角色: '班主任',
    移除角色: '预警值守',
  });
  expect(Object.keys(detail).filter((title) => /[a-z]/i.test(title))).toEqual([]);
  await ma(updateUser, { userid: 'U_DUTY', duty: 1 });
  expect((await detailOf(server, '修改用户')).detail).toMatchObject({ 接收预警: '否 → 是' });
});

test('the audit log names the changed fields of a person, but never their values', async () => {
  const server = await startServer();
  const { pupil } = await addClass(server, { teamname: '初二1班', names: ['林小雨'] });
  const { cuserid } = pupil('林小雨');
  await server.as('chen')(updateCUser, { cuserid, username: '林小晴' });
  expect((await server.as('chen')(getCUserPageList, {})).rows[0]?.username).toBe('林小晴');
  expect((await detailOf(server, '修改受测者')).detail).toEqual({ 姓名: '已修改' });
  const [row] = await server.sqlAsOwner<{ text: string }>(
    "select detail::text as text from audit.log where action = 'as.m.cuser.updateCUser'",
  );
  expect(row?.text).not.toMatch(/林小/);
});

test('an account’s own change of contact data is in the audit log with masked values', async () => {
  const server = await startServer();
  await server.as('wang')(updateProfile, { phonenumber: '13812345678' });
  await server.as('wang')(updateProfile, { phonenumber: '13912345678' });
  expect((await detailOf(server, '修改个人资料')).detail).toEqual({ 联系电话: '138****5678 → 139****5678' });
});

test('every field whose edits are tracked has a Chinese title in the audit log', async () => {
  const { sqlAsOwner } = await startServer();
  const rows = await sqlAsOwner<{ fields: string }>(
    "select split_part(encode(tgargs, 'escape'), '\\000', 1) as fields from pg_trigger where tgname = 'mark_edits'",
  );
  const fields = rows.flatMap((row) => row.fields.split(',')).filter((field) => !field.includes('*'));
  expect(fields.length).toBeGreaterThan(50);
  expect([...new Set(fields)].filter((field) => FIELD_TITLES[field] === undefined)).toEqual([]);
});
