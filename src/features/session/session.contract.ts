import { z } from 'zod';
import { anyone, anyStaff, defineAction } from '#contract/action.ts';
import { userRecord } from '#contract/userRecord.ts';
import { contactFields, ruledFields } from '#features/muser/fields.contract.ts';

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

/**
 * Either the caller's own password (`pwd`, with `oldpwd` or freshly proven), or a new one-time password for an institution below
 * (`pwd` alone), or facts of an institution. Type, sector, place in the tree and rights cannot be named here at all.
 */
export const updateMUser = defineAction({
  name: 'as.m.user.updateMUser',
  title: '修改机构或密码',
  allow: anyStaff,
  kind: 'write',
  // A password that does not prove itself; who needs a second factor; who sees names.
  sensitive: ({ pwd, oldpwd, mustfactor, seedetail }) =>
    (pwd !== undefined && oldpwd === undefined) || mustfactor !== undefined || seedetail !== undefined,
  request: z.strictObject({
    musercode: z.string().max(20).describe('账号编号'),
    pwd: pwdHash.optional(),
    oldpwd: pwdHash.optional(),
    ...contactFields,
    ...ruledFields,
    /** of the row that was read; absent: whatever it is now */
    version: z.number().int().optional(),
  }),
  response: z.object({}),
  cost: 5,
});

export const appRow = z.object({ appid: z.string(), appname: z.string(), scenecode: z.string(), iconurl: z.string() });
export const getMUserAppList = defineAction({
  name: 'as.m.app.muser.getMUserAppList',
  title: '查询机构应用',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().max(20).optional(), appid: z.string().max(9).optional() }),
  response: z.array(appRow.extend({ begindate: z.string().nullable(), enddate: z.string().nullable(), enabled: z.number() })),
});
export const getAppList = defineAction({
  name: 'as.m.app.getAppList',
  title: '查询应用',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).optional() }),
  response: z.array(appRow),
});
export const chooseApp = defineAction({
  name: 'as.m.user.chooseApp',
  title: '选择应用',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ appid: z.string().length(9).describe('应用') }),
  response: z.object({ appid: z.string(), appname: z.string() }),
});
