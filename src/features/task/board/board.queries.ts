import { sql, type RawBuilder } from 'kysely';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Db } from '#server/db/pools.ts';

/**
 * What is counted while tasks run. Each function is one statement, hence one snapshot: its numbers agree with one another
 * whatever is handed in meanwhile. They run under a caller's scope or, for authorities, under the counting role, which has
 * no column with a name in it; so no name is read here unless a function says so.
 */
export interface Reading {
  readonly db: Db;
}

/** Where persons of a roster stand (`Standing` of domain/task/taskprogress.ts) over rows `r` of taskroster. */
const standing = sql`count(*)::int as total, count(*) filter (where r.status in (2, 4))::int as finished, count(*)
  filter (where r.status = 1)::int as doing,
  count(*) filter (where r.status = 0)::int as notstarted, count(*)
    filter (where r.status = 3)::int as absent, count(*) filter (where r.status = 4)::int as dubious`;

export interface StandingRow {
  total: number;
  finished: number;
  doing: number;
  notstarted: number;
  absent: number;
  dubious: number;
}

export interface TaskFilters extends Page {
  orderby?: string | undefined;
  isasc?: '0' | '1' | undefined;
  keyword?: string | undefined;
  status?: number | undefined;
  year?: string | undefined;
  term?: string | undefined;
  appid?: string | undefined;
  plancode?: string | undefined;
  taskcode?: string | undefined;
  teamcode?: string | undefined;
  schoolcode?: string | undefined;
  round?: string | undefined;
  parenttaskcode?: string | undefined;
  /** only tasks of which the reader sees somebody: staff responsible for single classes */
  own: boolean;
}

export interface TaskRecord extends StandingRow {
  taskcode: string;
  taskname: string;
  musercode: string;
  insname: string;
  appid: string;
  plancode: string;
  planname: string;
  stagecode: string;
  stagename: string;
  year: string;
  term: string;
  begintime: Date;
  endtime: Date;
  createtime: Date;
  status: number;
  round: string;
  parenttaskcode: string | null;
  resultshow: number;
  version: number;
  teamcount: number;
  abnormal: number;
  all: number;
}

const sortable: Record<string, RawBuilder<unknown>> = {
  taskname: sql`t.taskname`,
  begintime: sql`t.begintime`,
  endtime: sql`t.endtime`,
  status: sql`t.status`,
  createtime: sql`t.createtime`,
};

/** A page of tasks with their progress; running ones first unless asked otherwise. */
export async function findTaskProgress({ db }: Reading, f: TaskFilters): Promise<{ total: number; rows: TaskRecord[] }> {
  const like = f.keyword ? `%${f.keyword.replace(/[\\%_]/g, '\\$&')}%` : null;
  const is = (column: RawBuilder<unknown>, value: string | number | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  const direction = f.isasc === '1' ? sql`asc` : sql`desc`;
  const order =
    f.orderby && sortable[f.orderby]
      ? sql`${sortable[f.orderby]} ${direction}`
      : sql`t.status = 1 desc, t.status = 0 desc, t.begintime desc`;
  const { rows } = await sql<TaskRecord>`
    with page as (
      select t.*, count(*) over ()::int as all from assesstask t
      where t.isdeleted = 0 and ${like === null ? sql`true` : sql`t.taskname like ${like}`}
        and ${is(sql`t.status`, f.status)} and ${is(sql`t.year`, f.year)} and ${is(sql`t.term`, f.term)} and ${is(sql`t.appid`, f.appid)}
        and ${is(sql`t.plancode`, f.plancode)} and ${is(sql`t.taskcode`, f.taskcode)} and ${is(sql`t.musercode`, f.schoolcode)}
        and ${is(sql`t.round`, f.round)} and ${is(sql`t.parenttaskcode`, f.parenttaskcode)}
        and ${
          f.teamcode === undefined
            ? sql`true`
            : sql`exists (select from taskteam x
          where x.taskcode = t.taskcode and x.teamcode = ${f.teamcode})`
        }
        and ${f.own ? sql`exists (select from taskroster r where r.taskcode = t.taskcode and r.status <> 9)` : sql`true`}
      order by ${order}, t.taskcode desc ${limitOffset(f)})
    select t.taskcode, t.taskname, t.musercode, coalesce(m.insname, '') as insname, t.appid, t.plancode,
      coalesce(p.planname, '') as planname,
      coalesce(t.stagecode, '') as stagecode, coalesce((select min(s.stagename) from examstage s
      where s.stagecode = t.stagecode and s.appid = t.appid), '') as stagename,
      coalesce(t.year, '') as year, coalesce(t.term, '') as term, t.begintime, t.endtime, t.createtime, t.status,
      t.round, t.parenttaskcode, t.resultshow, t.version, t.all,
      (select count(*) from taskteam x where x.taskcode = t.taskcode)::int as teamcount,
      (select count(*) from examrecord e where e.taskcode = t.taskcode and e.status = 2 and e.valid = 1
      and e.isabnormal = 1)::int as abnormal,
      r.total, r.finished, r.doing, r.notstarted, r.absent, r.dubious
    from page t left join muser m on m.musercode = t.musercode left join plan p on p.plancode = t.plancode
      cross join lateral (select ${standing} from taskroster r where r.taskcode = t.taskcode and r.status <> 9) r
    order by ${order}, t.taskcode desc`.execute(db);
  return { total: rows[0]?.all ?? 0, rows };
}

export interface GroupRow extends StandingRow {
  teamcode: string | null;
  name: string;
  gradecode: string;
  gradename: string;
  classname: string;
}
/** Progress of a task by team, by grade or by class. */
export const findGroupProgress = async (
  { db }: Reading,
  taskcode: string,
  groupby: 'team' | 'grade' | 'class',
): Promise<GroupRow[]> => {
  const teamcode = groupby === 'team' ? sql`r.teamcode` : sql`null::text`;
  const name = {
    team: sql`coalesce(g.teamname, '未分团体')`,
    grade: sql`coalesce(g.gradename, '未分年级')`,
    class: sql`coalesce(nullif(concat(g.gradename, g.classname), ''), g.teamname, '未分班级')`,
  }[groupby];
  return (
    await sql<GroupRow>`
      select ${teamcode} as teamcode, ${name} as name, coalesce(min(g.gradecode), '') as gradecode,
        coalesce(min(g.gradename), '') as gradename,
        coalesce(min(g.classname), '') as classname, ${standing}
      from taskroster r left join assessteam g on g.teamcode = r.teamcode
      where r.taskcode = ${taskcode} and r.status <> 9
      group by 1, 2`.execute(db)
  ).rows;
};

export interface BoardFacts {
  classes: (StandingRow & {
    teamcode: string | null;
    name: string;
    gradecode: string;
    gradename: string;
    owneruserid: string | null;
    remindcount: number;
    lastremind: string | null;
  })[];
  hours: { at: string; count: number }[];
}
/** Classes and hand-ins by hour of one task, from one snapshot. */
export const findBoard = async ({ db }: Reading, taskcode: string): Promise<BoardFacts> =>
  (
    await sql<BoardFacts>`
      with r as materialized (select teamcode, status, submittime, remindcount, lastremind from taskroster
        where taskcode = ${taskcode} and status <> 9),
      c as (
        select r.teamcode, coalesce(g.teamname, '未分团体') as name, coalesce(g.gradecode, '') as gradecode,
          coalesce(g.gradename, '') as gradename, g.owneruserid,
          max(r.remindcount) as remindcount, max(r.lastremind) as lastremind, ${standing}
        from r left join assessteam g on g.teamcode = r.teamcode group by r.teamcode, g.teamname, g.gradecode, g.gradename, g.owneruserid),
      h as (select date_trunc('hour', submittime) as at, count(*)::int as count from r
      where status in (2, 4) and submittime is not null group by 1)
      select (select coalesce(jsonb_agg(to_jsonb(c)), '[]')
        from c) as classes, (select coalesce(jsonb_agg(to_jsonb(h) order by h.at), '[]') from h) as hours`.execute(db)
  ).rows[0] ?? { classes: [], hours: [] };

export interface StatementRow {
  taskname: string;
  insname: string;
  planname: string;
  begintime: Date;
  endtime: Date;
  classes: (StandingRow & { name: string })[];
  reasons: { reason: string; count: number }[];
}
/** Everything a closing statement counts, from one snapshot; undefined when the task is not there. */
export const findStatementFacts = async ({ db }: Reading, taskcode: string): Promise<StatementRow | undefined> =>
  (
    await sql<StatementRow>`
      with r as materialized (select teamcode, status, reason from taskroster where taskcode = ${taskcode} and status <> 9),
      c as (select coalesce(g.teamname, '未分团体') as name, min(g.gradecode) as gradecode, ${standing} from r
      left join assessteam g on g.teamcode = r.teamcode group by r.teamcode, 1),
      w as (select coalesce(r.reason, '未填写') as reason, count(*)::int as count from r where r.status = 3 group by 1)
      select t.taskname, m.insname, coalesce(p.planname, '') as planname, t.begintime, t.endtime,
        (select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'total', c.total, 'finished', c.finished,
        'doing', c.doing, 'notstarted', c.notstarted,
          'absent', c.absent, 'dubious', c.dubious) order by c.gradecode nulls last, c.name), '[]') from c) as classes,
        (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from w) as reasons
      from assesstask t join muser m on m.musercode = t.musercode left join plan p on p.plancode = t.plancode
      where t.taskcode = ${taskcode} and t.isdeleted = 0`.execute(db)
  ).rows[0];
