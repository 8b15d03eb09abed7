import { randomBytes } from 'node:crypto';
import { accessOf } from '#domain/access.ts';
import { problems } from '#contract/problem.ts';
import { hashOf, identify, type Staff } from '#server/caller.ts';
import { handle, type Ctx } from '#server/handle.ts';
import { hashPassword, verifyPassword } from '#server/password.ts';
import { withScope, type Scope, type SessionHash } from '#server/scope.ts';
import { isCommonPassword } from '#server/weakPassword.ts';
import { editMUser, resetMUserPassword } from '#features/muser/edit.ts';
import * as contract from '#features/session/session.contract.ts';
import * as queries from '#features/session/session.queries.ts';

const triesByName = 5;
const triesByAddress = 30;

/** The record the console keeps, with the rights of this moment. */
async function userRecord(scope: Scope, staff: Staff, demo: boolean) {
  const row = await queries.findUserRecord(scope);
  if (!row) throw problems.identityInvalid();
  const { issuper, loginas, appexempt, navextra, rolekeys, ...shown } = row;
  const access = accessOf({
    musercode: row.musercode,
    musertype: row.musertype,
    userid: row.userid,
    special: { issuper, loginas, appexempt, navextra },
    rolekeys,
  });
  return {
    ...shown,
    permissions: [...staff.codes].sort().map((component) => ({ component })),
    loginas: access.loginas,
    appexempt: access.appexempt,
    navextra: access.navextra,
    without: access.without,
    mustchangepwd: staff.mustchangepwd,
    narrowed: staff.narrowed,
    demo,
  };
}

/** Checks a password within the throttle; the same text, number and work whatever was wrong. */
async function prove(ctx: Ctx, loginname: string, md5: string) {
  const { authn } = ctx.pools;
  const name = loginname.normalize('NFC').trim().toLowerCase();
  const nameKey = ctx.vault.tag('throttle', `name:${name}`);
  const addressKey = ctx.vault.tag('throttle', `ip:${ctx.origin.ip}`);
  const minutes = await queries.throttled(authn, [nameKey, addressKey]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const account = await queries.findAccount(authn, name);
  const right = await verifyPassword(md5, account?.pwdhash, ctx.vault.pepper);
  const log = (ok: boolean, reason: string) =>
    queries.recordLogin(authn, { loginname: name, accountid: account?.accountid ?? null, ok, reason, ...ctx.origin });
  if (!right || !account) {
    const failures = await queries.countFailure(authn, nameKey, triesByName);
    await queries.countFailure(authn, addressKey, triesByAddress);
    await log(false, 'password');
    throw problems.wrongPassword({ left: Math.max(0, triesByName - failures) });
  }
  if (!account.open) {
    await log(false, 'closed');
    throw problems.accountClosed();
  }
  await queries.forgetFailures(authn, nameKey);
  await log(true, '');
  return account;
}

const login = handle(contract.login, async ({ username, pwd }, ctx) => {
  const account = await prove(ctx, username, pwd);
  const token = randomBytes(32).toString('base64url');
  const session = hashOf(token);
  await queries.openSession(ctx.pools.authn, { tokenhash: session, ...account, ...ctx.origin });
  const bearer = { session, bound: ctx.origin.bind };
  const record = await withScope(ctx.pools.app, bearer, async (scope) =>
    userRecord(scope, await identify.staff(scope), ctx.demo),
  );
  ctx.note({ objectid: account.accountid });
  return { ...record, token };
});

const logout = handle(contract.logout, async ({ token }, ctx) => {
  const own = ctx.token || token;
  if (own) await queries.endSession(ctx.pools.authn, hashOf(own));
  return {};
});

const getUserInfo = handle(contract.getUserInfo, async (_, ctx) => userRecord(ctx.scope, ctx.caller, ctx.demo));

const stepUp = handle(contract.stepUp, async ({ pwd }, ctx) => {
  await proveOwn(ctx, pwd);
  await queries.markProven(ctx.pools.authn, ctx.session as SessionHash);
  return {};
});

/** The caller's own password again, under the throttle of their account. */
async function proveOwn(ctx: Ctx<'staff'>, md5: string) {
  const key = ctx.vault.tag('throttle', `account:${ctx.caller.accountid}`);
  const minutes = await queries.throttled(ctx.pools.authn, [key]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const account = await queries.accountOf(ctx.pools.authn, ctx.caller.accountid);
  if (await verifyPassword(md5, account?.pwdhash, ctx.vault.pepper)) return queries.forgetFailures(ctx.pools.authn, key);
  const failures = await queries.countFailure(ctx.pools.authn, key, triesByName);
  throw problems.wrongOldPassword({ left: Math.max(0, triesByName - failures) }, { field: 'oldpwd' });
}

const updateMUser = handle(contract.updateMUser, async ({ pwd, oldpwd, ...facts }, ctx) => {
  const own = facts.musercode === ctx.caller.musercode;
  // Who signed in with an initial password may change that and nothing else.
  if (ctx.caller.mustchangepwd && (!own || pwd === undefined)) throw problems.mustChangePassword();
  if (pwd === undefined) {
    if (oldpwd !== undefined) throw problems.missing({ title: '新密码' }, { field: 'pwd' });
    await editMUser(ctx, facts);
  } else {
    if (Object.keys(facts).length > 1) throw problems.invalid({ message: '密码与资料请分开修改' }, { field: 'pwd' });
    if (own) await changeOwnPassword(ctx, pwd, oldpwd);
    else await resetMUserPassword(ctx, facts.musercode, pwd);
  }
  return {};
});

async function changeOwnPassword(ctx: Ctx<'staff'>, pwd: string, oldpwd: string | undefined) {
  if (oldpwd) await proveOwn(ctx, oldpwd);
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

const getMUserAppList = handle(contract.getMUserAppList, async ({ musercode, appid }, { scope, caller }) =>
  queries.findApps(scope, musercode || caller.musercode, appid || undefined),
);
const getAppList = handle(contract.getAppList, async ({ appid }, { scope }) => queries.findAllApps(scope, appid || undefined));
const chooseApp = handle(contract.chooseApp, async ({ appid }, ctx) => {
  const [app] = await queries.findApps(ctx.scope, ctx.caller.musercode, appid);
  if (!app) throw problems.notFound({ what: '应用' });
  await queries.setSessionApp(ctx.pools.authn, ctx.session as SessionHash, appid);
  return app;
});

export const sessionHandlers = [login, logout, getUserInfo, stepUp, updateMUser, getMUserAppList, getAppList, chooseApp];
