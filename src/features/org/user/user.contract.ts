import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { onetime, validdays } from '#features/org/batch/oneTime.contract.ts';
import { workChoice } from '#features/handover/handOver.contract.ts';
import { handovers } from '#features/warning/handover/handover.contract.ts';

const readers = staffOf('organization.users');
const editors = forTypes(NON_AUTHORITY_TYPES, readers);
const userid = z.string().max(20).describe('用户');

export const userRow = z.object({
  userid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  version: z.number(),
  sysusername: z.string(),
  realname: z.string(),
  gender: z.string(),
  phonenumber: z.string(),
  email: z.string(),
  deptid: z.number().nullable(),
  deptname: z.string(),
  roleids: z.array(z.number()),
  rolenames: z.array(z.string()),
  post: z.string(),
  titles: z.string(),
  remark: z.string(),
  duty: z.number(),
  enabled: z.number(),
  /** waiting: the user has not changed the one-time password yet; lapsed: that password is used or expired */
  state: z.enum(['active', 'waiting', 'lapsed']),
  /** the user signs in with a second factor */
  secondfactor: z.boolean(),
  /** open warning cases of which the user is the owner */
  opencases: z.number(),
  /** end of a present absence; '' when present */
  absentuntil: z.string(),
  /** 1: several humans use the account, so it owns no case and confirms nothing */
  isshared: z.number(),
  lastlogintime: z.string(),
  createtime: z.string(),
  /** the caller may change this user: not their own account and no account with more rights */
  manageable: z.boolean(),
});
export type UserRow = z.infer<typeof userRow>;

/** Lists the users of one institution or, with `reach` 'all', of the caller's institution and all institutions below it. */
export const selectUserList = defineAction({
  name: 'as.m.system.user.selectUserList',
  title: '查询用户',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('realname', 'sysusername', 'createtime', 'deptname', 'enabled'),
    /** users of this department and of the departments below it */
    deptid: z.coerce.number().int().positive().optional().describe('部门'),
    keyword: z.string().trim().max(50).optional(),
    enabled: flag.optional(),
    duty: flag.optional(),
    roleid: z.coerce.number().int().positive().optional().describe('角色'),
    /** an institution below, for callers of type 001 or 002; absent: the caller's institution */
    musercode: z.string().max(20).optional().describe('机构'),
    /** all: also the users of all institutions below, for callers of type 001 or 002 */
    reach: z.enum(['own', 'all']).optional().describe('范围'),
  }),
  response: pageOf(userRow),
});
/** Exports the users of a list as a worksheet, without passwords and second factors. */
export const exportUserList = defineAction({
  name: 'as.m.system.user.exportUserList',
  title: '导出用户',
  allow: editors,
  kind: 'export',
  request: z.strictObject(selectUserList.request.omit({ page: true, pageSize: true }).shape),
  response: file,
});

/** A login name: 2–32 letters, digits or `_ . - @`. */
export const loginName = z
  .string()
  .trim()
  .regex(/^[a-zA-Z0-9_.@-]{2,32}$/, '登录账号为 2–32 位字母、数字或 _ . - @')
  .describe('登录账号');
const profileFields = {
  realname: z.string().trim().min(1, '请填写姓名').max(32, '姓名不超过 32 个字').describe('姓名'),
  deptid: z.coerce.number().int().positive().nullish().describe('部门'),
  phonenumber: z
    .union([z.literal(''), z.string().regex(/^1\d{10}$|^[\d-]{7,20}$/, '联系电话不正确')])
    .optional()
    .describe('联系电话'),
  email: z
    .union([z.literal(''), z.email('邮箱不正确')])
    .optional()
    .describe('邮箱'),
  gender: z.enum(Gender.codes).nullish().describe('性别'),
  post: z.string().trim().max(32).optional().describe('职务'),
  titles: z.string().trim().max(60).optional().describe('资质'),
  remark: z.string().trim().max(200).optional().describe('备注'),
  duty: flag.optional().describe('接收预警'),
  isshared: flag.optional().describe('共用账号'),
};
const roleids = z.array(z.coerce.number().int().positive()).max(20).describe('角色');

/** Creates a user with a generated first password. Answers 130002 for a login name that any institution of the platform uses. */
export const insertUser = defineAction({
  name: 'as.m.system.user.insertUser',
  title: '新增用户',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ sysusername: loginName, ...profileFields, roleids, validdays }),
  response: onetime.extend({ userid: z.string() }),
  cost: 3,
});
/** Changes a user that the caller may manage. Callers cannot change their own department, roles and login name. */
export const updateUser = defineAction({
  name: 'as.m.system.user.updateUser',
  title: '修改用户',
  allow: editors,
  kind: 'write',
  edits: { table: 'sysuser', key: 'userid' },
  sensitive: true,
  request: z.strictObject({
    userid,
    version: editVersion,
    ...z.strictObject({ sysusername: loginName, ...profileFields, roleids }).partial().shape,
  }),
  response: z.object(newVersion),
});
/**
 * Deletes a user and hands over the open work as chosen (`enableUser`). Answers 130003 for the caller's own account and for work
 * without a receiver.
 */
export const deleteUserById = defineAction({
  name: 'as.m.system.user.deleteUserById',
  title: '删除用户',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ userid, handovers, work: workChoice.optional() }),
  response: z.object({ handedover: z.number() }),
});
/** Creates a new one-time password, ends all sessions of the user and notifies the user. */
export const resetPwd = defineAction({
  name: 'as.m.system.user.resetPwd',
  title: '重置用户密码',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ userid, validdays }),
  response: onetime,
  cost: 3,
});
/** Removes the second factor of a user whose telephone is lost, ends all sessions and notifies the user. */
export const resetSecondFactor = defineAction({
  name: 'as.m.system.user.resetSecondFactor',
  title: '重置用户二次验证',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ userid }),
  response: z.object({}),
});
/**
 * Enables or disables a user. Disabling ends all sessions at once and hands over the open work as chosen: single cases in `handovers`,
 * everything else in `work`. It answers 130003 with the numbers while a case, a waiting follow-up or an open booking has no receiver who
 * can take it. A platform or provider disables users of institutions below without a choice: their work passes to the next able
 * colleagues at once.
 */
export const enableUser = defineAction({
  name: 'as.m.system.user.enableUser',
  title: '启用/停用用户',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ userid, enabled: flag.describe('状态'), handovers, work: workChoice.optional() }),
  response: z.object({ handedover: z.number() }),
});

/** Lists the active sessions of a user. */
export const getSessionList = defineAction({
  name: 'as.m.system.user.getSessionList',
  title: '查询登录设备',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ userid }),
  response: z.array(
    z.object({
      sessionid: z.string(),
      ip: z.string(),
      device: z.string(),
      createtime: z.string(),
      lastseen: z.string(),
      loginas: z.boolean(),
      current: z.boolean(),
    }),
  ),
});
/** Ends one session of a user, or all of them without `sessionid`. */
export const revokeSession = defineAction({
  name: 'as.m.system.user.revokeSession',
  title: '退出登录设备',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ userid, sessionid: z.string().max(32).optional() }),
  response: z.object({ ended: z.number() }),
});
