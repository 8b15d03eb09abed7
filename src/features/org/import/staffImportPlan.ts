import type { CheckedTable } from '#contract/workbook/checkRows.ts';
import type { RowOf, WorksheetSchema } from '#contract/workbook/column.ts';
import type { ImportRemark } from '#contract/workbook/importJob.ts';
import type { staffWorksheet } from '#contract/workbook/staff.columns.ts';
import { loginName } from '#features/org/user/user.contract.ts';

type StaffRow = RowOf<typeof staffWorksheet>;

/** The data that a staff list is compared with: departments, roles and staff of the institution, and login names of the platform. */
export interface ExistingStaff {
  depts: readonly { deptid: number; parentid: number; deptname: string }[];
  /** `assignable`: the caller may assign the role */
  roles: readonly { roleid: number; rolename: string; enabled: number; assignable: boolean }[];
  /** login names in use, in lower case; the value is the name of a colleague, or null for other institutions */
  namesInUse: ReadonlyMap<string, string | null>;
  /** staff of the institution by name */
  colleaguesByName: ReadonlyMap<string, readonly { sysusername: string; deptname: string | null }[]>;
}

export interface NewStaff {
  row: number;
  values: StaffRow;
  deptid: number | null;
  roleids: number[];
}
export interface StaffImportPlan {
  remarks: ImportRemark[];
  effects: Map<number, 'new'>;
  users: NewStaff[];
}

/** Returns the rows of a checked staff list that become accounts, and a remark for each wrong cell. */
export function planStaffImport(checked: CheckedTable<WorksheetSchema>, staff: ExistingStaff): StaffImportPlan {
  const plan: StaffImportPlan = { remarks: [], effects: new Map(), users: [] };
  const isComplete = !checked.columns.some((column) => column.state === 'missing');
  const findDept = deptFinder(staff.depts);
  const findRoles = roleFinder(staff.roles);
  const rowsByName = new Map<string, number[]>();
  for (const { row, values } of checked.rows) {
    const name = (values as Partial<StaffRow>).sysusername?.toLowerCase();
    if (name) rowsByName.set(name, [...(rowsByName.get(name) ?? []), row]);
  }
  for (const item of checked.rows) {
    const values = item.values as { [K in keyof StaffRow]: StaffRow[K] | null };
    const remarksBefore = plan.remarks.length;
    const remark = (kind: ImportRemark['kind'], key: keyof StaffRow, message: string) =>
      plan.remarks.push({ row: item.row, key, kind, message });
    const error = (key: keyof StaffRow, message: string) => remark('error', key, message);

    const name = values.sysusername;
    if (name) {
      const otherRows = (rowsByName.get(name.toLowerCase()) ?? []).filter((row) => row !== item.row);
      const owner = staff.namesInUse.get(name.toLowerCase());
      if (!loginName.safeParse(name).success) error('sysusername', '登录账号为 2–32 位字母、数字或 _ . - @');
      else if (owner !== undefined) error('sysusername', owner ? `该账号已存在：本机构用户“${owner}”` : '该账号已存在，请换一个');
      else if (otherRows.length > 0)
        error(
          'sysusername',
          `与第 ${otherRows.slice(0, 3).join('、')} ${otherRows.length > 3 ? '等' : ''}行的账号相同（不区分大小写）`,
        );
    }
    const dept = values.deptname ? findDept(values.deptname) : { deptid: null };
    if ('why' in dept) error('deptname', dept.why);
    const roles = values.rolenames ? findRoles(values.rolenames) : { roleids: [], faults: [] };
    if (roles.faults.length > 0) error('rolenames', roles.faults.join('；'));
    const namesakes =
      values.realname && !staff.namesInUse.has(name?.toLowerCase() ?? '')
        ? staff.colleaguesByName.get(values.realname)
        : undefined;
    if (namesakes?.[0]) {
      const { sysusername, deptname } = namesakes[0];
      remark(
        'warning',
        'realname',
        `本机构已有同名用户（账号 ${sysusername}${deptname ? `，${deptname}` : ''}），请确认不是同一人`,
      );
    }
    const hasError = plan.remarks.slice(remarksBefore).some((planRemark) => planRemark.kind === 'error');
    if (!item.ok || !isComplete || hasError || 'why' in dept) continue;
    plan.effects.set(item.row, 'new');
    plan.users.push({ row: item.row, values: item.values as StaffRow, deptid: dept.deptid, roleids: roles.roleids });
  }
  return plan;
}

/** Returns a search for departments by name or, for names that several departments share, by path: 初中部/教学部. */
function deptFinder(depts: ExistingStaff['depts']) {
  const byId = new Map(depts.map((dept) => [dept.deptid, dept]));
  const pathOf = (dept: ExistingStaff['depts'][number]): string => {
    const parent = byId.get(dept.parentid);
    return parent ? `${pathOf(parent)}/${dept.deptname}` : dept.deptname;
  };
  const byName = new Map<string, ExistingStaff['depts'][number][]>();
  for (const dept of depts) {
    // Each suffix of the path finds the department: 教学部, 初中部/教学部.
    const parts = pathOf(dept).split('/');
    for (const start of parts.keys()) {
      const name = parts.slice(start).join('/');
      byName.set(name, [...(byName.get(name) ?? []), dept]);
    }
  }
  return (text: string): { deptid: number } | { why: string } => {
    const matches = byName.get(text) ?? byName.get(text.replace(/\s*[/／>＞]\s*/g, '/')) ?? [];
    const [first] = matches;
    if (!first) return { why: `没有部门“${text}”，请先在部门管理中新增` };
    return matches.length === 1
      ? { deptid: first.deptid }
      : { why: `有 ${matches.length} 个部门叫“${text}”，请连同上级部门填写，如“${pathOf(first)}”` };
  };
}

/** Returns a search for the roles of a cell, separated by 、or comma. A slash may be part of a role name: 心理教师/医生. */
function roleFinder(roles: ExistingStaff['roles']) {
  const byName = new Map(roles.map((role) => [role.rolename, role]));
  const assignableNames = roles.filter((role) => role.assignable && role.enabled === 1).map((role) => role.rolename);
  const hint =
    assignableNames.length > 0
      ? `，可填写：${assignableNames.slice(0, 6).join('、')}${assignableNames.length > 6 ? ' 等' : ''}`
      : '';
  return (text: string): { roleids: number[]; faults: string[] } => {
    const names = byName.has(text) ? [text] : text.split(/[、,，;；]/).map((part) => part.trim());
    const uniqueNames = [...new Set(names.filter(Boolean))];
    const faults = uniqueNames.flatMap((name) => {
      const role = byName.get(name);
      if (!role) return [`没有角色“${name}”${hint}`];
      if (role.enabled === 0) return [`角色“${name}”已停用`];
      return role.assignable ? [] : [`不能授予角色“${name}”`];
    });
    return { roleids: uniqueNames.flatMap((name) => byName.get(name)?.roleid ?? []), faults };
  };
}
