import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { contactPhone, editVersion, flag, newVersion } from '#contract/field.ts';

const readers = staffOf('organization.depts', 'organization.users', 'authority.roles');
const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('organization.depts'));
const deptid = z.coerce.number().int().positive().describe('部门');

export const deptRow = z.object({
  deptid: z.number(),
  version: z.number(),
  parentid: z.number(),
  deptname: z.string(),
  ordernum: z.number(),
  leader: z.string(),
  phonenumber: z.string(),
  email: z.string(),
  enabled: z.number(),
  /** staff of this department without the departments below it */
  usercount: z.number(),
  createtime: z.string(),
});
export type DeptRow = z.infer<typeof deptRow>;

/** Lists the departments of the caller's institution as flat rows; with a filter, the matching ones. */
export const selectDeptList = defineAction({
  name: 'as.m.system.dept.selectDeptList',
  title: '查询部门',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ deptname: z.string().trim().max(30).optional(), enabled: flag.optional() }),
  response: z.array(deptRow),
});
/** Lists the possible parents of a department: all departments except itself and those below it. */
export const selectDeptListExcludeChild = defineAction({
  name: 'as.m.system.dept.selectDeptListExcludeChild',
  title: '查询可选上级部门',
  allow: staffOf('organization.depts'),
  kind: 'read',
  request: z.strictObject({ deptid }),
  response: z.array(deptRow),
});

const fields = {
  parentid: z.coerce.number().int().min(0).describe('上级部门'),
  deptname: z.string().trim().min(1, '请填写部门名称').max(30, '部门名称不超过 30 个字').describe('部门名称'),
  ordernum: z.coerce.number().int().min(0).max(9999).optional().describe('排序'),
  leader: z.string().trim().max(30).optional().describe('负责人'),
  /** also an internal number without area code */
  phonenumber: z
    .union([z.literal(''), z.string().regex(/^\d{3,8}$/), contactPhone])
    .optional()
    .describe('联系电话'),
  email: z
    .union([z.literal(''), z.email('邮箱不正确')])
    .optional()
    .describe('邮箱'),
  enabled: flag.optional().describe('状态'),
};
/** Creates a department. Answers 130002 when the parent has a department of that name. `parentid` 0 is the top. */
export const insertDept = defineAction({
  name: 'as.m.system.dept.insertDept',
  title: '新增部门',
  allow: editors,
  kind: 'write',
  request: z.strictObject(fields),
  response: z.object({ deptid: z.number() }),
});
/** Changes a department. Departments below it move with it; it cannot move below itself. */
export const updateDept = defineAction({
  name: 'as.m.system.dept.updateDept',
  title: '修改部门',
  allow: editors,
  kind: 'write',
  edits: { table: 'dept', key: 'deptid' },
  request: z.strictObject({ deptid, version: editVersion, ...z.strictObject(fields).partial().shape }),
  response: z.object(newVersion),
});
/** Deletes a department. Answers 130003 while it has departments or staff, or a role reaches it by its number. */
export const deleteDeptById = defineAction({
  name: 'as.m.system.dept.deleteDeptById',
  title: '删除部门',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ deptid }),
  response: z.object({}),
});

export interface DeptNode {
  id: number;
  label: string;
  /** staff of this department and of all departments below it */
  count: number;
  children: DeptNode[];
}
const deptNode: z.ZodType<DeptNode> = z.lazy(() =>
  z.object({ id: z.number(), label: z.string(), count: z.number(), children: z.array(deptNode) }),
);
/** Returns the departments of the caller's institution as a tree. */
export const selectDeptTreeList = defineAction({
  name: 'as.m.system.user.selectDeptTreeList',
  title: '查询部门树',
  allow: readers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(deptNode),
});
