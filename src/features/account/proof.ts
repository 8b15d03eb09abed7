import { randomBytes } from 'node:crypto';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { verifyPassword } from '#server/security/password.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { normalizeRecoveryCode, stepOf } from '#server/security/totp.ts';
import { findCredentials, moveSession } from '#features/account/account.queries.ts';
import * as factors from '#features/account/factor.queries.ts';
import { countFailure, clearFailures, findWaitMinutes } from '#features/account/throttle.queries.ts';

/** Checks the password and the codes of an account, and moves a session to a new token after a step-up. */

/** The number of failures of one name or account before further attempts are refused for some minutes. */
export const maxFailuresByName = 5;
/** The same for one name from all addresses together: guesses that many addresses share. */
export const maxFailuresEverywhere = 50;

/** Returns the encryption context of an account's seed: the ciphertext cannot be decrypted for another account. */
export const seedContext = (accountid: string): string => `auth.totp.${accountid}`;

/** Returns the refusal for an attempt whose key was locked by concurrent attempts. Later attempts get the same refusal. */
export const createLockedProblem = async (ctx: Context, key: string) =>
  problems.tooManyTries({ minutes: Math.max(1, await findWaitMinutes(ctx.pools.authn, [key])) });

/** Checks the caller's own password under the throttle of the account. */
export async function verifyOwnPassword(ctx: Context<'staff'>, md5: string, field: string) {
  const key = ctx.cipher.hmac('throttle', `account:${ctx.caller.accountid}`);
  const minutes = await findWaitMinutes(ctx.pools.authn, [key]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const account = await findCredentials(ctx.pools.authn, ctx.caller.accountid);
  if (await verifyPassword(md5, account?.pwdhash, ctx.cipher.pepper)) return clearFailures(ctx.pools.authn, key);
  const failures = await countFailure(ctx.pools.authn, key, maxFailuresByName);
  if (failures === undefined) throw await createLockedProblem(ctx, key);
  throw problems.wrongOldPassword({ left: Math.max(0, maxFailuresByName - failures) }, { field });
}

/**
 * Uses up a code of the app or a recovery code and returns its kind. Wrong codes count against the account, no matter who sends them.
 * A right password does not reset that count: otherwise an attacker with the password could try codes without limit.
 */
export async function verifyCode(ctx: Context, account: { accountid: string; musercode: string }, code: string) {
  const { authn } = ctx.pools;
  const key = ctx.cipher.hmac('throttle', `factor:${account.accountid}`);
  const minutes = await findWaitMinutes(authn, [key]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  // The attempt is counted before the check and cleared when it is right. Otherwise concurrent attempts could all be checked.
  const failures = await countFailure(authn, key, maxFailuresByName);
  if (failures === undefined) throw await createLockedProblem(ctx, key);
  const recoveryCode = normalizeRecoveryCode(code);
  const isRight = recoveryCode
    ? await factors.consumeRecoveryCode(authn, account.accountid, ctx.cipher.storedHashes('recovery', recoveryCode))
    : await consumeAppCode(ctx, account, code);
  if (isRight) {
    await clearFailures(authn, key);
    return recoveryCode ? ('recovery' as const) : ('app' as const);
  }
  throw problems.wrongCode({ left: Math.max(0, maxFailuresByName - failures) }, { field: 'code' });
}

async function consumeAppCode(ctx: Context, { accountid, musercode }: { accountid: string; musercode: string }, code: string) {
  const factor = await factors.findFactor(ctx.pools.authn, accountid);
  if (!factor?.confirmed) return false;
  const step = stepOf(ctx.cipher.decrypt(musercode, seedContext(accountid), factor.sealed), code, ctx.now);
  return step !== undefined && (await factors.consumeStep(ctx.pools.authn, accountid, step));
}

/**
 * Moves the session to a new token, which counts as a step-up, and returns it. The old token becomes invalid.
 * Call it before the change that needed the step-up: the second of two concurrent calls is refused (110000) and changes nothing.
 */
export async function renewToken(ctx: Context<'staff'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  if (!(await moveSession(ctx.pools.authn, ctx.scope, ctx.session as SessionHash, hashToken(token))))
    throw problems.identityInvalid();
  return token;
}
