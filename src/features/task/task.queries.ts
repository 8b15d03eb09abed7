import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Writes of tasks and their rosters. What is read while they run is in board.queries.ts. */

export interface Candidate {
  cuserid: string;
  username: string;
  birthday: string | null;
  enabled: number;
  musercode: string;
  teamcode: string | null;
  teamname: string;
  consented: boolean;
}

/**
 * Everybody a task of these teams and persons would ask, once each: with the first chosen team they belong to, or, when
 * named singly, their latest team.
 */
export const findCandidates = async (
  scope: Scope,
  teamcodes: readonly string[],
  cuserids: readonly string[],
): Promise<Candidate[]> =>
  (
    await sql<Candidate>`
      with chosen as (
        select r.cuserid, r.teamcode, array_position(${[...teamcodes]}::text[], r.teamcode) as rank
        from teamroster r where r.teamcode = any(${[...teamcodes]}::text[]) and r.status = 1
        union all
        select p.cuserid, (select r.teamcode from teamroster r join assessteam t on t.teamcode = r.teamcode
          where r.cuserid = p.cuserid and r.status = 1 and t.isdeleted = 0
            order by t.year desc nulls last, t.teamtype, t.teamcode limit 1), 100000
        from unnest(${[...cuserids]}::text[]) p(cuserid)),
      once as (select distinct on (cuserid) cuserid, teamcode, rank from chosen order by cuserid, rank)
      select c.cuserid, c.username, c.birthday, c.enabled, c.musercode, o.teamcode, coalesce(t.teamname, '') as teamname,
        exists (select from consent k where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1
        and k.withdrawtime is null) as consented
      from once o join cuser c on c.cuserid = o.cuserid and c.isdeleted = 0 left join assessteam t on t.teamcode = o.teamcode
      order by o.rank, c.pinyin, c.cuserid`.execute(scope.db)
  ).rows;

/** Teams by code, those that were deleted left out. */
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
/** Teams with members, to choose from; members are counted anew because they decide what a task costs. */
export const findTeamChoices = async (
  scope: Scope,
  options: { appid?: string | undefined; year?: string | undefined; musercode?: string | undefined },
): Promise<TeamChoice[]> =>
  (
    await sql<TeamChoice>`
      select t.teamcode, t.teamname, t.teamtype, t.musercode, m.insname, coalesce(t.year, '') as year,
        coalesce(t.gradecode, '') as gradecode,
        coalesce(t.gradename, '') as gradename, coalesce(u.realname, '') as ownername, count(c.cuserid)::int as membercount,
        count(c.cuserid) filter (where exists (select from consent k
        where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1 and k.withdrawtime is null))::int as consented
      from assessteam t join muser m on m.musercode = t.musercode
        left join sysuser u on u.userid = t.owneruserid
        left join teamroster r on r.teamcode = t.teamcode and r.status = 1
        left join cuser c on c.cuserid = r.cuserid and c.isdeleted = 0 and c.enabled = 1
      where t.isdeleted = 0
        and (${options.appid ?? null}::text is null or t.appid = ${options.appid ?? null})
        and (${options.year ?? null}::text is null or t.year = ${options.year ?? null})
        and (${options.musercode ?? null}::text is null or t.musercode = ${options.musercode ?? null})
      group by t.teamcode, m.insname, u.realname order by t.year desc nulls last, t.gradecode nulls last, t.teamname limit 2000`.execute(
      scope.db,
    )
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
export const addTask = (scope: Scope, task: NewTask) =>
  scope.db.insertInto('assesstask').values(task).returning('taskcode').executeTakeFirstOrThrow();

export const addTaskTeams = (scope: Scope, taskcode: string, musercode: string, teamcodes: readonly string[]) =>
  sql`insert into taskteam (taskcode, teamcode, musercode) select ${taskcode}, x, ${musercode}
    from unnest(${[...new Set(teamcodes)]}::text[]) x
    on conflict do nothing`.execute(scope.db);

/** Puts persons on a roster; answers those who were not on it. A person taken off before comes back as not started. */
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
      on conflict (taskcode, cuserid) do update set status = 0, reason = null, reasonby = null, examcode = null,
      teamcode = excluded.teamcode
        where taskroster.status = 9
      returning cuserid`.execute(scope.db)
  ).rows.map((row) => row.cuserid);

/** One grant per person for a task, its one count frozen in `walletcode`. */
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
  sql`insert into cuserplan (cuserid, musercode, plancode, appid, stagecode, taskcode, begindate, enddate, grantby, walletcode, createtime)
    select x, ${task.musercode}, ${task.plancode}, ${task.appid}, ${task.stagecode}, ${task.taskcode},
      ${task.begindate}::date, ${task.enddate}::date,
      ${task.grantby}, ${task.walletcode}, ${task.now}::timestamptz
    from unnest(${[...cuserids]}::text[]) x
    on conflict (orgpath, taskcode, cuserid) where taskcode is not null
      do update set status = 1, total = cuserplan.used + 1, frozen = 1, walletcode = excluded.walletcode`.execute(scope.db);

/**
 * Empties the live grants of a task (or of some of its persons) and answers what was frozen in them. A hand-in under way
 * locks its grant first, so it either counts as handed in or finds its grant gone; nothing is counted twice.
 */
export const emptyGrants = async (scope: Scope, taskcode: string, cuserids?: readonly string[]) =>
  (
    await sql<{ cuserid: string; musercode: string; plancode: string; walletcode: string; qty: number }>`
      with held as (
        select cuserplanid, frozen from cuserplan
        where taskcode = ${taskcode} and status = 1 and (${cuserids ? 1 : 0} = 0 or cuserid = any(${[...(cuserids ?? [])]}::text[]))
        order by cuserplanid for update)
      update cuserplan g set status = 3, frozen = 0 from held h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;

export const removeFromRoster = (scope: Scope, taskcode: string, cuserids: readonly string[]) =>
  sql`update taskroster set status = 9 where taskcode = ${taskcode} and cuserid = any(${[...cuserids]}::text[])
    and status in (0, 1, 3)`.execute(scope.db);

/** Marks or unmarks persons who have not handed in; answers who was changed. */
export const setReason = async (scope: Scope, taskcode: string, cuserids: readonly string[], reason: string | null, by: string) =>
  (
    await sql<{ cuserid: string }>`
      update taskroster set reason = ${reason}, reasonby = ${reason ? by : null},
        status = case when ${reason}::text is not null then 3 when examcode is not null then 1 else 0 end
      where taskcode = ${taskcode} and cuserid = any(${[...cuserids]}::text[])
        and status = any(${reason ? [0, 1, 3] : [3]}::smallint[]) returning cuserid`.execute(scope.db)
  ).rows;

/** Writes down that the unfinished were chased now; answers them with the team each belongs to. */
export const markReminded = async (
  scope: Scope,
  taskcode: string,
  now: Date,
  options: { teamcode?: string | undefined; cuserids?: readonly string[] | undefined },
) =>
  (
    await sql<{ cuserid: string; teamcode: string | null }>`
      update taskroster set remindcount = remindcount + 1, lastremind = ${now}::timestamptz
      where taskcode = ${taskcode} and status in (0, 1)
        and (${options.teamcode ?? null}::text is null or teamcode = ${options.teamcode ?? null})
        and (${options.cuserids ? 1 : 0} = 0 or cuserid = any(${[...(options.cuserids ?? [])]}::text[]))
      returning cuserid, teamcode`.execute(scope.db)
  ).rows;

export const findTeamOwners = (scope: Scope, teamcodes: readonly string[]) =>
  scope.db
    .selectFrom('assessteam')
    .select(['teamcode', 'teamname', 'owneruserid', 'musercode'])
    .where('teamcode', 'in', teamcodes.length ? teamcodes : [''])
    .where('owneruserid', 'is not', null)
    .execute();
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

/** A task that was not deleted, locked against being closed or changed while this transaction runs. */
export const lockTask = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('assesstask')
    .selectAll()
    .where('taskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();
export const findTask = (scope: Scope, taskcode: string) =>
  scope.db.selectFrom('assesstask').selectAll().where('taskcode', '=', taskcode).where('isdeleted', '=', 0).executeTakeFirst();

export const changeTask = (scope: Scope, taskcode: string, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('assesstask')
    .set({ ...changes, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
    .where('taskcode', '=', taskcode)
    .returning('version')
    .executeTakeFirstOrThrow();
/** The last day of the grants follows the end of their task. */
export const moveGrants = (scope: Scope, taskcode: string, begindate: string, enddate: string) =>
  scope.db
    .updateTable('cuserplan')
    .set({ begindate, enddate })
    .where('taskcode', '=', taskcode)
    .where('status', '=', 1)
    .execute();

/** Ends or cancels a task if it is still in one of `from`; undefined when somebody was quicker. */
export const endTask = (scope: Scope, taskcode: string, from: readonly number[], status: 2 | 3, now: Date) =>
  scope.db
    .updateTable('assesstask')
    .set({ status, closetime: now, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
    .where('taskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst();
export const saveStatement = (scope: Scope, taskcode: string, statement: unknown) =>
  scope.db
    .updateTable('assesstask')
    .set({ closestatement: JSON.stringify(statement) })
    .where('taskcode', '=', taskcode)
    .execute();

export const countSubmitted = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('taskroster')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('taskcode', '=', taskcode)
    .where('status', 'in', [2, 4])
    .executeTakeFirstOrThrow();

/** Running tasks whose time is over, the earliest first. */
export const findDueTasks = (scope: Scope, now: Date) =>
  scope.db
    .selectFrom('assesstask')
    .select('taskcode')
    .where('status', '=', 1)
    .where('isdeleted', '=', 0)
    .where('endtime', '<=', now)
    .orderBy('endtime')
    .execute();

/** Persons of a task in one of these states, for the round that follows. */
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

/** The plan of the latest record of these persons: what a re-test asks unless told otherwise. */
export const findLastPlan = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('examrecord')
    .select(['plancode', 'appid'])
    .where('cuserid', 'in', cuserids)
    .where('status', '=', 2)
    .orderBy('submittime', 'desc')
    .limit(1)
    .executeTakeFirst();
export const findPopulation = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('cuser')
    .select(['appid'])
    .where('cuserid', 'in', cuserids)
    .where('isdeleted', '=', 0)
    .limit(1)
    .executeTakeFirst();
/** The plan everybody of a population is offered first: the oldest common one that is enabled. */
export const findPlanName = async (scope: Scope, plancode: string): Promise<string> =>
  (await scope.db.selectFrom('plan').select('planname').where('plancode', '=', plancode).executeTakeFirst())?.planname ??
  plancode;

export const findDefaultPlan = (scope: Scope, appid: string) =>
  scope.db
    .selectFrom('plan')
    .select('plancode')
    .where('appid', '=', appid)
    .where('status', '=', 1)
    .where('isdeleted', '=', 0)
    .orderBy('iscommon', 'desc')
    .orderBy('plancode', 'desc')
    .limit(1)
    .executeTakeFirst();

export const findTaskOptions = (
  scope: Scope,
  options: {
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
  if (options.schoolcode) query = query.where('musercode', '=', options.schoolcode);
  if (options.year) query = query.where('year', '=', options.year);
  if (options.term) query = query.where('term', '=', options.term);
  if (options.appid) query = query.where('appid', '=', options.appid);
  if (options.plancode) query = query.where('plancode', '=', options.plancode);
  return query.orderBy('begintime', 'desc').limit(1000).execute();
};
