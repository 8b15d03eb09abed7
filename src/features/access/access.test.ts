import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allCodes, codeOf } from '#contract/menu.ts';
import { codesOfMenus, entryOfKey, menuEntries } from '#contract/menuTree.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { insertDept } from '#features/org/dept/dept.contract.ts';
import { insertUser, resetPwd, updateUser, selectUserList } from '#features/org/user/user.contract.ts';
import { expireStepUp } from '#testing/factories.ts';
import { addColleague, signIn } from '#testing/staff.ts';
import { startServer } from '#testing/server.ts';
import * as menu from '#features/access/menu/menu.contract.ts';
import * as permission from '#features/access/permission/permission.contract.ts';
import * as role from '#features/access/role/role.contract.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const menus = (...keys: string[]) => keys.map((key) => entryOfKey(key)?.menuid as number);
const roleOf = async ({ as }: Server, rolekey: string) =>
  (await as('ma')(role.selectRoleList, { pageSize: 200 })).rows.find((row) => row.rolekey === rolekey);
const currentCodes = async (call: Awaited<ReturnType<typeof addColleague>>['call']) =>
  (await call(getUserInfo, {})).permissions.map((item) => item.component);

test('a school is offered school roles, a provider also provider roles, the platform all roles', async () => {
  const server = await startServer();
  const keys = async (person: 'ma' | 'fang' | 'super') =>
    (await server.as(person)(role.selectRoleList, { pageSize: 200 })).rows.map((row) => row.rolekey);
  expect(await keys('ma')).not.toContain('authorityviewer');
  expect(await keys('ma')).toContain('psychologist');
  expect(await keys('fang')).toEqual(expect.arrayContaining(['provideradmin', 'insadmin']));
  expect(await keys('fang')).not.toContain('platformadmin');
  expect(await keys('super')).toContain('platformadmin');
});

test('every menu code has its own number, and numbers lead back to codes with their directories', () => {
  const ids = menuEntries.map((entry) => entry.menuid);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(menuEntries.map((entry) => entry.code).filter(Boolean))).toEqual(new Set(allCodes));
  expect(codesOfMenus(menus('group.tasks'))).toEqual(['00040', '00041']);
  expect(codesOfMenus([999_999])).toEqual([]);
});

test('staff cannot grant a right that they lack, and “admin” is not a right', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const tree = await ma(role.selectRoleMenuTreeselect, {});
  expect(tree.menus.flatMap((dir) => dir.children).every((child) => child.held)).toBe(true);
  expect(tree.menus.flatMap((dir) => dir.children).some((child) => child.label === '机构管理')).toBe(false);
  for (const key of ['service.institutions', 'authority.menus', 'account.loginAs'])
    await expect(
      ma(role.insertRole, { rolename: '越权', rolekey: 'over', datascope: 1, menuids: menus(key) }),
    ).rejects.toMatchObject({ code: 110004 });
  await expect(ma(permission.updateUserPermissions, { userid: 'U_CHEN', codes: ['admin'] })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(ma(permission.updateUserPermissions, { userid: 'U_MA', codes: [] })).rejects.toMatchObject({ code: 110004 });
  const { roleid } = (await roleOf(server, 'psychologist')) as role.RoleRow;
  await expect(ma(role.updateRole, { roleid, menuids: [] })).rejects.toMatchObject({ code: 110004 });
  const key = { rolename: '助教', rolekey: 'assistant', datascope: 1 as const, menuids: menus('group.tasks') };
  await ma(role.insertRole, key);
  await expect(ma(role.insertRole, key)).rejects.toMatchObject({ code: 130002 });
});

test('a removed, changed or disabled role takes effect with the next call', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { roleid } = await ma(role.insertRole, {
    rolename: '助教',
    rolekey: 'assistant',
    datascope: 1,
    menuids: menus('individual.persons', 'group.tasks'),
  });
  const sun = await addColleague(server, { sysusername: 'sun', roleids: [roleid] });
  const callResult = () =>
    sun.call(getCUserPageList, {}).then(
      () => true,
      (error: { code: number }) => error.code,
    );
  expect(await callResult()).toBe(true);
  await ma(role.updateRole, { roleid, enabled: 0 });
  expect(await callResult()).toBe(110004);
  await ma(role.updateRole, { roleid, enabled: 1 });
  expect(await callResult()).toBe(true);
  await ma(role.updateRole, { roleid, menuids: menus('authority.audit') });
  expect(await callResult()).toBe(110004);
  await ma(role.updateRole, { roleid, menuids: menus('individual.persons') });
  await ma(permission.updateUserPermissions, { userid: sun.userid, codes: [] });
  expect(await callResult()).toBe(110004);
  await ma(permission.updateUserPermissions, { userid: sun.userid, codes: [codeOf('individual.persons')] });
  expect(await callResult()).toBe(true);
  await expect(ma(role.deleteRoleById, { roleid })).rejects.toMatchObject({ code: 130003 });
  await ma(updateUser, { userid: sun.userid, roleids: [] });
  await ma(permission.updateUserPermissions, { userid: sun.userid, codes: [] });
  expect(await callResult()).toBe(110004);
  await ma(role.deleteRoleById, { roleid });
});

test('no sequence of role, user and password changes lets a deputy enter an account with more rights', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const deputyMenus = menus(
    'organization.users',
    'organization.depts',
    'authority.roles',
    'individual.persons',
    'group.tasks',
    'task.edit',
  );
  const { roleid } = await ma(role.insertRole, { rolename: '副管理员', rolekey: 'deputy', datascope: 1, menuids: deputyMenus });
  const deputy = await addColleague(server, { sysusername: 'deputy', roleids: [roleid] });
  const ownCodes = new Set(await currentCodes(deputy.call));
  const codesBefore = [...ownCodes].sort();
  const strongRoleid = (await roleOf(server, 'insadmin'))?.roleid as number;
  // A peer with the same role, and a user whose stronger role is disabled.
  const peer = await addColleague(server, { sysusername: 'peer', roleids: [roleid] });
  const disabledRole = await ma(role.insertRole, {
    rolename: '沉睡',
    rolekey: 'asleep',
    datascope: 1,
    menuids: menus('archives.all', 'archive.export'),
    enabled: 1,
  });
  const sleeper = await addColleague(server, { sysusername: 'sleeper', roleids: [disabledRole.roleid] });
  await ma(role.updateRole, { roleid: disabledRole.roleid, enabled: 0 });
  const allIds = menuEntries.map((entry) => entry.menuid);
  const tokens = new Map<string, string>();
  let callCount = 0;
  const targets = () => [
    'U_MA',
    'U_CHEN',
    'U_WANG',
    'U_NOBODY',
    'U_QIAO',
    deputy.userid,
    peer.userid,
    sleeper.userid,
    ...tokens.keys(),
  ];
  const stepArbitrary = fc.record({
    action: fc.integer({ min: 0, max: 6 }),
    target: fc.nat(),
    anyIds: fc.subarray(allIds, { maxLength: 6 }),
    deputyIds: fc.subarray(deputyMenus, { maxLength: 4 }),
    useAnyIds: fc.boolean(),
    choice: fc.nat(),
  });
  // Random steps may all be refused; the server accepts these.
  const allowedSteps = [0, 6, 0, 6, 0, 6, 0, 6].map((action, choice) => ({
    action,
    choice,
    target: 0,
    anyIds: [],
    deputyIds: deputyMenus,
    useAnyIds: false,
  }));
  let successCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 8, maxLength: 10 }), async (steps) => {
      for (const { action, target, anyIds, deputyIds, useAnyIds, choice } of steps) {
        const userid = targets()[target % targets().length] as string;
        const roles = [
          ...(await server.sqlAsOwner<{ roleid: number }>('select roleid from role where isdeleted = 0 order by roleid')).map(
            (row) => row.roleid,
          ),
          strongRoleid,
        ];
        const pickedRoleid = roles[choice % roles.length] as number;
        const menuids = useAnyIds ? anyIds : deputyIds;
        const n = ++callCount;
        const enter = async (name: string, id: string, secret: string) =>
          tokens.set(id, (await signIn(server, name, secret)).token);
        const acts = [
          async () =>
            void (await deputy.call(role.insertRole, { rolename: `角色${n}`, rolekey: `role_${n}`, datascope: 1, menuids })),
          async () => void (await deputy.call(role.updateRole, { roleid: pickedRoleid, menuids, enabled: 1 })),
          async () => {
            const { userid: id, onetime } = await deputy.call(insertUser, {
              sysusername: `new${n}`,
              realname: `新${n}`,
              roleids: [pickedRoleid],
            });
            await enter(`new${n}`, id, onetime);
          },
          async () => void (await deputy.call(updateUser, { userid, roleids: [pickedRoleid] })),
          async () => void (await deputy.call(permission.updateUserPermissions, { userid, codes: codesOfMenus(menuids) })),
          async () => {
            const { onetime } = await deputy.call(resetPwd, { userid });
            const [row] = await server.sqlAsOwner<{ loginname: string }>('select loginname from auth.account where userid = $1', [
              userid,
            ]);
            await enter(row?.loginname as string, userid, onetime);
          },
          // Meanwhile the administrator enables and disables the stronger role.
          async () => void (await ma(role.updateRole, { roleid: disabledRole.roleid, enabled: choice % 2 })),
        ];
        await (acts[action] as () => Promise<void>)().then(
          () => successCount++,
          (error: { code?: number }) => expect([110004, 110002, 120002, 130001, 130003, 140001]).toContain(error.code),
        );
        expect((await currentCodes(deputy.call)).sort()).toEqual(codesBefore);
        for (const [id, token] of [...tokens].slice(-4)) {
          const info = await server
            .withToken(token)(getUserInfo, {})
            .catch((error: { code?: number }) => expect(error.code).toBe(110000));
          if (info)
            expect([
              id,
              info.permissions.map((item) => item.component).filter((code) => !ownCodes.has(code) && code !== '0000901'),
            ]).toEqual([id, []]);
        }
      }
      await ma(role.updateRole, { roleid: disabledRole.roleid, enabled: 1 });
      await ma(role.updateRole, { roleid: disabledRole.roleid, enabled: 0 });
    }),
    { numRuns: 5, examples: [[allowedSteps]], endOnFailure: true },
  );
  expect(successCount).toBeGreaterThan(5);
});

test('a right withdrawn from an institution disappears at once from its roles, its staff and the institutions below', async () => {
  const server = await startServer();
  const root = server.as('super');
  const { roleid } = await server.as('ma')(role.insertRole, {
    rolename: '助教',
    rolekey: 'assistant',
    datascope: 1,
    menuids: menus('individual.persons', 'group.tasks'),
  });
  await server.as('ma')(permission.updateUserPermissions, { userid: 'U_NOBODY', codes: ['00018', codeOf('individual.persons')] });
  expect((await server.as('nobody')(getCUserPageList, {})).total).toBe(0);
  const { checkedKeys } = await root(role.selectMuserMenuTreeselect, { musercode: 'M_ANLAN' });
  await root(role.updateMuserMenu, {
    musercode: 'M_ANLAN',
    menuids: checkedKeys.filter((id) => ![300, ...menus('individual.persons', 'authority.roles')].includes(id)),
  });
  await expect(server.as('nobody')(getCUserPageList, { page: 1 })).rejects.toMatchObject({ code: 110004 });
  const [roleRow] = await server.sqlAsOwner<{ codes: string[] }>('select codes from role where roleid = $1', [roleid]);
  expect(roleRow?.codes).not.toContain(codeOf('individual.persons'));
  expect(roleRow?.codes).toContain(codeOf('group.tasks'));
  // Built-in roles belong to the platform and keep all codes; without the institution's code the code has no effect.
  expect(
    (
      await server.sqlAsOwner<{ n: number }>(
        "select count(*)::int as n from role where rolekey = 'psychologist' and '001801' = any (codes)",
      )
    )[0]?.n,
  ).toBe(1);
  await expect(server.as('ma')(role.selectRoleList, {})).resolves.toMatchObject({ total: expect.any(Number) });
  await expect(
    server.as('ma')(role.insertRole, { rolename: '再试', rolekey: 'again', datascope: 1, menuids: menus('individual.persons') }),
  ).rejects.toMatchObject({ code: 110004 });
  await expect(server.as('fang')(role.updateMuserMenu, { musercode: 'M_ANLAN', menuids: [] })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(root(role.updateMuserMenu, { musercode: 'AS000001', menuids: [] })).rejects.toMatchObject({ code: 140001 });
});

test('a provider grants its rights to institutions below it and to no other', async () => {
  const server = await startServer();
  const fang = server.as('fang');
  await server.as('super')(role.updateMuserMenu, { musercode: 'M_DONGSHAN', menuids: menus('authority.menus', 'group.tasks') });
  // fang does not hold 菜单管理: the call leaves it unchanged.
  await expect(
    fang(role.updateMuserMenu, { musercode: 'M_CHENGUANG', menuids: menus('operations.music') }),
  ).resolves.toMatchObject({});
  await fang(role.updateMuserMenu, { musercode: 'M_DONGSHAN', menuids: menus('group.teams') });
  const [dongshan] = await server.sqlAsOwner<{ codes: string[] }>("select codes from muser where musercode = 'M_DONGSHAN'");
  expect(dongshan?.codes).toEqual(['00031', '00040', '00042']);
  for (const musercode of ['AS000001', 'M_ANLAN', 'M_NONE'])
    await expect(fang(role.updateMuserMenu, { musercode, menuids: [] })).rejects.toMatchObject({ code: 130001 });
  await expect(server.as('ma')(role.updateMuserMenu, { musercode: 'M_DONGSHAN', menuids: [] })).rejects.toMatchObject({
    code: 110004,
  });
});

test('the platform renames, hides and disables shipped menus and cannot add new ones', async () => {
  const server = await startServer();
  const root = server.as('super');
  await expect(root(menu.insertMenu, { code: 'admin', title: '后门' })).rejects.toMatchObject({ code: 120002 });
  await expect(root(menu.insertMenu, { code: '00099', title: '新页面' })).rejects.toMatchObject({ code: 120002 });
  const { menuid } = await root(menu.insertMenu, { code: '001801', title: '学生与家长', ordernum: 1 });
  await expect(root(menu.insertMenu, { code: '001801' })).rejects.toMatchObject({ code: 130002 });
  const findEntry = async () =>
    (await root(menu.selectMenuList, {})).flatMap((dir) => dir.children).find((entry) => entry.menuid === menuid);
  expect(await findEntry()).toMatchObject({ title: '学生与家长', shippedtitle: '个体管理', changed: true });
  expect((await server.as('ma')(permission.getAllPermissions, {})).granted).toContain('001801');
  expect((await server.as('ma')(getUserInfo, {})).menu).toEqual([
    { menuid, title: '学生与家长', icon: null, ordernum: 1, hidden: null, enabled: 1 },
  ]);
  await root(menu.updateMenu, { menuid, enabled: 0 });
  expect((await server.as('ma')(getUserInfo, {})).permissions.map((item) => item.component)).not.toContain('001801');
  const explanation = await server.as('ma')(permission.explain, { accountid: 'U_CHEN', guard: 'individual.persons' });
  expect(explanation).toMatchObject({ visible: false, conclusion: '看不到“个体管理”：平台已停用“个体管理”' });
  for (const key of ['authority', 'authority.menus'])
    await expect(root(menu.updateMenu, { menuid: menus(key)[0] as number, enabled: 0 })).rejects.toMatchObject({ code: 140001 });
  await root(menu.deleteMenuById, { menuid });
  expect(await findEntry()).toMatchObject({ title: '个体管理', changed: false, enabled: 1 });
  expect((await server.as('ma')(getUserInfo, {})).permissions.map((item) => item.component)).toContain('001801');
  await expect(server.as('fang')(menu.updateMenu, { menuid, title: '改名' })).rejects.toMatchObject({ code: 110004 });
});

test('“为什么看不到” names the step at which access fails and who can fix it', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const explainSummary = async (accountid: string, guard: string) => {
    const explanation = await ma(permission.explain, { accountid, guard });
    return {
      visible: explanation.visible,
      failed: explanation.steps.filter((step) => step.ok === false).map((step) => step.key),
      text: explanation.steps.map((step) => step.text).join('\n'),
    };
  };
  expect(await explainSummary('U_CHEN', 'warning.crisis')).toMatchObject({ visible: true, failed: [] });
  expect(await explainSummary('U_NOBODY', 'warning.crisis')).toMatchObject({ visible: false, failed: ['role'] });
  expect(await explainSummary('U_CHEN', 'statistics.hospital')).toMatchObject({ visible: false, failed: ['type'] });
  await ma(permission.updateUserPermissions, {
    userid: 'U_CHEN',
    codes: (await ma(permission.getAllPermissions, { userid: 'U_CHEN' })).granted.filter((code) => code !== '00046'),
  });
  expect(await explainSummary('U_CHEN', 'warning.crisis')).toMatchObject({ visible: false, failed: ['granted'] });
  const { deptid } = await ma(insertDept, { parentid: 0, deptname: '初中部' });
  const { roleid } = await ma(role.insertRole, {
    rolename: '部门老师',
    rolekey: 'dept',
    datascope: 3,
    menuids: menus('individual.persons'),
  });
  await ma(updateUser, { userid: 'U_NOBODY', roleids: [roleid] });
  expect((await explainSummary('U_NOBODY', 'individual.persons')).text).toContain('账号没有所属部门，因此看不到任何人');
  await ma(updateUser, { userid: 'U_NOBODY', deptid });
  expect((await explainSummary('U_NOBODY', 'individual.persons')).text).toContain('“部门老师”限定为本部门：可见 0 位受测者');
  await expect(ma(permission.explain, { accountid: 'U_QIAO', guard: 'warning.crisis' })).rejects.toMatchObject({ code: 130001 });
  expect((await server.as('fang')(permission.explain, { accountid: 'U_QIAO', guard: 'warning.crisis' })).visible).toBe(true);
  expect((await ma(selectUserList, { roleid })).rows.map((row) => row.userid)).toEqual(['U_NOBODY']);
  expect((await ma(permission.findAccounts, { keyword: '陈' })).map((item) => item.accountid)).toEqual(['U_CHEN']);
  expect(await ma(permission.findAccounts, { keyword: '乔然' })).toEqual([]);
});

test('a change of rights needs a recent step-up', async () => {
  const server = await startServer();
  await expireStepUp(server, 'U_MA');
  const ma = server.as('ma');
  for (const attempt of [
    () => ma(role.insertRole, { rolename: '助教', rolekey: 'assistant', datascope: 1, menuids: [] }),
    () => ma(permission.updateUserPermissions, { userid: 'U_CHEN', codes: [] }),
    () => ma(insertUser, { sysusername: 'x1', realname: '甲', roleids: [] }),
    () => ma(resetPwd, { userid: 'U_CHEN' }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 110007 });
});
