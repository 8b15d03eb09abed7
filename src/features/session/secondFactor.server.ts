import { randomBytes } from 'node:crypto';
import { Problem, problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { findChallenge, findFactor, finishChallenge, keepsFactor, openChallenge } from '#features/account/factor.queries.ts';
import { mayTrust } from '#features/account/device/device.queries.ts';
import { findPasskeys } from '#features/account/passkey/passkey.queries.ts';
import { verifyCode } from '#features/account/proof.ts';
import * as contract from '#features/session/session.contract.ts';
import { endSession } from '#features/session/session.queries.ts';
import { startSession, recordSignIn } from '#features/session/signIn.ts';

/**
 * Throws 110009 with a new challenge, the means of the account, and whether this browser may be trusted. The second step must send this
 * challenge.
 */
export async function requireSecondFactor(ctx: Context, account: { accountid: string; loginname: string }): Promise<never> {
  const name = randomBytes(24).toString('base64url');
  await openChallenge(ctx.pools.authn, { challengehash: hashToken(name), accountid: account.accountid, ...ctx.origin });
  await recordSignIn(ctx, account.loginname, account.accountid, 'second');
  const passkeys = await findPasskeys(ctx.pools.authn, account.accountid);
  const app = await findFactor(ctx.pools.authn, account.accountid);
  // Only a browser keeps the cookie by which it is known again.
  const cantrust = ctx.origin.newCookieHash !== undefined && (await mayTrust(ctx.pools.authn, account.accountid));
  throw problems.secondFactor(undefined, {
    data: { challenge: name, hascode: app?.confirmed != null, haspasskey: passkeys.length > 0, cantrust },
  });
}

export const verifySecondFactor = handle(contract.verifySecondFactor, async ({ challenge: name, code, trust }, ctx) => {
  const challengehash = hashToken(name);
  const account = await findChallenge(ctx.pools.authn, challengehash);
  if (!account) throw problems.secondFactorLapsed();
  const method = await verifyCode(ctx, account, code).catch(async (error: unknown) => {
    if (error instanceof Problem && error.code === problems.wrongCode({ left: 0 }).code)
      await recordSignIn(ctx, account.loginname, account.accountid, 'code');
    throw error;
  });
  if (!(await finishChallenge(ctx.pools.authn, challengehash))) throw problems.secondFactorLapsed();
  const started = await startSession(ctx, account, method === 'recovery' ? method : '', trust === 1 && method !== 'recovery');
  // A reset that ran meanwhile ended all sessions before this one was there.
  if (await keepsFactor(ctx.pools.authn, account.accountid)) return started;
  await endSession(ctx.pools.authn, hashToken(started.token));
  throw problems.secondFactorLapsed();
});
