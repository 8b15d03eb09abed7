import { z } from 'zod';
import { DataScope } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

const readers = staffOf('authority.roles');
/** An authority watches; it arranges nothing (type 003). */
const editors = forTypes(NON_AUTHORITY_TYPES, readers);
const granters = forTypes(OPERATOR_TYPES, staffOf('authority.roles', 'authority.menus'));
export const menuids = z.array(z.coerce.number().int().positive()).max(200).describe('权限');
const roleid = z.coerce.number().int().positive().describe('角色');

export const roleRow = z.object({
  roleid: z.number(),
  rolename: z.string(),
  rolekey: z.string(),
  rolesort: z.number(),
  datascope: z.number(),
  deptids: z.array(z.number()),
  enabled: z.number(),
  /** whoever has it needs a second factor */
  mustfactor: z.number(),
  isbuiltin: z.number(),
  usercount: z.number(),
  codecount: z.number(),
  remark: z.string(),
  createtime: z.string(),
  /** the caller holds everything the role gives, and so may give it */
  assignable: z.boolean(),
  /** the caller may change it */
  editable: z.boolean(),
});
export type RoleRow = z.infer<typeof roleRow>;

/** Roles of the own institution, and the built-in ones it may use. */
export const selectRoleList = defineAction({
  name: 'as.m.system.role.selectRoleList',
  title: '查询角色',
  allow: staffOf('authority.roles', 'organization.users'),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('usercount', 'rolesort', 'createtime'),
    rolename: z.string().trim().max(30).optional(),
    rolekey: z.string().trim().max(50).optional(),
    enabled: flag.optional(),
  }),
  response: pageOf(roleRow),
});

const fields = {
  rolename: z.string().trim().min(1, '请填写角色名称').max(30, '角色名称不超过 30 个字').describe('角色名称'),
  rolekey: z
    .string()
    .trim()
    .regex(/^[a-zA-Z][a-zA-Z0-9_]{1,49}$/, '角色标识由字母开头，只含字母、数字和下划线，2–50 位')
    .describe('角色标识'),
  rolesort: z.coerce.number().int().min(0).max(9999).optional().describe('排序'),
  datascope: z.coerce.number().pipe(z.literal(DataScope.codes, '请选择数据范围')).describe('数据范围'),
  deptids: z.array(z.coerce.number().int().positive()).max(500).optional().describe('部门'),
  enabled: flag.optional().describe('状态'),
  mustfactor: flag.optional().describe('登录二次验证'),
  remark: z.string().trim().max(200).optional().describe('备注'),
};

/** Answers 110004 for codes the caller lacks, 130002 for a key in use. */
export const insertRole = defineAction({
  name: 'as.m.system.role.insertRole',
  title: '新增角色',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ ...fields, menuids }),
  response: z.object({ roleid: z.number() }),
});

/** Built-in roles are changed by the platform only. What is not given stays. */
export const updateRole = defineAction({
  name: 'as.m.system.role.updateRole',
  title: '修改角色',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ roleid, ...z.strictObject(fields).partial().shape, menuids: menuids.optional() }),
  response: z.object({}),
});

/** Refused with 130003 while somebody holds it. */
export const deleteRoleById = defineAction({
  name: 'as.m.system.role.deleteRoleById',
  title: '删除角色',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ roleid }),
  response: z.object({}),
});

export const getRoleUsers = defineAction({
  name: 'as.m.system.role.getRoleUsers',
  title: '查询角色成员',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ roleid }),
  response: z.array(
    z.object({ userid: z.string(), realname: z.string(), sysusername: z.string(), deptname: z.string(), enabled: z.number() }),
  ),
});

/** A node of the tree of checkboxes; `held`: the caller may give it. */
export interface TreeNode {
  id: number;
  label: string;
  code: string;
  menutype: 'M' | 'C' | 'F';
  held: boolean;
  children: TreeNode[];
}
export const treeNode: z.ZodType<TreeNode> = z.lazy(() =>
  z.object({
    id: z.number(),
    label: z.string(),
    code: z.string(),
    menutype: z.enum(['M', 'C', 'F']),
    held: z.boolean(),
    children: z.array(treeNode),
  }),
);
const tree = z.object({ menus: z.array(treeNode), checkedKeys: z.array(z.number()) });

/** What the caller could put into a role, and what is in one. */
export const selectRoleMenuTreeselect = defineAction({
  name: 'as.m.system.role.selectRoleMenuTreeselect',
  title: '查询角色权限',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ roleid: roleid.optional() }),
  response: tree,
});

/** What an institution below has been given. */
export const selectMuserMenuTreeselect = defineAction({
  name: 'as.m.system.role.selectMuserMenuTreeselect',
  title: '查询机构权限',
  allow: granters,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().max(20).describe('机构') }),
  response: tree,
});

/**
 * Sets what an institution below may use. Rights the caller does not hold are neither given nor taken. What is taken leaves the
 * institution's roles and everything below it, too.
 */
export const updateMuserMenu = defineAction({
  name: 'as.m.system.role.updateMuserMenu',
  title: '修改机构权限',
  allow: granters,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ musercode: z.string().max(20).describe('机构'), menuids }),
  response: z.object({}),
});
