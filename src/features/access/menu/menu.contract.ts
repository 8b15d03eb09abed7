import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

/** An entry of the menu as the platform shows it; `changed`: it differs from what was shipped. */
export interface MenuNode {
  menuid: number;
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
  children: MenuNode[];
}
const menuNode: z.ZodType<MenuNode> = z.lazy(() =>
  z.object({
    menuid: z.number(),
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
    children: z.array(menuNode),
  }),
);

export const selectMenuList = defineAction({
  name: 'as.m.system.menu.selectMenuList',
  title: '查询菜单',
  allow: staffOf('authority.menus', 'authority.roles'),
  kind: 'read',
  request: z.strictObject({ title: z.string().trim().max(30).optional(), enabled: flag.optional() }),
  response: z.array(menuNode),
});

const arrangers = forTypes(['001'], staffOf('authority.menus'));
const look = {
  title: z.string().trim().min(1).max(20, '名称不超过 20 个字').optional().describe('显示名称'),
  icon: z.string().trim().max(30).optional().describe('图标'),
  ordernum: z.coerce.number().int().min(0).max(9999).optional().describe('排序'),
  hidden: flag.optional().describe('在菜单中隐藏'),
  enabled: flag.optional().describe('启用'),
  remark: z.string().trim().max(200).optional().describe('备注'),
};
const menuid = z.coerce.number().int().positive().describe('菜单');

/**
 * Arranges an entry that ships with the product. A code is never invented: one that belongs to no screen or right is refused
 * (120002), and so is 'admin', which is no right.
 */
export const insertMenu = defineAction({
  name: 'as.m.system.menu.insertMenu',
  title: '新增菜单设置',
  allow: arrangers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    code: z.string().trim().min(1).max(20).describe('权限编码'),
    path: z.string().trim().max(100).optional().describe('路径'),
    ...look,
  }),
  response: z.object({ menuid: z.number() }),
});
/** What is not given stays as it is. 菜单管理 itself cannot be switched off. */
export const updateMenu = defineAction({
  name: 'as.m.system.menu.updateMenu',
  title: '修改菜单设置',
  allow: arrangers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ menuid, ...look }),
  response: z.object({}),
});
/** Shows an entry as it was shipped again. */
export const deleteMenuById = defineAction({
  name: 'as.m.system.menu.deleteMenuById',
  title: '恢复菜单默认设置',
  allow: arrangers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ menuid }),
  response: z.object({}),
});
