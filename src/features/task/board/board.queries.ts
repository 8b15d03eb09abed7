import { sql, type RawBuilder } from 'kysely';
import type { RosterCounts } from '#domain/task/taskprogress.ts';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';
import { rosterCounts } from '#features/task/board/rosterCounts.queries.ts';

// Counts of running tasks. Each function runs one statement, hence on one snapshot: its numbers agree during submissions.

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
  /** only tasks with a person that the caller sees, for staff who see their own teams only */
  ownTeamsOnly: boolean;
}

export interface TaskRecord extends RosterCounts {
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
  totalrows: number;
}

const sortable: Record<string, RawBuilder<unknown>> = {
  taskname: sql`t.taskname`,
  begintime: sql`t.begintime`,
  endtime: sql`t.endtime`,
  status: sql`t.status`,
  createtime: sql`t.createtime`,
};

/** Finds a page of tasks with their progress; running tasks come first unless `orderby` says otherwise. */
export async function findTaskProgress({ db }: Scope, filters: TaskFilters): Promise<{ total: number; rows: TaskRecord[] }> {
  const pattern = filters.keyword ? `%${filters.keyword.replace(/[\\%_]/g, '\\$&')}%` : null;
  const equals = (column: RawBuilder<unknown>, value: string | number | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  const direction = filters.isasc === '1' ? sql`asc` : sql`desc`;
  const order =
    filters.orderby && sortable[filters.orderby]
      ? sql`${sortable[filters.orderby]} ${direction}`
      : sql`t.status = 1 desc, t.status = 0 desc, t.begintime desc`;
  const inTeam =
    filters.teamcode === undefined
      ? sql`true`
      : sql`exists (select from taskteam x where x.taskcode = t.taskcode and x.teamcode = ${filters.teamcode})`;
  const { rows } = await sql<TaskRecord>`
    with page as (
      select t.*, count(*) over ()::int as totalrows
      from assesstask t
      where t.isdeleted = 0 and ${pattern === null ? sql`true` : sql`t.taskname like ${pattern}`}
        and ${equals(sql`t.status`, filters.status)}
        and ${equals(sql`t.year`, filters.year)}
        and ${equals(sql`t.term`, filters.term)}
        and ${equals(sql`t.appid`, filters.appid)}
        and ${filters.plancode === undefined ? sql`true` : sql`t.plancode in ${versionsOf(filters.plancode)}`}
        and ${equals(sql`t.taskcode`, filters.taskcode)}
        and ${equals(sql`t.musercode`, filters.schoolcode)}
        and ${equals(sql`t.round`, filters.round)}
        and ${equals(sql`t.parenttaskcode`, filters.parenttaskcode)}
        and ${inTeam}
        and ${filters.ownTeamsOnly ? sql`exists (select from taskroster r where r.taskcode = t.taskcode and r.status <> 9)` : sql`true`}
      order by ${order}, t.taskcode desc
      ${limitOffset(filters)})
    select t.taskcode, t.taskname, t.musercode, coalesce(m.insname, '') as insname, t.appid, t.plancode,
      coalesce(p.planname, '') as planname, coalesce(t.stagecode, '') as stagecode,
      coalesce((select min(s.stagename) from examstage s where s.stagecode = t.stagecode and s.appid = t.appid), '') as stagename,
      coalesce(t.year, '') as year, coalesce(t.term, '') as term, t.begintime, t.endtime, t.createtime, t.status,
      t.round, t.parenttaskcode, t.resultshow, t.version, t.totalrows,
      (select count(*) from taskteam x where x.taskcode = t.taskcode)::int as teamcount,
      (select count(*)
        from examrecord e
        where e.taskcode = t.taskcode and e.status = 2 and e.valid = 1 and e.isabnormal = 1)::int as abnormal,
      r.total, r.finished, r.doing, r.notstarted, r.absent, r.exempt, r.dubious
    from page t
      left join muser m on m.musercode = t.musercode
      left join plan p on p.plancode = t.plancode
      cross join lateral (select ${rosterCounts} from taskroster r where r.taskcode = t.taskcode and r.status <> 9) r
    order by ${order}, t.taskcode desc`.execute(db);
  return { total: rows[0]?.totalrows ?? 0, rows };
}

export interface GroupRow extends RosterCounts {
  teamcode: string | null;
  name: string;
  gradename: string;
  classname: string;
}
/** Counts the progress of a task by team, by grade or by class. */
export const findGroupProgress = async (
  { db }: Scope,
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
      select ${teamcode} as teamcode, ${name} as name, coalesce(min(g.gradename), '') as gradename,
        coalesce(min(g.classname), '') as classname, ${rosterCounts}
      from taskroster r
        left join assessteam g on g.teamcode = r.teamcode
      where r.taskcode = ${taskcode} and r.status <> 9
      group by 1, 2
      order by min(g.sortname) nulls last, 2`.execute(db)
  ).rows;
};

export interface BoardFacts {
  classes: (RosterCounts & {
    teamcode: string | null;
    name: string;
    gradecode: string;
    gradename: string;
    owneruserid: string | null;
    remindcount: number;
    lastremind: string | null;
    /** the time slot of the class, as JSON writes times; null when the class has none */
    slotbegin: string | null;
    slotend: string | null;
  })[];
  hours: { at: string; count: number }[];
}
/** Finds the classes and the submissions by hour of one task, from one snapshot. */
export const findBoard = async ({ db }: Scope, taskcode: string): Promise<BoardFacts> =>
  (
    await sql<BoardFacts>`
      with r as materialized (
        select teamcode, status, reason, submittime, remindcount, lastremind
        from taskroster
        where taskcode = ${taskcode} and status <> 9),
      c as (
        select r.teamcode, coalesce(g.teamname, '未分团体') as name, coalesce(g.gradecode, '') as gradecode,
          coalesce(g.gradename, '') as gradename, g.owneruserid, g.sortname,
          max(r.remindcount) as remindcount, max(r.lastremind) as lastremind,
          min(k.begintime) as slotbegin, min(k.endtime) as slotend, ${rosterCounts}
        from r
          left join assessteam g on g.teamcode = r.teamcode
          left join taskteam k on k.taskcode = ${taskcode} and k.teamcode = r.teamcode
        group by r.teamcode, g.teamname, g.sortname, g.gradecode, g.gradename, g.owneruserid),
      h as (
        select date_trunc('hour', submittime) as at, count(*)::int as count
        from r
        where status in (2, 4) and submittime is not null
        group by 1)
      select
        (select coalesce(jsonb_agg(to_jsonb(c) - 'sortname' order by c.sortname), '[]') from c) as classes,
        (select coalesce(jsonb_agg(to_jsonb(h) order by h.at), '[]') from h) as hours`.execute(db)
  ).rows[0] ?? { classes: [], hours: [] };

export interface StatementRow {
  taskname: string;
  insname: string;
  planname: string;
  begintime: Date;
  endtime: Date;
  classes: (RosterCounts & { name: string })[];
  reasons: { reason: string; count: number }[];
}
/** Finds the numbers of a closing statement, from one snapshot; undefined when there is no such task. */
export const findStatementFacts = async ({ db }: Scope, taskcode: string): Promise<StatementRow | undefined> =>
  (
    await sql<StatementRow>`
      with r as materialized (select teamcode, status, reason from taskroster where taskcode = ${taskcode} and status <> 9),
      c as (
        select coalesce(g.teamname, '未分团体') as name, min(g.sortname) as sortname, ${rosterCounts}
        from r
          left join assessteam g on g.teamcode = r.teamcode
        group by r.teamcode, 1),
      w as (select coalesce(r.reason, '未填写') as reason, count(*)::int as count from r where r.status = 3 group by 1)
      select t.taskname, m.insname, coalesce(p.planname, '') as planname, t.begintime, t.endtime,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'name', c.name, 'total', c.total, 'finished', c.finished, 'doing', c.doing,
            'notstarted', c.notstarted, 'absent', c.absent, 'exempt', c.exempt, 'dubious', c.dubious)
            order by c.sortname), '[]')
          from c) as classes,
        (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from w) as reasons
      from assesstask t
        join muser m on m.musercode = t.musercode
        left join plan p on p.plancode = t.plancode
      where t.taskcode = ${taskcode} and t.isdeleted = 0`.execute(db)
  ).rows[0];

/** The forms of a task whose frozen or current version was withdrawn, with the reason. */
export const findPausedForms = async (scope: Scope, taskcode: string) =>
  (
    await sql<{ formname: string; reason: string }>`
      select distinct f.formname, v.withdrawreason as reason
      from assesstask t
        join planform pf on pf.plancode = t.plancode and pf.stagecode in ('', coalesce(t.stagecode, ''))
        join form f on f.formcode = pf.formcode
        left join taskform tf on tf.taskcode = t.taskcode and tf.formcode = pf.formcode
        join formversion v on v.formcode = f.formcode
          and v.version = coalesce(tf.formversion, pf.formversion, f.currentversion)
      where t.taskcode = ${taskcode} and v.status = 3`.execute(scope.db)
  ).rows;
