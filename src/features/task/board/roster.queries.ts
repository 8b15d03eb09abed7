import { sql } from 'kysely';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** Rosters read with names, always under the caller's own scope. */

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
  remindcount: number;
  lastremind: Date | null;
  all: number;
}

export interface RosterFilters extends Page {
  taskcode: string;
  teamcode?: string | undefined;
  /** 2 means handed in, doubted ones included */
  status?: number | undefined;
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

export async function findRoster(scope: Scope, f: RosterFilters): Promise<{ total: number; rows: RosterRecord[] }> {
  const starts = f.keyword ? `${f.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%` : null;
  const sort = (f.orderby && sortable[f.orderby]) || undefined;
  const order = sort ? sql`${sort} ${f.isasc === '1' ? sql`asc` : sql`desc`} nulls last,` : sql``;
  const { rows } = await sql<RosterRecord>`
    select r.cuserid, c.username, c.gender, c.birthday, c.phonesealed, c.musercode, coalesce(a.studentno, a.employeeno, '') as studentno,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as classname,
      coalesce(r.teamcode, '') as teamcode, coalesce(g.teamname, '') as teamname,
      r.status, case when r.status = 3 then coalesce(r.reason, '')
      else '' end as reason, coalesce(r.examcode, '') as examcode, r.starttime, r.submittime, e.overalllevel,
      r.remindcount, r.lastremind, count(*) over ()::int as all
    from taskroster r join cuser c on c.cuserid = r.cuserid join assesstask t on t.taskcode = r.taskcode and t.isdeleted = 0
      left join assessteam g on g.teamcode = r.teamcode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = t.appid
      left join examrecord e on e.examcode = r.examcode and e.status = 2 and e.valid = 1
    where r.taskcode = ${f.taskcode} and r.status <> 9
      and ${f.teamcode === undefined ? sql`true` : sql`r.teamcode = ${f.teamcode}`}
      and ${f.status === undefined ? sql`true` : f.status === 2 ? sql`r.status in (2, 4)` : sql`r.status = ${f.status}`}
      and ${f.reason ? sql`r.reason = ${f.reason} and r.status = 3` : sql`true`}
      and ${
        starts === null
          ? sql`true`
          : sql`(c.username like ${`%${starts}`} or c.initials like ${starts}
        or c.pinyin like ${starts} or a.studentno = ${f.keyword} or a.employeeno = ${f.keyword})`
      }
    order by ${order} g.gradecode nulls last, g.teamname nulls last, c.pinyin, c.cuserid
    ${limitOffset(f)}`.execute(scope.db);
  return { total: rows[0]?.all ?? 0, rows };
}

export interface ChaseRow {
  teamcode: string | null;
  name: string;
  gradecode: string;
  ownername: string;
  total: number;
  people: {
    cuserid: string;
    username: string;
    studentno: string;
    status: number;
    remindcount: number;
    lastremind: string | null;
  }[];
}
/** The unfinished of a task by class, in the order of their names. */
export const findUnfinished = async (scope: Scope, taskcode: string, teamcode: string | undefined): Promise<ChaseRow[]> =>
  (
    await sql<ChaseRow>`
      select r.teamcode, coalesce(g.teamname, '未分团体') as name, coalesce(g.gradecode, '') as gradecode,
        coalesce(u.realname, '') as ownername, count(*)::int as total,
        coalesce(jsonb_agg(jsonb_build_object('cuserid', c.cuserid, 'username', c.username, 'studentno',
        coalesce(a.studentno, a.employeeno, ''), 'status', r.status,
          'remindcount', r.remindcount, 'lastremind', r.lastremind)
          order by c.pinyin, c.cuserid) filter (where r.status in (0, 1)), '[]') as people
      from taskroster r join cuser c on c.cuserid = r.cuserid join assesstask t on t.taskcode = r.taskcode and t.isdeleted = 0
        left join assessteam g on g.teamcode = r.teamcode left join sysuser u on u.userid = g.owneruserid
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = t.appid
      where r.taskcode = ${taskcode} and r.status <> 9 and ${teamcode === undefined ? sql`true` : sql`r.teamcode = ${teamcode}`}
      group by r.teamcode, g.teamname, g.gradecode, u.realname`.execute(scope.db)
  ).rows;

/** The entry where respondents of an institution begin. */
export const findEntry = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select('clientcode')
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();

export const findOwners = (scope: Scope, userids: readonly string[]) =>
  scope.db
    .selectFrom('sysuser')
    .select(['userid', 'realname'])
    .where('userid', 'in', userids.length ? userids : [''])
    .execute();

export const findRounds = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('assesstask')
    .select(['taskcode', 'taskname', 'round', 'status'])
    .where('parenttaskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .orderBy('createtime')
    .execute();

/** Warnings that hand-ins of this task raised. */
export const countWarnings = async (scope: Scope, taskcode: string): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select count(distinct w.warningcode)::int as n from warning w join examrecord e on e.examcode = w.examcode
      where e.taskcode = ${taskcode} and w.isdeleted = 0`.execute(scope.db)
  ).rows[0]?.n ?? 0;
