import { problems } from '#contract/problem.ts';
import { hashOf } from '#server/caller.ts';
import { handle, type Ctx } from '#server/handle.ts';
import { hashPassword, verifyPassword } from '#server/password.ts';
import type { SessionHash } from '#server/scope.ts';
import { isCommonPassword } from '#server/weakPassword.ts';
import { editMUser, resetMUserPassword } from '#features/muser/edit.ts';
import { findApps } from '#features/app/app.queries.ts';
import { challenge } from '#features/session/factor.server.ts';
import * as contract from '#features/session/session.contract.ts';
import * as queries from '#features/session/session.queries.ts';
import { begin, prove, proveCode, proveOwn, renewToken, userRecord } from '#features/session/signIn.ts';

const login = handle(contract.login, async ({ username, pwd }, ctx) => {
  const account = await prove(ctx, username, pwd);
  return account.hasfactor ? challenge(ctx, account) : begin(ctx, account);
});

const logout = handle(contract.logout, async ({ token }, ctx) => {
  const own = ctx.token || token;
  if (own) await queries.endSession(ctx.pools.authn, hashOf(own));
  return {};
});

const getUserInfo = handle(contract.getUserInfo, async (_, ctx) => userRecord(ctx.scope, ctx.caller, ctx));

const stepUp = handle(contract.stepUp, async ({ pwd, code }, ctx) => {
  if (pwd !== undefined) await proveOwn(ctx, pwd, 'pwd');
  else await proveCode(ctx, ctx.caller, code as string);
  return { token: await renewToken(ctx) };
});

const updateMUser = handle(contract.updateMUser, async ({ pwd, oldpwd, ...facts }, ctx) => {
  const own = facts.musercode === ctx.caller.musercode;
  // Who signed in with an initial password may change that and nothing else.
  if (ctx.caller.mustchangepwd && (!own || pwd === undefined)) throw problems.mustChangePassword();
  if (pwd === undefined) {
    if (oldpwd !== undefined) throw problems.missing({ title: '新密码' }, { field: 'pwd' });
    await editMUser(ctx, facts);
  } else {
    if (Object.keys(facts).length > 1) throw problems.invalid({ message: '密码与资料请分开修改' }, { field: 'pwd' });
    // The current password proves who changes their own; for a reset of another's it would prove nothing.
    if (!own && oldpwd !== undefined)
      throw problems.invalid({ message: '重置其他账号的密码不需要当前密码' }, { field: 'oldpwd' });
    if (own) await changeOwnPassword(ctx, pwd, oldpwd);
    else await resetMUserPassword(ctx, facts.musercode, pwd);
  }
  return {};
});

async function changeOwnPassword(ctx: Ctx<'staff'>, pwd: string, oldpwd: string | undefined) {
  if (ctx.caller.loginasby) throw problems.notWhileActing();
  if (oldpwd) await proveOwn(ctx, oldpwd, 'oldpwd');
  if (await isCommonPassword(pwd)) throw problems.passwordWeak(undefined, { field: 'pwd' });
  const account = await queries.accountOf(ctx.pools.authn, ctx.caller.accountid);
  if (await verifyPassword(pwd, account?.pwdhash, ctx.vault.pepper)) throw problems.passwordSame(undefined, { field: 'pwd' });
  await queries.changePassword(
    ctx.pools.authn,
    ctx.caller.accountid,
    await hashPassword(pwd, ctx.vault.pepper),
    ctx.session as SessionHash,
  );
  ctx.note({ objectid: ctx.caller.accountid, detail: { changed: 'pwd' } });
}

const chooseApp = handle(contract.chooseApp, async ({ appid }, ctx) => {
  const [app] = await findApps(ctx.scope, ctx.caller.musercode, appid);
  if (!app) throw problems.notFound({ what: '应用' });
  await queries.setSessionApp(ctx.pools.authn, ctx.session as SessionHash, appid);
  return app;
});

export const sessionHandlers = [login, logout, getUserInfo, stepUp, updateMUser, chooseApp];
