import { sql } from 'kysely';
import { shanghaiDate } from '#domain/base/calendar.ts';
import type { Scope } from '#server/db/scope.ts';
import { freezeIn, releaseCounts, type FrozenCounts } from '#features/assesscount/movement.queries.ts';
import { changeRow, readRow, undoChange, type Change } from '#features/merge/changes.queries.ts';
import { updateMemberCounts } from '#features/team/team.queries.ts';

/** Rosters, teams and authorizations of two records that become one. In one task only one place and one authorization stay. */

/** Which records a merge joins, by which account, when, and the list of its changes. */
export interface MergeContext {
  scope: Scope;
  changes: Change[];
  /** the record that goes */
  from: string;
  /** the record that stays */
  to: string;
  musercode: string;
  operator: string;
  operatorname: string;
  now: Date;
}

const REASON = '合并档案';
/** taskroster.status of a person who was taken off the roster. */
const REMOVED = 9;
/** What a place in a task is worth: handed in, handed in but doubtful, open, not begun, excused, removed. */
const WORTH: Readonly<Record<number, number>> = { 2: 5, 4: 4, 1: 3, 0: 2, 3: 1, [REMOVED]: 0 };
const PLACE = ['teamcode', 'status', 'examcode', 'reason', 'reasonby', 'remindcount', 'lastremind', 'starttime', 'submittime'];

interface SharedTask {
  taskcode: string;
  taskname: string;
  fromstatus: number;
  tostatus: number;
  fromtime: Date | null;
  totime: Date | null;
}

/** The tasks in which both records stand. */
const findSharedTasks = async (scope: Scope, from: string, to: string): Promise<SharedTask[]> =>
  (
    await sql<SharedTask>`
      select f.taskcode, k.taskname, f.status as fromstatus, t.status as tostatus, f.submittime as fromtime, t.submittime as totime
      from taskroster f
        join taskroster t on t.taskcode = f.taskcode and t.cuserid = ${to}
        join assesstask k on k.taskcode = f.taskcode
      where f.cuserid = ${from} order by f.taskcode`.execute(scope.db)
  ).rows;

/** Whether the place of the record that goes is the one that stays: the handed-in sheet, with two of them the later one. */
function isFromKept({ fromstatus, tostatus, fromtime, totime }: SharedTask): boolean {
  const [one, other] = [WORTH[fromstatus] ?? 0, WORTH[tostatus] ?? 0];
  return one === other ? (fromtime?.getTime() ?? 0) > (totime?.getTime() ?? 0) : one > other;
}

/** The shared tasks with the record whose place stays, for the preview. */
export const planTasks = async (scope: Scope, from: string, to: string) =>
  (await findSharedTasks(scope, from, to)).map((task) => ({
    taskname: task.taskname,
    kept: isFromKept(task) ? ('goes' as const) : ('stays' as const),
  }));

/** Joins the places in tasks and teams, and the authorizations. Unused units of the second place return to the institution. */
export async function mergeTasks(ctx: MergeContext): Promise<void> {
  const { scope, changes, from, to } = ctx;
  const shared = await findSharedTasks(scope, from, to);
  for (const task of shared) await mergePlace(ctx, task);
  const { rows } = await sql<{ taskcode: string }>`select taskcode from taskroster where cuserid = ${from}
    and taskcode <> all (${shared.map(({ taskcode }) => taskcode)}::text[]) order by taskcode`.execute(scope.db);
  for (const { taskcode } of rows) await changeRow(scope, changes, 'taskroster', { taskcode, cuserid: from }, { cuserid: to });
  await mergeGrants(ctx);
  await mergeTeams(ctx);
}

async function mergePlace(ctx: MergeContext, task: SharedTask): Promise<void> {
  const { scope, changes, from, to } = ctx;
  const { taskcode } = task;
  if (isFromKept(task)) {
    const place = (await readRow(scope, 'taskroster', { taskcode, cuserid: from })) ?? {};
    await changeRow(
      scope,
      changes,
      'taskroster',
      { taskcode, cuserid: to },
      Object.fromEntries(PLACE.map((column) => [column, place[column] ?? null])),
    );
  }
  await changeRow(
    scope,
    changes,
    'taskroster',
    { taskcode, cuserid: from },
    { status: REMOVED, reason: REASON, ...(isFromKept(task) ? { examcode: null } : {}) },
  );
  const loser = isFromKept(task) ? to : from;
  const grants = await findGrants(scope, sql`cuserid = ${loser} and taskcode = ${taskcode}`);
  // A person has one authorization of a task, so the second one leaves the task.
  for (const grant of grants) await clearGrant(ctx, grant, { taskcode: null });
}

interface Grant {
  cuserplanid: number;
  cuserid: string;
  musercode: string;
  plancode: string;
  walletcode: string;
  used: number;
  frozen: number;
}
const findGrants = async (scope: Scope, condition: ReturnType<typeof sql>): Promise<Grant[]> =>
  (
    await sql<Grant>`select cuserplanid, cuserid, musercode, plancode, walletcode, used, frozen from cuserplan
      where ${condition} order by cuserplanid for update`.execute(scope.db)
  ).rows;

/** Ends an authorization and returns its unused units. */
async function clearGrant(ctx: MergeContext, grant: Grant, more: Record<string, unknown> = {}): Promise<void> {
  const { scope, changes, operator, now } = ctx;
  const { cuserplanid, used, frozen, ...counts } = grant;
  await changeRow(scope, changes, 'cuserplan', { cuserplanid }, { ...more, status: used > 0 ? 2 : 3, frozen: 0 });
  const released: FrozenCounts = { ...counts, qty: frozen };
  await releaseCounts(scope, [released], { operator, now, remark: REASON });
}

/** Outside tasks a person has one live authorization for a plan at a stage; the one with an open sheet stays. */
async function mergeGrants(ctx: MergeContext): Promise<void> {
  const { scope, from, to } = ctx;
  const { rows } = await sql<{ fromid: number; toid: number; isfromopen: boolean }>`
    select f.cuserplanid as fromid, t.cuserplanid as toid,
      exists (select from examrecord e where e.cuserplanid = f.cuserplanid and e.status = 1)
        and not exists (select from examrecord e where e.cuserplanid = t.cuserplanid and e.status = 1) as isfromopen
    from cuserplan f join cuserplan t on t.cuserid = ${to} and t.plancode = f.plancode and t.taskcode is null and t.status = 1
      and coalesce(t.stagecode, '') = coalesce(f.stagecode, '')
    where f.cuserid = ${from} and f.taskcode is null and f.status = 1`.execute(scope.db);
  for (const { fromid, toid, isfromopen } of rows)
    for (const grant of await findGrants(scope, sql`cuserplanid = ${isfromopen ? toid : fromid}`)) await clearGrant(ctx, grant);
}

async function mergeTeams({ scope, changes, from, to, now }: MergeContext): Promise<void> {
  const { rows } = await sql<{ teamcode: string; status: number; joindate: string; tostatus: number | null }>`
    select f.teamcode, f.status, f.joindate, t.status as tostatus
    from teamroster f left join teamroster t on t.teamcode = f.teamcode and t.cuserid = ${to}
    where f.cuserid = ${from} order by f.teamcode`.execute(scope.db);
  for (const { teamcode, status, joindate, tostatus } of rows) {
    const key = { teamcode, cuserid: from };
    if (tostatus === null) {
      await changeRow(scope, changes, 'teamroster', key, { cuserid: to });
      continue;
    }
    if (status !== 1) continue;
    if (tostatus !== 1)
      await changeRow(scope, changes, 'teamroster', { teamcode, cuserid: to }, { status: 1, joindate, leavedate: null });
    await changeRow(scope, changes, 'teamroster', key, { status: 0, leavedate: shanghaiDate(now) });
  }
  await countMembers(scope, changes);
}

/** Counts the members of the changed teams again. */
async function countMembers(scope: Scope, changes: readonly Change[]): Promise<void> {
  const teamcodes = changes.filter(({ table }) => table === 'teamroster').map(({ key }) => String(key.teamcode));
  if (teamcodes.length > 0) await updateMemberCounts(scope, [...new Set(teamcodes)]);
}

/**
 * Takes back the changes of a merge, the last one first. Units that the merge returned are frozen again while their task or authorization
 * goes on; without a free unit the place in the task stays excused.
 */
export async function undoChanges(
  scope: Scope,
  changes: readonly Change[],
  { operator, now }: Pick<MergeContext, 'operator' | 'now'>,
): Promise<void> {
  const unpaid: { taskcode: string; cuserid: string }[] = [];
  for (const change of changes.toReversed()) {
    if (change.table !== 'cuserplan' || !(Number(change.before.frozen) > 0)) {
      await undoChange(scope, change);
      continue;
    }
    const isPaid = await freezeAgain(scope, change, operator, now);
    await undoChange(scope, isPaid ? change : { ...change, before: { ...change.before, frozen: 0, status: 3 } });
    const grant = await readRow(scope, 'cuserplan', change.key);
    if (!isPaid && grant?.taskcode) unpaid.push({ taskcode: String(grant.taskcode), cuserid: String(grant.cuserid) });
  }
  for (const { taskcode, cuserid } of unpaid)
    await sql`update taskroster set status = 3, reason = '合并撤销时没有可用次数'
      where taskcode = ${taskcode} and cuserid = ${cuserid} and status in (0, 1)`.execute(scope.db);
  await countMembers(scope, changes);
}

/** Freezes the units of an authorization again. Returns false when it cannot go on or the institution has no free unit. */
async function freezeAgain(scope: Scope, { key, before }: Change, operator: string, now: Date): Promise<boolean> {
  const today = shanghaiDate(now);
  const { rows } = await sql<{ musercode: string; walletcode: string; plancode: string; cuserid: string; islive: boolean }>`
    select g.musercode, g.walletcode, g.plancode, g.cuserid,
      case when ${before.taskcode ?? null}::text is null then g.enddate is null or g.enddate >= ${today}::date
        else exists (select from assesstask t where t.taskcode = ${before.taskcode ?? null} and t.status = 1 and t.endtime > ${now}) end
        as islive
    from cuserplan g where g.cuserplanid = ${key.cuserplanid}`.execute(scope.db);
  const grant = rows[0];
  if (!grant?.islive) return false;
  const qty = Number(before.frozen);
  const free = await freezeIn(scope, { ...grant, qty, today });
  if (free === undefined) return false;
  await sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, kind, qty, balance, operator, remark, time)
    values (${grant.musercode}, ${grant.walletcode}, ${grant.plancode}, ${grant.cuserid}, '03', ${-qty}::int, ${free}::int, ${operator},
      '撤销合并', ${now})`.execute(scope.db);
  return true;
}
