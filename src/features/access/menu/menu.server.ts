import { entryOf, menuEntries, type MenuEntry } from '#contract/menuTree.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import * as contract from '#features/access/menu/menu.contract.ts';
import type { MenuNode } from '#features/access/menu/menu.contract.ts';
import * as queries from '#features/access/menu/menu.queries.ts';

const selectMenuList = handle(contract.selectMenuList, async ({ title, enabled }, { scope }) => {
  const changes = new Map((await queries.findChanges(scope)).map((change) => [change.menuid, change]));
  const toNode = (entry: MenuEntry): MenuNode => {
    const change = changes.get(entry.menuid);
    const children = menuEntries
      .filter((child) => child.parentid === entry.menuid)
      .map(toNode)
      .sort((a, b) => a.ordernum - b.ordernum);
    const look = {
      title: change?.title ?? entry.title,
      icon: change?.icon ?? entry.icon,
      hidden: change?.hidden ?? (entry.hidden ? 1 : 0),
    };
    return {
      menuid: entry.menuid,
      version: change?.version ?? 0,
      parentid: entry.parentid,
      key: entry.key,
      code: entry.code,
      menutype: entry.menutype,
      path: entry.path,
      shippedtitle: entry.title,
      ordernum: change?.ordernum ?? entry.ordernum,
      ...look,
      enabled: change?.enabled ?? 1,
      changed: change !== undefined,
      remark: change?.remark ?? '',
      name: entry.name,
      meta: {
        title: look.title,
        icon: look.icon,
        roles: entry.code === '' ? [] : [entry.code],
        affix: false,
        activeMenu: entry.menutype === 'C' && look.hidden === 1 ? (entryOf(entry.parentid)?.path ?? '') : '',
        breadcrumb: entry.menutype !== 'F',
      },
      alwaysShow: entry.alwaysShow,
      redirect: children.find((child) => child.menutype === 'C' && child.enabled === 1)?.path ?? '',
      children,
    };
  };
  const matches = (node: MenuNode) =>
    (!title || node.title.includes(title) || node.code.includes(title)) && (enabled === undefined || node.enabled === enabled);
  return menuEntries
    .filter((entry) => entry.parentid === 0)
    .map(toNode)
    .map((dir) => (matches(dir) ? dir : { ...dir, children: dir.children.filter(matches) }))
    .filter((dir) => matches(dir) || dir.children.length > 0)
    .sort((a, b) => a.ordernum - b.ordernum);
});

/** Refuses to switch off 菜单管理: nobody could switch it on again. */
const assertNotOwnMenu = ({ key }: MenuEntry, enabled: number | undefined) => {
  if (enabled === 0 && (key === 'authority' || key === 'authority.menus'))
    throw problems.wrongState({ why: '不能停用菜单管理自身' });
};
const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const insertMenu = handle(contract.insertMenu, async ({ code, path, ...appearance }, { scope, caller, audit }) => {
  assertMayManageRights(caller);
  const entry = menuEntries.find((menuEntry) => menuEntry.code === code && (path === undefined || menuEntry.path === path));
  if (!entry) throw problems.invalid({ message: '该编码没有对应的页面或功能，不能新增' }, { field: 'code' });
  assertNotOwnMenu(entry, appearance.enabled);
  if ((await queries.findChanges(scope)).some((change) => change.menuid === entry.menuid))
    throw problems.duplicate({ what: '该菜单的设置' });
  await queries.saveChange(scope, caller.musercode, entry.menuid, withoutUndefined(appearance));
  audit({ objectid: String(entry.menuid), detail: { code, ...appearance } });
  return { menuid: entry.menuid };
});

const updateMenu = handle(contract.updateMenu, async ({ menuid, version: _, ...appearance }, { scope, caller, audit }) => {
  assertMayManageRights(caller);
  const entry = entryOf(menuid);
  if (!entry) throw problems.notFound({ what: '菜单' });
  assertNotOwnMenu(entry, appearance.enabled);
  await queries.saveChange(scope, caller.musercode, menuid, withoutUndefined(appearance));
  audit({ objectid: String(menuid), detail: { code: entry.code, ...appearance } });
  return {};
});

const deleteMenuById = handle(contract.deleteMenuById, async ({ menuid }, { scope, caller, audit }) => {
  assertMayManageRights(caller);
  if (!(await queries.dropChange(scope, menuid))) throw problems.notFound({ what: '菜单设置' });
  audit({ objectid: String(menuid) });
  return {};
});

export const menuHandlers = [selectMenuList, insertMenu, updateMenu, deleteMenuById];
