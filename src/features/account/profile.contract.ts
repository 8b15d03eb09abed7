import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { contactPhone, editVersion, newVersion } from '#contract/field.ts';

/** 个人中心: every account may see and change these data of its own, whatever its rights. */

/** Returns the profile of the caller. */
export const getProfile = defineAction({
  name: 'as.m.user.getProfile',
  title: '查询个人资料',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({
    version: z.number(),
    account: z.string(),
    realname: z.string(),
    /** masked; the user types a new number in full */
    phonenumber: z.string(),
    email: z.string(),
    deptname: z.string(),
    rolenames: z.array(z.string()),
    /** when the password was last changed */
    pwdtime: z.string(),
  }),
});

/** Changes the contact data of the caller. A missing field stays; '' clears it. Only an administrator changes the name and the rights. */
export const updateProfile = defineAction({
  name: 'as.m.user.updateProfile',
  title: '修改个人资料',
  allow: anyStaff,
  kind: 'write',
  edits: { table: 'sysuser', key: { own: 'account' } },
  personal: true,
  request: z.strictObject({
    version: editVersion,
    phonenumber: z
      .union([z.literal(''), contactPhone])
      .optional()
      .describe('联系电话'),
    email: z
      .union([z.literal(''), z.email('邮箱不正确')])
      .optional()
      .describe('邮箱'),
  }),
  response: z.object(newVersion),
});

export const mySession = z.object({
  sessionid: z.string(),
  device: z.string(),
  ip: z.string(),
  /** by the range of the address: 本机, 内网, 外网 */
  place: z.string(),
  createtime: z.string(),
  lastseen: z.string(),
  current: z.boolean(),
  /** an acting session */
  loginas: z.boolean(),
});

/** Returns the sessions of the caller's account and its last sign-ins, including failed ones. */
export const getMySessions = defineAction({
  name: 'as.m.user.getMySessions',
  title: '查询本人登录设备',
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
        /** password, second, code, passkey, counter, reset, closed, lapsed; for success '', or passkey */
        reason: z.string(),
        device: z.string(),
        ip: z.string(),
        place: z.string(),
      }),
    ),
  }),
});

/**
 * Names the colleagues who can manage users, for an account without rights: they can give it a role. Names and roles only; everybody of
 * the institution may read them.
 */
export const getAdministratorList = defineAction({
  name: 'as.m.user.getAdministratorList',
  title: '查询本机构管理员',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    insname: z.string(),
    administrators: z.array(z.object({ userid: z.string(), realname: z.string(), rolenames: z.array(z.string()) })),
  }),
});

/** Ends one session of the caller's account. Without `sessionid` it ends all sessions except this one. */
export const endMySession = defineAction({
  name: 'as.m.user.endMySession',
  title: '退出本人登录设备',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ sessionid: z.string().max(32).optional().describe('登录设备') }),
  response: z.object({ ended: z.number() }),
});
