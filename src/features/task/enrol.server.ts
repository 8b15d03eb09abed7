import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import type { Scope } from '#server/db/scope.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import { needsConsent } from '#features/consent/guardian/guardianFacts.ts';
import { findPlan, findPlanForms } from '#features/plan/plan.queries.ts';
import { requireUsable } from '#features/plan/formLicence.ts';
import { checkEligibility, type Exclusion } from '#features/plan/eligibility.ts';
import { findCandidates, type Candidate } from '#features/task/candidates.queries.ts';
import * as queries from '#features/task/task.queries.ts';

/** Most persons in a list of exclusions; `excludedcount` beside it is the full number. */
const MAX_EXCLUSIONS = 500;

/** Returns the number of excluded persons and the first of them, with the names that the caller may read. */
export const toExclusionList = (caller: Staff, exclusions: readonly Exclusion[]) => ({
  excludedcount: exclusions.length,
  exclusions: exclusions
    .slice(0, MAX_EXCLUSIONS)
    .map((exclusion) => ({ ...exclusion, username: displayName(caller, exclusion.username) })),
});

/** Returns the plan and its forms at a stage. Throws when the plan is deleted, disabled, out of date or has no form there. */
export async function requirePlanForms(scope: Scope, plancode: string, stagecode: string | null, now: Date) {
  const plan = await findPlan(scope, plancode);
  if (!plan) throw problems.notFound({ what: '方案' });
  const today = shanghaiDate(now);
  if (plan.supersededby !== null) throw problems.wrongState({ why: '方案已有新版本，请重新选择' }, { field: 'plancode' });
  if (plan.status !== 1) throw problems.wrongState({ why: '方案已停用，请选择其他方案' }, { field: 'plancode' });
  if ((plan.validbegin && today < plan.validbegin) || (plan.validend && today > plan.validend))
    throw problems.outsideWindow({ why: '方案不在启用期内' }, { field: 'plancode' });
  const forms = (await findPlanForms(scope, plancode)).filter((form) => form.stagecode === '' || form.stagecode === stagecode);
  if (!forms.length) throw problems.invalid({ message: '该方案按阶段作答，请选择阶段' }, { field: 'stagecode' });
  return { plan, forms };
}

/** Finds the candidates of teams and persons, and their institution. Throws when they belong to several institutions. */
export async function collectCandidates(scope: Scope, teamcodes: readonly string[], cuserids: readonly string[]) {
  const teams = await queries.findTeams(scope, teamcodes);
  if (teams.length < new Set(teamcodes).size) throw problems.notFound({ what: '所选团体' });
  const candidates = await findCandidates(scope, teamcodes, cuserids);
  const knownCuserids = new Set(candidates.map((candidate) => candidate.cuserid));
  if (cuserids.some((id) => !knownCuserids.has(id))) throw problems.notFound({ what: '受测者' });
  const musercodes = [...new Set([...teams, ...candidates].map((row) => row.musercode))];
  if (musercodes.length > 1) throw problems.invalid({ message: '一个任务只能选择同一机构的团体和人员' }, { field: 'teamcodes' });
  return { candidates, musercode: musercodes[0] };
}

/** Counts the persons who need the consent of a guardian, and the answers of the guardians so far. */
export async function countGuardians(scope: Scope, musercode: string, people: readonly Candidate[], now: Date) {
  const { facts } = await findCurrentConsent(scope, musercode);
  const needed = people.filter((person) => needsConsent(person, facts.terms.teenguardian, now));
  const countOf = (status: number) => needed.filter((person) => person.guardianstatus === status).length;
  return { needed: needed.length, agreed: countOf(1), refused: countOf(2) };
}

/** Counts persons by class, in the order of the list. */
export function countClasses(people: readonly Pick<Candidate, 'teamcode' | 'teamname'>[]) {
  const counts = new Map<string | null, { teamcode: string | null; teamname: string; count: number }>();
  for (const { teamcode, teamname } of people)
    counts.set(teamcode, { teamcode, teamname, count: (counts.get(teamcode)?.count ?? 0) + 1 });
  return [...counts.values()];
}

/** Returns the required forms, whose ages decide who can take part. A person may skip an optional form. */
export const requiredForms = (
  forms: readonly { formcode: string; required: number; formname: string; agemin: number | null; agemax: number | null }[],
) => forms.filter((form) => form.required === 1).map((form) => ({ ...form, ok: true, reasons: [] }));

/** Parses the begin and end of a task from Shanghai wall-clock times. Throws when they are out of order or over 366 days apart. */
export function parseTaskWindow(begin: string, end: string) {
  const begintime = fromShanghai(begin);
  const endtime = fromShanghai(end);
  if (endtime <= begintime) throw problems.invalid({ message: '结束时间须晚于开始时间' }, { field: 'endtime' });
  if (endtime > addDays(begintime, 366)) throw problems.invalid({ message: '任务时长不能超过一年' }, { field: 'endtime' });
  return { begintime, endtime };
}

/** Fields of a new task; times are instants. */
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

/** Creates a task with its roster, grants and frozen counts in the caller's transaction; returns its code and numbers. */
export async function createTask(ctx: Pick<Context, 'scope' | 'now'> & { caller: Staff }, input: TaskInput) {
  const { scope, caller, now } = ctx;
  const { plan, forms } = await requirePlanForms(scope, input.plancode, input.stagecode, now);
  if (plan.appid !== input.appid) throw problems.invalid({ message: '方案不适用于所选人群' }, { field: 'plancode' });
  const { candidates, musercode } = await collectCandidates(scope, input.teamcodes, input.cuserids);
  const { included, exclusions } = checkEligibility(candidates, requiredForms(forms), input.begintime);
  if (!included.length || !musercode) {
    const why = exclusions[0] ? `所选人员均不能参加：${exclusions[0].reason}` : '所选团体没有成员，请先添加名单';
    throw problems.invalid({ message: why }, { field: 'teamcodes', data: toExclusionList(caller, exclusions) });
  }
  await requireUsable(scope, [...new Set(forms.map((form) => form.formcode))], musercode, now);
  const { teamcodes, cuserids: _cuserids, ...columns } = input;
  const task = { ...columns, musercode, remindrule: JSON.stringify(input.remindrule), createby: caller.accountid };
  const { taskcode } = await queries.addTask(scope, task);
  if (input.status === 1) await queries.freezeVersions(scope, taskcode);
  await queries.addTaskTeams(scope, taskcode, musercode, teamcodes);
  const added = await enrol(ctx, { ...task, taskcode }, included);
  return { taskcode, rostercount: added, frozen: added, ...toExclusionList(caller, exclusions) };
}

/** Adds persons to the roster of a task, freezes one count and creates one grant for each. Returns the number of new persons. */
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
