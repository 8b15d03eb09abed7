import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** 个人中心: what an account may see and change of itself, whatever its rights. */

export const getProfile = defineAction({
  name: 'as.m.user.getProfile',
  title: '查询个人资料',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({
    account: z.string(),
    realname: z.string(),
    /** masked; a new one is typed in full */
    phonenumber: z.string(),
    email: z.string(),
    deptname: z.string(),
    rolenames: z.array(z.string()),
    /** when the password was last changed */
    pwdtime: z.string(),
  }),
});

/** What is left out stays; '' clears it. The name and everything that gives rights are the administrator's. */
export const updateProfile = defineAction({
  name: 'as.m.user.updateProfile',
  title: '修改个人资料',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({
    phonenumber: z
      .union([z.literal(''), z.string().regex(/^1\d{10}$/, '手机号码应为 11 位数字')])
      .optional()
      .describe('联系电话'),
    email: z
      .union([z.literal(''), z.email('邮箱不正确')])
      .optional()
      .describe('邮箱'),
  }),
  response: z.object({}),
});

export const mySession = z.object({
  sessionid: z.string(),
  device: z.string(),
  ip: z.string(),
  /** where that address is, as far as it says so itself: 本机, 内网, 外网 */
  place: z.string(),
  createtime: z.string(),
  lastseen: z.string(),
  current: z.boolean(),
  /** somebody acts in this account */
  loginas: z.boolean(),
});

/** Where the account is signed in, and its last sign-ins, failed ones too. */
export const getMySessions = defineAction({
  name: 'as.m.user.getMySessions',
  title: '查询本人登录会话',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({
    sessions: z.array(mySession),
    logins: z.array(
      z.object({
        id: z.number(),
        time: z.string(),
        ok: z.boolean(),
        /** password, second, closed, or '' when it went well */
        reason: z.string(),
        device: z.string(),
        ip: z.string(),
        place: z.string(),
      }),
    ),
  }),
});

/** Ends one session, or without `sessionid` all but this one. */
export const endMySession = defineAction({
  name: 'as.m.user.endMySession',
  title: '结束本人登录会话',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ sessionid: z.string().max(32).optional().describe('登录会话') }),
  response: z.object({ ended: z.number() }),
});
