import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import type { Scope } from '#server/db/scope.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { authorizePersons } from '#features/assesscount/authorizations/authorizePersons.ts';
import * as contract from '#features/assesscount/authorizations/authorize.contract.ts';
import * as queries from '#features/assesscount/authorizations/authorize.queries.ts';

/** A response names at most this many of the persons it leaves out. */
const maxExclusions = 500;

const authorizeCUserPlan = handle(contract.authorizeCUserPlan, async (input, ctx) => {
  const { caller } = ctx;
  const { plancode, total } = input;
  const { grantedIds, exclusions } = await authorizePersons(ctx, input);
  ctx.audit({
    cuserids: grantedIds,
    objectid: plancode,
    detail: { stagecode: input.stagecode ?? '', total, skipped: exclusions.length },
  });
  return {
    granted: grantedIds.length,
    skipped: exclusions.length,
    frozen: grantedIds.length * total,
    exclusions: exclusions
      .slice(0, maxExclusions)
      .map(({ cuserid, username, reason }) => ({ cuserid, username: displayName(caller, username), reason })),
  };
});

/** Refuses 130001 for a person out of the caller's reach. */
async function requirePerson(scope: Scope, cuserid: string) {
  if (!(await queries.personExists(scope, cuserid))) throw problems.notFound({ what: '受测者' });
}

const getCUserPlan = handle(contract.getCUserPlan, async (filters, { scope }) => {
  await requirePerson(scope, filters.cuserid);
  return (await queries.findAuthorizations(scope, filters)).map((row) => ({
    ...row,
    planname: row.planname ?? row.plancode,
    stagename: row.stagename ?? '',
    taskname: row.taskname ?? '',
    grantname: row.grantname ?? '',
    createtime: shanghaiTime(row.createtime),
  }));
});

const getCUserStagesAssessCount = handle(contract.getCUserStagesAssessCount, async (filters, { scope }) => {
  await requirePerson(scope, filters.cuserid);
  return (await queries.findStageCounts(scope, filters)).map((row) => ({
    ...row,
    planname: row.planname ?? row.plancode,
    stagename: row.stagename ?? '',
    lastexamtime: row.lastexamtime && shanghaiTime(row.lastexamtime),
  }));
});

const deleteCUserPlan = handle(contract.deleteCUserPlan, async ({ cuserplanids }, ctx) => {
  const { scope, caller, now } = ctx;
  const uniqueIds = [...new Set(cuserplanids)];
  if ((await queries.findOwners(scope, uniqueIds)).length < uniqueIds.length) throw problems.notFound({ what: '授权' });
  const returnedCounts = await queries.deleteAuthorizations(scope, uniqueIds);
  if (returnedCounts.length < uniqueIds.length)
    throw problems.inUse({ why: '只能删除未开始作答的授权；已开始的可以清零，任务中的请在任务名单中移出' });
  const released = await releaseCounts(scope, returnedCounts, { operator: caller.accountid, now, remark: '删除授权' });
  ctx.audit({
    cuserids: [...new Set(returnedCounts.map((row) => row.cuserid))],
    detail: { cuserplanids: uniqueIds, released },
  });
  return { deleted: returnedCounts.length, released };
});

const clearCUserAssessCount = handle(contract.clearCUserAssessCount, async ({ cuserid, plancode, stagecode, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  await requirePerson(scope, cuserid);
  const returnedCounts = await queries.withdrawAuthorizations(scope, { cuserid, plancode, stagecode });
  const released = await releaseCounts(scope, returnedCounts, { operator: caller.accountid, now, remark: `清零：${reason}` });
  ctx.audit({
    cuserids: [cuserid],
    objectid: cuserid,
    detail: { plancode: plancode ?? '', stagecode: stagecode ?? '', reason, released },
  });
  return { released };
});

export const authorizeHandlers = [
  authorizeCUserPlan,
  getCUserPlan,
  getCUserStagesAssessCount,
  deleteCUserPlan,
  clearCUserAssessCount,
];
