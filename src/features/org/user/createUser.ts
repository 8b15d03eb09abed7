import { addHours, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { generateOneTimePassword, oneTimePasswordHours } from '#server/security/oneTimePassword.ts';
import { canAssignRole } from '#server/dispatch/rights.ts';
import { findDept } from '#features/org/dept/dept.queries.ts';
import * as queries from '#features/org/user/user.queries.ts';

type Call = Pick<Context<'staff'>, 'scope' | 'cipher' | 'now'> & { caller: Staff };

/** Roles of these numbers, each of which the caller may give; others are refused with 110004, unknown ones with 130001. */
export async function requireAssignableRoles(ctx: Pick<Call, 'scope' | 'caller'>, roleids: readonly number[]) {
  const roleIds = [...new Set(roleids)];
  if (roleIds.length === 0) return [];
  const roles = await queries.rolesAmong(ctx.scope, ctx.caller.musercode, roleIds);
  if (roles.length !== roleIds.length) throw problems.notFound({ what: '角色' }, { field: 'roleids' });
  const institution = ctx.caller.institutioncodes;
  if (!roles.every((role) => canAssignRole(ctx.caller, role, institution))) throw problems.notAllowed();
  return roles;
}

/** A department of the caller's institution, or none; 130001 for any other. */
export async function requireOwnDept(
  { scope, caller }: Pick<Call, 'scope' | 'caller'>,
  deptid: number | null | undefined,
): Promise<number | null> {
  if (deptid == null) return null;
  if (!(await findDept(scope, caller.musercode, deptid))) throw problems.notFound({ what: '部门' }, { field: 'deptid' });
  return deptid;
}

export const validUntil = (now: Date) => shanghaiTime(addHours(now, oneTimePasswordHours));

/** A user with roles and account, all in the request's transaction; the one-time password is answered and forgotten. */
export async function createUser({ scope, caller, cipher }: Call, user: queries.UserFields, roleids: readonly number[]) {
  const { musercode } = caller;
  const secret = generateOneTimePassword(cipher.pepper);
  const { userid } = await queries.addUser(scope, musercode, user);
  await queries.setRoles(scope, { userid, musercode }, [...new Set(roleids)]);
  await queries.createAccount(scope, userid, secret.hash);
  return { userid, onetime: secret.onetime };
}
