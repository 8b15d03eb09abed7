import { addDays, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { closingStatement, temporaryReasons, type ClosingStatement } from '#domain/task/taskprogress.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { findNewestVersion } from '#features/plan/lineage/lineage.queries.ts';
import { lockCase, saveTransition } from '#features/warning/handling/transition.ts';
import { findStatementFacts } from '#features/task/board/board.queries.ts';
import * as contract from '#features/task/task.contract.ts';
import * as queries from '#features/task/task.queries.ts';
import { createTask } from '#features/task/enrol.server.ts';

/** Builds the closing statement of a task from its roster now; undefined when the task does not exist. */
async function buildStatement(
  scope: Scope,
  taskcode: string,
  time: Date,
  released: number,
): Promise<ClosingStatement | undefined> {
  const facts = await findStatementFacts(scope, taskcode);
  return facts && closingStatement({ ...facts, at: time, released });
}

/**
 * Closes a running task and returns its closing statement. Respondents can no longer submit, and unused counts return to the
 * wallet. When two callers close a task at once, the server refuses the second with 140001.
 */
export async function closeNow(scope: Scope, taskcode: string, now: Date, operator: string): Promise<ClosingStatement> {
  const task = await queries.endTask(scope, taskcode, [1], 2, now);
  if (!task) {
    const current = await queries.findTask(scope, taskcode);
    if (!current) throw problems.notFound({ what: '任务' });
    throw problems.wrongState({ why: current.status === 0 ? '任务尚未发布' : '任务已结束' });
  }
  // emptyGrants waits for running submissions. Each one finishes first and is counted, or it finds the task closed.
  const unusedCounts = await queries.emptyGrants(scope, taskcode);
  const released = unusedCounts.reduce((sum, item) => sum + item.qty, 0);
  const statement = await buildStatement(scope, taskcode, now, released);
  if (!statement) throw problems.notFound({ what: '任务' });
  await queries.saveStatement(scope, taskcode, statement);
  await releaseCounts(scope, unusedCounts, { operator, now, remark: `结束任务：${task.taskname}` });
  return statement;
}

/**
 * Ends every running task of the scope whose end time has passed, and returns their codes. The server's timer calls it in a
 * scope of the platform: `runAsSystem(pools, platform, (scope) => endDueTasks(scope, now))`.
 */
export async function endDueTasks(scope: Scope, now: Date): Promise<string[]> {
  const taskcodes: string[] = [];
  for (const { taskcode } of await queries.findDueTasks(scope, now)) {
    await closeNow(scope, taskcode, now, '系统');
    taskcodes.push(taskcode);
  }
  return taskcodes;
}

const closeTask = handle(contract.closeTask, async ({ taskcode }, { scope, now, caller, audit }) => {
  const statement = await closeNow(scope, taskcode, now, caller.accountid);
  audit({ objectid: taskcode, detail: { total: statement.total, finished: statement.finished, released: statement.released } });
  return { statement };
});

const getCloseStatement = handle(contract.getCloseStatement, async ({ taskcode }, { scope, now }) => {
  const task = await queries.findTask(scope, taskcode);
  const savedStatement = task?.closestatement as ClosingStatement | null | undefined;
  if (savedStatement) return { closed: true, statement: savedStatement };
  const statement = task && (await buildStatement(scope, taskcode, now, 0));
  if (!statement) throw problems.notFound({ what: '任务' });
  // Closing would return one count for each person who has not submitted.
  const released = statement.notstarted + statement.doing + statement.absent;
  return { closed: false, statement: { ...statement, released } };
});

const createRetestTask = handle(contract.createRetestTask, async (input, ctx) => {
  const { scope, now } = ctx;
  const warningCase = input.warningcode ? await lockCase(ctx, input.warningcode) : undefined;
  if (warningCase && !isOpen(warningCase.facts)) throw problems.wrongState({ why: '个案已结束，不能安排复测' });
  const parent = input.taskcode ? await queries.findTask(scope, input.taskcode) : undefined;
  if (input.taskcode && !parent) throw problems.notFound({ what: '任务' });
  const round = input.round ?? (parent && !input.cuserids ? '02' : '03');
  const cuserids = input.cuserids ?? (parent ? await findRoundMembers(scope, parent.taskcode, round) : []);
  if (warningCase && (cuserids.length !== 1 || cuserids[0] !== warningCase.row.cuserid))
    throw problems.invalid({ message: '复测人员须为该个案的当事人' }, { field: 'cuserids' });
  if (!cuserids.length) {
    const why = round === '02' ? '没有需要补测的人员' : '没有存疑答卷，请选择需要复测的人员';
    throw problems.invalid({ message: why }, { field: 'cuserids' });
  }
  const lastPlan = parent ? undefined : await queries.findLastPlan(scope, cuserids);
  const appid = parent?.appid ?? lastPlan?.appid ?? (await queries.findPopulation(scope, cuserids))?.appid;
  if (!appid) throw problems.notFound({ what: '受测者' });
  const usualPlan =
    input.plancode ?? parent?.plancode ?? lastPlan?.plancode ?? (await queries.findDefaultPlan(scope, appid))?.plancode;
  if (!usualPlan) throw problems.invalid({ message: '请选择复测方案' }, { field: 'plancode' });
  const plancode = await findNewestVersion(scope, usualPlan);
  const begintime = input.begintime ? fromShanghai(input.begintime) : now;
  const endtime = input.endtime ? fromShanghai(input.endtime) : addDays(begintime < now ? now : begintime, 7);
  if (endtime <= begintime) throw problems.invalid({ message: '结束时间须晚于开始时间' }, { field: 'endtime' });
  if (endtime <= now) throw problems.invalid({ message: '结束时间须晚于现在' }, { field: 'endtime' });
  const suffix = round === '02' ? '补测' : '复测';
  const { taskcode, rostercount, excludedcount, exclusions } = await createTask(ctx, {
    taskname: input.taskname || `${[...(parent?.taskname ?? '个案')].slice(0, 56).join('')}·${suffix}`,
    appid,
    plancode,
    stagecode: parent?.stagecode ?? null,
    teamcodes: [],
    cuserids,
    year: parent?.year ?? null,
    term: parent?.term ?? null,
    begintime,
    endtime,
    resultshow: parent?.resultshow ?? 0,
    remindrule: {},
    status: 1,
    parenttaskcode: parent?.taskcode ?? null,
    round,
  });
  if (warningCase) {
    const span = `${shanghaiTime(begintime).slice(0, 16)} 至 ${shanghaiTime(endtime).slice(0, 16)}`;
    await saveTransition(ctx, warningCase, warningCase.facts, {
      action: '安排复测',
      content: `${await queries.findPlanName(scope, plancode)}，${span}`,
      detail: { taskcode },
    });
  }
  ctx.audit({ objectid: taskcode, cuserids });
  return { taskcode, rostercount, excludedcount, exclusions };
});

/** Finds the persons of a follow-up round when the request names none. */
const findRoundMembers = async (scope: Scope, taskcode: string, round: '02' | '03') =>
  (round === '02'
    ? await queries.findRosterIn(scope, taskcode, [0, 1], temporaryReasons)
    : await queries.findRosterIn(scope, taskcode, [4], [])
  ).map((row) => row.cuserid);

const remindTask = handle(contract.remindTask, async ({ taskcode, teamcode, cuserids }, ctx) => {
  const { scope, now } = ctx;
  const task = await queries.findTask(scope, taskcode);
  if (!task) throw problems.notFound({ what: '任务' });
  if (task.status !== 1) throw problems.wrongState({ why: task.status === 0 ? '任务尚未发布' : '任务已结束' });
  const remindedRows = await queries.markReminded(scope, taskcode, now, { teamcode, cuserids });
  const counts = new Map<string, number>();
  for (const item of remindedRows) if (item.teamcode) counts.set(item.teamcode, (counts.get(item.teamcode) ?? 0) + 1);
  const teams = await queries.findTeamOwners(scope, [...counts.keys()]);
  await queries.addNotifications(
    scope,
    teams.map((team) => ({
      musercode: team.musercode,
      userid: team.owneruserid as string,
      kind: 'task',
      title: `${team.teamname}还有 ${counts.get(team.teamcode)} 人未完成测评`,
      content: `任务“${task.taskname}”需要跟进，请提醒尚未完成的人员。`,
      link: `/task/administration/${taskcode}/chase`,
      createtime: now,
    })),
  );
  ctx.audit({ objectid: taskcode, cuserids: remindedRows.map((item) => item.cuserid) });
  return { sent: remindedRows.length, notified: new Set(teams.map((team) => team.owneruserid)).size };
});

export const closingHandlers = [closeTask, getCloseStatement, createRetestTask, remindTask];
