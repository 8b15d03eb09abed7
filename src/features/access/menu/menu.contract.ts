import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';

/** An entry of the menu with the platform's changes. `changed`: it differs from the shipped entry. */
export interface MenuNode {
  menuid: number;
  /** of the platform's changes; 0 without one */
  version: number;
  parentid: number;
  key: string;
  code: string;
  menutype: 'M' | 'C' | 'F';
  title: string;
  shippedtitle: string;
  path: string;
  icon: string;
  ordernum: number;
  hidden: number;
  enabled: number;
  changed: boolean;
  remark: string;
  /** name of the route: that of the specification, else the entry's key; '' for rights */
  name: string;
  meta: MenuMeta;
  /** the directory shows also when it has one screen only */
  alwaysShow: boolean;
  /** path of the first screen of a directory that is shown; '' for other entries */
  redirect: string;
  children: MenuNode[];
}
/** What the router of a console knows of a route (specification section 3, menu route). */
export interface MenuMeta {
  title: string;
  icon: string;
  /** the codes of which an account needs one; an empty list means everybody */
  roles: string[];
  /** its tab cannot be closed */
  affix: boolean;
  /** path of the menu item that is highlighted while the page is open; '' means its own */
  activeMenu: string;
  /** the breadcrumb names it */
  breadcrumb: boolean;
}
const menuNode: z.ZodType<MenuNode> = z.lazy(() =>
  z.object({
    menuid: z.number(),
    version: z.number(),
    parentid: z.number(),
    key: z.string(),
    code: z.string(),
    menutype: z.enum(['M', 'C', 'F']),
    title: z.string(),
    shippedtitle: z.string(),
    path: z.string(),
    icon: z.string(),
    ordernum: z.number(),
    hidden: z.number(),
    enabled: z.number(),
    changed: z.boolean(),
    remark: z.string(),
    name: z.string(),
    meta: z.object({
      title: z.string(),
      icon: z.string(),
      roles: z.array(z.string()),
      affix: z.boolean(),
      activeMenu: z.string(),
      breadcrumb: z.boolean(),
    }),
    alwaysShow: z.boolean(),
    redirect: z.string(),
    children: z.array(menuNode),
  }),
);

/** Lists the menu as a tree; with a filter, the matching entries and their directories. */
export const selectMenuList = defineAction({
  name: 'as.m.system.menu.selectMenuList',
  title: '查询菜单',
  allow: staffOf('authority.menus', 'authority.roles'),
  kind: 'read',
  request: z.strictObject({ title: z.string().trim().max(30).optional(), enabled: flag.optional() }),
  response: z.array(menuNode),
});

const editors = forTypes(['001'], staffOf('authority.menus'));
const appearance = {
  title: z.string().trim().min(1).max(20, '名称不超过 20 个字').optional().describe('显示名称'),
  icon: z.string().trim().max(30).optional().describe('图标'),
  ordernum: z.coerce.number().int().min(0).max(9999).optional().describe('排序'),
  hidden: flag.optional().describe('在菜单中隐藏'),
  enabled: flag.optional().describe('启用'),
  remark: z.string().trim().max(200).optional().describe('备注'),
};
const menuid = z.coerce.number().int().positive().describe('菜单');

/**
 * Adds the platform's changes to a shipped menu entry. Answers 120002 for a code without a screen or right; 'admin' is one of
 * these.
 */
export const insertMenu = defineAction({
  name: 'as.m.system.menu.insertMenu',
  title: '新增菜单设置',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    code: z.string().trim().min(1).max(20).describe('权限编码'),
    path: z.string().trim().max(100).optional().describe('路径'),
    ...appearance,
  }),
  response: z.object({ menuid: z.number() }),
});
/** Changes a menu entry. Absent fields stay unchanged. Nobody can switch off 菜单管理. */
export const updateMenu = defineAction({
  name: 'as.m.system.menu.updateMenu',
  title: '修改菜单设置',
  allow: editors,
  kind: 'write',
  edits: { table: 'menuoverride', key: 'menuid' },
  sensitive: true,
  request: z.strictObject({ menuid, version: editVersion, ...appearance }),
  response: z.object(newVersion),
});
/** Deletes the platform's changes of an entry: the shipped entry applies again. */
export const deleteMenuById = defineAction({
  name: 'as.m.system.menu.deleteMenuById',
  title: '恢复菜单默认设置',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ menuid }),
  response: z.object({}),
});
