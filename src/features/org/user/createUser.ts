import { addHours, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import { canAssignRole } from '#server/dispatch/rights.ts';
import { findDept } from '#features/org/dept/dept.queries.ts';
import * as queries from '#features/org/user/user.queries.ts';

type Call = Pick<Context<'staff'>, 'scope' | 'cipher' | 'now'> & { caller: Staff };

/**
 * Returns the roles with these ids. Refuses unknown roles with 130001, roles that the caller may not assign with 110004, and roles that
 * the list of roles does not offer, disabled ones for example; a user may keep one that they hold.
 */
export async function requireAssignableRoles(
  ctx: Pick<Call, 'scope' | 'caller'>,
  roleids: readonly number[],
  heldRoleids: readonly number[] = [],
) {
  const uniqueIds = [...new Set(roleids)];
  if (uniqueIds.length === 0) return [];
  const roles = await queries.findRolesById(ctx.scope, ctx.caller.musercode, uniqueIds);
  if (roles.length !== uniqueIds.length) throw problems.notFound({ what: '角色' }, { field: 'roleids' });
  const institution = ctx.caller.institutioncodes;
  if (!roles.every((role) => canAssignRole(ctx.caller, role, institution))) throw problems.notAllowed();
  const refused = roles.find((role) => !heldRoleids.includes(role.roleid) && !isOffered(role, institution));
  if (refused)
    throw problems.wrongState({ why: `角色“${refused.rolename}”已停用或不适用于本机构，不能分配` }, { field: 'roleids' });
  return roles;
}

/** Whether the institution offers a role to its users: it is enabled, and a built-in one gives some right here. */
const isOffered = (role: { enabled: number; isbuiltin: number; codes: readonly string[] }, institution: ReadonlySet<string>) =>
  role.enabled === 1 && (role.isbuiltin === 0 || role.codes.some((code) => institution.has(code)));

/** Returns the id of a department of the caller's institution, or null for none; refuses any other with 130001. */
export async function requireOwnDept(
  { scope, caller }: Pick<Call, 'scope' | 'caller'>,
  deptid: number | null | undefined,
): Promise<number | null> {
  if (deptid == null) return null;
  if (!(await findDept(scope, caller.musercode, deptid))) throw problems.notFound({ what: '部门' }, { field: 'deptid' });
  return deptid;
}

/** Returns the time at which a one-time password that is created now expires. */
export const validUntil = (now: Date, validdays: number) => shanghaiTime(addHours(now, 24 * validdays));

/** Creates a user with roles and account in the transaction of the request. Only the response holds the one-time password. */
export async function createUser(
  { scope, caller, cipher }: Call,
  user: queries.UserFields,
  { roleids, validdays }: { roleids: readonly number[]; validdays: number },
) {
  const { musercode } = caller;
  const secret = generateOneTimePassword(cipher.pepper);
  const { userid } = await queries.addUser(scope, musercode, user);
  await queries.setRoles(scope, { userid, musercode }, [...new Set(roleids)]);
  await queries.createAccount(scope, userid, secret.hash, validdays);
  return { userid, onetime: secret.onetime };
}
