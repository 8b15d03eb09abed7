import { Problem, problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { findChallenge, finishChallenge } from '#features/account/factor.queries.ts';
import { keepsPasskey, type Passkey } from '#features/account/passkey/passkey.queries.ts';
import { askForPasskey, provePasskey, requireRelyingParty } from '#features/account/passkey/verifyPasskey.ts';
import * as contract from '#features/session/passkeySignIn.contract.ts';
import { endSession, findAccount } from '#features/session/session.queries.ts';
import { recordSignIn, startSession, throttleKeysOf, whyClosed } from '#features/session/signIn.ts';

const beginPasskeySignIn = handle(contract.beginPasskeySignIn, async ({ challenge }, ctx) => {
  const { origin } = requireRelyingParty(ctx);
  if (challenge === undefined) return { ...(await askForPasskey(ctx, 'signin', null)), origin };
  const account = await findChallenge(ctx.pools.authn, hashToken(challenge));
  if (!account) throw problems.secondFactorLapsed();
  return { ...(await askForPasskey(ctx, 'second', account.accountid)), origin };
});

const signInByPasskey = handle(contract.signInByPasskey, ({ challenge, credential, trust }, ctx) =>
  challenge === undefined ? signInAlone(ctx, credential) : signInAfterPassword(ctx, challenge, credential, trust === 1),
);

type Credential = Parameters<typeof provePasskey>[1];

/** The passkey stands for both factors. All rules of a sign-in by password apply: lock, disabled account, ended service, reset. */
async function signInAlone(ctx: Context, credential: Credential) {
  let tried: Passkey | undefined;
  const passkey = await provePasskey(ctx, credential, 'signin', null, async (found) => {
    tried = found;
    const { here, everywhere } = await throttleKeysOf(ctx, found.loginname, found.accountid);
    return [here, ...everywhere];
  }).catch(async (error: unknown) => {
    if (isRefused(error)) await recordSignIn(ctx, tried?.loginname ?? '', tried?.accountid ?? null, 'passkey');
    throw error;
  });
  if (passkey instanceof Problem) {
    await recordSignIn(ctx, tried?.loginname ?? '', tried?.accountid ?? null, 'counter');
    return passkey;
  }
  const account = await findAccount(ctx.pools.authn, passkey.loginname);
  if (!account?.isOpen) {
    await recordSignIn(ctx, passkey.loginname, passkey.accountid, 'closed');
    throw account ? problems.accountClosed({ why: whyClosed(account) }) : problems.passkeyRefused();
  }
  // An administrator resets the password to shut somebody out: an earlier passkey must not open the account until it has a new one.
  if (account.isOneTime) {
    await recordSignIn(ctx, passkey.loginname, passkey.accountid, 'reset');
    throw problems.accountClosed({ why: '密码已被重置，请先用初始密码登录并设置新密码，之后可继续使用通行密钥' });
  }
  return startByPasskey(ctx, passkey);
}

async function signInAfterPassword(ctx: Context, challenge: string, credential: Credential, trust: boolean) {
  const challengehash = hashToken(challenge);
  const account = await findChallenge(ctx.pools.authn, challengehash);
  if (!account) throw problems.secondFactorLapsed();
  const passkey = await provePasskey(ctx, credential, 'second', account.accountid).catch(async (error: unknown) => {
    if (isRefused(error)) await recordSignIn(ctx, account.loginname, account.accountid, 'passkey');
    throw error;
  });
  if (passkey instanceof Problem) {
    await recordSignIn(ctx, account.loginname, account.accountid, 'counter');
    return passkey;
  }
  if (!(await finishChallenge(ctx.pools.authn, challengehash))) throw problems.secondFactorLapsed();
  return startByPasskey(ctx, passkey, trust);
}

async function startByPasskey(ctx: Context, passkey: Passkey, trust = false) {
  const started = await startSession(ctx, passkey, 'passkey', trust);
  // A reset that ran meanwhile ended all sessions before this one was there.
  if (await keepsPasskey(ctx.pools.authn, passkey.accountid, passkey.passkeyid)) return started;
  await endSession(ctx.pools.authn, hashToken(started.token));
  throw problems.passkeyRefused();
}

const isRefused = (error: unknown): boolean => error instanceof Problem && error.code === problems.passkeyRefused().code;

export const passkeySignInHandlers = [beginPasskeySignIn, signInByPasskey];
