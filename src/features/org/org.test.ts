import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { entryOfKey } from '#contract/menuTree.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { getAssessTeamPageList } from '#features/team/team.contract.ts';
import { insertRole, selectRoleList, updateRole } from '#features/access/role/role.contract.ts';
import { giveRole } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';
import { startServer } from '#testing/server.ts';
import * as dept from '#features/org/dept/dept.contract.ts';
import * as user from '#features/org/user/user.contract.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const menus = (...keys: string[]) => keys.map((key) => entryOfKey(key)?.menuid as number);
const sortedNames = (rows: readonly { username: string }[]) => rows.map((row) => row.username).sort();
const roleidOf = async ({ as }: Server, rolekey: string) =>
  (await as('ma')(selectRoleList, { pageSize: 200 })).rows.find((role) => role.rolekey === rolekey)?.roleid as number;

test('a new user’s one-time password works for one sign-in and must be changed before any other call', async () => {
  const server = await startServer();
  const psychologist = await roleidOf(server, 'psychologist');
  const newUser = await server.as('ma')(user.insertUser, {
    sysusername: 'SunYue',
    realname: '孙悦',
    roleids: [psychologist],
    duty: 1,
  });
  expect(newUser.onetime).toMatch(/^[a-zA-Z2-9]{12}$/);
  expect(newUser.validuntil).toBe('2025-10-09 10:00:00');
  const first = await signIn(server, 'sunyue', newUser.onetime);
  expect(first.mustchangepwd).toBe(true);
  await expect(server.withToken(first.token)(cuser.getCUserPageList, {})).rejects.toMatchObject({ code: 110005 });
  await expect(signIn(server, 'sunyue', newUser.onetime)).rejects.toMatchObject({
    code: 110015,
    message: '这个初始密码已经用过：初始密码只能登录一次，登录后须设置自己的密码。请联系本机构管理员重新生成',
  });
  await server.withToken(first.token)(updateMUser, { musercode: 'M_CHENGUANG', pwd: md5('Yue-Own-Word9') });
  const own = await signIn(server, 'sunyue', 'Yue-Own-Word9');
  expect((await server.withToken(own.token)(cuser.getCUserPageList, {})).total).toBe(0);
  const [row] = (await server.as('ma')(user.selectUserList, { keyword: '孙悦' })).rows;
  expect(row).toMatchObject({ state: 'active', rolenames: ['心理教师/医生'], duty: 1, manageable: true });
  expect(row?.lastlogintime).not.toBe('');
});

test('a one-time password expires after a day, and says so to its owner only', async () => {
  const server = await startServer();
  const { userid, onetime } = await server.as('ma')(user.insertUser, { sysusername: 'late', realname: '迟到', roleids: [] });
  const [before] = await server.sqlAsOwner<{ left: number }>(
    'select extract(epoch from pwdexpire - now()) / 3600 as left from auth.account where userid = $1',
    [userid],
  );
  expect(Number(before?.left)).toBeGreaterThan(23.9);
  expect(Number(before?.left)).toBeLessThanOrEqual(24);
  await server.sqlAsOwner("update auth.account set pwdexpire = pwdexpire - interval '24 hours' where userid = $1", [userid]);
  await expect(signIn(server, 'late', onetime)).rejects.toThrow(
    /^这个初始密码已过期（有效期至 .*）。请联系本机构管理员重新生成$/,
  );
  await expect(signIn(server, 'late', 'Wrong-Word-1')).rejects.toMatchObject({ code: 110001 });
  expect((await server.as('ma')(user.selectUserList, { keyword: 'late' })).rows[0]?.state).toBe('lapsed');
});

test('a password reset creates a new one-time password, ends all sessions of the user and notifies the user', async () => {
  const server = await startServer();
  const sun = await addColleague(server, { sysusername: 'sun', roleids: [await roleidOf(server, 'psychologist')] });
  expect((await sun.call(getUserInfo, {})).realname).toBe('sun');
  const answer = await server.raw('as.m.system.user.resetPwd', 'ma', { userid: sun.userid, pwd: md5('chosen') });
  expect(answer).toMatchObject({ errorCode: 120002 });
  const { onetime } = await server.as('ma')(user.resetPwd, { userid: sun.userid });
  await expect(sun.call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  await expect(signIn(server, 'sun', 'Own-sun-9!')).rejects.toMatchObject({ code: 110001 });
  const again = await signIn(server, 'sun', onetime);
  await server.withToken(again.token)(updateMUser, { musercode: 'M_CHENGUANG', pwd: md5('Sun-Again-77') });
  const { token } = await signIn(server, 'sun', 'Sun-Again-77');
  const notices = await server.withToken(token)(getNoticePageList, {});
  expect(notices.rows[0]).toMatchObject({ title: '登录密码已被重置' });
  expect(notices.rows[0]?.content).toContain('马主任');
  const auditRows = await server.sqlAsOwner<{ detail: unknown }>(
    "select detail from audit.log where action in ('as.m.system.user.resetPwd', 'as.m.system.user.insertUser')",
  );
  expect(JSON.stringify(auditRows)).not.toContain(onetime);
});

test('a failed user creation leaves neither a user nor an account', async () => {
  const server = await startServer();
  const count = async () =>
    (
      await server.sqlAsOwner<{ users: number; accounts: number }>(
        `select (select count(*)::int from sysuser) as users,
          (select count(*)::int from auth.account where userid is not null) as accounts`,
      )
    )[0];
  const before = await count();
  await server.as('ma')(user.insertUser, { sysusername: 'twin', realname: '甲', roleids: [] });
  // Login names are unique on the whole platform; upper and lower case do not matter.
  await expect(server.as('ma')(user.insertUser, { sysusername: 'TWIN', realname: '乙', roleids: [] })).rejects.toMatchObject({
    code: 130002,
  });
  await expect(server.as('ma')(user.insertUser, { sysusername: 'qiao', realname: '丙', roleids: [] })).rejects.toMatchObject({
    code: 130002,
  });
  const race = await Promise.allSettled(
    Array.from({ length: 4 }, () => server.as('ma')(user.insertUser, { sysusername: 'race', realname: '丁', roleids: [] })),
  );
  expect(race.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  // The database refuses the account after the insert of the user: the transaction also rolls back the user.
  await server.sqlAsOwner("alter table auth.account add constraint broken check (loginname <> 'broken')");
  await expect(server.as('ma')(user.insertUser, { sysusername: 'broken', realname: '戊', roleids: [] })).rejects.toMatchObject({
    code: 900000,
  });
  const after = await count();
  expect(after?.users).toBe((before?.users as number) + 2);
  expect(after?.accounts).toBe((before?.accounts as number) + 2);
});

test('disabling, deleting and revoking end sessions at once, and no user can disable or delete the own account', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const sun = await addColleague(server, { sysusername: 'sun' });
  const [session] = await ma(user.getSessionList, { userid: sun.userid });
  expect(session).toMatchObject({ ip: '127.0.0.1', current: false });
  expect((await ma(user.revokeSession, { userid: sun.userid, sessionid: session?.sessionid as string })).ended).toBe(1);
  await expect(sun.call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  const again = await signIn(server, 'sun', 'Own-sun-9!');
  await ma(user.enableUser, { userid: sun.userid, enabled: 0 });
  await expect(server.withToken(again.token)(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  await expect(signIn(server, 'sun', 'Own-sun-9!')).rejects.toMatchObject({ code: 110002 });
  await ma(user.enableUser, { userid: sun.userid, enabled: 1 });
  const third = await signIn(server, 'sun', 'Own-sun-9!');
  await ma(user.deleteUserById, { userid: sun.userid });
  await expect(server.withToken(third.token)(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  // The name is free again.
  await ma(user.insertUser, { sysusername: 'sun', realname: '新人', roleids: [] });
  for (const action of [user.deleteUserById, user.resetPwd])
    await expect(ma(action, { userid: 'U_MA' })).rejects.toMatchObject({ code: 130003 });
  await expect(ma(user.enableUser, { userid: 'U_MA', enabled: 0 })).rejects.toMatchObject({ code: 130003 });
  await expect(ma(user.updateUser, { userid: 'U_MA', roleids: [] })).rejects.toMatchObject({ code: 120002 });
  await ma(user.updateUser, { userid: 'U_MA', post: '主任' });
});

test('the owner of an open case cannot be deleted before the case is reassigned', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二1班', names: ['林小雨'] });
  const { warningcode } = await server.as('chen')(handling.insertWarning, {
    cuserid: pupils[0]?.cuserid as string,
    level: 2,
    content: '同学反映近来常常独自哭泣',
  });
  await server.as('chen')(handling.acceptWarning, { warningcode });
  await expect(server.as('ma')(user.deleteUserById, { userid: 'U_CHEN' })).rejects.toMatchObject({
    code: 130003,
    message: '“陈静怡”还负责 1 个在办预警，请先移交',
  });
  await server.as('chen')(handling.assignWarning, { warningcode, owneruserid: 'U_LU' });
  await server.as('ma')(user.deleteUserById, { userid: 'U_CHEN' });
  expect((await server.as('ma')(user.selectUserList, { keyword: '陆远' })).rows[0]?.opencases).toBe(1);
});

test('a department cannot move below itself, and its child departments move with it', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const add = async (deptname: string, parentid = 0) => (await ma(dept.insertDept, { parentid, deptname })).deptid;
  const school = await add('教学部');
  const grade = await add('初二年级组', school);
  const math = await add('数学组', grade);
  const other = await add('德育处');
  await expect(ma(dept.insertDept, { parentid: 0, deptname: '教学部' })).rejects.toMatchObject({ code: 130002 });
  for (const parentid of [school, grade, math])
    await expect(ma(dept.updateDept, { deptid: school, parentid })).rejects.toMatchObject({
      code: 120002,
      message: '上级部门不能是本部门或其下级部门',
    });
  await ma(dept.updateDept, { deptid: grade, parentid: other });
  const rows = await server.sqlAsOwner<{ deptname: string; ancestors: string }>(
    'select deptname, ancestors from dept order by deptid',
  );
  expect(rows).toEqual([
    { deptname: '教学部', ancestors: '0' },
    { deptname: '初二年级组', ancestors: `0,${other}` },
    { deptname: '数学组', ancestors: `0,${other},${grade}` },
    { deptname: '德育处', ancestors: '0' },
  ]);
  expect((await ma(dept.selectDeptListExcludeChild, { deptid: grade })).map((item) => item.deptname)).toEqual([
    '德育处',
    '教学部',
  ]);
  await expect(ma(dept.deleteDeptById, { deptid: other })).rejects.toMatchObject({ code: 130003 });
  await ma(user.insertUser, { sysusername: 'mathteacher', realname: '吴老师', deptid: math, roleids: [] });
  await expect(ma(dept.deleteDeptById, { deptid: math })).rejects.toMatchObject({ code: 130003 });
  const role = { rolename: '教学', rolekey: 'teaching', datascope: 2 as const, menuids: menus('individual.persons') };
  const { roleid } = await ma(insertRole, { ...role, deptids: [school] });
  await expect(ma(dept.deleteDeptById, { deptid: school })).rejects.toMatchObject({ code: 130003 });
  await ma(updateRole, { roleid, deptids: [other] });
  await ma(dept.deleteDeptById, { deptid: school });
  expect(await ma(dept.selectDeptTreeList, {})).toEqual([
    {
      id: other,
      label: '德育处',
      count: 1,
      children: [{ id: grade, label: '初二年级组', count: 1, children: [{ id: math, label: '数学组', count: 1, children: [] }] }],
    },
  ]);
  expect((await ma(user.selectUserList, { deptid: other })).rows.map((row) => row.realname)).toEqual(['吴老师']);
});

test('two concurrent department moves never form a circle', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const a = (await ma(dept.insertDept, { parentid: 0, deptname: '甲部' })).deptid;
  const b = (await ma(dept.insertDept, { parentid: 0, deptname: '乙部' })).deptid;
  const moves = await Promise.allSettled([
    ma(dept.updateDept, { deptid: a, parentid: b }),
    ma(dept.updateDept, { deptid: b, parentid: a }),
  ]);
  expect(moves.filter((move) => move.status === 'fulfilled')).toHaveLength(1);
});

test('department paths stay correct after random moves', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) ids.push((await ma(dept.insertDept, { parentid: 0, deptname: `部门${n}` })).deptid);
  const moves = fc.array(fc.tuple(fc.nat(5), fc.nat(6)), { minLength: 5, maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(moves, async (list) => {
      for (const [child, parent] of list)
        await ma(dept.updateDept, { deptid: ids[child] as number, parentid: parent === 6 ? 0 : (ids[parent] as number) }).catch(
          (error: unknown) => expect(error).toMatchObject({ code: 120002 }),
        );
      const rows = await server.sqlAsOwner<{ deptid: number; parentid: number; ancestors: string }>(
        'select deptid, parentid, ancestors from dept',
      );
      const byId = new Map(rows.map((row) => [row.deptid, row]));
      for (const row of rows) {
        const parent = byId.get(row.parentid);
        expect(row.ancestors).toBe(parent ? `${parent.ancestors},${parent.deptid}` : '0');
        expect(row.ancestors.split(',')).not.toContain(String(row.deptid));
      }
    }),
    { numRuns: 8 },
  );
});

test('data scopes 2, 3 and 4 show exactly the persons and teams of the staff in these departments', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const add = async (deptname: string, parentid = 0) => (await ma(dept.insertDept, { parentid, deptname })).deptid;
  const upper = await add('初中部');
  const lower = await add('初二年级组', upper);
  const apart = await add('高中部');
  const screens = menus('individual.persons', 'group.teams', 'person.unmasked', 'warning.crisis');
  const role = async (rolekey: string, datascope: 1 | 2 | 3 | 4 | 5, deptids: number[] = []) =>
    (await ma(insertRole, { rolename: rolekey, rolekey, datascope, deptids, menuids: screens })).roleid;
  const teachers = await role('plain', 1);
  const own = await role('own', 3);
  const below = await role('below', 4);
  const chosen = await role('chosen', 2, [apart]);
  const teacher = async (sysusername: string, deptid: number | null, roleids: number[]) =>
    addColleague(server, { sysusername, deptid, roleids });
  const t1 = await teacher('upper-head', upper, [below]);
  const t2 = await teacher('lower-head', lower, [own]);
  const t3 = await teacher('apart-head', apart, [teachers]);
  const t4 = await teacher('outside', null, [chosen]);
  const t5 = await teacher('homeless', null, [own]);
  const t6 = await teacher('both', upper, [below, chosen]);
  const t7 = await teacher('wide-and-narrow', lower, [teachers, own]);
  await addClass(server, { teamname: '初一1班', names: ['上甲'], owneruserid: t1.userid });
  await addClass(server, { teamname: '初二2班', names: ['下乙', '下丙'], owneruserid: t2.userid });
  await addClass(server, { teamname: '高一3班', names: ['高丁'], owneruserid: t3.userid });
  await addClass(server, { teamname: '初三4班', names: ['无主'] });
  const everybody = ['上甲', '下丙', '下乙', '无主', '高丁'];
  const visiblePersons = async (staff: { call: typeof t1.call }) =>
    sortedNames((await staff.call(cuser.getCUserPageList, { pageSize: 50 })).rows);
  const visibleTeams = async (staff: { call: typeof t1.call }) =>
    (await staff.call(getAssessTeamPageList, { pageSize: 50 })).rows.map((row) => row.teamname).sort();
  expect(await visiblePersons(t1)).toEqual(['上甲', '下丙', '下乙']);
  expect(await visibleTeams(t1)).toEqual(['初一1班', '初二2班']);
  expect(await visiblePersons(t2)).toEqual(['下丙', '下乙']);
  expect(await visibleTeams(t2)).toEqual(['初二2班']);
  expect(await visiblePersons(t3)).toEqual([...everybody].sort());
  expect(await visiblePersons(t4)).toEqual(['高丁']);
  expect(await visiblePersons(t5)).toEqual([]);
  // A second role never widens the scope of the first role.
  expect(await visiblePersons(t6)).toEqual([]);
  expect(await visiblePersons(t7)).toEqual(['下丙', '下乙']);

  // A person outside the scope does not exist for the caller; counts include only persons in the scope.
  const [outside] = (await t3.call(cuser.getCUserPageList, { keyword: '高丁' })).rows;
  await server.as('chen')(handling.insertWarning, {
    cuserid: outside?.cuserid as string,
    level: 3,
    content: '同学反映近来常常独自哭泣',
  });
  expect((await t3.call(warning.getWarningCount, {})).open).toBe(1);
  expect((await t2.call(warning.getWarningCount, {})).open).toBe(0);

  // Restricted staff become the owner of persons they add and see them; colleagues of the department see them, too.
  await t2.call(cuser.insertCUser, {
    appid: '000000002',
    username: '新来',
    gender: '01',
    birthday: '2011-05-05',
    archive: { studentno: '77001' },
    guardian: [],
  });
  expect(await visiblePersons(t2)).toEqual(['下丙', '下乙', '新来'].sort());
  expect(await visiblePersons(t1)).toContain('新来');
  expect(await visiblePersons(t4)).toEqual(['高丁']);

  // A move of a user and a change of a role take effect with the next call.
  await ma(user.updateUser, { userid: t2.userid, deptid: apart });
  expect(await visiblePersons(t2)).toEqual(['下丙', '下乙', '新来', '高丁'].sort());
  await ma(updateRole, { roleid: chosen, deptids: [lower] });
  expect(await visiblePersons(t4)).toEqual([]);
  expect(await visiblePersons(t1)).toEqual(['上甲']);
});

test('restricted staff cannot manage the rights of anybody', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { deptid } = await ma(dept.insertDept, { parentid: 0, deptname: '初中部' });
  const { roleid } = await ma(insertRole, {
    rolename: '部门管理员',
    rolekey: 'deptadmin',
    datascope: 4,
    menuids: menus('organization.users', 'organization.depts', 'authority.roles', 'individual.persons'),
  });
  const head = await addColleague(server, { sysusername: 'head', deptid, roleids: [roleid] });
  await expect(head.call(user.insertUser, { sysusername: 'ghost', realname: '影子', roleids: [] })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(
    head.call(insertRole, { rolename: '全校', rolekey: 'wide', datascope: 1, menuids: menus('individual.persons') }),
  ).rejects.toMatchObject({ code: 110004 });
  await expect(head.call(user.updateUser, { userid: head.userid, deptid: null })).rejects.toMatchObject({ code: 120002 });
  expect((await head.call(user.selectUserList, {})).rows.every((row) => !row.manageable)).toBe(true);
});

test('the users, departments and roles of another school do not exist for the caller', async () => {
  const server = await startServer();
  await giveRole(server, 'U_QIAO', 'insadmin');
  const { deptid } = await server.as('ma')(dept.insertDept, { parentid: 0, deptname: '教学部' });
  const { roleid } = await server.as('ma')(insertRole, {
    rolename: '助教',
    rolekey: 'assistant',
    datascope: 1,
    menuids: menus('individual.persons'),
  });
  const qiao = server.as('qiao');
  for (const attempt of [
    () => qiao(user.resetPwd, { userid: 'U_CHEN' }),
    () => qiao(user.updateUser, { userid: 'U_CHEN', post: '被改' }),
    () => qiao(user.deleteUserById, { userid: 'U_CHEN' }),
    () => qiao(user.enableUser, { userid: 'U_CHEN', enabled: 0 }),
    () => qiao(user.getSessionList, { userid: 'U_CHEN' }),
    () => qiao(user.revokeSession, { userid: 'U_CHEN' }),
    () => qiao(dept.updateDept, { deptid, deptname: '被改' }),
    () => qiao(dept.deleteDeptById, { deptid }),
    () => qiao(dept.selectDeptListExcludeChild, { deptid }),
    () => qiao(dept.insertDept, { parentid: deptid, deptname: '寄生' }),
    () => qiao(user.insertUser, { sysusername: 'spy', realname: '探子', deptid, roleids: [] }),
    () => qiao(user.insertUser, { sysusername: 'spy', realname: '探子', roleids: [roleid] }),
    () => qiao(updateRole, { roleid, rolename: '被改' }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 130001 });
  await expect(
    qiao(insertRole, {
      rolename: '越界',
      rolekey: 'over',
      datascope: 2,
      deptids: [deptid],
      menuids: menus('individual.persons'),
    }),
  ).rejects.toMatchObject({ code: 120002 });
  expect((await qiao(user.selectUserList, { pageSize: 200 })).rows.map((row) => row.userid)).toEqual(['U_QIAO']);
  expect(await qiao(dept.selectDeptList, {})).toEqual([]);
  expect((await qiao(selectRoleList, { pageSize: 200 })).rows.some((role) => role.roleid === roleid)).toBe(false);
  expect(await server.sqlAsOwner("select from sysuser where sysusername = 'spy'")).toEqual([]);
  // A provider manages only its own staff; the administrator of a school manages the staff of the school.
  await expect(server.as('fang')(user.resetPwd, { userid: 'U_CHEN' })).rejects.toMatchObject({ code: 130001 });
});
