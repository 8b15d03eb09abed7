import { z } from 'zod';
import { anyone, anyStaff, defineAction } from '#contract/action.ts';
import { userRecord } from '#contract/userRecord.ts';
import { factorCode } from '#features/account/factor.contract.ts';

/** Upper-case MD5 of the password: what travels. Any length of password has this shape. */
export const pwdHash = z
  .string()
  .regex(/^[0-9A-F]{32}$/, '密码格式不正确')
  .describe('密码');

/** Answers 110009 with `{ challenge }` when a second step is needed: see `verifySecondFactor`. */
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
  cost: 5,
});

/**
 * The second step of signing in. `login` answers 110009 with a `challenge` when the password was right and the account has a second
 * factor; the challenge is good for three minutes and one session.
 */
export const verifySecondFactor = defineAction({
  name: 'as.m.user.verifySecondFactor',
  title: '登录二次验证',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ challenge: z.string().min(20).max(60).describe('登录凭据'), code: factorCode }),
  response: userRecord.extend({ token: z.string() }),
  cost: 5,
});

export const logout = defineAction({
  name: 'as.m.user.logout',
  title: '退出登录',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ token: z.string().max(100).optional() }),
  response: z.object({}),
});

export const getUserInfo = defineAction({
  name: 'as.m.user.getUserInfo',
  title: '读取登录信息',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: userRecord,
});

/**
 * Proves who one is, by password or by a code of the app; opens five minutes in which sensitive actions may be called. The session goes
 * on under the token of the answer; the one that was sent is dead.
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
    })
    .refine(({ pwd, code }) => (pwd === undefined) !== (code === undefined), {
      message: '请输入密码或动态验证码',
      path: ['pwd'],
    }),
  response: z.object({ token: z.string() }),
  cost: 5,
});

export const chooseApp = defineAction({
  name: 'as.m.user.chooseApp',
  title: '选择应用',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ appid: z.string().length(9).describe('应用') }),
  response: z.object({ appid: z.string(), appname: z.string() }),
});
