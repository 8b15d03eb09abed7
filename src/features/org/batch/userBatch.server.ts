import { Problem } from '#contract/problem.ts';
import { writeAudit } from '#server/dispatch/audit.ts';
import { withSavepoint } from '#server/db/attempt.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import { changeRoles, handOverAll, requireManageable, resetPassword } from '#features/org/user/changeUser.ts';
import { requireAssignableRoles, requireOwnDept, validUntil } from '#features/org/user/createUser.ts';
import * as contract from '#features/org/batch/userBatch.contract.ts';
import type { RefusedUser, RoleMode } from '#features/org/batch/userBatch.contract.ts';
import * as queries from '#features/org/user/user.queries.ts';

type Call = Context<'staff'>;
/** What a refusal says about the open work of a user. */
type OpenWork = { cases?: unknown[]; followups?: number; bookings?: number };
type User = Awaited<ReturnType<typeof requireManageable>>;

/** Runs `work` for each user. A refusal undoes the changes of that user only. Returns the results and the refused users. */
async function forEachUser<T>(ctx: Call, userids: readonly string[], work: (user: User) => Promise<T>) {
  const results: T[] = [];
  const refused: RefusedUser[] = [];
  for (const userid of new Set(userids)) {
    try {
      results.push(await withSavepoint(ctx.scope, async () => work(await requireManageable(ctx, userid))));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const user = await queries.findUser(ctx.scope, ctx.caller.musercode, userid);
      const { cases = [], followups = 0, bookings = 0 } = (error.data ?? {}) as OpenWork;
      const openwork = cases.length + followups + bookings;
      refused.push({ userid, realname: user?.realname ?? '', reason: error.message, openwork });
    }
  }
  return { results, refused };
}

/** Adds an audit row for one user of a call, so that the log of the user has it. */
const recordUser = (ctx: Call, action: Parameters<typeof writeAudit>[1], user: User, detail: Record<string, unknown>) =>
  writeAudit(ctx, action, ctx.caller, { objectid: user.userid, detail: { realname: user.realname, ...detail } }, ctx.origin.ip);

/** The roles of a user after a change of that mode. */
const rolesAfter = (before: readonly number[], mode: RoleMode, roleids: readonly number[]): number[] =>
  mode === 'replace'
    ? [...roleids]
    : mode === 'add'
      ? [...new Set([...before, ...roleids])]
      : before.filter((id) => !roleids.includes(id));

const updateUserBatch = handle(contract.updateUserBatch, async ({ userids, enabled, deptid, rolemode, roleids }, ctx) => {
  const { scope, caller } = ctx;
  assertMayManageRights(caller);
  // A department or role that the caller may not give refuses the call, not each user.
  const dept = deptid === undefined ? undefined : await requireOwnDept(ctx, deptid);
  if (roleids && rolemode !== 'remove') await requireAssignableRoles(ctx, roleids);
  const { results, refused } = await forEachUser(ctx, userids, async (user) => {
    if (enabled !== undefined) {
      await queries.setEnabled(scope, user.userid, enabled);
      if (enabled === 0) await handOverAll(ctx, user, '停用');
      return recordUser(ctx, contract.updateUserBatch, user, { enabled });
    }
    if (dept !== undefined) {
      await queries.changeUser(scope, user.userid, { deptid: dept });
      return recordUser(ctx, contract.updateUserBatch, user, { deptid: dept });
    }
    const before = await queries.roleidsOf(scope, user.userid);
    const change = await changeRoles(ctx, user, rolesAfter(before, rolemode ?? 'add', roleids ?? []));
    return recordUser(ctx, contract.updateUserBatch, user, change);
  });
  ctx.audit({ detail: { changed: results.length, refused: refused.length } });
  return { changed: results.length, refused };
});

const resetPwdBatch = handle(contract.resetPwdBatch, async ({ userids, validdays }, ctx) => {
  assertMayManageRights(ctx.caller);
  const { results, refused } = await forEachUser(ctx, userids, async (user) => {
    const onetime = await resetPassword(ctx, user, validdays);
    await recordUser(ctx, contract.resetPwdBatch, user, { validdays });
    return { userid: user.userid, realname: user.realname, sysusername: user.sysusername, onetime };
  });
  ctx.audit({ detail: { changed: results.length, refused: refused.length, validdays } });
  return { created: results, validuntil: validUntil(ctx.now, validdays), refused };
});

export const userBatchHandlers = [updateUserBatch, resetPwdBatch];
