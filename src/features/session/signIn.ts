import { randomBytes } from 'node:crypto';
import { accessOf, accountName } from '#domain/tenant/access.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { hashToken, identify, type Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { isCurrentHash, rehashPassword, verifyPassword } from '#server/security/password.ts';
import { withScope, type Scope, type SessionHash } from '#server/db/scope.ts';
import { notifyAccount } from '#features/notice/notice.queries.ts';
import { describeDevice } from '#features/account/describeDevice.ts';
import { TRUST_DAYS } from '#features/account/device/device.contract.ts';
import { followCookie, trustDevice } from '#features/account/device/device.queries.ts';
import { findFactor } from '#features/account/factor.queries.ts';
import { maxFailuresByName, maxFailuresEverywhere, createLockedProblem } from '#features/account/proof.ts';
import { countFailure, clearFailures, findWaitMinutes } from '#features/account/throttle.queries.ts';
import * as queries from '#features/session/session.queries.ts';

/** Returns the user record that the console keeps, with the current rights. */
export async function buildUserRecord(
  scope: Scope,
  staff: Staff,
  { demo, websiteUrl = '' }: Pick<Context, 'demo' | 'websiteUrl'>,
) {
  const row = await queries.findUserRecord(scope);
  if (!row) throw problems.identityInvalid();
  // Without a right that 收尾模式 leaves, there is nothing to show.
  if (staff.winddownUntil && staff.codes.size === 0) throw problems.windingDown({ until: staff.winddownUntil });
  const { issuper, loginas, appexempt, navextra, rolekeys, ...fields } = row;
  const access = accessOf({
    musercode: row.musercode,
    musertype: row.musertype,
    userid: row.userid,
    special: { issuper, loginas, appexempt, navextra },
    rolekeys,
  });
  return {
    ...fields,
    name: accountName(row),
    roles: [...access.roles],
    // No account has a picture of its own: the logo of its institution stands for it.
    avatar: row.logo,
    routerKey: `${row.musercode}/${row.userid ?? ''}/${row.appid}`,
    permissions: [...staff.codes].sort().map((component) => ({ component })),
    loginas: access.loginas,
    appexempt: access.appexempt,
    navextra: access.navextra,
    website: access.navextra ? websiteUrl : '',
    without: access.without,
    mustchangepwd: staff.mustChangePassword,
    mustenrol: staff.mustEnrol,
    secondfactor: staff.hasfactor,
    loginasby: staff.loginasname ?? '',
    loginasleft: staff.actingSecondsLeft,
    narrowed: staff.ownTeamsOnly,
    winddownuntil: staff.winddownUntil ?? '',
    demo,
  };
}

/** Says why an account cannot sign in, and who can help. Only a caller with the right password reads it. */
export function whyClosed({ userid, isDisabled, isInstitutionDisabled, expiredate }: queries.AccountRow): string {
  if (isInstitutionDisabled) return '所在机构已停用，请联系服务商';
  if (isDisabled) return `账号已停用，请联系${userid === null ? '服务商' : '本机构管理员'}`;
  return `所在机构的服务已于 ${expiredate ?? ''} 到期，请联系服务商续期`;
}

/**
 * The keys that count failures of a name. A browser in which the account has signed in before counts for itself; other browsers count
 * by name and address. So a pupil behind a school's address locks out neither the staff there nor the owner of the account.
 */
export async function throttleKeysOf(ctx: Context, name: string, accountid: string | undefined) {
  const { ip, cookieHash } = ctx.origin;
  const key = (text: string) => ctx.cipher.hmac('throttle', text);
  if (accountid && cookieHash && (await queries.hasSignedIn(ctx.pools.authn, accountid, cookieHash)))
    return { here: key(`name:${name} browser:${cookieHash}`), everywhere: [] };
  return { here: key(`name:${name} ip:${ip}`), everywhere: [key(`name:${name}`)] };
}

/** Returns the account of a name and password, within the throttle. Every failure has the same text, code and cost. */
export async function verifyCredentials(ctx: Context, loginname: string, md5: string) {
  const { authn } = ctx.pools;
  const name = loginname.normalize('NFC').trim().toLowerCase();
  const account = await queries.findAccount(authn, name);
  const { here, everywhere } = await throttleKeysOf(ctx, name, account?.accountid);
  const minutes = await findWaitMinutes(authn, [here, ...everywhere]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const isRight = await verifyPassword(md5, account?.pwdhash, ctx.cipher.pepper);
  if (!isRight || !account) {
    const failures = await countFailure(authn, here, maxFailuresByName);
    for (const key of everywhere) await countFailure(authn, key, maxFailuresEverywhere);
    await recordSignIn(ctx, name, account?.accountid ?? null, 'password');
    if (failures === undefined) throw await createLockedProblem(ctx, here);
    throw problems.wrongPassword({ left: Math.max(0, maxFailuresByName - failures) });
  }
  if (!account.isOpen) {
    await recordSignIn(ctx, name, account.accountid, 'closed');
    throw problems.accountClosed({ why: whyClosed(account) });
  }
  if (account.lapsedtime) {
    await recordSignIn(ctx, name, account.accountid, 'lapsed');
    const administrator = account.userid === null ? '服务商' : '本机构管理员';
    throw account.isUsed
      ? problems.oneTimePasswordUsed({ administrator })
      : problems.oneTimePasswordExpired({ until: shanghaiTime(account.lapsedtime).slice(0, 16), administrator });
  }
  await clearFailures(authn, here);
  // The hash depends on an earlier key of the server.
  if (!isCurrentHash(account.pwdhash, ctx.cipher.pepper))
    await queries.replaceHash(authn, account, await rehashPassword(md5, account.pwdhash, ctx.cipher.pepper));
  return { ...account, loginname: name };
}

/** Adds a refused or unfinished sign-in to the login log, or with an empty reason a successful one. */
export const recordSignIn = (ctx: Context, loginname: string, accountid: string | null, reason = '') =>
  queries.recordLogin(ctx.pools.authn, { loginname, accountid, ok: reason === '', reason, ...ctx.origin });

/**
 * Opens a session of an account that passed all checks. `trust`: trusts this browser from now on. Returns its record and token; throws
 * 110013 when the password has changed since the checks.
 */
export async function startSession(
  ctx: Context,
  account: { accountid: string; musercode: string; userid: string | null; loginname: string; pwdversion: string },
  proof: '' | 'recovery' | 'passkey' | 'trusted' = '',
  trust = false,
) {
  const token = randomBytes(32).toString('base64url');
  const session = hashToken(token);
  // In a trusted browser the second factor was given days ago: what is sensitive asks anew.
  const isProven = proof !== 'trusted';
  const isOpened = await queries.openSession(ctx.pools.authn, { tokenhash: session, ...account, ...ctx.origin, isProven });
  if (!isOpened) throw problems.secondFactorLapsed();
  const { loginname, accountid } = account;
  const { cookieHash, newCookieHash } = ctx.origin;
  if (cookieHash && newCookieHash) await followCookie(ctx.pools.authn, { accountid, ...ctx.origin, cookieHash, newCookieHash });
  const isNewlyTrusted =
    trust &&
    newCookieHash !== undefined &&
    (await trustDevice(ctx.pools.authn, { accountid, ...ctx.origin, cookieHash: newCookieHash }));
  const reason = proof === 'recovery' ? '' : proof;
  await queries.recordLogin(ctx.pools.authn, { loginname, accountid, ok: true, reason, ...ctx.origin });
  const record = await withScope(ctx.pools.nested, { session, cookieHash: newCookieHash }, async (scope) => {
    if (proof === 'recovery') await notifyOfRecovery(ctx, scope, account);
    if (isNewlyTrusted) await notifyOfTrust(ctx, scope, account);
    return buildUserRecord(scope, await identify.staff(scope), ctx);
  });
  ctx.audit({ objectid: account.accountid });
  return { ...record, token };
}

interface Addressee {
  accountid: string;
  musercode: string;
  userid: string | null;
}

const notifyOfTrust = (ctx: Context, scope: Scope, account: Addressee) =>
  notifyAccount(
    scope,
    account,
    {
      title: `一台设备已设为 ${TRUST_DAYS} 天内免二次验证`,
      content: `${shanghaiTime(ctx.now)} 在 ${describeDevice(ctx.origin.useragent)}（${ctx.origin.ip}）登录时设置。如非您本人操作，请立即移除这台设备并修改密码。`,
      link: '/profile/factor',
    },
    ctx.now,
  );

async function notifyOfRecovery(ctx: Context, scope: Scope, account: Addressee) {
  const left = (await findFactor(ctx.pools.authn, account.accountid))?.recoveryleft ?? 0;
  await notifyAccount(
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

/** Returns the user record of a session, read as that session. */
export const loadUserRecord = (ctx: Context, session: SessionHash, cookieHash: SessionHash | undefined) =>
  withScope(ctx.pools.nested, { session, cookieHash }, async (scope) => buildUserRecord(scope, await identify.staff(scope), ctx));
