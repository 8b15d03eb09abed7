import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** The second factor: codes of an authenticator app, and recovery codes for the day the telephone is gone. */

/** Six digits of the app, or a recovery code. */
export const factorCode = z
  .string()
  .trim()
  .regex(/^(\d{6}|[0-9a-fA-F][0-9a-fA-F\s-]{31,60})$/, '请输入 6 位动态验证码或恢复码')
  .describe('验证码');
export const appCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, '请输入 6 位动态验证码')
  .describe('验证码');

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
    /** recovery codes not used yet */
    recoveryleft: z.number(),
    /** the institution or a role asks for it: it cannot be switched off */
    enforced: z.boolean(),
  }),
});

/** Makes a new seed. Nothing changes until a first code of it has been confirmed. */
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
    /** to type into the app where a camera cannot be used */
    manualkey: z.string(),
    account: z.string(),
  }),
  cost: 3,
});

/** A code proves as much as a sign-in does: the session goes on under this token, and the one that was sent is dead. */
const renewed = z.object({ token: z.string() });
const codes = renewed.extend({ recoverycodes: z.array(z.string()) });

/** Switches it on once the telephone has shown a right code. The recovery codes are told this once. */
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
 * Ten new recovery codes; the old ones are void. The code is the proof: the password alone must not lead to codes that stand in for the
 * telephone.
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

/** Takes a code of the factor itself, or a recovery code. Refused (140001) where the institution or a role asks for it. */
export const disableSecondFactor = defineAction({
  name: 'as.m.user.disableSecondFactor',
  title: '关闭二次验证',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ code: factorCode }),
  response: renewed,
  cost: 3,
});
