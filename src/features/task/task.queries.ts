import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';

/** Writes of tasks and their rosters. board.queries.ts has the reads of a running task. */

/** Finds teams by code, without the deleted ones. */
export const findTeams = (scope: Scope, teamcodes: readonly string[]) =>
  scope.db
    .selectFrom('assessteam')
    .select(['teamcode', 'musercode'])
    .where('teamcode', 'in', teamcodes.length ? teamcodes : [''])
    .where('isdeleted', '=', 0)
    .execute();

export interface TeamChoice {
  teamcode: string;
  teamname: string;
  teamtype: string;
  musercode: string;
  insname: string;
  year: string;
  gradecode: string;
  gradename: string;
  ownername: string;
  membercount: number;
  consented: number;
}
/** Finds teams for the wizard. It counts the members afresh, because their number decides how many counts a task needs. */
export const findTeamChoices = async (
  scope: Scope,
  filter: { appid?: string | undefined; year?: string | undefined; musercode?: string | undefined },
): Promise<TeamChoice[]> =>
  (
    await sql<TeamChoice>`
      select t.teamcode, t.teamname, t.teamtype, t.musercode, m.insname, coalesce(t.year, '') as year,
        coalesce(t.gradecode, '') as gradecode, coalesce(t.gradename, '') as gradename,
        coalesce(u.realname, '') as ownername, count(c.cuserid)::int as membercount,
        count(c.cuserid) filter (where exists (select from consent k
          where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1 and k.withdrawtime is null))::int as consented
      from assessteam t
        join muser m on m.musercode = t.musercode
        left join sysuser u on u.userid = t.owneruserid
        left join teamroster r on r.teamcode = t.teamcode and r.status = 1
        left join cuser c on c.cuserid = r.cuserid and c.isdeleted = 0 and c.enabled = 1
      where t.isdeleted = 0
        and (${filter.appid ?? null}::text is null or t.appid = ${filter.appid ?? null})
        and (${filter.year ?? null}::text is null or t.year = ${filter.year ?? null})
        and (${filter.musercode ?? null}::text is null or t.musercode = ${filter.musercode ?? null})
      group by t.teamcode, m.insname, u.realname
      order by t.year desc nulls last, t.sortname, t.teamcode
      limit 2000`.execute(scope.db)
  ).rows;

export interface NewTask {
  musercode: string;
  taskname: string;
  appid: string;
  plancode: string;
  stagecode: string | null;
  year: string | null;
  term: string | null;
  begintime: Date;
  endtime: Date;
  resultshow: number;
  remindrule: string;
  status: number;
  parenttaskcode: string | null;
  round: string;
  createby: string;
}
/** Inserts a task and returns its code. */
export const addTask = (scope: Scope, task: NewTask) =>
  scope.db.insertInto('assesstask').values(task).returning('taskcode').executeTakeFirstOrThrow();

/**
 * Freezes the versions of the forms of a task: those of its plan, and those that may follow them. Every sitting of the task uses them,
 * whatever is published meanwhile.
 */
export const freezeVersions = (scope: Scope, taskcode: string) =>
  sql`
    with recursive frozen as (
      select t.taskcode, t.musercode, f.formcode, coalesce(pf.formversion, f.currentversion) as formversion
      from assesstask t
        join planform pf on pf.plancode = t.plancode and pf.stagecode in ('', coalesce(t.stagecode, ''))
        join form f on f.formcode = pf.formcode
      where t.taskcode = ${taskcode}
      union
      select r.taskcode, r.musercode, f.formcode, f.currentversion
      from frozen r
        join formversion v on v.formcode = r.formcode and v.version = r.formversion
        cross join jsonb_array_elements(coalesce(v.definition->'nextform', '[]')) next
        join form f on f.formcode = next->>'formcode' and f.status = 1 and f.isdeleted = 0
    )
    insert into taskform (taskcode, musercode, formcode, formversion)
    select taskcode, musercode, formcode, formversion from frozen
    on conflict do nothing`.execute(scope.db);

/** Adds teams to a task; teams that it has already do not change. */
export const addTaskTeams = (scope: Scope, taskcode: string, musercode: string, teamcodes: readonly string[]) =>
  sql`insert into taskteam (taskcode, teamcode, musercode)
    select ${taskcode}, x, ${musercode}
    from unnest(${[...new Set(teamcodes)]}::text[]) x
    on conflict do nothing`.execute(scope.db);

/** Adds persons to a roster and returns the new ones. A person who was removed before returns as not started. */
export const addToRoster = async (
  scope: Scope,
  task: { taskcode: string; musercode: string },
  people: readonly { cuserid: string; teamcode: string | null }[],
): Promise<string[]> =>
  (
    await sql<{ cuserid: string }>`
      insert into taskroster (taskcode, cuserid, teamcode, musercode)
      select ${task.taskcode}, x.cuserid, x.teamcode, ${task.musercode}
      from unnest(${people.map((person) => person.cuserid)}::text[],
        ${people.map((person) => person.teamcode)}::text[]) x(cuserid, teamcode)
      on conflict (taskcode, cuserid) do update
        set status = 0, reason = null, reasonby = null, examcode = null, teamcode = excluded.teamcode
        where taskroster.status = 9
      returning cuserid`.execute(scope.db)
  ).rows.map((row) => row.cuserid);

/** Creates one grant per person for a task; its one count is frozen in `walletcode`. */
export const addGrants = (
  scope: Scope,
  task: {
    taskcode: string;
    musercode: string;
    plancode: string;
    appid: string;
    stagecode: string | null;
    begindate: string;
    enddate: string;
    grantby: string;
    walletcode: string;
    now: Date;
  },
  cuserids: readonly string[],
) =>
  sql`insert into cuserplan
      (cuserid, musercode, plancode, appid, stagecode, taskcode, begindate, enddate, grantby, walletcode, createtime)
    select x, ${task.musercode}, ${task.plancode}, ${task.appid}, ${task.stagecode}, ${task.taskcode},
      ${task.begindate}::date, ${task.enddate}::date,
      ${task.grantby}, ${task.walletcode}, ${task.now}::timestamptz
    from unnest(${[...cuserids]}::text[]) x
    on conflict (orgpath, taskcode, cuserid) where taskcode is not null
      do update set status = 1, total = cuserplan.used + 1, frozen = 1, walletcode = excluded.walletcode`.execute(scope.db);

/**
 * Ends the active grants of a task, or of some of its persons, and returns their frozen counts. A running submission locks its
 * grant first. So it either counts as submitted or finds its grant ended, and no count is used twice.
 */
export const emptyGrants = async (scope: Scope, taskcode: string, cuserids?: readonly string[]) =>
  (
    await sql<{ cuserid: string; musercode: string; plancode: string; walletcode: string; qty: number }>`
      with active as (
        select cuserplanid, frozen
        from cuserplan
        where taskcode = ${taskcode} and status = 1
          and (${cuserids ? 1 : 0} = 0 or cuserid = any(${[...(cuserids ?? [])]}::text[]))
        order by cuserplanid
        for update)
      update cuserplan g
      set status = 3, frozen = 0
      from active a
      where g.cuserplanid = a.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, a.frozen as qty`.execute(scope.db)
  ).rows;

/** Removes persons who have not submitted from a roster. */
export const removeFromRoster = (scope: Scope, taskcode: string, cuserids: readonly string[]) =>
  sql`update taskroster
    set status = 9
    where taskcode = ${taskcode} and cuserid = any(${[...cuserids]}::text[])
      and status in (0, 1, 3)`.execute(scope.db);

/** Sets or clears the absence reason of persons who have not submitted; returns the changed persons with class and task. */
export const setReason = async (
  scope: Scope,
  { taskcode, cuserids, reason, operator }: { taskcode: string; cuserids: string[]; reason: string | null; operator: string },
) =>
  (
    await sql<{ cuserid: string; username: string; teamname: string; taskname: string; musercode: string }>`
      update taskroster r
      set reason = ${reason}, reasonby = ${reason ? operator : null},
        status = case when ${reason}::text is not null then 3 when examcode is not null then 1 else 0 end
      where taskcode = ${taskcode} and cuserid = any(${cuserids}::text[])
        and status = any(${reason ? [0, 1, 3] : [3]}::smallint[])
      returning r.cuserid, r.musercode,
        (select c.username from cuser c where c.cuserid = r.cuserid) as username,
        (select t.taskname from assesstask t where t.taskcode = r.taskcode) as taskname,
        coalesce((select g.teamname from assessteam g where g.teamcode = r.teamcode), '') as teamname`.execute(scope.db)
  ).rows;

/** Records a reminder for persons who have not submitted; returns each of them with the team. */
export const markReminded = async (
  scope: Scope,
  taskcode: string,
  now: Date,
  filter: { teamcode?: string | undefined; cuserids?: readonly string[] | undefined },
) =>
  (
    await sql<{ cuserid: string; teamcode: string | null }>`
      update taskroster set remindcount = remindcount + 1, lastremind = ${now}::timestamptz
      where taskcode = ${taskcode} and status in (0, 1)
        and (${filter.teamcode ?? null}::text is null or teamcode = ${filter.teamcode ?? null})
        and (${filter.cuserids ? 1 : 0} = 0 or cuserid = any(${[...(filter.cuserids ?? [])]}::text[]))
      returning cuserid, teamcode`.execute(scope.db)
  ).rows;

/** Finds the owners of teams; teams without an owner are left out. */
export const findTeamOwners = (scope: Scope, teamcodes: readonly string[]) =>
  scope.db
    .selectFrom('assessteam')
    .select(['teamcode', 'teamname', 'owneruserid', 'musercode'])
    .where('teamcode', 'in', teamcodes.length ? teamcodes : [''])
    .where('owneruserid', 'is not', null)
    .execute();

/** Inserts notifications. */
export const addNotifications = (
  scope: Scope,
  rows: readonly {
    musercode: string;
    userid: string;
    kind: string;
    title: string;
    content: string;
    link: string;
    createtime: Date;
  }[],
) => (rows.length ? scope.db.insertInto('notification').values(rows).execute() : Promise.resolve([]));

/** Finds a task that is not deleted and locks its row. No other transaction can close or change it meanwhile. */
export const lockTask = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('assesstask')
    .selectAll()
    .where('taskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** Finds a task that is not deleted. */
export const findTask = (scope: Scope, taskcode: string) =>
  scope.db.selectFrom('assesstask').selectAll().where('taskcode', '=', taskcode).where('isdeleted', '=', 0).executeTakeFirst();

/** Changes columns of a task and returns its new version. */
export const changeTask = (scope: Scope, taskcode: string, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('assesstask')
    .set({ ...changes, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
    .where('taskcode', '=', taskcode)
    .returning('version')
    .executeTakeFirstOrThrow();

/** Sets the first and last day of the active grants of a task. */
export const moveGrants = (scope: Scope, taskcode: string, begindate: string, enddate: string) =>
  scope.db
    .updateTable('cuserplan')
    .set({ begindate, enddate })
    .where('taskcode', '=', taskcode)
    .where('status', '=', 1)
    .execute();

/** Ends or cancels a task whose status is in `fromStatuses`; undefined when another caller was quicker. */
export const endTask = (scope: Scope, taskcode: string, fromStatuses: readonly number[], status: 2 | 3, now: Date) =>
  scope.db
    .updateTable('assesstask')
    .set({ status, closetime: now, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
    .where('taskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .where('status', 'in', fromStatuses)
    .returningAll()
    .executeTakeFirst();

/** Saves the closing statement of a task. */
export const saveStatement = (scope: Scope, taskcode: string, statement: unknown) =>
  scope.db
    .updateTable('assesstask')
    .set({ closestatement: JSON.stringify(statement) })
    .where('taskcode', '=', taskcode)
    .execute();

/** Counts the persons of a task who have submitted, with dubious exams. */
export const countSubmitted = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('taskroster')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('taskcode', '=', taskcode)
    .where('status', 'in', [2, 4])
    .executeTakeFirstOrThrow();

/** Finds running tasks whose end time has passed, the earliest first. */
export const findDueTasks = (scope: Scope, now: Date) =>
  scope.db
    .selectFrom('assesstask')
    .select('taskcode')
    .where('status', '=', 1)
    .where('isdeleted', '=', 0)
    .where('endtime', '<=', now)
    .orderBy('endtime')
    .execute();

/** Finds the persons of a follow-up round: those in one of these states, or absent for one of these reasons. */
export const findRosterIn = (scope: Scope, taskcode: string, states: readonly number[], reasons: readonly string[]) =>
  scope.db
    .selectFrom('taskroster')
    .select('cuserid')
    .where('taskcode', '=', taskcode)
    .where((eb) =>
      eb.or([
        eb('status', 'in', [...states]),
        ...(reasons.length ? [eb.and([eb('status', '=', 3), eb('reason', 'in', [...reasons])])] : []),
      ]),
    )
    .execute();

/** Finds the plan of the latest exam of these persons. It is the plan of a re-test unless the request names another. */
export const findLastPlan = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('examrecord')
    .select(['plancode', 'appid'])
    .where('cuserid', 'in', cuserids)
    .where('status', '=', 2)
    .where('plancode', 'in', (eb) => eb.selectFrom('plan').select('plancode').where('formcode', 'is', null))
    .orderBy('submittime', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Finds the population of the first of these persons. */
export const findPopulation = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('cuser')
    .select(['appid'])
    .where('cuserid', 'in', cuserids)
    .where('isdeleted', '=', 0)
    .limit(1)
    .executeTakeFirst();

/** Finds the name of a plan; returns the code when there is no such plan. */
export const findPlanName = async (scope: Scope, plancode: string): Promise<string> =>
  (await scope.db.selectFrom('plan').select('planname').where('plancode', '=', plancode).executeTakeFirst())?.planname ??
  plancode;

/** Finds the default plan of a population: an enabled one, common plans first, then the highest code. */
export const findDefaultPlan = (scope: Scope, appid: string) =>
  scope.db
    .selectFrom('plan')
    .select('plancode')
    .where('appid', '=', appid)
    .where('formcode', 'is', null)
    .where('supersededby', 'is', null)
    .where('status', '=', 1)
    .where('isdeleted', '=', 0)
    .orderBy('iscommon', 'desc')
    .orderBy('plancode', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Finds up to 1000 tasks for the filters of other screens, the latest begin first. */
export const findTaskOptions = (
  scope: Scope,
  filter: {
    schoolcode?: string | undefined;
    year?: string | undefined;
    term?: string | undefined;
    appid?: string | undefined;
    plancode?: string | undefined;
  },
) => {
  let query = scope.db
    .selectFrom('assesstask')
    .select(['taskcode', 'taskname', 'status', 'begintime', 'endtime', 'year', 'term'])
    .where('isdeleted', '=', 0);
  if (filter.schoolcode) query = query.where('musercode', '=', filter.schoolcode);
  if (filter.year) query = query.where('year', '=', filter.year);
  if (filter.term) query = query.where('term', '=', filter.term);
  if (filter.appid) query = query.where('appid', '=', filter.appid);
  if (filter.plancode) query = query.where('plancode', 'in', versionsOf(filter.plancode));
  return query.orderBy('begintime', 'desc').limit(1000).execute();
};
