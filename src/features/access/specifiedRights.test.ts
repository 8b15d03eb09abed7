import { expect, test } from 'vitest';
import { entryOfKey } from '#contract/menuTree.ts';
import * as menu from '#features/access/menu/menu.contract.ts';
import { updateUserPermissions } from '#features/access/permission/permission.contract.ts';
import * as role from '#features/access/role/role.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

const menus = (...keys: string[]) => keys.map((key) => entryOfKey(key)?.menuid as number);

test('the menu list carries what a router needs: name, meta, alwaysShow and redirect', async () => {
  const server = await startServer();
  const list = await server.as('super')(menu.selectMenuList, {});
  const dir = (key: string) => list.find((entry) => entry.key === key);
  expect(dir('individual')).toMatchObject({ name: 'individual', alwaysShow: true, redirect: '/empower/maternity' });
  expect(dir('statisticsN')).toMatchObject({ name: 'statisticsN', alwaysShow: false, redirect: '/statisticsN/statisticsN' });
  expect(dir('data')?.meta).toEqual({
    title: '数据报表',
    icon: 'report',
    roles: ['00051'],
    affix: false,
    activeMenu: '',
    breadcrumb: true,
  });
  expect(dir('archives')?.children[0]).toMatchObject({
    name: 'archives.all',
    redirect: '',
    meta: { title: '全部', roles: ['00049'], breadcrumb: true },
  });
  expect(dir('period')?.children[0]?.meta.activeMenu).toBe('/period');
  await server.as('super')(menu.updateMenu, { menuid: menus('archives.all')[0] as number, title: '全部档案' });
  const renamed = (await server.as('super')(menu.selectMenuList, {})).flatMap(({ children }) => children);
  expect(renamed.find(({ key }) => key === 'archives.all')?.meta.title).toBe('全部档案');
});

test('the role admin has every route that its institution has, and no institution can make a role of that name', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { rows } = await server.as('super')(role.selectRoleList, { rolekey: 'admin', pageSize: 200 });
  const admin = rows.find(({ rolekey }) => rolekey === 'admin');
  expect(admin).toMatchObject({ rolename: '超级管理员', isbuiltin: 1 });
  await server.sqlAsOwner("delete from sysuserrole where userid = 'U_WANG'");
  await server.sqlAsOwner("insert into sysuserrole (userid, roleid, musercode) values ('U_WANG', $1, 'M_CHENGUANG')", [
    admin?.roleid,
  ]);
  const record = await server.as('wang')(getUserInfo, {});
  const [institution] = await server.sqlAsOwner<{ codes: string[] }>("select codes from muser where musercode = 'M_CHENGUANG'");
  expect(record.permissions.map(({ component }) => component)).toEqual(
    [...new Set([...(institution?.codes ?? []), '0000901'])].sort(),
  );
  expect(record.roles).toEqual(['admin']);
  expect((await server.as('super')(getUserInfo, {})).roles).toEqual(['admin']);
  await expect(ma(role.insertRole, { rolename: '假管理员', rolekey: 'admin', datascope: 1, menuids: [] })).rejects.toMatchObject({
    code: 130002,
  });
});

test('type 005 adds 0000901 to its staff, unless it is denied to them; an account without any right gets nothing', async () => {
  const server = await startServer();
  const has = async (person: 'chen' | 'duty' | 'nobody' | 'lin' | 'fang') =>
    (await server.as(person)(getUserInfo, {})).permissions.some(({ component }) => component === '0000901');
  expect(await Promise.all([has('chen'), has('duty'), has('nobody'), has('lin'), has('fang')])).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
  await setPermission(server, 'U_DUTY', '0000901', 'deny');
  expect(await has('duty')).toBe(false);
  const codes = (await server.as('chen')(getUserInfo, {})).permissions.map(({ component }) => component);
  await server.as('ma')(updateUserPermissions, { userid: 'U_CHEN', codes: codes.filter((code) => code !== '0000901') });
  expect(await has('chen')).toBe(false);
});
