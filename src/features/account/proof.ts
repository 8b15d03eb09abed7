import { randomBytes } from 'node:crypto';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { verifyPassword } from '#server/security/password.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { normalizeRecoveryCode, stepOf } from '#server/security/totp.ts';
import { accountOf, moveSession } from '#features/account/account.queries.ts';
import * as factors from '#features/account/factor.queries.ts';
import { countFailure, forgetFailures, throttled } from '#features/account/throttle.queries.ts';

/** How the password and the codes of an account are checked, and how a session goes on after a proof. */

/** Failures of one name or account, and of one address, before they have to wait. */
export const triesByName = 5;
export const triesByAddress = 30;

/** Where the seed of an account belongs; bound into its seal. */
export const seedPlace = (accountid: string): string => `auth.totp.${accountid}`;

/** Others failed while this one was being checked: the same refusal as to whoever comes after. */
export const waiting = async (ctx: Context, key: string) =>
  problems.tooManyTries({ minutes: Math.max(1, await throttled(ctx.pools.authn, [key])) });

/** The throttle's key of the address a call comes from. */
export const addressOf = (ctx: Context) => ctx.cipher.hmac('throttle', `ip:${ctx.origin.ip}`);

/** The caller's own password again, under the throttle of their account. */
export async function proveOwn(ctx: Context<'staff'>, md5: string, field: string) {
  const key = ctx.cipher.hmac('throttle', `account:${ctx.caller.accountid}`);
  const minutes = await throttled(ctx.pools.authn, [key]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  const account = await accountOf(ctx.pools.authn, ctx.caller.accountid);
  if (await verifyPassword(md5, account?.pwdhash, ctx.cipher.pepper)) return forgetFailures(ctx.pools.authn, key);
  const failures = await countFailure(ctx.pools.authn, key, triesByName);
  if (failures === undefined) throw await waiting(ctx, key);
  throw problems.wrongOldPassword({ left: Math.max(0, triesByName - failures) }, { field });
}

/**
 * Takes a code of the app or a recovery code, each good once. Wrong ones count against the account whoever sends them, and a right
 * password does not set that count back: otherwise who knows the password could try codes without end.
 */
export async function proveCode(ctx: Context, account: { accountid: string; musercode: string }, code: string) {
  const { authn } = ctx.pools;
  const key = ctx.cipher.hmac('throttle', `factor:${account.accountid}`);
  const minutes = await throttled(authn, [key, addressOf(ctx)]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  // Counted before it is looked at and forgiven when it is right: six digits are few, and many sent at one moment are no more tries.
  const failures = await countFailure(authn, key, triesByName);
  if (failures === undefined) throw await waiting(ctx, key);
  const recovery = normalizeRecoveryCode(code);
  const right = recovery
    ? await factors.consumeRecoveryCode(authn, account.accountid, ctx.cipher.hmac('recovery', recovery))
    : await takeAppCode(ctx, account, code);
  if (right) {
    await forgetFailures(authn, key);
    return recovery ? ('recovery' as const) : ('app' as const);
  }
  await countFailure(authn, addressOf(ctx), triesByAddress);
  throw problems.wrongCode({ left: Math.max(0, triesByName - failures) }, { field: 'code' });
}

async function takeAppCode(ctx: Context, { accountid, musercode }: { accountid: string; musercode: string }, code: string) {
  const factor = await factors.findFactor(ctx.pools.authn, accountid);
  if (!factor?.confirmed) return false;
  const step = stepOf(ctx.cipher.decrypt(musercode, seedPlace(accountid), factor.sealed), code, ctx.now);
  return step !== undefined && (await factors.consumeStep(ctx.pools.authn, accountid, step));
}

/**
 * The token under which the session goes on from here, five minutes proven. Whoever holds the old one holds nothing. To be called before
 * what the proof was for: of two calls at one moment the second is refused (110000) and changes nothing.
 */
export async function renewToken(ctx: Context<'staff'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  if (!(await moveSession(ctx.pools.authn, ctx.scope, ctx.session as SessionHash, hashToken(token))))
    throw problems.identityInvalid();
  return token;
}
