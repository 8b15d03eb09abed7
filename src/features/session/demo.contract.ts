import { z } from 'zod';
import { anyone, defineAction } from '#contract/action.ts';
import { userRecord } from '#contract/userRecord.ts';

/** Lists the accounts of the demonstration for the sign-in page. Outside the demonstration the list is empty. */
export const getDemoAccounts = defineAction({
  name: 'as.m.user.getDemoAccounts',
  title: '查询演示账号',
  allow: anyone,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(z.object({ loginname: z.string(), title: z.string(), look: z.string() })),
});

/**
 * Signs in with an account of the demonstration, without a password. Outside the demonstration, and for any other account, it answers
 * 130001. Answers 110009 with a challenge when the account has a second factor.
 */
export const loginDemo = defineAction({
  name: 'as.m.user.loginDemo',
  title: '用演示账号登录',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({ username: z.string().max(64).describe('账号') }),
  response: userRecord.extend({ token: z.string() }),
  cost: 5,
});
