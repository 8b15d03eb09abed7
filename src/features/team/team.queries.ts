import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getAssessTeamPageList, getAssessTeamRoster } from '#features/team/team.contract.ts';

const toLikePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
/** Counts the present members that the caller may see. */
const memberCount = sql<number>`(select count(*)::int from teamroster r where r.teamcode = t.teamcode and r.status = 1)`;
const teamSortColumns: Record<string, string> = {
  teamname: 't.sortname',
  createtime: 't.createtime',
  year: 't.year',
  gradecode: 't.sortname',
};

type TeamFilters = z.output<(typeof getAssessTeamPageList)['request']>;

/** Finds a page of teams: the newest school year first, then by grade and class. */
export async function findTeams(scope: Scope, filters: TeamFilters) {
  let query = scope.db.selectFrom('assessteam as t').where('t.isdeleted', '=', 0);
  if (filters.keyword) query = query.where('t.teamname', 'like', toLikePattern(filters.keyword));
  for (const key of ['teamcode', 'teamtype', 'year', 'gradecode', 'classname', 'appid', 'musercode'] as const) {
    const value = filters[key];
    if (value) query = query.where(`t.${key}`, '=', value);
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const sortKey =
    filters.orderby === 'membercount'
      ? memberCount
      : filters.orderby && teamSortColumns[filters.orderby]
        ? sql.ref(teamSortColumns[filters.orderby] as string)
        : undefined;
  let sorted = query
    .innerJoin('muser as m', 'm.musercode', 't.musercode')
    .leftJoin('sysuser as u', 'u.userid', 't.owneruserid')
    .select([
      't.teamcode',
      't.version',
      't.teamname',
      't.teamtype',
      't.appid',
      't.musercode',
      'm.insname',
      't.year',
      't.gradecode',
      't.gradename',
      't.classname',
      't.owneruserid',
      'u.realname as ownername',
      't.showreport',
      't.remark',
      't.createtime',
    ])
    .select(memberCount.as('membercount'))
    .select(
      sql<{ taskcode: string; taskname: string } | null>`(
        select json_build_object('taskcode', k.taskcode, 'taskname', k.taskname)
        from taskteam tt
          join assesstask k on k.taskcode = tt.taskcode and k.isdeleted = 0
        where tt.teamcode = t.teamcode
        order by k.begintime desc
        limit 1)`.as('lasttask'),
    );
  if (sortKey) sorted = sorted.orderBy(sortKey, (o) => (filters.isasc === '1' ? o.asc() : o.desc()).nullsLast());
  const rows = await sorted
    .orderBy('t.year', (o) => o.desc().nullsLast())
    .orderBy('t.sortname')
    .orderBy('t.teamcode')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** Finds a team that is not deleted. */
export const findTeam = (scope: Scope, teamcode: string) =>
  scope.db.selectFrom('assessteam').selectAll().where('teamcode', '=', teamcode).where('isdeleted', '=', 0).executeTakeFirst();

export interface TeamFields {
  teamname: string;
  teamtype: string;
  appid: string;
  year: string;
  gradecode: string | null;
  gradename: string | null;
  classname: string | null;
  owneruserid: string | null;
  remark: string | null;
}

/** Inserts a team and returns its code. */
export const addTeam = (scope: Scope, musercode: string, team: TeamFields) =>
  scope.db
    .insertInto('assessteam')
    .values({ musercode, ...team })
    .returning('teamcode')
    .executeTakeFirstOrThrow();

/** Changes a team; undefined when there is no such team. */
export const changeTeam = (scope: Scope, teamcode: string, team: TeamFields) =>
  scope.db
    .updateTable('assessteam')
    .set({ ...team, updatetime: sql<Date>`now()` })
    .where('teamcode', '=', teamcode)
    .where('isdeleted', '=', 0)
    .returning('teamcode')
    .executeTakeFirst();

/** Deletes a team unless a draft or running task uses it. One statement does both, so no task can start using it in between. */
export const removeTeam = (scope: Scope, teamcode: string) =>
  scope.db
    .updateTable('assessteam as t')
    .set({ isdeleted: 1, updatetime: sql<Date>`now()` })
    .where('t.teamcode', '=', teamcode)
    .where('t.isdeleted', '=', 0)
    .where(
      sql<SqlBool>`not exists (select
        from taskteam tt
          join assesstask k on k.taskcode = tt.taskcode
        where tt.teamcode = t.teamcode and k.isdeleted = 0 and k.status in (0, 1))`,
    )
    .returning('t.teamcode')
    .executeTakeFirst();

/** Finds the members of a team. */
export const findMemberIds = async (scope: Scope, teamcode: string): Promise<string[]> =>
  (
    await scope.db
      .selectFrom('teamroster')
      .select('cuserid')
      .where('teamcode', '=', teamcode)
      .where('status', '=', 1)
      .orderBy('cuserid')
      .execute()
  ).map((row) => row.cuserid);

/** Finds the draft and running tasks of a team. */
export const findOpenTasks = (scope: Scope, teamcode: string) =>
  scope.db
    .selectFrom('taskteam as tt')
    .innerJoin('assesstask as k', 'k.taskcode', 'tt.taskcode')
    .select(['k.taskname', 'k.begintime', 'k.endtime', 'k.status'])
    .where('tt.teamcode', '=', teamcode)
    .where('k.isdeleted', '=', 0)
    .where('k.status', 'in', [0, 1])
    .orderBy('k.begintime')
    .execute();

type MemberFilters = z.output<(typeof getAssessTeamRoster)['request']> & { phonehashes: string[] | undefined };
const memberSortColumns: Record<string, string> = {
  username: 'c.pinyin',
  joindate: 'r.joindate',
  lastexamtime: 'c.lastexamtime',
};

/** Finds a page of a team's members. */
export async function findMembers(scope: Scope, filters: MemberFilters) {
  const { keyword, phonehashes } = filters;
  let query = scope.db
    .selectFrom('teamroster as r')
    .innerJoin('cuser as c', 'c.cuserid', 'r.cuserid')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .where('r.teamcode', '=', filters.teamcode)
    .where('r.status', '=', 1)
    .where('c.isdeleted', '=', 0);
  if (keyword) {
    const prefix = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix}
        or a.studentno = ${keyword} or a.employeeno = ${keyword} or c.phonehash = any (${phonehashes ?? []}::text[]))`,
    );
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const sortKey =
    filters.orderby === 'studentno'
      ? sql`coalesce(a.studentno, a.employeeno)`
      : sql.ref((filters.orderby && memberSortColumns[filters.orderby]) || 'a.studentno');
  const rows = await query
    .select([
      'c.cuserid',
      'c.username',
      'c.gender',
      'c.birthday',
      'c.musercode',
      'c.phonesealed',
      'c.lastlevel',
      'c.lastexamtime',
      'r.joindate',
      'a.gradename',
      'a.classname',
      'a.unitname',
    ])
    .select(sql<string>`coalesce(a.studentno, a.employeeno, '')`.as('studentno'))
    .orderBy(sortKey, (o) => (filters.orderby && filters.isasc !== '1' ? o.desc() : o.asc()).nullsLast())
    .orderBy('c.pinyin')
    .orderBy('c.cuserid')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** Finds all members of a team for an export, in the order of the list. */
export const findAllMembers = (scope: Scope, teamcode: string) =>
  scope.db
    .selectFrom('teamroster as r')
    .innerJoin('cuser as c', 'c.cuserid', 'r.cuserid')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .select([
      'c.cuserid',
      'c.username',
      'c.gender',
      'c.birthday',
      'c.musercode',
      'c.phonesealed',
      sql<string>`coalesce(a.studentno, a.employeeno, '')`.as('studentno'),
    ])
    .where('r.teamcode', '=', teamcode)
    .where('r.status', '=', 1)
    .where('c.isdeleted', '=', 0)
    .orderBy('a.studentno')
    .orderBy('c.cuserid')
    .execute();

/** Returns those of these persons who belong to the institution and are visible to the caller. */
export const findCUserids = async (scope: Scope, musercode: string, cuserids: readonly string[]) =>
  (
    await scope.db
      .selectFrom('cuser')
      .select('cuserid')
      .where('musercode', '=', musercode)
      .where('isdeleted', '=', 0)
      .where('cuserid', 'in', cuserids)
      .execute()
  ).map((row) => row.cuserid);

/** Adds persons to a team and returns the new members. A person who left before becomes a member again. */
export async function addMembers(
  scope: Scope,
  team: { teamcode: string; musercode: string },
  cuserids: readonly string[],
  joindate: string,
): Promise<string[]> {
  if (cuserids.length === 0) return [];
  const rows = await scope.db
    .insertInto('teamroster')
    .values(cuserids.map((cuserid) => ({ teamcode: team.teamcode, cuserid, musercode: team.musercode, joindate })))
    .onConflict((oc) =>
      oc
        .columns(['teamcode', 'cuserid'])
        .doUpdateSet({ status: 1, joindate, leavedate: null })
        .where('teamroster.status', '=', 0),
    )
    .returning('cuserid')
    .execute();
  await updateMemberCounts(scope, [team.teamcode]);
  return rows.map((row) => row.cuserid);
}

/** Removes members from a team and returns the removed persons. */
export async function removeMembers(
  scope: Scope,
  teamcode: string,
  cuserids: readonly string[],
  leavedate: string,
): Promise<string[]> {
  const rows = await scope.db
    .updateTable('teamroster')
    .set({ status: 0, leavedate })
    .where('teamcode', '=', teamcode)
    .where('cuserid', 'in', cuserids)
    .where('status', '=', 1)
    .returning('cuserid')
    .execute();
  await updateMemberCounts(scope, [teamcode]);
  return rows.map((row) => row.cuserid);
}

/** Writes the new grade and class into the archives of students who changed class. */
export const changeArchiveClass = (
  scope: Scope,
  appid: string,
  cuserids: readonly string[],
  newClass: { gradecode: string | null; gradename: string | null; classname: string | null },
) =>
  scope.db
    .updateTable('cuserarchive')
    .set({ ...newClass, updatetime: sql<Date>`now()` })
    .where('appid', '=', appid)
    .where('cuserid', 'in', cuserids)
    .where('iscurrent', '=', 1)
    .execute();

/** Updates `membercount` of teams, which other lists read, from their member rows. */
export const updateMemberCounts = (scope: Scope, teamcodes: readonly string[]) =>
  sql`update assessteam t
    set membercount = (select count(*) from teamroster r where r.teamcode = t.teamcode and r.status = 1)
    where t.teamcode = any(${teamcodes}::text[])`.execute(scope.db);

/** Shows or hides the reports of teams; returns the codes of the teams that exist. */
export const setReportVisibility = (scope: Scope, teamcodes: readonly string[], showreport: number) =>
  scope.db
    .updateTable('assessteam')
    .set({ showreport, updatetime: sql<Date>`now()` })
    .where('teamcode', 'in', teamcodes)
    .where('isdeleted', '=', 0)
    .returning('teamcode')
    .execute();

/** Finds the enabled staff of an institution, who can own a team. */
export const findOwners = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('sysuser')
    .select(['userid', 'realname', 'post'])
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .where('isdeleted', '=', 0)
    .orderBy('realname')
    .limit(500)
    .execute();

/** Finds one member of staff of an institution. */
export const findOwner = (scope: Scope, musercode: string, userid: string) =>
  scope.db
    .selectFrom('sysuser')
    .select('userid')
    .where('musercode', '=', musercode)
    .where('userid', '=', userid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Finds the first enabled entry of an institution. */
export const findEntry = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .selectAll()
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .orderBy('createtime')
    .limit(1)
    .executeTakeFirst();

/** Finds the name of an institution. */
export const findInstitution = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('muser').select(['insname']).where('musercode', '=', musercode).executeTakeFirst();
