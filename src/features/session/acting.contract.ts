import { z } from 'zod';
import { anyStaff, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { userRecord } from '#contract/userRecord.ts';

/** How long somebody may act in another's account, at most; it cannot be prolonged. */
export const actingMinutes = 30;

const helpers = forTypes(OPERATOR_TYPES, staffOf('account.loginAs'));

/** Whom one may act for in an institution below: its own account when it has one, and its staff, by name. */
export const getLoginAsAccounts = defineAction({
  name: 'as.m.user.getLoginAsAccounts',
  title: '查询可代登录的账号',
  allow: helpers,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().min(1).max(20).describe('机构') }),
  response: z.array(
    z.object({
      /** null: the institution's own account */
      userid: z.string().nullable(),
      name: z.string(),
      rolenames: z.array(z.string()),
    }),
  ),
});

/**
 * Signs in to an account below the caller to see and help, for half an hour at most. Answers with that account's record and a token
 * of its own. `userid`: a member of staff; without it the institution's own account. What may not be done meanwhile:
 * `isClosedToActing`. The account is told, and its institution finds it in its own audit log.
 */
export const loginAs = defineAction({
  name: 'as.m.user.loginAs',
  title: '代登录',
  allow: helpers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    musercode: z.string().min(1).max(20).describe('机构'),
    userid: z.string().min(1).max(20).optional().describe('用户'),
    reason: z.string().trim().min(4, '请写明代登录原因，至少 4 个字').max(200, '原因不超过 200 个字').describe('代登录原因'),
  }),
  response: userRecord.extend({ token: z.string() }),
  cost: 5,
});

/** Goes back to the own account, whose session goes on under a new token. */
export const leaveLoginAs = defineAction({
  name: 'as.m.user.leaveLoginAs',
  title: '退出代登录',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({}),
  response: userRecord.extend({ token: z.string() }),
});
