import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights, findManageableUser } from '#server/dispatch/rights.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import { requireAssignableRoles } from '#features/org/user/createUser.ts';
import * as queries from '#features/org/user/user.queries.ts';
import { findAbleOnceBack } from '#features/warning/duty/duty.queries.ts';
import { WORK_KINDS, type WorkChoice } from '#features/handover/handOver.contract.ts';
import { passWorkOfUnable } from '#features/handover/passUnable.ts';
import { handOverLeaving } from '#features/handover/passWork.ts';
import { handOverChosen, type HandOverChoice } from '#features/warning/handover/handOver.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

/** The changes of one user that the calls for one and for many users share. */

/** Returns a user of the caller's institution, other than the caller, that the caller may manage. */
export async function requireManageable({ scope, caller }: Pick<Context<'staff'>, 'scope'> & { caller: Staff }, userid: string) {
  assertMayManageRights(caller);
  const user = await queries.findUser(scope, caller.musercode, userid);
  if (!user) throw problems.notFound({ what: '用户' });
  if (userid === caller.userid) throw problems.inUse({ why: '不能对自己的账号进行该操作' });
  await findManageableUser(scope, caller, userid);
  return user;
}

/** Why the work of a user changes its owner, and who says so. */
export const handOverReason = (ctx: Context<'staff'>, user: { realname: string }, what: string) => ({
  reason: `原责任人${user.realname}的账号已${what}`,
  ...operatorOf(ctx.caller),
  now: ctx.now,
});

/**
 * Hands over the open work of a user who leaves: cases as `handovers` choose, everything else, and cases without an entry there, as
 * `work` does. Without a choice it refuses with 130003 while open work is left. Returns the number of cases and words for the others.
 */
export const handOverAll = (
  ctx: Context<'staff'>,
  user: { userid: string; musercode: string; realname: string },
  what: string,
  { handovers = [], work = {} }: { handovers?: readonly HandOverChoice[]; work?: WorkChoice | undefined } = {},
) => {
  const kinds = work.items ?? (work.touserid === undefined ? [] : WORK_KINDS.map((kind) => ({ kind })));
  const cases = handovers.map(({ warningcode, owneruserid }) => ({
    kind: 'cases' as const,
    ids: [warningcode],
    touserid: owneruserid,
  }));
  const why = handOverReason(ctx, user, what);
  const { scope, cipher, caller } = ctx;
  return handOverLeaving({ scope, cipher, why }, user, { ...work, items: [...cases, ...kinds] }, caller.sector);
};

/**
 * Replaces the roles of a user. Refuses with 130003 when the user may then handle no case and owns open ones. Follow-ups and bookings
 * pass to colleagues when the right to them is gone. Returns what changed, for the audit log.
 */
export async function changeRoles(
  ctx: Context<'staff'>,
  user: { userid: string; musercode: string; realname: string },
  roleids: readonly number[],
) {
  const { scope, caller } = ctx;
  const { userid, musercode } = user;
  const before = await queries.roleidsOf(scope, userid);
  await requireAssignableRoles(ctx, roleids, before);
  await queries.setRoles(scope, { userid, musercode }, [...new Set(roleids)]);
  // Who may no longer handle cases owns none: this refuses while open ones remain.
  if (!(await findAbleOnceBack(scope, musercode)).includes(userid))
    await handOverChosen(scope, user, [], handOverReason(ctx, user, '失去预警处置权限'), caller.sector);
  await passWorkOfUnable(scope, ctx.cipher, musercode, ctx.now);
  return {
    rolesadded: roleids.filter((id) => !before.includes(id)),
    rolesremoved: before.filter((id) => !roleids.includes(id)),
  };
}

/** Gives a user a new one-time password, ends the sessions and notifies the user. Returns the password. */
export async function resetPassword(
  { scope, caller, cipher, now }: Context<'staff'>,
  user: { userid: string; musercode: string },
  validdays: number,
): Promise<string> {
  const { onetime, hash } = generateOneTimePassword(cipher.pepper);
  await queries.resetAccount(scope, user.userid, hash, validdays);
  await queries.notifyUser(
    scope,
    user,
    '登录密码已被重置',
    `${caller.name} 于 ${shanghaiTime(now)} 重置了您的登录密码，其他登录均已退出。如非您本人要求，请联系管理员。`,
    now,
  );
  return onetime;
}
