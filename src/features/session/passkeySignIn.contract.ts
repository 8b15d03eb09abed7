import { z } from 'zod';
import { anyone, defineAction } from '#contract/action.ts';
import { userRecord } from '#contract/userRecord.ts';
import { passkeyProof, passkeyRequest } from '#features/account/passkey/passkey.contract.ts';
import { trustFlag } from '#features/session/session.contract.ts';

const challenge = z.string().min(20).max(60).optional().describe('登录凭据');

/**
 * Returns a challenge for a passkey. Without `challenge` the device chooses the account. With the `challenge` of `login` (110009) a
 * passkey of that account is the second factor.
 */
export const beginPasskeySignIn = defineAction({
  name: 'as.m.user.beginPasskeySignIn',
  title: '准备通行密钥登录',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ challenge }),
  response: passkeyRequest.extend({ origin: z.string() }),
  budgetOf: 'challenge',
  cost: 2,
});

/** Signs an account in by a passkey: alone, or after the password with the `challenge` of `login`. */
export const signInByPasskey = defineAction({
  name: 'as.m.user.signInByPasskey',
  title: '通行密钥登录',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ challenge, credential: passkeyProof, trust: trustFlag }),
  response: userRecord.extend({ token: z.string() }),
  budgetOf: 'challenge',
  cost: 5,
});
