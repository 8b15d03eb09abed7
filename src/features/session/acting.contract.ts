import { z } from 'zod';
import { anyStaff, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { userRecord } from '#contract/userRecord.ts';

/** The longest time that staff may act in another account, in minutes. It cannot be extended. */
export const ACTING_MINUTES = 30;

const allowActing = forTypes(OPERATOR_TYPES, staffOf('account.loginAs'));

/** Returns the accounts of an institution below in which the caller may act: its own account if any, then its staff by name. */
export const getLoginAsAccounts = defineAction({
  name: 'as.m.user.getLoginAsAccounts',
  title: '查询可代登录的账号',
  allow: allowActing,
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
 * Signs the caller in to an account below to see and help, for half an hour at most. Returns the record of that account and a new token.
 * `userid` names a member of staff; without it the institution's own account is used. `isClosedToActing` lists the refused actions.
 * The server notifies the account, and the institution finds the acting in its own audit log.
 */
export const loginAs = defineAction({
  name: 'as.m.user.loginAs',
  title: '代登录',
  allow: allowActing,
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

/** Ends acting. The caller's own session continues under a new token. */
export const leaveLoginAs = defineAction({
  name: 'as.m.user.leaveLoginAs',
  title: '退出代登录',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({}),
  response: userRecord.extend({ token: z.string() }),
});
