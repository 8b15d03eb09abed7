import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** The second factor: codes of an authenticator app, and recovery codes for a lost telephone. */

/** Six digits of the app, or a recovery code. */
export const factorCode = z
  .string()
  .trim()
  .max(80)
  .regex(/^(\d{6}|([0-9a-tv-zA-TV-Z][\s-]*){10}|([0-9a-fA-F][\s-]*){32})$/, '请输入 6 位动态验证码或恢复码')
  .describe('验证码');
/** Six digits of the app. */
export const appCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, '请输入 6 位动态验证码')
  .describe('验证码');

/** Returns the state of the caller's second factor. */
export const getSecondFactor = defineAction({
  name: 'as.m.user.getSecondFactor',
  title: '查询二次验证',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({
    enabled: z.boolean(),
    since: z.string(),
    /** the number of passkeys, which are second factors too */
    passkeys: z.number(),
    /** recovery codes not used yet */
    recoveryleft: z.number(),
    /** the institution or a role requires it: the user cannot disable it */
    enforced: z.boolean(),
  }),
});

/** Returns a new seed. The second factor is enabled only after the user confirms a first code. */
export const beginSecondFactor = defineAction({
  name: 'as.m.user.beginSecondFactor',
  title: '设置二次验证',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({}),
  response: z.object({
    /** a picture of 440 × 440 pixels as a data URL */
    picture: z.string(),
    /** the seed as text, for typing into the app without a camera */
    manualkey: z.string(),
    account: z.string(),
  }),
  cost: 3,
});

/** A code counts as a step-up: the session continues under this token, and the token of the request becomes invalid. */
const newToken = z.object({ token: z.string() });
const codes = newToken.extend({ recoverycodes: z.array(z.string()) });

/** Enables the second factor by a first code of the app. Returns the recovery codes; the server cannot show them again. */
export const confirmSecondFactor = defineAction({
  name: 'as.m.user.confirmSecondFactor',
  title: '启用二次验证',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({ code: appCode }),
  response: codes,
  cost: 3,
});

/**
 * Returns ten new recovery codes; the old ones become void. The call needs a code, because recovery codes replace the telephone and the
 * password alone must not give them.
 */
export const renewRecoveryCodes = defineAction({
  name: 'as.m.user.renewRecoveryCodes',
  title: '重新生成恢复码',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ code: factorCode }),
  response: codes,
  cost: 3,
});

/**
 * Removes the codes of the app, by one of them or a recovery code. Passkeys stay. Refused (140001) for the last factor where the
 * institution or a role requires one.
 */
export const disableSecondFactor = defineAction({
  name: 'as.m.user.disableSecondFactor',
  title: '关闭二次验证',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ code: factorCode }),
  response: newToken,
  cost: 3,
});
