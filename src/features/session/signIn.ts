import { randomBytes } from 'node:crypto';
import { accessOf } from '#domain/access.ts';
import { shanghaiTime } from '#domain/calendar.ts';
import { problems } from '#contract/problem.ts';
import { hashOf, identify, type Staff } from '#server/caller.ts';
import type { Ctx } from '#server/handle.ts';
import { verifyPassword } from '#server/password.ts';
import { withScope, type Scope, type SessionHash } from '#server/scope.ts';
import { tellAccount } from '#server/tellAccount.ts';
import { plainRecovery, stepOf } from '#server/totp.ts';
import * as factors from '#features/session/factor.queries.ts';
import * as queries from '#features/session/session.queries.ts';

/** How passwords and codes are checked, and how a session begins. Shared by signing in, its second step, proving again and acting for somebody. */

const triesByName = 5;
const triesByAddress = 30;

/** Where the seed of an account belongs; bound into its seal. */
export const seedPlace = (accountid: string): string => `auth.totp.${accountid}`;

/** The record the console keeps, with the rights of this moment. */
export async function userRecord(scope: Scope, staff: Staff, { demo, websiteUrl = '' }: Pick<Ctx, 'demo' | 'websiteUrl'>) {
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
    website: access.navextra ? websiteUrl : '',
    without: access.without,
    mustchangepwd: staff.mustchangepwd,
    mustenrol: staff.mustenrol,
    secondfactor: staff.hasfactor,
    loginasby: staff.loginasname ?? '',
    loginasleft: staff.loginasleft,
    narrowed: staff.narrowed,
    demo,
  };
}

/** Checks a password within the throttle; the same text, number and work whatever was wrong. */
export async function prove(ctx: Ctx, loginname: string, md5: string) {
  const { authn } = ctx.pools;
  const name = loginname.normalize('NFC').trim().toLowerCase();
  const nameKey = ctx.vault.tag('throttle', `name:${name}`);
  const addressKey = addressOf(ctx);
  const minutes = await queries.throttled(authn, [nameKey, addressKey]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const account = await queries.findAccount(authn, name);
  const right = await verifyPassword(md5, account?.pwdhash, ctx.vault.pepper);
  if (!right || !account) {
    const failures = await queries.countFailure(authn, nameKey, triesByName);
    await queries.countFailure(authn, addressKey, triesByAddress);
    await record(ctx, name, account?.accountid ?? null, 'password');
    if (failures === undefined) throw await waiting(ctx, nameKey);
    throw problems.wrongPassword({ left: Math.max(0, triesByName - failures) });
  }
  if (!account.open) {
    await record(ctx, name, account.accountid, 'closed');
    throw problems.accountClosed();
  }
  await queries.forgetFailures(authn, nameKey);
  return { ...account, loginname: name };
}

/** Adds a line to the list of sign-ins; without a reason it went well. */
export const record = (ctx: Ctx, loginname: string, accountid: string | null, reason = '') =>
  queries.recordLogin(ctx.pools.authn, { loginname, accountid, ok: reason === '', reason, ...ctx.origin });

/** Others failed while this one was being checked: the same refusal as to whoever comes after. */
const waiting = async (ctx: Ctx, key: string) =>
  problems.tooManyTries({ minutes: Math.max(1, await queries.throttled(ctx.pools.authn, [key])) });

const addressOf = (ctx: Ctx) => ctx.vault.tag('throttle', `ip:${ctx.origin.ip}`);

/** The caller's own password again, under the throttle of their account. */
export async function proveOwn(ctx: Ctx<'staff'>, md5: string, field: string) {
  const key = ctx.vault.tag('throttle', `account:${ctx.caller.accountid}`);
  const minutes = await queries.throttled(ctx.pools.authn, [key]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const account = await queries.accountOf(ctx.pools.authn, ctx.caller.accountid);
  if (await verifyPassword(md5, account?.pwdhash, ctx.vault.pepper)) return queries.forgetFailures(ctx.pools.authn, key);
  const failures = await queries.countFailure(ctx.pools.authn, key, triesByName);
  if (failures === undefined) throw await waiting(ctx, key);
  throw problems.wrongOldPassword({ left: Math.max(0, triesByName - failures) }, { field });
}

/**
 * Takes a code of the app or a recovery code, each good once. Wrong ones count against the account whoever sends them, and a right
 * password does not set that count back: otherwise who knows the password could try codes without end.
 */
export async function proveCode(ctx: Ctx, account: { accountid: string; musercode: string }, code: string) {
  const { authn } = ctx.pools;
  const key = ctx.vault.tag('throttle', `factor:${account.accountid}`);
  const minutes = await queries.throttled(authn, [key, addressOf(ctx)]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  // Counted before it is looked at and forgiven when it is right: six digits are few, and many sent at one moment are no more tries.
  const failures = await queries.countFailure(authn, key, triesByName);
  if (failures === undefined) throw await waiting(ctx, key);
  const recovery = plainRecovery(code);
  const right = recovery
    ? await factors.takeRecovery(authn, account.accountid, ctx.vault.tag('recovery', recovery))
    : await takeAppCode(ctx, account, code);
  if (right) {
    await queries.forgetFailures(authn, key);
    return recovery ? ('recovery' as const) : ('app' as const);
  }
  await queries.countFailure(authn, addressOf(ctx), triesByAddress);
  throw problems.wrongCode({ left: Math.max(0, triesByName - failures) }, { field: 'code' });
}

async function takeAppCode(ctx: Ctx, { accountid, musercode }: { accountid: string; musercode: string }, code: string) {
  const factor = await factors.findFactor(ctx.pools.authn, accountid);
  if (!factor?.confirmed) return false;
  const step = stepOf(ctx.vault.open(musercode, seedPlace(accountid), factor.sealed), code, ctx.now);
  return step !== undefined && (await factors.takeStep(ctx.pools.authn, accountid, step));
}

/** Begins a session of an account that has shown all it needs, and answers with its record and token. */
export async function begin(
  ctx: Ctx,
  account: { accountid: string; musercode: string; userid: string | null; loginname: string },
  recoveryUsed = false,
) {
  const token = randomBytes(32).toString('base64url');
  const session = hashOf(token);
  await queries.openSession(ctx.pools.authn, { tokenhash: session, ...account, ...ctx.origin });
  await record(ctx, account.loginname, account.accountid);
  const shown = await withScope(ctx.pools.inner, { session, cookieHash: ctx.origin.newCookieHash }, async (scope) => {
    if (recoveryUsed) await tellOfRecovery(ctx, scope, account);
    return userRecord(scope, await identify.staff(scope), ctx);
  });
  ctx.note({ objectid: account.accountid });
  return { ...shown, token };
}

/**
 * The token under which the session goes on from here, five minutes proven. Whoever holds the old one holds nothing. To be called before
 * what the proof was for: of two calls at one moment the second is refused (110000) and changes nothing.
 */
export async function renewToken(ctx: Ctx<'staff'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  if (!(await queries.moveSession(ctx.pools.authn, ctx.scope, ctx.session as SessionHash, hashOf(token))))
    throw problems.identityInvalid();
  return token;
}

async function tellOfRecovery(ctx: Ctx, scope: Scope, account: { accountid: string; musercode: string; userid: string | null }) {
  const left = (await factors.findFactor(ctx.pools.authn, account.accountid))?.recoveryleft ?? 0;
  await tellAccount(
    scope,
    account,
    {
      title: '已使用一个恢复码登录',
      content: `${shanghaiTime(ctx.now)} 有人用恢复码登录了您的账号，还剩 ${left} 个。如非您本人操作，请立即修改密码并重新设置二次验证。`,
      link: '/profile/factor',
    },
    ctx.now,
  );
}

/** A session's record as the session itself would read it. */
export const recordOf = (ctx: Ctx, session: SessionHash, cookieHash: SessionHash | undefined) =>
  withScope(ctx.pools.inner, { session, cookieHash }, async (scope) => userRecord(scope, await identify.staff(scope), ctx));
