import { isIP } from 'node:net';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { z } from 'zod';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { type Problem, problems } from '#contract/problem.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { passkeyProof, passkeyRequest } from '#features/account/passkey/passkey.contract.ts';
import * as queries from '#features/account/passkey/passkey.queries.ts';
import { createLockedProblem, maxFailuresByName, maxFailuresEverywhere } from '#features/account/proof.ts';
import { clearFailures, countFailure, findWaitMinutes } from '#features/account/throttle.queries.ts';
import { notifyAccount } from '#features/notice/notice.queries.ts';

/** Asks for signed challenges and checks them. */

/** A challenge is valid for so long. */
export const CHALLENGE_MS = 180_000;
type Proof = z.output<typeof passkeyProof>;

/**
 * Returns the host and origin for which passkeys are made, from `PUBLIC_URL`; undefined when browsers allow none there. Browsers accept a
 * host name with https, and localhost. A server on the own machine is reached as localhost.
 */
export function relyingPartyOf(publicUrl: string): { rpid: string; origin: string } | undefined {
  if (!URL.canParse(publicUrl)) return undefined;
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (['127.0.0.1', '[::1]', '0.0.0.0', 'localhost'].includes(hostname))
    return { rpid: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` };
  if (protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined;
  return { rpid: hostname, origin };
}

/** Returns `relyingPartyOf`, or throws 140001. */
export function requireRelyingParty({ publicUrl }: Pick<Context, 'publicUrl'>) {
  const party = relyingPartyOf(publicUrl);
  if (!party) throw problems.wrongState({ why: '系统当前的访问地址不支持通行密钥（需要 https 域名），请联系系统管理员' });
  return party;
}

/** Returns what the browser needs to ask for a signed challenge. Without an account the device offers its passkeys by itself. */
export async function askForPasskey(
  ctx: Context,
  purpose: Exclude<queries.Purpose, 'add'>,
  accountid: string | null,
): Promise<z.input<typeof passkeyRequest>> {
  const { rpid } = requireRelyingParty(ctx);
  const passkeys = accountid === null ? [] : await queries.findPasskeys(ctx.pools.authn, accountid);
  const usable = passkeys.filter((passkey) => passkey.rpid === rpid);
  if (accountid !== null && usable.length === 0) throw problems.wrongState({ why: '账号还没有可用的通行密钥' });
  const userVerification = purpose === 'signin' ? ('required' as const) : ('preferred' as const);
  const { challenge } = await generateAuthenticationOptions({ rpID: rpid, userVerification });
  await queries.addChallenge(ctx.pools.authn, hashToken(challenge), purpose, accountid);
  return {
    challenge,
    rpId: rpid,
    timeout: CHALLENGE_MS,
    userVerification,
    allowCredentials: usable.map(({ credentialid, transports }) => ({ id: credentialid, type: 'public-key', transports })),
  };
}

/** Returns the challenge that the browser says it signed. The signature covers this text. */
export function challengeOf(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/**
 * Checks a signed challenge under the throttle and returns its passkey. A sign-in without a name (`accountid` null) needs a device that
 * verified its user, by fingerprint or PIN: it stands for both factors. `moreKeys` returns further keys that may lock the account.
 * Returns a problem, which keeps the audit row, when the counter of the device did not rise.
 */
export async function provePasskey(
  ctx: Context,
  proof: Proof,
  purpose: Exclude<queries.Purpose, 'add'>,
  accountid: string | null,
  moreKeys: (passkey: queries.Passkey) => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<queries.Passkey | Problem> {
  const { authn } = ctx.pools;
  const party = requireRelyingParty(ctx);
  const challenge = challengeOf(proof.clientDataJSON);
  const addressKey = ctx.cipher.hmac('throttle', `passkey ip:${ctx.origin.ip}`);
  await assertUnlocked(ctx, [addressKey]);
  if (!(await queries.consumeChallenge(authn, hashToken(challenge), purpose, accountid))) throw problems.passkeyLapsed();
  const passkey = await queries.findCredential(authn, proof.id);
  if (!passkey || (accountid !== null && passkey.accountid !== accountid)) {
    await countFailure(authn, addressKey, maxFailuresEverywhere);
    throw problems.passkeyRefused();
  }
  const key = ctx.cipher.hmac('throttle', `factor:${passkey.accountid}`);
  await assertUnlocked(ctx, [key, ...(await moreKeys(passkey))]);
  // The attempt is counted before the check and cleared when it is right, as for codes (`verifyCode`).
  if ((await countFailure(authn, key, maxFailuresByName)) === undefined) throw await createLockedProblem(ctx, key);
  const use = await verifySignature(proof, passkey, challenge, party, purpose === 'signin');
  if (!use) {
    await countFailure(authn, addressKey, maxFailuresEverywhere);
    throw problems.passkeyRefused();
  }
  await clearFailures(authn, key);
  if (await queries.recordUse(authn, passkey.passkeyid, use.counter, use.isbackedup)) return passkey;
  await notifyOfCopy(ctx, passkey);
  const problem = problems.passkeyCopied();
  ctx.audit({ objectid: passkey.accountid, detail: { name: passkey.passkeyname, refusal: problem.message } });
  return problem;
}

async function assertUnlocked(ctx: Context, keys: readonly string[]) {
  const minutes = await findWaitMinutes(ctx.pools.authn, keys);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
}

/** Returns the counter of a right signature. The library's own check of the counter is off: `recordUse` decides in one statement. */
async function verifySignature(
  { id, userHandle, ...response }: Proof,
  passkey: queries.Passkey,
  expectedChallenge: string,
  { rpid, origin }: { rpid: string; origin: string },
  requireUserVerification: boolean,
): Promise<{ counter: number; isbackedup: number } | undefined> {
  if (userHandle !== undefined && userHandle !== passkey.userhandle) return undefined;
  if (passkey.rpid !== rpid) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpid,
      requireUserVerification,
      credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.publickey, 'base64url')), counter: 0 },
    });
    if (verified) return { counter: authenticationInfo.newCounter, isbackedup: authenticationInfo.credentialBackedUp ? 1 : 0 };
  } catch {
    // The library throws for whatever is wrong with the data of the browser.
  }
  return undefined;
}

const notifyOfCopy = (ctx: Context, passkey: queries.Passkey) =>
  runAsSystem(ctx.pools, passkey.musercode, (scope) =>
    notifyAccount(
      scope,
      passkey,
      {
        title: '一个通行密钥可能被复制，已拒绝使用',
        content: `${shanghaiTime(ctx.now)} 通行密钥“${passkey.passkeyname}”的使用次数与记录不符。如您没有更换设备，请移除它并重新添加，再修改密码。`,
        link: '/profile/factor',
      },
      ctx.now,
    ),
  );
