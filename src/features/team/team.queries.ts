import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { paginate } from '#server/db/pagination.ts';
import type { StatsScope, Scope } from '#server/db/scope.ts';
import type { getAssessTeamPageList, getAssessTeamRoster } from '#features/team/team.contract.ts';

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
/** Members of the moment, of those the caller may see. */
const members = sql<number>`(select count(*)::int from teamroster r where r.teamcode = t.teamcode and r.status = 1)`;
const teamOrder: Record<string, string> = {
  teamname: 't.teamname',
  createtime: 't.createtime',
  year: 't.year',
  gradecode: 't.gradecode',
};

type TeamFilters = z.output<(typeof getAssessTeamPageList)['request']>;

/** A page of teams; the newest school year first, then by grade and class as they are counted. */
export async function findTeams(scope: Scope, filters: TeamFilters) {
  let query = scope.db.selectFrom('assessteam as t').where('t.isdeleted', '=', 0);
  if (filters.keyword) query = query.where('t.teamname', 'like', like(filters.keyword));
  for (const key of ['teamcode', 'teamtype', 'year', 'gradecode', 'classname', 'appid', 'musercode'] as const) {
    const value = filters[key];
    if (value) query = query.where(`t.${key}`, '=', value);
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const wantedQuery =
    filters.orderby === 'membercount'
      ? members
      : filters.orderby && teamOrder[filters.orderby]
        ? sql.ref(teamOrder[filters.orderby] as string)
        : undefined;
  let ordered = query
    .innerJoin('muser as m', 'm.musercode', 't.musercode')
    .leftJoin('sysuser as u', 'u.userid', 't.owneruserid')
    .select([
      't.teamcode',
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
    .select(members.as('membercount'))
    .select(
      sql<{
        taskcode: string;
        taskname: string;
      } | null>`(select json_build_object('taskcode', k.taskcode, 'taskname', k.taskname) from taskteam tt
        join assesstask k on k.taskcode = tt.taskcode and k.isdeleted = 0
      where tt.teamcode = t.teamcode order by k.begintime desc limit 1)`.as('lasttask'),
    );
  if (wantedQuery) ordered = ordered.orderBy(wantedQuery, (o) => (filters.isasc === '1' ? o.asc() : o.desc()).nullsLast());
  const rows = await ordered
    .orderBy('t.year', (o) => o.desc().nullsLast())
    // P before J before S: the letters of the grade codes do not sort by age by themselves.
    .orderBy(sql`strpos('PJSVUM', left(t.gradecode, 1))`, (o) => o.asc().nullsLast())
    .orderBy('t.gradecode')
    .orderBy(sql`coalesce(substring(t.classname from '[0-9]+')::int, 999)`)
    .orderBy('t.teamname')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

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
export const addTeam = (scope: Scope, musercode: string, team: TeamFields) =>
  scope.db
    .insertInto('assessteam')
    .values({ musercode, ...team })
    .returning('teamcode')
    .executeTakeFirstOrThrow();
export const changeTeam = (scope: Scope, teamcode: string, team: TeamFields) =>
  scope.db
    .updateTable('assessteam')
    .set({ ...team, updatetime: sql<Date>`now()` })
    .where('teamcode', '=', teamcode)
    .where('isdeleted', '=', 0)
    .returning('teamcode')
    .executeTakeFirst();

/** Deletes a team unless a task that is not over counts on it; one statement, so that no task can slip in between. */
export const removeTeam = (scope: Scope, teamcode: string) =>
  scope.db
    .updateTable('assessteam as t')
    .set({ isdeleted: 1, updatetime: sql<Date>`now()` })
    .where('t.teamcode', '=', teamcode)
    .where('t.isdeleted', '=', 0)
    .where(
      sql<SqlBool>`not exists (select from taskteam tt join assesstask k on k.taskcode = tt.taskcode
        where tt.teamcode = t.teamcode and k.isdeleted = 0 and k.status in (0, 1))`,
    )
    .returning('t.teamcode')
    .executeTakeFirst();
export const tasksOf = (scope: Scope, teamcode: string) =>
  scope.db
    .selectFrom('taskteam as tt')
    .innerJoin('assesstask as k', 'k.taskcode', 'tt.taskcode')
    .select(['k.taskname', 'k.begintime', 'k.endtime', 'k.status'])
    .where('tt.teamcode', '=', teamcode)
    .where('k.isdeleted', '=', 0)
    .where('k.status', 'in', [0, 1])
    .orderBy('k.begintime')
    .execute();

type MemberFilters = z.output<(typeof getAssessTeamRoster)['request']> & { phonehash: string | undefined };
const memberOrder: Record<string, string> = { username: 'c.pinyin', joindate: 'r.joindate', lastexamtime: 'c.lastexamtime' };

export async function findMembers(scope: Scope, filters: MemberFilters) {
  const { keyword, phonehash } = filters;
  let query = scope.db
    .selectFrom('teamroster as r')
    .innerJoin('cuser as c', 'c.cuserid', 'r.cuserid')
    .leftJoin('cuserarchive as a', (join) => join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid'))
    .where('r.teamcode', '=', filters.teamcode)
    .where('r.status', '=', 1)
    .where('c.isdeleted', '=', 0);
  if (keyword) {
    const starts = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(c.username like ${'%' + starts} or c.initials like ${starts} or c.pinyin like ${starts}
        or a.studentno = ${keyword} or a.employeeno = ${keyword} or c.phonehash = ${phonehash ?? ''})`,
    );
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const wantedQuery =
    filters.orderby === 'studentno'
      ? sql`coalesce(a.studentno, a.employeeno)`
      : sql.ref((filters.orderby && memberOrder[filters.orderby]) || 'a.studentno');
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
    .orderBy(wantedQuery, (o) => (filters.orderby && filters.isasc !== '1' ? o.desc() : o.asc()).nullsLast())
    .orderBy('c.pinyin')
    .orderBy('c.cuserid')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** The whole team for an export, in the order of the list. */
export const allMembers = (scope: Scope, teamcode: string) =>
  scope.db
    .selectFrom('teamroster as r')
    .innerJoin('cuser as c', 'c.cuserid', 'r.cuserid')
    .leftJoin('cuserarchive as a', (join) => join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid'))
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

/** Of these persons, those of the institution that the caller sees. */
export const knownCUsers = async (scope: Scope, musercode: string, cuserids: readonly string[]) =>
  (
    await scope.db
      .selectFrom('cuser')
      .select('cuserid')
      .where('musercode', '=', musercode)
      .where('isdeleted', '=', 0)
      .where('cuserid', 'in', cuserids)
      .execute()
  ).map((row) => row.cuserid);

/** Puts persons into a team; who left before comes back. Answers whom it added. */
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
  await recount(scope, [team.teamcode]);
  return rows.map((row) => row.cuserid);
}

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
  await recount(scope, [teamcode]);
  return rows.map((row) => row.cuserid);
}

/** The archives of pupils who changed class follow them. */
export const followClass = (
  scope: Scope,
  appid: string,
  cuserids: readonly string[],
  to: { gradecode: string | null; gradename: string | null; classname: string | null },
) =>
  scope.db
    .updateTable('cuserarchive')
    .set({ ...to, updatetime: sql<Date>`now()` })
    .where('appid', '=', appid)
    .where('cuserid', 'in', cuserids)
    .execute();

/** Keeps `membercount`, which other lists read, with the rows it counts. */
export const recount = (scope: Scope, teamcodes: readonly string[]) =>
  sql`update assessteam t set membercount = (select count(*) from teamroster r
    where r.teamcode = t.teamcode and r.status = 1) where t.teamcode = any(${teamcodes}::text[])`.execute(scope.db);

export const showReports = (scope: Scope, teamcodes: readonly string[], showreport: number) =>
  scope.db
    .updateTable('assessteam')
    .set({ showreport, updatetime: sql<Date>`now()` })
    .where('teamcode', 'in', teamcodes)
    .where('isdeleted', '=', 0)
    .returning('teamcode')
    .execute();

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
export const findOwner = (scope: Scope, musercode: string, userid: string) =>
  scope.db
    .selectFrom('sysuser')
    .select('userid')
    .where('musercode', '=', musercode)
    .where('userid', '=', userid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

export const findEntry = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .selectAll()
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .orderBy('createtime')
    .limit(1)
    .executeTakeFirst();
export const findIns = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('muser').select(['insname']).where('musercode', '=', musercode).executeTakeFirst();

/** Institutions with people of their own within the caller's reach, an authority's region included. */
export function findSchools(
  scope: StatsScope,
  filters: {
    musercode?: string | undefined;
    sector?: string | undefined;
    keyword?: string | undefined;
    provincecode?: string | undefined;
    citycode?: string | undefined;
    districtcode?: string | undefined;
    categorycode?: string | undefined;
  },
) {
  let query = scope.db
    .selectFrom('muser as m')
    .select(['m.musercode', 'm.insname', 'm.districtcode'])
    .where('m.isdeleted', '=', 0)
    .where('m.musertype', 'in', ['004', '005']);
  for (const key of ['musercode', 'sector', 'provincecode', 'citycode', 'districtcode'] as const) {
    const value = filters[key];
    if (value) query = query.where(`m.${key}`, '=', value);
  }
  if (filters.keyword) query = query.where('m.insname', 'like', like(filters.keyword));
  if (filters.categorycode)
    query = query.where(
      sql<SqlBool>`starts_with(m.orgpath, (select p.orgpath from muser p where p.musercode = ${filters.categorycode}))`,
    );
  return query.orderBy('m.insname').limit(2000).execute();
}

export async function findYears(scope: StatsScope, schoolcode: string | undefined) {
  const of = schoolcode ? sql`and musercode = ${schoolcode}` : sql``;
  const { rows } = await sql<{
    year: string;
  }>`select year from assesstask where isdeleted = 0 and year <> '' ${of} union select year from assessteam
    where isdeleted = 0 and year <> '' ${of} order by year desc`.execute(scope.db);
  return rows.map((row) => row.year);
}
export async function findTerms(scope: StatsScope, schoolcode: string | undefined, year: string | undefined) {
  let query = scope.db
    .selectFrom('assesstask')
    .select('term')
    .distinct()
    .where('isdeleted', '=', 0)
    .where('term', 'is not', null);
  if (schoolcode) query = query.where('musercode', '=', schoolcode);
  if (year) query = query.where('year', '=', year);
  return (await query.orderBy('term').execute()).map((row) => row.term as string);
}
export function findGrades(scope: StatsScope, schoolcode: string | undefined, year: string | undefined) {
  let query = scope.db
    .selectFrom('assessteam')
    .select(['gradecode', 'gradename', 'classname'])
    .distinct()
    .where('isdeleted', '=', 0)
    .where('gradename', 'is not', null)
    .where('gradename', '<>', '');
  if (schoolcode) query = query.where('musercode', '=', schoolcode);
  if (year) query = query.where('year', '=', year);
  return query.execute();
}
