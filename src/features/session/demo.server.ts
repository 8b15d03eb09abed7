import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/session/demo.contract.ts';
import { demoAccounts } from '#features/session/demoAccounts.ts';
import { requireSecondFactor } from '#features/session/secondFactor.server.ts';
import * as queries from '#features/session/session.queries.ts';
import { startSession } from '#features/session/signIn.ts';

const getDemoAccounts = handle(contract.getDemoAccounts, async (_, { demo }) => (demo ? [...demoAccounts] : []));

const loginDemo = handle(contract.loginDemo, async ({ username }, ctx) => {
  const isOffered = ctx.demo && demoAccounts.some(({ loginname }) => loginname === username);
  const account = isOffered ? await queries.findAccount(ctx.pools.authn, username) : undefined;
  if (!account) throw problems.notFound({ what: '演示账号' });
  if (!account.isOpen) throw problems.accountClosed({ why: '账号已停用或已到期，请联系管理员' });
  const found = { ...account, loginname: username };
  return account.hasfactor ? requireSecondFactor(ctx, found) : startSession(ctx, found);
});

export const demoHandlers = [getDemoAccounts, loginDemo];
