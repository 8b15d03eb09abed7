import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import * as contract from '#features/org/dept/dept.contract.ts';
import type { DeptNode } from '#features/org/dept/dept.contract.ts';
import * as queries from '#features/org/dept/dept.queries.ts';

type Dept = Awaited<ReturnType<typeof queries.findDepts>>[number];
const toRow = (dept: Dept): contract.DeptRow => ({
  deptid: dept.deptid,
  version: dept.version,
  parentid: dept.parentid,
  deptname: dept.deptname,
  ordernum: dept.ordernum,
  leader: dept.leader ?? '',
  phonenumber: dept.phonenumber ?? '',
  email: dept.email ?? '',
  enabled: dept.enabled,
  usercount: dept.usercount,
  createtime: shanghaiTime(dept.createtime),
});

const selectDeptList = handle(contract.selectDeptList, async (filters, { scope, caller }) =>
  (await queries.findDepts(scope, caller.musercode, filters)).map(toRow),
);

/** Returns the path of the direct children of a department. */
const childPath = (dept: { ancestors: string; deptid: number }) => `${dept.ancestors},${dept.deptid}`;
const isBelow = (dept: { ancestors: string }, above: { ancestors: string; deptid: number }) =>
  dept.ancestors === childPath(above) || dept.ancestors.startsWith(`${childPath(above)},`);

const selectDeptListExcludeChild = handle(contract.selectDeptListExcludeChild, async ({ deptid }, { scope, caller }) => {
  const all = await queries.findDepts(scope, caller.musercode);
  const self = all.find((dept) => dept.deptid === deptid);
  if (!self) throw problems.notFound({ what: '部门' });
  return all.filter((dept) => dept.deptid !== deptid && !isBelow(dept, self)).map(toRow);
});

/** Returns the path of a department below `parentid`; 0 is the top. */
async function ancestorsUnder({ scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>, parentid: number): Promise<string> {
  if (parentid === 0) return '0';
  const parent = await queries.findDept(scope, caller.musercode, parentid);
  if (!parent) throw problems.notFound({ what: '上级部门' }, { field: 'parentid' });
  return childPath(parent);
}

const insertDept = handle(contract.insertDept, async (fields, ctx) => {
  const { scope, caller, audit } = ctx;
  assertMayManageRights(caller);
  await queries.lockDepts(scope, caller.musercode);
  const { deptid } = await queries.addDept(scope, caller.musercode, {
    parentid: fields.parentid,
    ancestors: await ancestorsUnder(ctx, fields.parentid),
    deptname: fields.deptname,
    ordernum: fields.ordernum ?? 0,
    leader: fields.leader || null,
    phonenumber: fields.phonenumber || null,
    email: fields.email || null,
    enabled: fields.enabled ?? 1,
  });
  audit({ objectid: String(deptid), detail: { deptname: fields.deptname } });
  return { deptid };
});

const updateDept = handle(contract.updateDept, async ({ deptid, version: _, ...fields }, ctx) => {
  const { scope, caller, audit } = ctx;
  // Data scopes depend on departments: a move is a change of rights.
  assertMayManageRights(caller);
  await queries.lockDepts(scope, caller.musercode);
  const dept = await queries.findDept(scope, caller.musercode, deptid);
  if (!dept) throw problems.notFound({ what: '部门' });
  const parentid = fields.parentid ?? dept.parentid;
  const ancestors = parentid === dept.parentid ? dept.ancestors : await ancestorsUnder(ctx, parentid);
  if (parentid === deptid || ancestors === childPath(dept) || ancestors.startsWith(`${childPath(dept)},`))
    throw problems.invalid({ message: '上级部门不能是本部门或其下级部门' }, { field: 'parentid' });
  const text = (value: string | undefined, current: string | null) => (value === undefined ? current : value || null);
  await queries.changeDept(scope, deptid, {
    parentid,
    ancestors,
    deptname: fields.deptname ?? dept.deptname,
    ordernum: fields.ordernum ?? dept.ordernum,
    leader: text(fields.leader, dept.leader),
    phonenumber: text(fields.phonenumber, dept.phonenumber),
    email: text(fields.email, dept.email),
    enabled: fields.enabled ?? dept.enabled,
  });
  if (ancestors !== dept.ancestors)
    await queries.moveBelow(scope, caller.musercode, childPath(dept), childPath({ ancestors, deptid }));
  audit({
    objectid: String(deptid),
    detail: {
      deptname: fields.deptname ?? dept.deptname,
      ...(parentid === dept.parentid ? {} : { parentid: [dept.parentid, parentid] }),
    },
  });
  return {};
});

const deleteDeptById = handle(contract.deleteDeptById, async ({ deptid }, { scope, caller, audit }) => {
  assertMayManageRights(caller);
  await queries.lockDepts(scope, caller.musercode);
  const dept = await queries.findDept(scope, caller.musercode, deptid);
  if (!dept) throw problems.notFound({ what: '部门' });
  if (!(await queries.removeDept(scope, caller.musercode, deptid)))
    throw problems.inUse({ why: `部门“${dept.deptname}”还有下级部门、人员，或在角色的数据范围中，不能删除` });
  audit({ objectid: String(deptid), detail: { deptname: dept.deptname } });
  return {};
});

const selectDeptTreeList = handle(contract.selectDeptTreeList, async (_, { scope, caller }) => {
  const all = await queries.findDepts(scope, caller.musercode);
  const node = (dept: Dept): DeptNode => {
    const children = all.filter((child) => child.parentid === dept.deptid).map(node);
    return {
      id: dept.deptid,
      label: dept.deptname,
      count: dept.usercount + children.reduce((sum, child) => sum + child.count, 0),
      children,
    };
  };
  return all.filter((dept) => dept.parentid === 0).map(node);
});

export const deptHandlers = [
  selectDeptList,
  selectDeptListExcludeChild,
  insertDept,
  updateDept,
  deleteDeptById,
  selectDeptTreeList,
];
