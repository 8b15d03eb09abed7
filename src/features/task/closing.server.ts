import { addDays, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { closingStatement, temporaryReasons, type ClosingStatement } from '#domain/task/taskprogress.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { lockCase, saveTransition } from '#features/warning/handling/transition.ts';
import { findStatementFacts } from '#features/task/board/board.queries.ts';
import * as contract from '#features/task/task.contract.ts';
import * as queries from '#features/task/task.queries.ts';
import { createTask } from '#features/task/enrol.server.ts';

/** The statement of a task as its roster stands now. */
async function statementOf(scope: Scope, taskcode: string, time: Date, released: number): Promise<ClosingStatement | undefined> {
  const facts = await findStatementFacts(scope, taskcode);
  return facts && closingStatement({ ...facts, at: time, released });
}

/**
 * Closes a running task: from this moment nobody can hand in, counts nobody answered with are back in the wallet, and the
 * statement says what was. Of two that close at once, one does and the other is refused with 140001.
 */
export async function closeNow(scope: Scope, taskcode: string, now: Date, operator: string): Promise<ClosingStatement> {
  const task = await queries.endTask(scope, taskcode, [1], 2, now);
  if (!task) {
    const foundTask = await queries.findTask(scope, taskcode);
    if (!foundTask) throw problems.notFound({ what: '任务' });
    throw problems.wrongState({ why: foundTask.status === 0 ? '任务尚未发布' : '任务已结束' });
  }
  // Waits for hand-ins under way: they either finish first and are counted, or find the task closed.
  const frozen = await queries.emptyGrants(scope, taskcode);
  const statement = await statementOf(
    scope,
    taskcode,
    now,
    frozen.reduce((sum, item) => sum + item.qty, 0),
  );
  if (!statement) throw problems.notFound({ what: '任务' });
  await queries.saveStatement(scope, taskcode, statement);
  await releaseCounts(scope, frozen, { operator, now, remark: `结束任务：${task.taskname}` });
  return statement;
}

/**
 * Ends every running task within reach whose end has come; answers their codes. For the server's timer, in a scope of the
 * platform: `runAsSystem(pools, platform, (scope) => endDueTasks(scope, now))`.
 */
export async function endDueTasks(scope: Scope, now: Date): Promise<string[]> {
  const ended: string[] = [];
  for (const { taskcode } of await queries.findDueTasks(scope, now)) {
    await closeNow(scope, taskcode, now, '系统');
    ended.push(taskcode);
  }
  return ended;
}

const closeTask = handle(contract.closeTask, async ({ taskcode }, { scope, now, caller, audit }) => {
  const statement = await closeNow(scope, taskcode, now, caller.accountid);
  audit({ objectid: taskcode, detail: { total: statement.total, finished: statement.finished, released: statement.released } });
  return { statement };
});

const getCloseStatement = handle(contract.getCloseStatement, async ({ taskcode }, { scope, now }) => {
  const task = await queries.findTask(scope, taskcode);
  const keptClosestatement = task?.closestatement as ClosingStatement | null | undefined;
  if (keptClosestatement) return { closed: true, statement: keptClosestatement };
  const statement = task && (await statementOf(scope, taskcode, now, 0));
  if (!statement) throw problems.notFound({ what: '任务' });
  // What closing would give back: one count for each who has not handed in.
  const released = statement.notstarted + statement.doing + statement.absent;
  return { closed: false, statement: { ...statement, released } };
});

const createRetestTask = handle(contract.createRetestTask, async (input, ctx) => {
  const { scope, now } = ctx;
  const heldCase = input.warningcode ? await lockCase(ctx, input.warningcode) : undefined;
  if (heldCase && !isOpen(heldCase.facts)) throw problems.wrongState({ why: '个案已结束，不能安排复测' });
  const parent = input.taskcode ? await queries.findTask(scope, input.taskcode) : undefined;
  if (input.taskcode && !parent) throw problems.notFound({ what: '任务' });
  const round = input.round ?? (parent && !input.cuserids ? '02' : '03');
  const cuserids = input.cuserids ?? (parent ? await roundOf(scope, parent.taskcode, round) : []);
  if (heldCase && (cuserids.length !== 1 || cuserids[0] !== heldCase.row.cuserid))
    throw problems.invalid({ message: '复测人员须为该个案的当事人' }, { field: 'cuserids' });
  if (!cuserids.length) {
    const why = round === '02' ? '没有需要补测的人员' : '没有存疑答卷，请选择需要复测的人员';
    throw problems.invalid({ message: why }, { field: 'cuserids' });
  }
  const last = parent ? undefined : await queries.findLastPlan(scope, cuserids);
  const appid = parent?.appid ?? last?.appid ?? (await queries.findPopulation(scope, cuserids))?.appid;
  if (!appid) throw problems.notFound({ what: '受测者' });
  const plancode =
    input.plancode ?? parent?.plancode ?? last?.plancode ?? (await queries.findDefaultPlan(scope, appid))?.plancode;
  if (!plancode) throw problems.invalid({ message: '请选择复测方案' }, { field: 'plancode' });
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
  if (heldCase) {
    const span = `${shanghaiTime(begintime).slice(0, 16)} 至 ${shanghaiTime(endtime).slice(0, 16)}`;
    await saveTransition(ctx, heldCase, heldCase.facts, {
      action: '安排复测',
      content: `${await queries.findPlanName(scope, plancode)}，${span}`,
      detail: { taskcode },
    });
  }
  ctx.audit({ objectid: taskcode, cuserids });
  return { taskcode, rostercount, excludedcount, exclusions };
});

/** Whom a round asks unless persons are named. */
const roundOf = async (scope: Scope, taskcode: string, round: '02' | '03') =>
  (round === '02'
    ? await queries.findRosterIn(scope, taskcode, [0, 1], temporaryReasons)
    : await queries.findRosterIn(scope, taskcode, [4], [])
  ).map((row) => row.cuserid);

const remindTask = handle(contract.remindTask, async ({ taskcode, teamcode, cuserids }, ctx) => {
  const { scope, now } = ctx;
  const task = await queries.findTask(scope, taskcode);
  if (!task) throw problems.notFound({ what: '任务' });
  if (task.status !== 1) throw problems.wrongState({ why: task.status === 0 ? '任务尚未发布' : '任务已结束' });
  const chased = await queries.markReminded(scope, taskcode, now, { teamcode, cuserids });
  const counts = new Map<string, number>();
  for (const item of chased) if (item.teamcode) counts.set(item.teamcode, (counts.get(item.teamcode) ?? 0) + 1);
  const teams = await queries.findTeamOwners(scope, [...counts.keys()]);
  await queries.addNotifications(
    scope,
    teams.map((team) => ({
      musercode: team.musercode,
      userid: team.owneruserid as string,
      kind: 'task',
      title: `${team.teamname}还有 ${counts.get(team.teamcode)} 人未完成测评`,
      content: `任务“${task.taskname}”需要跟进，请提醒尚未完成的同学。`,
      link: `/task/administration/${taskcode}/chase`,
      createtime: now,
    })),
  );
  ctx.audit({ objectid: taskcode, cuserids: chased.map((item) => item.cuserid) });
  return { sent: chased.length, notified: new Set(teams.map((team) => team.owneruserid)).size };
});

export const closingHandlers = [closeTask, getCloseStatement, createRetestTask, remindTask];
