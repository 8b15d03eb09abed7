import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { hashPassword, verifyPassword } from '#server/security/password.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { findCredentials, changePassword } from '#features/account/account.queries.ts';
import { verifyOwnPassword } from '#features/account/proof.ts';

/** Changes the caller's own password. It checks `oldpwd` first; a call without `oldpwd` comes after a step-up. */
export async function changeOwnPassword(ctx: Context<'staff'>, pwd: string, oldpwd: string | undefined) {
  if (ctx.caller.loginasby) throw problems.notWhileActing();
  if (oldpwd) await verifyOwnPassword(ctx, oldpwd, 'oldpwd');
  if (await isCommonPassword(pwd)) throw problems.passwordWeak(undefined, { field: 'pwd' });
  const account = await findCredentials(ctx.pools.authn, ctx.caller.accountid);
  if (await verifyPassword(pwd, account?.pwdhash, ctx.cipher.pepper)) throw problems.passwordSame(undefined, { field: 'pwd' });
  await changePassword(
    ctx.pools.authn,
    ctx.caller.accountid,
    await hashPassword(pwd, ctx.cipher.pepper),
    ctx.session as SessionHash,
  );
  ctx.audit({ objectid: ctx.caller.accountid, detail: { changed: 'pwd' } });
}
