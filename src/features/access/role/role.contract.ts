import { z } from 'zod';
import { DataScope } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

const readers = staffOf('authority.roles');
/** Authorities (type 003) only read. */
const editors = forTypes(NON_AUTHORITY_TYPES, readers);
const granters = forTypes(OPERATOR_TYPES, staffOf('authority.roles', 'authority.menus'));
export const menuids = z.array(z.coerce.number().int().positive()).max(200).describe('权限');
const roleid = z.coerce.number().int().positive().describe('角色');

export const roleRow = z.object({
  roleid: z.number(),
  version: z.number(),
  rolename: z.string(),
  rolekey: z.string(),
  rolesort: z.number(),
  datascope: z.number(),
  deptids: z.array(z.number()),
  enabled: z.number(),
  /** staff who hold the role need a second factor */
  mustfactor: z.number(),
  isbuiltin: z.number(),
  usercount: z.number(),
  codecount: z.number(),
  remark: z.string(),
  createtime: z.string(),
  /** the caller holds all rights of the role and may assign it */
  assignable: z.boolean(),
  /** the caller may change it */
  editable: z.boolean(),
});
export type RoleRow = z.infer<typeof roleRow>;

/** Lists the roles of the caller's institution and the built-in roles that it may use. */
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

/** Creates a role. Answers 110004 for codes the caller lacks and 130002 for a key in use. */
export const insertRole = defineAction({
  name: 'as.m.system.role.insertRole',
  title: '新增角色',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ ...fields, menuids }),
  response: z.object({ roleid: z.number() }),
});

/** Changes a role. Only the platform changes built-in roles. Absent fields stay unchanged. */
export const updateRole = defineAction({
  name: 'as.m.system.role.updateRole',
  title: '修改角色',
  allow: editors,
  kind: 'write',
  edits: { table: 'role', key: 'roleid', marks: { menuids: 'codes' } },
  sensitive: true,
  request: z.strictObject({
    roleid,
    version: editVersion,
    ...z.strictObject(fields).partial().shape,
    menuids: menuids.optional(),
  }),
  response: z.object(newVersion),
});

/** Deletes a role. Answers 130003 while staff hold it. */
export const deleteRoleById = defineAction({
  name: 'as.m.system.role.deleteRoleById',
  title: '删除角色',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ roleid }),
  response: z.object({}),
});

/** Lists the staff of the caller's institution who hold a role. */
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

/** A node of the tree of checkboxes. `held`: the caller may grant it. */
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

/** Returns the rights that the caller may put into a role, and those that are in it. */
export const selectRoleMenuTreeselect = defineAction({
  name: 'as.m.system.role.selectRoleMenuTreeselect',
  title: '查询角色权限',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ roleid: roleid.optional() }),
  response: tree,
});

/** Returns the rights of an institution below the caller. */
export const selectMuserMenuTreeselect = defineAction({
  name: 'as.m.system.role.selectMuserMenuTreeselect',
  title: '查询机构权限',
  allow: granters,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().max(20).describe('机构') }),
  response: tree.extend({ version: z.number() }),
});

/**
 * Sets the rights of an institution below the caller. Rights the caller lacks stay as they are. A withdrawn right also disappears
 * from the institution's roles and from all institutions below it.
 */
export const updateMuserMenu = defineAction({
  name: 'as.m.system.role.updateMuserMenu',
  title: '修改机构权限',
  allow: granters,
  kind: 'write',
  edits: { table: 'muser', key: 'musercode', marks: { menuids: 'codes' } },
  sensitive: true,
  request: z.strictObject({ musercode: z.string().max(20).describe('机构'), menuids, version: editVersion }),
  response: z.object(newVersion),
});
