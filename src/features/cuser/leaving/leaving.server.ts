import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { DISABLED_REASON } from '#domain/task/taskprogress.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { withdrawAllAuthorizations } from '#features/assesscount/authorizations/authorize.queries.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import * as contract from '#features/cuser/leaving/leaving.contract.ts';
import * as queries from '#features/cuser/leaving/leaving.queries.ts';

const toDays = (years: number) => 365.25 * years;

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

const getAnonymization = handle(contract.getAnonymization, async ({ cuserid }, { scope, caller, now }) => {
  const person = await requirePerson(scope, cuserid);
  const [openCase] = await queries.findOpenCasesOf(scope, [cuserid]);
  const closedCases = await queries.findClosedCases(scope, cuserid);
  const term = toDays(await queries.findCaseYears(scope, person.musercode));
  return {
    confirmtext: `匿名化${displayName(caller, person.username)}`,
    ...(await queries.findTraces(scope, cuserid)),
    warningcode: openCase?.warningcode ?? null,
    cases: closedCases
      .map(({ warningcode, closetime, updatetime }) => ({ warningcode, closedAt: closetime ?? updatetime }))
      .filter(({ closedAt }) => closedAt >= addDays(now, -term))
      .map(({ warningcode, closedAt }) => ({ warningcode, keepuntil: shanghaiDate(addDays(closedAt, term)) })),
  };
});

const anonymizeCUser = handle(contract.anonymizeCUser, async ({ cuserid, confirmtext, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  const person = await requirePerson(scope, cuserid);
  const [openCase] = await queries.findOpenCasesOf(scope, [cuserid]);
  if (openCase)
    throw problems.inUse({
      why: `${openCase.warningcode ? '预警尚未结案' : '尚有未办结的事项'}，不能匿名化；可先停用`,
    });
  if (confirmtext !== `匿名化${displayName(caller, person.username)}`)
    throw problems.invalid({ message: '输入的文字不一致，请核对姓名' }, { field: 'confirmtext' });
  const operator = caller.accountid;
  await queries.exemptFromTasks(scope, cuserid, DISABLED_REASON, operator);
  await releaseCounts(scope, await withdrawAllAuthorizations(scope, [cuserid]), { operator, now, remark: '匿名化受测者' });
  await ctx.pools.authn.query('update auth.session set revoked = now() where cuserid = $1 and revoked is null', [cuserid]);
  const term = toDays(await queries.findCaseYears(scope, person.musercode));
  await queries.anonymizePerson(scope, cuserid, addDays(now, -term), now);
  ctx.audit({ objectid: cuserid, detail: { reason } });
  return {};
});

export const leavingHandlers = [enableCUser, getAnonymization, anonymizeCUser];
