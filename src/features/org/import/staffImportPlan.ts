import type { CheckedTable } from '#contract/workbook/checkRows.ts';
import type { RowOf, WorksheetSchema } from '#contract/workbook/column.ts';
import type { ImportRemark } from '#contract/workbook/importJob.ts';
import type { staffWorksheet } from '#contract/workbook/staff.columns.ts';
import { loginName } from '#features/org/user/user.contract.ts';

type StaffRow = RowOf<typeof staffWorksheet>;

/** What a sheet of staff is compared with: the institution's departments, roles and people, and login names in use anywhere. */
export interface KnownStaff {
  depts: readonly { deptid: number; parentid: number; deptname: string }[];
  /** `may`: the caller may give it */
  roles: readonly { roleid: number; rolename: string; enabled: number; may: boolean }[];
  /** lower-case login names that are taken, with the name of whose they are when it is a colleague */
  taken: ReadonlyMap<string, string | null>;
  /** colleagues by name */
  people: ReadonlyMap<string, readonly { sysusername: string; deptname: string | null }[]>;
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

/** Decides which rows of a checked sheet become accounts. Every cell is told what is wrong with it, also in rows that are out already. */
export function planStaffImport(checked: CheckedTable<WorksheetSchema>, staff: KnownStaff): StaffImportPlan {
  const plan: StaffImportPlan = { remarks: [], effects: new Map(), users: [] };
  const complete = !checked.columns.some((column) => column.state === 'missing');
  const findDept = deptFinder(staff.depts);
  const findRoles = roleFinder(staff.roles);
  const named = new Map<string, number[]>();
  for (const { row, values } of checked.rows) {
    const name = (values as Partial<StaffRow>).sysusername?.toLowerCase();
    if (name) named.set(name, [...(named.get(name) ?? []), row]);
  }
  for (const item of checked.rows) {
    const values = item.values as { [K in keyof StaffRow]: StaffRow[K] | null };
    const before = plan.remarks.length;
    const remark = (kind: ImportRemark['kind'], key: keyof StaffRow, message: string) =>
      plan.remarks.push({ row: item.row, key, kind, message });
    const error = (key: keyof StaffRow, message: string) => remark('error', key, message);

    const name = values.sysusername;
    if (name) {
      const others = (named.get(name.toLowerCase()) ?? []).filter((row) => row !== item.row);
      const owner = staff.taken.get(name.toLowerCase());
      if (!loginName.safeParse(name).success) error('sysusername', '登录账号为 2–32 位字母、数字或 _ . - @');
      else if (owner !== undefined) error('sysusername', owner ? `该账号已存在：本机构用户“${owner}”` : '该账号已存在，请换一个');
      else if (others.length > 0)
        error(
          'sysusername',
          `与第 ${others.slice(0, 3).join('、')} ${others.length > 3 ? '等' : ''}行的账号相同（不区分大小写）`,
        );
    }
    const dept = values.deptname ? findDept(values.deptname) : { deptid: null };
    if ('why' in dept) error('deptname', dept.why);
    const roles = values.rolenames ? findRoles(values.rolenames) : { roleids: [], faults: [] };
    if (roles.faults.length > 0) error('rolenames', roles.faults.join('；'));
    const namesakes =
      values.realname && !staff.taken.has(name?.toLowerCase() ?? '') ? staff.people.get(values.realname) : undefined;
    if (namesakes?.[0]) {
      const { sysusername, deptname } = namesakes[0];
      remark(
        'warning',
        'realname',
        `本机构已有同名用户（账号 ${sysusername}${deptname ? `，${deptname}` : ''}），请确认不是同一人`,
      );
    }
    const wrong = plan.remarks.slice(before).some((said) => said.kind === 'error');
    if (!item.ok || !complete || wrong || 'why' in dept) continue;
    plan.effects.set(item.row, 'new');
    plan.users.push({ row: item.row, values: item.values as StaffRow, deptid: dept.deptid, roleids: roles.roleids });
  }
  return plan;
}

/** Departments by name; where several have it, by the path of names down to it: 初中部/教学部. */
function deptFinder(depts: KnownStaff['depts']) {
  const byId = new Map(depts.map((dept) => [dept.deptid, dept]));
  const pathOf = (dept: KnownStaff['depts'][number]): string => {
    const above = byId.get(dept.parentid);
    return above ? `${pathOf(above)}/${dept.deptname}` : dept.deptname;
  };
  const byName = new Map<string, KnownStaff['depts'][number][]>();
  for (const dept of depts) {
    // Every end of its path names it: 教学部, 初中部/教学部.
    const parts = pathOf(dept).split('/');
    for (const at of parts.keys()) {
      const name = parts.slice(at).join('/');
      byName.set(name, [...(byName.get(name) ?? []), dept]);
    }
  }
  return (text: string): { deptid: number } | { why: string } => {
    const found = byName.get(text) ?? byName.get(text.replace(/\s*[/／>＞]\s*/g, '/')) ?? [];
    const [first] = found;
    if (!first) return { why: `没有部门“${text}”，请先在部门管理中新增` };
    return found.length === 1
      ? { deptid: first.deptid }
      : { why: `有 ${found.length} 个部门叫“${text}”，请连同上级部门填写，如“${pathOf(first)}”` };
  };
}

/** Roles of a cell, divided by 、or comma. A role's own name may hold a slash (心理教师/医生), so that divides nothing. */
function roleFinder(roles: KnownStaff['roles']) {
  const byName = new Map(roles.map((role) => [role.rolename, role]));
  const offered = roles.filter((role) => role.may && role.enabled === 1).map((role) => role.rolename);
  const hint = offered.length > 0 ? `，可填写：${offered.slice(0, 6).join('、')}${offered.length > 6 ? ' 等' : ''}` : '';
  return (text: string): { roleids: number[]; faults: string[] } => {
    const names = byName.has(text) ? [text] : text.split(/[、,，;；]/).map((part) => part.trim());
    const wantedNames = [...new Set(names.filter(Boolean))];
    const faults = wantedNames.flatMap((name) => {
      const role = byName.get(name);
      if (!role) return [`没有角色“${name}”${hint}`];
      if (role.enabled === 0) return [`角色“${name}”已停用`];
      return role.may ? [] : [`不能授予角色“${name}”`];
    });
    return { roleids: wantedNames.flatMap((name) => byName.get(name)?.roleid ?? []), faults };
  };
}
