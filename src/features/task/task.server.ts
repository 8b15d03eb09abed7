import { fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { AbsentReason } from '#domain/task/taskprogress.ts';
import { problems } from '#contract/problem.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { freeCounts, releaseCounts } from '#features/assesscount/movement.queries.ts';
import { notifyOfDecline } from '#features/consent/notifyOfDecline.ts';
import { findPlanForms } from '#features/plan/plan.queries.ts';
import { checkFormLicences, requireUsable } from '#features/plan/formLicence.ts';
import { closeNow } from '#features/task/closing.server.ts';
import {
  requiredForms,
  createTask,
  enrol,
  collectCandidates,
  requirePlanForms,
  toExclusionList,
  parseTaskWindow,
  countClasses,
  countGuardians,
} from '#features/task/enrol.server.ts';
import { checkEligibility } from '#features/plan/eligibility.ts';
import { assertSlotsWithin, saveSlots } from '#features/task/slots/saveSlots.ts';
import * as contract from '#features/task/task.contract.ts';
import * as queries from '#features/task/task.queries.ts';

const checkAssessTask = handle(contract.checkAssessTask, async (input, { scope, caller, now }) => {
  const { plan, forms } = await requirePlanForms(scope, input.plancode, input.stagecode ?? null, now);
  const { candidates, musercode = caller.musercode } = await collectCandidates(scope, input.teamcodes, input.cuserids);
  const begintime = input.begintime ? fromShanghai(input.begintime) : now;
  const { included, exclusions, unknownage } = checkEligibility(candidates, requiredForms(forms), begintime);
  const licences = [
    ...(await checkFormLicences(scope, [...new Set(forms.map((form) => form.formcode))], musercode, now)).values(),
  ];
  const { most: freeCount } = await freeCounts(scope, musercode, input.plancode, shanghaiDate(now));
  return {
    rostercount: included.length,
    ...toExclusionList(caller, exclusions),
    unknownage,
    consented: included.filter((candidate) => candidate.consented).length,
    guardian: await countGuardians(scope, musercode, included, now),
    planname: plan.planname,
    forms: forms.map(({ formname, itemcount, minutes }) => ({ formname, itemcount, minutes })),
    classes: countClasses(included),
    need: included.length,
    free: freeCount,
    licenceok: licences.every((form) => form.ok),
    reasons: licences.flatMap((form) => form.reasons.map((reason) => `${form.formname}：${reason}`)),
  };
});

const getAssessTaskTeams = handle(contract.getAssessTaskTeams, (input, { scope }) => queries.findTeamChoices(scope, input));

const insertAssessTask = handle(contract.insertAssessTask, async (input, ctx) => {
  if (!input.teamcodes.length && !input.cuserids.length)
    throw problems.invalid({ message: '请选择参加的团体' }, { field: 'teamcodes' });
  const window = parseTaskWindow(input.begintime, input.endtime);
  const { slots, ...fields } = input;
  const task = await createTask(ctx, {
    ...fields,
    ...window,
    stagecode: input.stagecode || null,
    year: input.year ?? null,
    term: input.term ?? null,
    remindrule: input.remindrule ?? {},
    parenttaskcode: null,
    round: '01',
  });
  if (slots.length) await saveSlots(ctx.scope, { taskcode: task.taskcode, ...window }, slots);
  ctx.audit({ objectid: task.taskcode, detail: { frozen: task.frozen } });
  return task;
});

/** Locks a task until the end of the transaction and returns it. Throws 130001 when there is no such task. */
async function lockExistingTask(scope: Scope, taskcode: string) {
  const task = await queries.lockTask(scope, taskcode);
  if (!task) throw problems.notFound({ what: '任务' });
  return task;
}
const requireOpen = (status: number) => {
  if (status > 1) throw problems.wrongState({ why: '任务已结束，不能再修改' });
};

const updateAssessTask = handle(
  contract.updateAssessTask,
  async ({ taskcode, version: _, status, begintime, endtime, remindrule, slots, ...rest }, ctx) => {
    const { scope, now, caller } = ctx;
    const task = await lockExistingTask(scope, taskcode);
    requireOpen(task.status);
    const window = parseTaskWindow(begintime ?? shanghaiTime(task.begintime), endtime ?? shanghaiTime(task.endtime));
    if (status === 1 && task.status === 0 && window.endtime <= now)
      throw problems.outsideWindow({ why: '结束时间已过，请先调整起止时间' }, { field: 'endtime' });
    const changes = {
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      ...(begintime || endtime ? window : {}),
      ...(remindrule ? { remindrule: JSON.stringify(remindrule) } : {}),
      ...(status === 1 ? { status } : {}),
    };
    if (status === 1 && task.status === 0) {
      const { forms } = await requirePlanForms(scope, task.plancode, task.stagecode, now);
      await requireUsable(scope, [...new Set(forms.map((form) => form.formcode))], task.musercode, now);
      await queries.freezeVersions(scope, taskcode);
    }
    const updated = await queries.changeTask(scope, taskcode, changes);
    if (slots) {
      await saveSlots(scope, { taskcode, ...window }, slots);
      await markEdit(scope, 'assesstask', 'taskcode', taskcode, 'slots');
    } else if (begintime || endtime) await assertSlotsWithin(scope, { taskcode, ...window }, endtime ? 'endtime' : 'begintime');
    if (begintime || endtime)
      await queries.moveGrants(scope, taskcode, shanghaiDate(window.begintime), shanghaiDate(window.endtime));
    ctx.audit({
      objectid: taskcode,
      detail: { changed: [...Object.keys(changes), ...(slots ? ['slots'] : []), ...(status ? ['status'] : [])] },
    });
    if (status === 2) await closeNow(scope, taskcode, now, caller.accountid);
    if (status === 3) {
      await queries.endTask(scope, taskcode, [0, 1], 3, now);
      await releaseCounts(scope, await queries.emptyGrants(scope, taskcode), {
        operator: caller.accountid,
        now,
        remark: `取消任务：${task.taskname}`,
      });
    }
    return status === 2 || status === 3 ? { version: updated.version + 1 } : updated;
  },
  {
    current: async ({ taskcode }, scope) => {
      const task = await queries.findTask(scope, taskcode);
      return task
        ? { begintime: shanghaiTime(task.begintime).slice(0, 16), endtime: shanghaiTime(task.endtime).slice(0, 16) }
        : {};
    },
  },
);

const deleteAssessTask = handle(contract.deleteAssessTask, async ({ taskcode }, ctx) => {
  const { scope, now, caller } = ctx;
  const task = await lockExistingTask(scope, taskcode);
  // emptyGrants waits for running submissions, so countSubmitted then counts them.
  const frozen = await queries.emptyGrants(scope, taskcode);
  const { n } = await queries.countSubmitted(scope, taskcode);
  if (n > 0) throw problems.inUse({ why: `已有 ${n} 人交卷，不能删除，可改为取消任务` });
  await queries.changeTask(scope, taskcode, { isdeleted: 1 });
  const released = await releaseCounts(scope, frozen, { operator: caller.accountid, now, remark: `删除任务：${task.taskname}` });
  ctx.audit({ objectid: taskcode, detail: { released } });
  return { released };
});

const insertAssessTeamRosterTask = handle(contract.insertAssessTeamRosterTask, async ({ taskcode, teamcodes, cuserids }, ctx) => {
  const { scope, caller, now } = ctx;
  if (!teamcodes.length && !cuserids.length)
    throw problems.invalid({ message: '请选择要追加的团体或人员' }, { field: 'teamcodes' });
  const task = await lockExistingTask(scope, taskcode);
  requireOpen(task.status);
  const forms = (await findPlanForms(scope, task.plancode)).filter(
    (form) => form.stagecode === '' || form.stagecode === task.stagecode,
  );
  const { candidates, musercode } = await collectCandidates(scope, teamcodes, cuserids);
  if (musercode && musercode !== task.musercode)
    throw problems.invalid({ message: '只能追加同一机构的团体和人员' }, { field: 'teamcodes' });
  const { included, exclusions } = checkEligibility(
    candidates,
    requiredForms(forms),
    now > task.begintime ? now : task.begintime,
  );
  await queries.addTaskTeams(scope, taskcode, task.musercode, teamcodes);
  const added = await enrol(ctx, task, included);
  ctx.audit({ objectid: taskcode, detail: { added } });
  return { added, frozen: added, ...toExclusionList(caller, exclusions) };
});

const deleteAssessTaskCUser = handle(contract.deleteAssessTaskCUser, async ({ taskcode, cuserids }, ctx) => {
  const { scope, caller, now } = ctx;
  const task = await lockExistingTask(scope, taskcode);
  requireOpen(task.status);
  const frozen = await queries.emptyGrants(scope, taskcode, cuserids);
  const removedCuserids = frozen.map((item) => item.cuserid);
  await queries.removeFromRoster(scope, taskcode, removedCuserids);
  const released = await releaseCounts(scope, frozen, { operator: caller.accountid, now, remark: `移出任务：${task.taskname}` });
  ctx.audit({ objectid: taskcode, cuserids: removedCuserids });
  return { removed: removedCuserids.length, released };
});

const setRosterReason = handle(contract.setRosterReason, async ({ taskcode, cuserids, reason }, ctx) => {
  requireOpen((await lockExistingTask(ctx.scope, taskcode)).status);
  const rows = await queries.setReason(ctx.scope, { taskcode, cuserids, reason, operator: ctx.caller.accountid });
  if (reason === AbsentReason.refused)
    for (const row of rows) await notifyOfDecline(ctx.scope, { ...row, taskcode, now: ctx.now });
  ctx.audit({ objectid: taskcode, cuserids: rows.map((row) => row.cuserid), detail: { reason } });
  return { changed: rows.length };
});

const getTaskList = handle(contract.getTaskList, async (filters, { scope }) =>
  (await queries.findTaskOptions(scope, filters)).map((row) => ({
    ...row,
    begintime: shanghaiTime(row.begintime),
    endtime: shanghaiTime(row.endtime),
    year: row.year ?? '',
    term: row.term ?? '',
  })),
);

export const taskHandlers = [
  checkAssessTask,
  getAssessTaskTeams,
  insertAssessTask,
  updateAssessTask,
  deleteAssessTask,
  insertAssessTeamRosterTask,
  deleteAssessTaskCUser,
  setRosterReason,
  getTaskList,
];
