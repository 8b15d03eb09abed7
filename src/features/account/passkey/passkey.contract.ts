import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** Passkeys (WebAuthn): the device signs a challenge of the server with a key that never leaves it. */

/** An account has at most so many passkeys. */
export const MAX_PASSKEYS = 10;

const base64url = z
  .string()
  .min(1)
  .max(8000)
  .regex(/^[\w-]+$/, '通行密钥的数据不正确');

/** A signed challenge. The fields are those of `AuthenticatorAssertionResponse`, in base64url. */
export const passkeyProof = z
  .strictObject({
    id: base64url,
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  })
  .describe('通行密钥');

/** What the browser needs to ask the device for a signed challenge (`PublicKeyCredentialRequestOptionsJSON`). */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.enum(['required', 'preferred']),
  allowCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })),
});

/** Returns the passkeys of the caller, and the address at which passkeys work: '' when the server's address allows none. */
export const getPasskeyList = defineAction({
  name: 'as.m.user.getPasskeyList',
  title: '查询通行密钥',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({
    origin: z.string(),
    passkeys: z.array(
      z.object({
        passkeyid: z.string(),
        passkeyname: z.string(),
        /** the device copies it to other devices of its owner */
        isbackedup: z.number(),
        createtime: z.string(),
        lasttime: z.string(),
      }),
    ),
  }),
});

/** Returns what the browser needs to create a passkey (`PublicKeyCredentialCreationOptionsJSON`). */
export const beginPasskey = defineAction({
  name: 'as.m.user.beginPasskey',
  title: '添加通行密钥',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({}),
  response: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
    timeout: z.number(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })),
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      userVerification: z.literal('preferred'),
    }),
  }),
  cost: 3,
});

/** Stores a new passkey. Returns recovery codes when the account has none yet; the server cannot show them again. */
export const confirmPasskey = defineAction({
  name: 'as.m.user.confirmPasskey',
  title: '保存通行密钥',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({
    passkeyname: z.string().trim().min(1, '请填写名称').max(30, '名称最多 30 个字').describe('名称'),
    credential: z
      .strictObject({
        id: base64url,
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: z.array(z.string().max(20)).max(8),
      })
      .describe('通行密钥'),
  }),
  response: z.object({ passkeyid: z.string(), recoverycodes: z.array(z.string()) }),
  cost: 3,
});

/** Removes a passkey. Refused (140001) for the last factor where the institution or a role requires one. */
export const deletePasskey = defineAction({
  name: 'as.m.user.deletePasskey',
  title: '移除通行密钥',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({ passkeyid: z.string().min(1).max(32).describe('通行密钥') }),
  response: z.object({}),
});

/** Returns a challenge that a passkey of the caller signs for `as.m.user.stepUp`. */
export const beginPasskeyStepUp = defineAction({
  name: 'as.m.user.beginPasskeyStepUp',
  title: '用通行密钥再次验证',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({}),
  response: passkeyRequest,
  cost: 3,
});
