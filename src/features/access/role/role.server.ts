import { adminRoleKey } from '#domain/tenant/access.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { DataScope } from '#domain/base/enums.ts';
import { codesOfMenus, menuEntries, menusOfCodes, type MenuEntry } from '#contract/menuTree.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { holdsAll, assertMayManageRights, canAssignRole, rightsOfInstitution, assertHoldsAll } from '#server/dispatch/rights.ts';
import * as contract from '#features/access/role/role.contract.ts';
import type { TreeNode } from '#features/access/role/role.contract.ts';
import * as queries from '#features/access/role/role.queries.ts';

type Role = NonNullable<Awaited<ReturnType<typeof queries.findRole>>>;

const canEdit = (caller: Staff, role: Role) =>
  role.musercode === caller.musercode && (role.isbuiltin === 0 || caller.musertype === '001') && holdsAll(caller, role.codes);

const selectRoleList = handle(contract.selectRoleList, async ({ page, pageSize, orderby, isasc, ...filters }, ctx) => {
  const { scope, caller } = ctx;
  const { institutioncodes: institution } = caller;
  const roles = (await queries.findRoles(scope, caller.musercode, filters)).map((role) => ({
    roleid: role.roleid,
    version: role.version,
    rolename: role.rolename,
    rolekey: role.rolekey,
    rolesort: role.rolesort,
    datascope: role.datascope,
    deptids: role.deptids,
    enabled: role.enabled,
    mustfactor: role.mustfactor,
    isbuiltin: role.isbuiltin,
    usercount: role.usercount,
    codecount: role.codes.filter((code) => institution.has(code)).length,
    remark: role.remark ?? '',
    createtime: shanghaiTime(role.createtime),
    assignable: role.enabled === 1 && canAssignRole(caller, role, institution),
    editable: canEdit(caller, role),
  }));
  // The list leaves out built-in roles without members that the caller cannot assign or that give no right here.
  const visible = roles.filter((role) => role.isbuiltin === 0 || role.usercount > 0 || (role.assignable && role.codecount > 0));
  if (orderby === 'usercount' || orderby === 'rolesort' || orderby === 'createtime')
    visible.sort((a, b) => (a[orderby] < b[orderby] ? -1 : a[orderby] > b[orderby] ? 1 : 0) * (isasc === '1' ? 1 : -1));
  return { total: visible.length, rows: visible.slice((page - 1) * pageSize, page * pageSize) };
});

/** Returns the departments of the data scope "chosen", else none; refuses departments of other institutions with 120002. */
async function requireScopeDepts(
  { scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>,
  datascope: number,
  deptids: readonly number[],
) {
  if (datascope !== DataScope.chosen) return [];
  const depts = await queries.findExistingDepts(scope, caller.musercode, [...new Set(deptids)]);
  if (depts.length === 0 || depts.length !== new Set(deptids).size)
    throw problems.invalid({ message: '请选择本机构的部门' }, { field: 'deptids' });
  return depts;
}

const insertRole = handle(contract.insertRole, async ({ menuids, ...role }, ctx) => {
  const { scope, caller, audit } = ctx;
  assertMayManageRights(caller);
  const codes = codesOfMenus(menuids);
  assertKeyFree(role.rolekey);
  assertHoldsAll(caller, codes);
  const { roleid } = await queries.addRole(scope, caller.musercode, {
    rolename: role.rolename,
    rolekey: role.rolekey,
    rolesort: role.rolesort ?? 100,
    datascope: role.datascope,
    deptids: await requireScopeDepts(ctx, role.datascope, role.deptids ?? []),
    codes,
    enabled: role.enabled ?? 1,
    mustfactor: role.mustfactor ?? 0,
    remark: role.remark ?? null,
  });
  audit({ objectid: String(roleid), detail: { rolename: role.rolename, datascope: role.datascope, codes } });
  return { roleid };
});

/** Refuses the key of the built-in role that has every route: an own role with that key would promise what it does not give. */
function assertKeyFree(rolekey: string) {
  if (rolekey === adminRoleKey) throw problems.duplicate({ what: '该角色标识' });
}

/** Returns a locked role of the caller's institution; refuses a role with more rights than the caller with 110004. */
async function requireEditable({ scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>, roleid: number): Promise<Role> {
  const role = await queries.lockRole(scope, caller.musercode, roleid);
  if (!role) {
    // Everybody sees a built-in role, but it belongs to the platform.
    if (await queries.findRole(scope, caller.musercode, roleid)) throw problems.notAllowed();
    throw problems.notFound({ what: '角色' });
  }
  if (!canEdit(caller, role)) throw problems.notAllowed();
  return role;
}

const updateRole = handle(
  contract.updateRole,
  async ({ roleid, menuids, ...fields }, ctx) => {
    assertMayManageRights(ctx.caller);
    const role = await requireEditable(ctx, roleid);
    if (!role.isbuiltin && fields.rolekey !== undefined) assertKeyFree(fields.rolekey);
    // Nobody changes their own rights, not even to fewer: administrators could lock out themselves and all their colleagues.
    if (ctx.caller.userid !== null && (await queries.holdsRole(ctx.scope, ctx.caller.userid, roleid)))
      throw problems.wrongState({ why: '不能修改自己拥有的角色，请由其他管理员修改' });
    const codes = menuids === undefined ? role.codes : codesOfMenus(menuids);
    assertHoldsAll(ctx.caller, codes);
    const datascope = fields.datascope ?? role.datascope;
    const deptids =
      fields.datascope === undefined && fields.deptids === undefined
        ? role.deptids
        : await requireScopeDepts(ctx, datascope, fields.deptids ?? role.deptids);
    const enabled = fields.enabled ?? role.enabled;
    const mustfactor = fields.mustfactor ?? role.mustfactor;
    await queries.changeRole(ctx.scope, roleid, {
      rolename: fields.rolename ?? role.rolename,
      rolekey: role.isbuiltin ? role.rolekey : (fields.rolekey ?? role.rolekey),
      rolesort: fields.rolesort ?? role.rolesort,
      remark: fields.remark ?? role.remark,
      datascope,
      deptids,
      enabled,
      mustfactor,
      codes,
    });
    ctx.audit({
      objectid: String(roleid),
      detail: {
        rolename: fields.rolename ?? role.rolename,
        added: codes.filter((code) => !role.codes.includes(code)),
        removed: role.codes.filter((code) => !codes.includes(code)),
        datascope,
        enabled,
        ...(mustfactor === role.mustfactor ? {} : { mustfactor }),
      },
    });
    return {};
  },
  { current: async ({ roleid }, scope) => ({ menuids: menusOfCodes(new Set(await queries.codesOf(scope, roleid))) }) },
);

const deleteRoleById = handle(contract.deleteRoleById, async ({ roleid }, ctx) => {
  assertMayManageRights(ctx.caller);
  const role = await requireEditable(ctx, roleid);
  if (role.isbuiltin) throw problems.inUse({ why: '系统内置角色不能删除' });
  if (!(await queries.removeRole(ctx.scope, roleid)))
    throw problems.inUse({ why: `角色“${role.rolename}”还有成员，请先为他们更换角色` });
  ctx.audit({ objectid: String(roleid), detail: { rolename: role.rolename } });
  return {};
});

const getRoleUsers = handle(contract.getRoleUsers, async ({ roleid }, { scope, caller }) => {
  if (!(await queries.findRole(scope, caller.musercode, roleid))) throw problems.notFound({ what: '角色' });
  return (await queries.findMembers(scope, caller.musercode, roleid)).map((row) => ({ ...row, deptname: row.deptname ?? '' }));
});

/** Returns the tree of the visible entries; `held` says which rights the caller may grant. */
function treeOf(caller: Staff, isVisible: (entry: MenuEntry) => boolean): TreeNode[] {
  const node = (entry: MenuEntry, children: TreeNode[]): TreeNode => ({
    id: entry.menuid,
    label: entry.title,
    code: entry.code,
    menutype: entry.menutype,
    held: entry.code === '' || caller.codes.has(entry.code),
    children,
  });
  return menuEntries
    .filter((entry) => entry.parentid === 0)
    .map((dir) =>
      node(
        dir,
        menuEntries.filter((entry) => entry.parentid === dir.menuid && isVisible(entry)).map((entry) => node(entry, [])),
      ),
    )
    .filter((dir) => dir.children.length > 0);
}
/** Returns the condition that leaves out the statistics directory that an account type does not have. */
const hasStatistics = (musertype: string) => (entry: MenuEntry) =>
  musertype === '001' || musertype === '002' || (musertype === '004' ? entry.parentid !== 200 : entry.parentid !== 250);

const selectRoleMenuTreeselect = handle(contract.selectRoleMenuTreeselect, async ({ roleid }, ctx) => {
  const { scope, caller } = ctx;
  const { institutioncodes: institution } = caller;
  const role = roleid === undefined ? undefined : await queries.findRole(scope, caller.musercode, roleid);
  if (roleid !== undefined && !role) throw problems.notFound({ what: '角色' });
  const has = new Set(role?.codes.filter((code) => role.isbuiltin === 0 || institution.has(code)) ?? []);
  const fitsType = hasStatistics(caller.musertype);
  const menus = treeOf(caller, (entry) => fitsType(entry) && (caller.codes.has(entry.code) || has.has(entry.code)));
  const ids = new Set(menus.flatMap((dir) => [dir.id, ...dir.children.map((child) => child.id)]));
  return { menus, checkedKeys: menusOfCodes(has).filter((id) => ids.has(id)) };
});

/** Returns the rights of an institution below the caller; refuses the caller's own, whose rights come from above, with 130001. */
async function requireInstitutionBelow({ scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>, musercode: string) {
  const rights = await rightsOfInstitution(scope, musercode);
  if (!rights || (musercode === caller.musercode && caller.musertype !== '001')) throw problems.notFound({ what: '机构' });
  return rights;
}

const selectMuserMenuTreeselect = handle(contract.selectMuserMenuTreeselect, async ({ musercode }, ctx) => {
  const rights = await requireInstitutionBelow(ctx, musercode);
  const has = new Set(rights.mcodes);
  const fitsType = hasStatistics(rights.musertype);
  const menus = treeOf(ctx.caller, (entry) => fitsType(entry) && (ctx.caller.codes.has(entry.code) || has.has(entry.code)));
  const ids = new Set(menus.flatMap((dir) => [dir.id, ...dir.children.map((child) => child.id)]));
  return { menus, checkedKeys: menusOfCodes(has).filter((id) => ids.has(id)), version: rights.version };
});

/** Sets those rights of an institution that the caller holds; all others stay. Returns the rights of the institution afterwards. */
export async function grantInstitution(ctx: Context<'staff'>, musercode: string, codes: readonly string[]): Promise<string[]> {
  const { scope, caller, audit } = ctx;
  assertMayManageRights(caller);
  const rights = await requireInstitutionBelow(ctx, musercode);
  if (rights.issuper) throw problems.wrongState({ why: '平台拥有全部权限，不能修改' });
  assertHoldsAll(
    caller,
    codes.filter((code) => !rights.mcodes.includes(code)),
  );
  const lackingCodes = rights.mcodes.filter((code) => !caller.codes.has(code));
  const nextCodes = [...new Set([...codes.filter((code) => caller.codes.has(code)), ...lackingCodes])].sort();
  await queries.setInstitutionCodes(scope, musercode, nextCodes);
  audit({
    objectid: musercode,
    detail: {
      insname: rights.insname,
      added: nextCodes.filter((code) => !rights.mcodes.includes(code)),
      removed: rights.mcodes.filter((code) => !nextCodes.includes(code)),
    },
  });
  return nextCodes;
}

const updateMuserMenu = handle(
  contract.updateMuserMenu,
  async ({ musercode, menuids }, ctx) => {
    await grantInstitution(ctx, musercode, codesOfMenus(menuids));
    return {};
  },
  {
    current: async ({ musercode }, scope) => ({
      menuids: menusOfCodes(new Set((await rightsOfInstitution(scope, musercode))?.mcodes)),
    }),
  },
);

export const roleHandlers = [
  selectRoleList,
  insertRole,
  updateRole,
  deleteRoleById,
  getRoleUsers,
  selectRoleMenuTreeselect,
  selectMuserMenuTreeselect,
  updateMuserMenu,
];
