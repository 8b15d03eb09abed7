import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { qrPng } from '#server/qr/qr.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { enrolmentUri, newRecoveryCodes, newSeed, normalizeRecoveryCode, stepOf } from '#server/security/totp.ts';
import { notifyAccount } from '#features/notice/notice.queries.ts';
import { deleteOldDevices } from '#features/account/device/device.queries.ts';
import { countRecoveryCodes, deleteOldPasskeyChallenges, findPasskeys } from '#features/account/passkey/passkey.queries.ts';
import * as contract from '#features/account/factor.contract.ts';
import * as queries from '#features/account/factor.queries.ts';
import { verifyCode, renewToken, seedContext } from '#features/account/proof.ts';

const getSecondFactor = handle(contract.getSecondFactor, async (_, { scope, caller, authn }) => {
  const factor = await queries.findFactor(authn, caller.accountid);
  const enabled = factor?.confirmed != null;
  const passkeys = (await findPasskeys(authn, caller.accountid)).length;
  return {
    enabled,
    since: enabled ? shanghaiTime(factor.confirmed as Date) : '',
    passkeys,
    recoveryleft: enabled || passkeys > 0 ? await countRecoveryCodes(authn, caller.accountid) : 0,
    enforced: await queries.isFactorEnforced(scope),
  };
});

const beginSecondFactor = handle(contract.beginSecondFactor, async (_, { caller, pools, cipher }) => {
  const { accountid, musercode } = caller;
  const seed = newSeed();
  if (!(await queries.startFactor(pools.authn, accountid, cipher.encrypt(musercode, seedContext(accountid), seed))))
    throw problems.wrongState({ why: '二次验证已经启用，请先关闭再重新设置' });
  const account = (await queries.findLoginname(pools.authn, accountid)) ?? '';
  const picture = qrPng(enrolmentUri(seed, account), { size: 440 });
  return { picture: `data:image/png;base64,${picture.toString('base64')}`, manualkey: seed, account };
});

const confirmSecondFactor = handle(contract.confirmSecondFactor, async ({ code }, ctx) => {
  const { caller, pools, cipher, now } = ctx;
  const factor = await queries.findFactor(pools.authn, caller.accountid);
  if (!factor || factor.confirmed) throw problems.wrongState({ why: '请先扫码，再输入验证码' });
  const step = stepOf(cipher.decrypt(caller.musercode, seedContext(caller.accountid), factor.sealed), code, now);
  if (step === undefined || !(await queries.confirmFactor(pools.authn, caller.accountid, factor.sealed, step)))
    throw problems.invalid({ message: '验证码不正确，请核对手机时间后输入最新的 6 位数字' }, { field: 'code' });
  const token = await renewToken(ctx);
  const recoverycodes = await issueRecoveryCodes(ctx);
  await notifyOfFactor(ctx, '二次验证已启用', '登录时除密码外还需要输入动态验证码。');
  return { recoverycodes, token };
});

/** Returns ten new recovery codes. The database stores only their hashes. */
export async function issueRecoveryCodes({ pools, cipher, caller }: Context<'staff'>): Promise<string[]> {
  const codes = newRecoveryCodes();
  await queries.replaceRecoveryCodes(
    pools.authn,
    caller.accountid,
    codes.map((code) => cipher.storedHash('recovery', normalizeRecoveryCode(code) as string)),
  );
  return codes;
}

/** Notifies the caller of a change of the own second factor. */
export const notifyOfFactor = (ctx: Context<'staff'>, title: string, text: string) =>
  notifyAccount(
    ctx.scope,
    ctx.caller,
    {
      title,
      content: `${shanghaiTime(ctx.now)} ${title}。${text}如非您本人操作，请立即修改密码并联系管理员。`,
      link: '/profile/factor',
    },
    ctx.now,
  );

const renewRecoveryCodes = handle(contract.renewRecoveryCodes, async ({ code }, ctx) => {
  if (!ctx.caller.hasfactor) throw problems.wrongState({ why: '二次验证还没有启用' });
  await verifyCode(ctx, ctx.caller, code);
  const token = await renewToken(ctx);
  const recoverycodes = await issueRecoveryCodes(ctx);
  await notifyOfFactor(ctx, '恢复码已重新生成', '之前的恢复码已作废。');
  return { recoverycodes, token };
});

const isLastFactor = () => problems.wrongState({ why: '所在机构或角色要求二次验证，不能关闭' });

const disableSecondFactor = handle(contract.disableSecondFactor, async ({ code }, ctx) => {
  if (!(await queries.findFactor(ctx.pools.authn, ctx.caller.accountid))?.confirmed)
    throw problems.wrongState({ why: '动态验证码还没有启用' });
  const isRequired = await queries.isFactorEnforced(ctx.scope);
  const hasPasskey = (await findPasskeys(ctx.pools.authn, ctx.caller.accountid)).length > 0;
  if (isRequired && !hasPasskey) throw isLastFactor();
  await verifyCode(ctx, ctx.caller, code);
  const removed = await queries.removeFactor(ctx.pools.authn, ctx.caller.accountid, isRequired);
  if (removed === 'last') throw isLastFactor();
  const token = await renewToken(ctx);
  await (removed.byPasskey
    ? notifyOfFactor(ctx, '动态验证码已停用', '之后用通行密钥作二次验证。')
    : notifyOfFactor(ctx, '二次验证已关闭', '之后登录只需要密码。'));
  return { token };
});

/**
 * Notifies accounts of sign-ins that stopped before the second step, because somebody else may know the password. Each account gets one
 * notice, even when the server stops in between. Returns the number of such sign-ins.
 */
export async function notifyOfLapsedChallenges({ pools }: Pick<Services, 'pools'>, now: Date): Promise<number> {
  const challenges = await queries.findLapsedChallenges(pools.authn);
  for (const challenge of challenges) {
    await runAsSystem(pools, challenge.musercode, (scope) =>
      notifyAccount(
        scope,
        challenge,
        {
          title: '有人输入了您的密码，但没有通过二次验证',
          content: `${shanghaiTime(challenge.createtime)} 来自 ${challenge.ip ?? '未知地址'} 的登录密码正确，但 3 分钟内没有完成二次验证。如非您本人操作，密码可能已泄露，请立即修改密码。`,
          link: '/profile/password',
          dedupekey: `challenge:${challenge.challengehash}`,
        },
        now,
      ),
    );
    await queries.markNotified(pools.authn, challenge.challengehash);
  }
  await queries.deleteOldChallenges(pools.authn);
  await deleteOldPasskeyChallenges(pools.authn);
  await deleteOldDevices(pools.authn);
  return challenges.length;
}

export const factorHandlers = [getSecondFactor, beginSecondFactor, confirmSecondFactor, renewRecoveryCodes, disableSecondFactor];
