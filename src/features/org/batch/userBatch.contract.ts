import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { validdays } from '#features/org/batch/oneTime.contract.ts';

const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('organization.users'));
const userids = z.array(z.string().max(20)).min(1, '请选择用户').max(200, '一次最多 200 人').describe('用户');

/** A user that a call for many left unchanged, with the reason. */
const refusedUser = z.object({
  userid: z.string(),
  realname: z.string(),
  reason: z.string(),
  /** open cases, follow-ups and bookings: disable this user alone and hand them over */
  openwork: z.number(),
});
export type RefusedUser = z.infer<typeof refusedUser>;

/** How the roles of a call change the roles of each user. */
export const ROLE_MODES = { add: '增加所选角色', remove: '移除所选角色', replace: '只保留所选角色' } as const;
export type RoleMode = keyof typeof ROLE_MODES;

/**
 * Enables, disables or moves many users, or changes their roles. Each user is changed or left alone; the response names those left
 * alone. A user with open work is not disabled: that needs a choice of who gets it (`enableUser`).
 */
export const updateUserBatch = defineAction({
  name: 'as.m.system.user.updateUserBatch',
  title: '批量修改用户',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z
    .strictObject({
      userids,
      enabled: flag.optional().describe('状态'),
      deptid: z.coerce.number().int().positive().nullable().optional().describe('部门'),
      rolemode: z.enum(['add', 'remove', 'replace']).optional().describe('调整方式'),
      roleids: z.array(z.coerce.number().int().positive()).min(1, '请选择角色').max(20).optional().describe('角色'),
    })
    .refine(({ enabled, deptid, roleids }) => [enabled, deptid, roleids].filter((value) => value !== undefined).length === 1, {
      message: '请选择一项修改：状态、部门或角色',
      path: ['enabled'],
    }),
  response: z.object({ changed: z.number(), refused: z.array(refusedUser) }),
  cost: 5,
});

/**
 * Creates new one-time passwords for many users. The response holds them this once; the server stores only hashes. All sessions of
 * these users end, and each user is notified.
 */
export const resetPwdBatch = defineAction({
  name: 'as.m.system.user.resetPwdBatch',
  title: '批量重置用户密码',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ userids, validdays }),
  response: z.object({
    created: z.array(z.object({ userid: z.string(), realname: z.string(), sysusername: z.string(), onetime: z.string() })),
    validuntil: z.string(),
    refused: z.array(refusedUser),
  }),
  cost: 10,
});
