import { z } from 'zod';
import { anyone, anyStaff, defineAction } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { userRecord } from '#contract/userRecord.ts';
import { passkeyProof } from '#features/account/passkey/passkey.contract.ts';
import { factorCode } from '#features/account/factor.contract.ts';

/** The upper-case MD5 of a password: the browser sends this instead of the password. */
export const pwdHash = z
  .string()
  .regex(/^[0-9A-F]{32}$/, '密码格式不正确')
  .describe('密码');

/** Trusts this browser for 30 days, where the institution allows it; elsewhere it has no effect. */
export const trustFlag = flag.optional().describe('此设备 30 天内免二次验证');

/**
 * Signs an account in. Answers 110009 with `{ challenge }` when the account has a second factor and this is no trusted device: see
 * `verifySecondFactor`.
 */
export const login = defineAction({
  name: 'as.m.user.login',
  title: '登录',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({
    username: z.string().trim().min(1).max(64).describe('账号'),
    pwd: z.string().max(64).describe('密码'),
  }),
  response: userRecord.extend({ token: z.string() }),
  budgetOf: 'username',
  cost: 5,
});

/**
 * Signs an account in by its second factor. `login` answers 110009 with a `challenge` when the password was right.
 * The challenge is valid for three minutes and opens one session.
 */
export const verifySecondFactor = defineAction({
  name: 'as.m.user.verifySecondFactor',
  title: '登录二次验证',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ challenge: z.string().min(20).max(60).describe('登录凭据'), code: factorCode, trust: trustFlag }),
  response: userRecord.extend({ token: z.string() }),
  budgetOf: 'challenge',
  cost: 5,
});

/** Ends the session of the call. */
export const logout = defineAction({
  name: 'as.m.user.logout',
  title: '退出登录',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ token: z.string().max(100).optional() }),
  response: z.object({}),
});

/** Returns the record of the signed-in account with its rights. */
export const getUserInfo = defineAction({
  name: 'as.m.user.getUserInfo',
  title: '读取登录信息',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: userRecord,
});

/**
 * Verifies the caller again by the password, a code of the app or a passkey. Sensitive actions are then allowed for 15 minutes
 * from the last use of the session.
 * The session continues under the returned token; the token of the request becomes invalid.
 */
export const stepUp = defineAction({
  name: 'as.m.user.stepUp',
  title: '再次验证身份',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z
    .strictObject({
      pwd: pwdHash.optional(),
      code: z
        .string()
        .regex(/^\d{6}$/, '请输入 6 位动态验证码')
        .optional()
        .describe('验证码'),
      passkey: passkeyProof.optional(),
    })
    .refine(({ pwd, code, passkey }) => [pwd, code, passkey].filter((proof) => proof !== undefined).length === 1, {
      message: '请输入密码或动态验证码，或使用通行密钥',
      path: ['pwd'],
    }),
  response: z.object({ token: z.string() }),
  cost: 5,
});

/** Sets the app of the session and returns it. */
export const chooseApp = defineAction({
  name: 'as.m.user.chooseApp',
  title: '选择应用',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ appid: z.string().length(9).describe('应用') }),
  response: z.object({ appid: z.string(), appname: z.string() }),
});
