import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

const readers = staffOf('organization.depts', 'organization.users', 'authority.roles');
const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('organization.depts'));
const deptid = z.coerce.number().int().positive().describe('部门');

export const deptRow = z.object({
  deptid: z.number(),
  parentid: z.number(),
  deptname: z.string(),
  ordernum: z.number(),
  leader: z.string(),
  phonenumber: z.string(),
  email: z.string(),
  enabled: z.number(),
  /** staff of this department itself */
  usercount: z.number(),
  createtime: z.string(),
});
export type DeptRow = z.infer<typeof deptRow>;

/** Departments of the own institution, flat; with a filter, those that match. */
export const selectDeptList = defineAction({
  name: 'as.m.system.dept.selectDeptList',
  title: '查询部门',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ deptname: z.string().trim().max(30).optional(), enabled: flag.optional() }),
  response: z.array(deptRow),
});
/** Where a department could be moved: all but itself and what stands below it. */
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
  phonenumber: z
    .union([z.literal(''), z.string().regex(/^[\d-]{7,20}$/, '联系电话不正确')])
    .optional()
    .describe('联系电话'),
  email: z
    .union([z.literal(''), z.email('邮箱不正确')])
    .optional()
    .describe('邮箱'),
  enabled: flag.optional().describe('状态'),
};
/** Answers 130002 when the parent has a department of that name. `parentid` 0 is the top. */
export const insertDept = defineAction({
  name: 'as.m.system.dept.insertDept',
  title: '新增部门',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject(fields),
  response: z.object({ deptid: z.number() }),
});
/** A department cannot stand below itself; what stands below it moves along. */
export const updateDept = defineAction({
  name: 'as.m.system.dept.updateDept',
  title: '修改部门',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ deptid, ...z.strictObject(fields).partial().shape }),
  response: z.object({}),
});
/** Refused with 130003 while it has departments or staff. */
export const deleteDeptById = defineAction({
  name: 'as.m.system.dept.deleteDeptById',
  title: '删除部门',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ deptid }),
  response: z.object({}),
});

export interface DeptNode {
  id: number;
  label: string;
  /** staff of it and of what stands below */
  count: number;
  children: DeptNode[];
}
const deptNode: z.ZodType<DeptNode> = z.lazy(() =>
  z.object({ id: z.number(), label: z.string(), count: z.number(), children: z.array(deptNode) }),
);
export const selectDeptTreeList = defineAction({
  name: 'as.m.system.user.selectDeptTreeList',
  title: '查询部门树',
  allow: readers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(deptNode),
});
