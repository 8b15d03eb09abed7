import { randomBytes } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { writeAudit } from '#server/dispatch/audit.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { findManageableUser } from '#server/dispatch/rights.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { notifyAccount } from '#features/notice/notice.queries.ts';
import { requireReach } from '#features/access/institutionAccess.ts';
import { ACTING_MINUTES, getLoginAsAccounts, leaveLoginAs, loginAs as loginAsAction } from '#features/session/acting.contract.ts';
import * as queries from '#features/session/acting.queries.ts';
import { loadUserRecord } from '#features/session/signIn.ts';

/**
 * Returns the account in which the caller wants to act. It belongs to an institution strictly below, or to a colleague without any
 * right that the caller lacks. Staff who see only a part of their institution cannot act for anybody.
 */
async function requireSubject(ctx: Context<'staff'>, musercode: string, userid: string | undefined) {
  const { scope, caller, pools } = ctx;
  if (caller.hasDataScope) throw problems.notAllowed();
  await requireReach(scope, musercode);
  if (musercode === caller.musercode) {
    if (userid === undefined || userid === caller.userid) throw problems.notAllowed();
    await findManageableUser(scope, caller, userid);
  }
  const subject = await queries.findSubject(pools.authn, musercode, userid);
  const names = subject && (await queries.findSubjectNames(scope, subject));
  if (!names || (userid !== undefined && names.realname === null)) throw problems.notFound({ what: '账号' });
  if (!subject.isOpen) throw problems.wrongState({ why: '该账号已停用或已到期，不能代登录' });
  return { ...subject, ...names };
}

const getAccounts = handle(getLoginAsAccounts, async ({ musercode }, { scope, caller, authn }) => {
  const { insname } = await requireReach(scope, musercode);
  if (caller.hasDataScope || musercode === caller.musercode) throw problems.notAllowed();
  const { hasOwnAccount, staff } = await queries.findOpenAccounts(scope, authn, musercode);
  return [
    ...(hasOwnAccount ? [{ userid: null, name: `${insname}（机构账号）`, rolenames: [] }] : []),
    ...staff.map(({ userid, realname, rolenames }) => ({ userid, name: realname, rolenames })),
  ];
});

const loginAs = handle(loginAsAction, async ({ musercode, userid, reason }, ctx) => {
  const { scope, caller, pools, origin, now } = ctx;
  const subject = await requireSubject(ctx, musercode, userid);
  const token = randomBytes(32).toString('base64url');
  const tokenhash = hashToken(token);
  await queries.openActingSession(pools.authn, {
    tokenhash,
    parenthash: ctx.session as SessionHash,
    subject,
    actorid: caller.accountid,
    reason,
    minutes: ACTING_MINUTES,
    ...origin,
  });
  const record = {
    objectid: subject.accountid,
    detail: { reason, insname: subject.insname, realname: subject.realname ?? '', minutes: ACTING_MINUTES },
  };
  ctx.audit(record);
  // Both institutions find it in their audit log: the caller's as a deed of its staff, the other as a deed in its name.
  if (musercode !== caller.musercode)
    writeAudit(
      ctx,
      loginAsAction,
      { ...caller, musercode, accountid: subject.accountid, loginasby: caller.accountid, loginasname: caller.name },
      record,
      origin.ip,
    );
  await notifyAccount(
    scope,
    subject,
    {
      title: `${caller.name} 正在代您登录`,
      content: `${caller.name} 于 ${shanghaiTime(now)} 以您的身份登录，最长 ${ACTING_MINUTES} 分钟，期间不能导出、查看个人档案或修改密码与权限。原因：${reason}。如有疑问，可在个人中心结束该登录。`,
      link: '/profile/sessions',
    },
    now,
  );
  return { ...(await loadUserRecord(ctx, tokenhash, origin.cookieHash)), token };
});

const leave = handle(leaveLoginAs, async (_, ctx) => {
  if (!ctx.caller.loginasby) throw problems.wrongState({ why: '当前没有代登录' });
  const token = randomBytes(32).toString('base64url');
  if (!(await queries.restoreOwnSession(ctx.pools.authn, ctx.session as SessionHash, hashToken(token))))
    throw problems.identityInvalid();
  return { ...(await loadUserRecord(ctx, hashToken(token), ctx.origin.cookieHash)), token };
});

export const actingHandlers = [getAccounts, loginAs, leave];
