import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import * as contract from '#features/org/dept/dept.contract.ts';
import type { DeptNode } from '#features/org/dept/dept.contract.ts';
import * as queries from '#features/org/dept/dept.queries.ts';

type Dept = Awaited<ReturnType<typeof queries.findDepts>>[number];
const row = (dept: Dept): contract.DeptRow => ({
  deptid: dept.deptid,
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
  (await queries.findDepts(scope, caller.musercode, filters)).map(row),
);

/** The path of what stands below a department. */
const pathBelow = (dept: { ancestors: string; deptid: number }) => `${dept.ancestors},${dept.deptid}`;
const isBelow = (dept: { ancestors: string }, options: { ancestors: string; deptid: number }) =>
  dept.ancestors === pathBelow(options) || dept.ancestors.startsWith(`${pathBelow(options)},`);

const selectDeptListExcludeChild = handle(contract.selectDeptListExcludeChild, async ({ deptid }, { scope, caller }) => {
  const all = await queries.findDepts(scope, caller.musercode);
  const self = all.find((dept) => dept.deptid === deptid);
  if (!self) throw problems.notFound({ what: '部门' });
  return all.filter((dept) => dept.deptid !== deptid && !isBelow(dept, self)).map(row);
});

/** The path a department has below `parentid`; 0 is the top. */
async function pathUnder({ scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>, parentid: number): Promise<string> {
  if (parentid === 0) return '0';
  const parent = await queries.findDept(scope, caller.musercode, parentid);
  if (!parent) throw problems.notFound({ what: '上级部门' }, { field: 'parentid' });
  return pathBelow(parent);
}

const insertDept = handle(contract.insertDept, async (given, ctx) => {
  const { scope, caller, audit } = ctx;
  assertMayManageRights(caller);
  await queries.lockDepts(scope, caller.musercode);
  const { deptid } = await queries.addDept(scope, caller.musercode, {
    parentid: given.parentid,
    ancestors: await pathUnder(ctx, given.parentid),
    deptname: given.deptname,
    ordernum: given.ordernum ?? 0,
    leader: given.leader || null,
    phonenumber: given.phonenumber || null,
    email: given.email || null,
    enabled: given.enabled ?? 1,
  });
  audit({ objectid: String(deptid), detail: { deptname: given.deptname } });
  return { deptid };
});

const updateDept = handle(contract.updateDept, async ({ deptid, ...fields }, ctx) => {
  const { scope, caller, audit } = ctx;
  // Data scopes follow departments: moving one is a change of rights.
  assertMayManageRights(caller);
  await queries.lockDepts(scope, caller.musercode);
  const dept = await queries.findDept(scope, caller.musercode, deptid);
  if (!dept) throw problems.notFound({ what: '部门' });
  const parentid = fields.parentid ?? dept.parentid;
  const ancestors = parentid === dept.parentid ? dept.ancestors : await pathUnder(ctx, parentid);
  if (parentid === deptid || ancestors === pathBelow(dept) || ancestors.startsWith(`${pathBelow(dept)},`))
    throw problems.invalid({ message: '上级部门不能是本部门或其下级部门' }, { field: 'parentid' });
  const keep = (value: string | undefined, before: string | null) => (value === undefined ? before : value || null);
  await queries.changeDept(scope, deptid, {
    parentid,
    ancestors,
    deptname: fields.deptname ?? dept.deptname,
    ordernum: fields.ordernum ?? dept.ordernum,
    leader: keep(fields.leader, dept.leader),
    phonenumber: keep(fields.phonenumber, dept.phonenumber),
    email: keep(fields.email, dept.email),
    enabled: fields.enabled ?? dept.enabled,
  });
  if (ancestors !== dept.ancestors)
    await queries.moveBelow(scope, caller.musercode, pathBelow(dept), pathBelow({ ancestors, deptid }));
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
    throw problems.inUse({ why: `部门“${dept.deptname}”还有下级部门或人员，不能删除` });
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
