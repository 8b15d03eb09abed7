import { DISABLED_REASON } from '#domain/task/taskprogress.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { withdrawAllAuthorizations } from '#features/assesscount/authorizations/authorize.queries.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import * as contract from '#features/cuser/leaving/leaving.contract.ts';
import * as queries from '#features/cuser/leaving/leaving.queries.ts';

async function requirePerson(scope: Context['scope'], cuserid: string) {
  const person = await findCUser(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  if (person.anonymizedtime) throw problems.wrongState({ why: '该受测者已匿名化' });
  return person;
}

const enableCUser = handle(contract.enableCUser, async ({ cuserid, enabled, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  const person = await requirePerson(scope, cuserid);
  if (enabled === 1 && person.deathtime)
    throw problems.wrongState({ why: '该受测者已登记死亡；登记有误请在个案里更正，须两人办理' });
  const operator = caller.accountid;
  await queries.setPersonEnabled(scope, cuserid, enabled, operator);
  let exempted = 0;
  if (enabled === 0) {
    exempted = await queries.exemptFromTasks(scope, cuserid, DISABLED_REASON, operator);
    await releaseCounts(scope, await withdrawAllAuthorizations(scope, [cuserid]), { operator, now, remark: '停用受测者' });
    await ctx.pools.authn.query('update auth.session set revoked = now() where cuserid = $1 and revoked is null', [cuserid]);
  } else await queries.removeExemptions(scope, cuserid, DISABLED_REASON);
  const [openCase] = await queries.findOpenCasesOf(scope, [cuserid]);
  ctx.audit({ objectid: cuserid, detail: { enabled, reason: reason ?? '', exempted } });
  return { exempted, warningcode: openCase?.warningcode ?? null };
});

export const leavingHandlers = [enableCUser];
