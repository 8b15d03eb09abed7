import { sql } from 'kysely';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { isExempt } from '#features/task/board/rosterCounts.queries.ts';

/** Reads of rosters with names. They always run in the caller's scope. */

export interface RosterRecord {
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  musercode: string;
  studentno: string;
  classname: string;
  teamcode: string;
  teamname: string;
  status: number;
  reason: string;
  examcode: string;
  starttime: Date | null;
  submittime: Date | null;
  overalllevel: number | null;
  /** 1: the result waits for the consent of the guardian */
  withheld: number;
  remindcount: number;
  lastremind: Date | null;
  totalrows: number;
}

export interface RosterFilters extends Page {
  taskcode: string;
  teamcode?: string | undefined;
  /** 2 finds every submission, dubious ones too */
  status?: number | undefined;
  /** '1' finds 免测, '0' finds 缺测 */
  exempt?: '0' | '1' | undefined;
  reason?: string | undefined;
  keyword?: string | undefined;
  orderby?: string | undefined;
  isasc?: '0' | '1' | undefined;
}

const sortable: Record<string, ReturnType<typeof sql>> = {
  username: sql`c.pinyin`,
  status: sql`r.status`,
  submittime: sql`r.submittime`,
  remindcount: sql`r.remindcount`,
};

/** Finds a page of a task's roster. */
export async function findRoster(scope: Scope, filters: RosterFilters): Promise<{ total: number; rows: RosterRecord[] }> {
  const prefix = filters.keyword ? `${filters.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%` : null;
  const sort = (filters.orderby && sortable[filters.orderby]) || undefined;
  const order = sort ? sql`${sort} ${filters.isasc === '1' ? sql`asc` : sql`desc`} nulls last,` : sql``;
  const hasStatus =
    filters.status === undefined ? sql`true` : filters.status === 2 ? sql`r.status in (2, 4)` : sql`r.status = ${filters.status}`;
  const matchesKeyword =
    prefix === null
      ? sql`true`
      : sql`(c.username like ${`%${prefix}`} or c.initials like ${prefix} or c.pinyin like ${prefix}
          or a.studentno = ${filters.keyword} or a.employeeno = ${filters.keyword})`;
  const { rows } = await sql<RosterRecord>`
    select r.cuserid, c.username, c.gender, c.birthday, c.phonesealed, c.musercode,
      coalesce(a.studentno, a.employeeno, '') as studentno,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as classname,
      coalesce(r.teamcode, '') as teamcode, coalesce(g.teamname, '') as teamname,
      r.status, case when r.status = 3 then coalesce(r.reason, '') else '' end as reason,
      coalesce(r.examcode, '') as examcode, r.starttime, r.submittime,
      case when e.withheld = 0 then e.overalllevel end as overalllevel,
      coalesce(e.withheld, 0) as withheld,
      r.remindcount, r.lastremind, count(*) over ()::int as totalrows
    from taskroster r
      join cuser c on c.cuserid = r.cuserid
      join assesstask t on t.taskcode = r.taskcode and t.isdeleted = 0
      left join assessteam g on g.teamcode = r.teamcode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = t.appid and a.iscurrent = 1
      left join examrecord e on e.examcode = r.examcode and e.status = 2 and e.valid = 1
    where r.taskcode = ${filters.taskcode} and r.status <> 9
      and ${filters.teamcode === undefined ? sql`true` : sql`r.teamcode = ${filters.teamcode}`}
      and ${hasStatus}
      and ${filters.exempt === undefined ? sql`true` : filters.exempt === '1' ? isExempt : sql`r.status = 3 and not ${isExempt}`}
      and ${filters.reason ? sql`r.reason = ${filters.reason} and r.status = 3` : sql`true`}
      and ${matchesKeyword}
    order by ${order} g.sortname nulls last, c.pinyin, c.cuserid
    ${limitOffset(filters)}`.execute(scope.db);
  return { total: rows[0]?.totalrows ?? 0, rows };
}

export interface UnfinishedGroup {
  teamcode: string | null;
  name: string;
  sortname: string | null;
  ownername: string;
  total: number;
  /** the time slot of the class, as JSON writes times; null when the class has none */
  slot: { begintime: string; endtime: string } | null;
  people: {
    cuserid: string;
    username: string;
    studentno: string;
    status: number;
    remindcount: number;
    lastremind: string | null;
  }[];
}
/** Finds the unfinished persons of a task by class, in the order of their names. */
export const findUnfinished = async (scope: Scope, taskcode: string, teamcode: string | undefined): Promise<UnfinishedGroup[]> =>
  (
    await sql<UnfinishedGroup>`
      select r.teamcode, coalesce(g.teamname, '未分团体') as name, g.sortname,
        coalesce(u.realname, '') as ownername, count(*)::int as total,
        (select jsonb_build_object('begintime', k.begintime, 'endtime', k.endtime) from taskteam k
          where k.taskcode = ${taskcode} and k.teamcode = r.teamcode and k.begintime is not null) as slot,
        coalesce(jsonb_agg(jsonb_build_object(
            'cuserid', c.cuserid, 'username', c.username, 'studentno', coalesce(a.studentno, a.employeeno, ''),
            'status', r.status, 'remindcount', r.remindcount, 'lastremind', r.lastremind)
          order by c.pinyin, c.cuserid) filter (where r.status in (0, 1)), '[]') as people
      from taskroster r
        join cuser c on c.cuserid = r.cuserid
        join assesstask t on t.taskcode = r.taskcode and t.isdeleted = 0
        left join assessteam g on g.teamcode = r.teamcode
        left join sysuser u on u.userid = g.owneruserid
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = t.appid and a.iscurrent = 1
      where r.taskcode = ${taskcode} and r.status <> 9
        and ${teamcode === undefined ? sql`true` : sql`r.teamcode = ${teamcode}`}
      group by r.teamcode, g.teamname, g.sortname, u.realname
      order by g.sortname nulls last`.execute(scope.db)
  ).rows;

/** Finds the enabled entry of an institution. */
export const findEntry = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select('clientcode')
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();

/** Finds the names of team owners. */
export const findOwners = (scope: Scope, userids: readonly string[]) =>
  scope.db
    .selectFrom('sysuser')
    .select(['userid', 'realname'])
    .where('userid', 'in', userids.length ? userids : [''])
    .execute();

/** Finds the make-up and re-test rounds of a task, oldest first. */
export const findRounds = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('assesstask')
    .select(['taskcode', 'taskname', 'round', 'status'])
    .where('parenttaskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .orderBy('createtime')
    .execute();

/** Counts the warnings that exams of this task raised. */
export async function countWarnings(scope: Scope, taskcode: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct w.warningcode)::int as n
    from warning w
      join examrecord e on e.examcode = w.examcode
    where e.taskcode = ${taskcode} and w.isdeleted = 0 and ${isNotSuspect}`.execute(scope.db);
  return rows[0]?.n ?? 0;
}
