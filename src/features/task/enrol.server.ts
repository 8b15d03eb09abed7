import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import type { Scope } from '#server/db/scope.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import { findPlan, findPlanForms } from '#features/plan/plan.queries.ts';
import { requireUsable } from '#features/plan/formLicence.ts';
import { checkEligibility, type Exclusion } from '#features/plan/eligibility.ts';
import * as queries from '#features/task/task.queries.ts';

/** What a refusal or an exclusion list shows at most; the whole number is told beside it. */
const SHOWN = 500;

export const shown = (caller: Staff, exclusions: readonly Exclusion[]) => ({
  excludedcount: exclusions.length,
  exclusions: exclusions
    .slice(0, SHOWN)
    .map((exclusion) => ({ ...exclusion, username: displayName(caller, exclusion.username) })),
});

/** The plan's questionnaires at a stage, or a refusal: the plan is gone, disabled, out of its dates, or asks nothing there. */
export async function planForTask(scope: Scope, plancode: string, stagecode: string | null, now: Date) {
  const plan = await findPlan(scope, plancode);
  if (!plan) throw problems.notFound({ what: '方案' });
  const today = shanghaiDate(now);
  if (plan.status !== 1) throw problems.wrongState({ why: '方案已停用，请选择其他方案' }, { field: 'plancode' });
  if ((plan.validbegin && today < plan.validbegin) || (plan.validend && today > plan.validend))
    throw problems.outsideWindow({ why: '方案不在启用期内' }, { field: 'plancode' });
  const forms = (await findPlanForms(scope, plancode)).filter((form) => form.stagecode === '' || form.stagecode === stagecode);
  if (!forms.length) throw problems.invalid({ message: '该方案按阶段作答，请选择阶段' }, { field: 'stagecode' });
  return { plan, forms };
}

/** Candidates of teams and persons with the one institution they belong to. */
export async function collectCandidates(scope: Scope, teamcodes: readonly string[], cuserids: readonly string[]) {
  const teams = await queries.findTeams(scope, teamcodes);
  if (teams.length < new Set(teamcodes).size) throw problems.notFound({ what: '所选团体' });
  const candidates = await queries.findCandidates(scope, teamcodes, cuserids);
  const knownCuserids = new Set(candidates.map((candidate) => candidate.cuserid));
  if (cuserids.some((id) => !knownCuserids.has(id))) throw problems.notFound({ what: '受测者' });
  const owners = [...new Set([...teams.map((team) => team.musercode), ...candidates.map((candidate) => candidate.musercode)])];
  if (owners.length > 1) throw problems.invalid({ message: '一个任务只能选择同一机构的团体和人员' }, { field: 'teamcodes' });
  return { candidates, musercode: owners[0] };
}

/** The questionnaires everybody is asked decide who is old enough; optional ones are left to the person. */
export const binding = (
  forms: readonly { formcode: string; required: number; formname: string; agemin: number | null; agemax: number | null }[],
) => forms.filter((form) => form.required === 1).map((form) => ({ ...form, ok: true, reasons: [] }));

/** The instants between which a task can be answered, from Shanghai wall clocks; at most a year apart. */
export function windowOf(begin: string, end: string) {
  const begintime = fromShanghai(begin);
  const endtime = fromShanghai(end);
  if (endtime <= begintime) throw problems.invalid({ message: '结束时间须晚于开始时间' }, { field: 'endtime' });
  if (endtime > addDays(begintime, 366)) throw problems.invalid({ message: '任务时长不能超过一年' }, { field: 'endtime' });
  return { begintime, endtime };
}

export interface TaskInput {
  taskname: string;
  appid: string;
  plancode: string;
  stagecode: string | null;
  teamcodes: readonly string[];
  cuserids: readonly string[];
  year: string | null;
  term: string | null;
  begintime: Date;
  endtime: Date;
  resultshow: number;
  remindrule: Record<string, unknown>;
  status: 0 | 1;
  parenttaskcode: string | null;
  round: '01' | '02' | '03';
}

/** Creates a task with its roster, its grants and its frozen counts, all in the caller's transaction. */
export async function createTask(ctx: Pick<Context, 'scope' | 'now'> & { caller: Staff }, input: TaskInput) {
  const { scope, caller, now } = ctx;
  const { plan, forms } = await planForTask(scope, input.plancode, input.stagecode, now);
  if (plan.appid !== input.appid) throw problems.invalid({ message: '方案不适用于所选人群' }, { field: 'plancode' });
  const { candidates, musercode } = await collectCandidates(scope, input.teamcodes, input.cuserids);
  const { included, exclusions } = checkEligibility(candidates, binding(forms), input.begintime);
  if (!included.length || !musercode) {
    const why = exclusions[0] ? `所选人员均不能参加：${exclusions[0].reason}` : '所选团体没有成员，请先添加名单';
    throw problems.invalid({ message: why }, { field: 'teamcodes', data: shown(caller, exclusions) });
  }
  await requireUsable(scope, [...new Set(forms.map((form) => form.formcode))], musercode);
  const { teamcodes, cuserids: _named, ...columns } = input;
  const task = { ...columns, musercode, remindrule: JSON.stringify(input.remindrule), createby: caller.accountid };
  const { taskcode } = await queries.addTask(scope, task);
  await queries.addTaskTeams(scope, taskcode, musercode, teamcodes);
  const added = await enrol(ctx, { ...task, taskcode }, included);
  return { taskcode, rostercount: added, frozen: added, ...shown(caller, exclusions) };
}

/** Rosters persons who are not on it yet, freezes one count for each and gives each a grant. */
export async function enrol(
  { scope, caller, now }: Pick<Context, 'scope' | 'now'> & { caller: Staff },
  task: {
    taskcode: string;
    musercode: string;
    plancode: string;
    appid: string;
    stagecode: string | null;
    begintime: Date;
    endtime: Date;
    taskname: string;
  },
  people: readonly { cuserid: string; teamcode: string | null }[],
) {
  const cuserids = await queries.addToRoster(scope, task, people);
  if (!cuserids.length) return 0;
  const { musercode, plancode, taskname } = task;
  const walletcode = await freezeCounts(scope, {
    musercode,
    plancode,
    cuserids,
    operator: caller.accountid,
    now,
    today: shanghaiDate(now),
    remark: `任务：${taskname}`,
  });
  const days = { begindate: shanghaiDate(task.begintime), enddate: shanghaiDate(task.endtime) };
  await queries.addGrants(scope, { ...task, ...days, grantby: caller.accountid, walletcode, now }, cuserids);
  return cuserids.length;
}
