import { Problem, problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { isTrusted } from '#features/account/device/device.queries.ts';
import { provePasskey } from '#features/account/passkey/verifyPasskey.ts';
import { verifyCode, verifyOwnPassword, renewToken } from '#features/account/proof.ts';
import { findApps } from '#features/app/app.queries.ts';
import { requireSecondFactor, verifySecondFactor } from '#features/session/secondFactor.server.ts';
import * as contract from '#features/session/session.contract.ts';
import * as queries from '#features/session/session.queries.ts';
import { startSession, verifyCredentials, buildUserRecord } from '#features/session/signIn.ts';

const login = handle(contract.login, async ({ username, pwd }, ctx) => {
  const account = await verifyCredentials(ctx, username, pwd);
  if (!account.hasfactor) return startSession(ctx, account);
  const { authn } = ctx.pools;
  const { cookieHash, newCookieHash } = ctx.origin;
  if (!(await isTrusted(authn, account.accountid, cookieHash))) return requireSecondFactor(ctx, account);
  const started = await startSession(ctx, account, 'trusted');
  // A reset or a removal that ran meanwhile ended the trust, and all sessions before this one was there.
  if (await isTrusted(authn, account.accountid, newCookieHash)) return started;
  await queries.endSession(authn, hashToken(started.token));
  return requireSecondFactor(ctx, account);
});

const logout = handle(contract.logout, async ({ token }, ctx) => {
  const own = ctx.token || token;
  if (own) await queries.endSession(ctx.pools.authn, hashToken(own));
  return {};
});

const getUserInfo = handle(contract.getUserInfo, async (_, ctx) => buildUserRecord(ctx.scope, ctx.caller, ctx));

const stepUp = handle(contract.stepUp, async ({ pwd, code, passkey }, ctx) => {
  if (passkey !== undefined) {
    const proof = await provePasskey(ctx, passkey, 'stepup', ctx.caller.accountid);
    if (proof instanceof Problem) return proof;
  } else if (pwd !== undefined) await verifyOwnPassword(ctx, pwd, 'pwd');
  else await verifyCode(ctx, ctx.caller, code as string);
  return { token: await renewToken(ctx) };
});

const chooseApp = handle(contract.chooseApp, async ({ appid }, ctx) => {
  const [app] = await findApps(ctx.scope, ctx.caller.musercode, appid);
  if (!app) throw problems.notFound({ what: '应用' });
  await queries.setSessionApp(ctx.pools.authn, ctx.session as SessionHash, appid);
  return app;
});

export const sessionHandlers = [login, logout, getUserInfo, stepUp, verifySecondFactor, chooseApp];
