import { sql, type RawBuilder } from 'kysely';
import type { RosterCounts } from '#domain/task/taskprogress.ts';
import { isNotSuspect, isVisibleCare } from '#server/security/suspect.ts';
import { pending } from '#features/warning/warninglist.queries.ts';
import type { Scope } from '#server/db/scope.ts';
import { rosterCounts } from '#features/task/board/rosterCounts.queries.ts';

// Each block of 工作台 is one statement: it returns the total and the first rows.
export const MAX_ROWS = 5;

/** A case of the blocks 超时预警 and 待受理预警. */
export interface WarningDue extends PersonPlace {
  warningcode: string;
  username: string;
  insname: string;
  level: number;
  sector: string;
  state: string;
  due: Date | null;
}
interface BlockRows<Row> {
  total: number;
  /** a second number of the block */
  more: number;
  rows: Row[];
}

const NO_ROWS = { total: 0, more: 0, rows: [] };
/** Runs the query of a block. Every row carries the totals of the whole result. */
export async function countAndFetch<Row>(
  { db }: Pick<Scope, 'db'>,
  query: RawBuilder<Row & { total: number; more: number }>,
): Promise<BlockRows<Row>> {
  const { rows } = await query.execute(db);
  const first = rows[0];
  return first ? { total: Number(first.total), more: Number(first.more), rows } : NO_ROWS;
}

/** Where a person belongs: class or unit, and for a pregnancy its dates. */
export interface PersonPlace {
  belongs: string;
  lmpdate: string | null;
  edcdate: string | null;
  deliverydate: string | null;
}
const pregnancy = sql`a.lmpdate, a.edcdate, a.deliverydate`;
/** SQL: where person `c` with the current archive `a` belongs. */
export const belongs = sql`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs, ${pregnancy}`;

const warnings = (scope: Scope, condition: RawBuilder<unknown>) =>
  countAndFetch<WarningDue>(
    scope,
    sql`
      select o.*, count(*) over () as total, 0 as more
      from (
          select w.warningcode, w.cuserid, w.musercode, w.appid, w.level, w.state, w.nextdue as due, ${pending} as pending
          from warning w
          where w.state not in ('07', '08') and w.isdeleted = 0 and ${isNotSuspect}) d
        cross join lateral (
          select d.warningcode, c.username, ${belongs}, m.insname, m.sector, d.level, d.state, d.due
          from cuser c
            join muser m on m.musercode = d.musercode
            left join cuserarchive a on a.cuserid = c.cuserid and a.appid = d.appid and a.iscurrent = 1
          where c.cuserid = d.cuserid) o
      where ${condition}
      order by d.due nulls last, d.level desc, d.warningcode
      limit ${MAX_ROWS}`,
  );
/** The open cases whose next step is overdue. */
export const findOverdue = (scope: Scope, now: Date) => warnings(scope, sql`d.due < ${now}::timestamptz`);
/** The cases that nobody has accepted since they were opened, handed over or got news. */
export const findWaiting = (scope: Scope) => warnings(scope, sql`d.pending`);

/** A follow-up of the block 今日到期随访. */
export interface FollowDue extends PersonPlace {
  followupid: number;
  warningcode: string | null;
  username: string;
  method: string;
  seq: number;
  duetime: Date;
  /** overdue from then on */
  latefrom: Date;
}
/** The waiting follow-ups due before `until`. `more` counts those due before `today`. */
export const findFollowups = (scope: Scope, today: Date, until: Date) =>
  countAndFetch<FollowDue>(
    scope,
    sql`
      select f.followupid, f.warningcode, c.username, ${belongs}, f.method, f.seq, f.duetime,
        coalesce(f.latesttime, f.duetime) as latefrom,
        count(*) over () as total,
        count(*) filter (where coalesce(f.latesttime, f.duetime) < ${today}::timestamptz) over () as more
      from followup f
        join cuser c on c.cuserid = f.cuserid
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
      where f.status in ('01', '03') and f.isdeleted = 0 and f.duetime < ${until}::timestamptz and ${isVisibleCare}
      order by f.duetime, f.followupid
      limit ${MAX_ROWS}`,
  );

/** A task of the block 进行中任务. */
export interface RunningTask extends Omit<RosterCounts, 'total'> {
  /** 应测 */
  expected: number;
  taskcode: string;
  taskname: string;
  endtime: Date;
}
/** The running tasks with visible persons on their roster. `more` counts the persons who have not finished. */
export const findTasks = (scope: Scope, now: Date) =>
  countAndFetch<RunningTask>(
    scope,
    sql`
      select t.taskcode, t.taskname, t.endtime,
        r.total as expected, r.finished, r.doing, r.notstarted, r.absent, r.exempt, r.dubious,
        count(*) over () as total,
        sum(r.doing + r.notstarted) over ()::int as more
      from assesstask t
        join lateral (
          select ${rosterCounts}
          from taskroster r
          where r.taskcode = t.taskcode and r.status <> 9) r on r.total > 0
      where t.status = 1 and t.isdeleted = 0 and t.begintime <= ${now}::timestamptz
      order by t.endtime, t.taskcode
      limit ${MAX_ROWS}`,
  );

/** A report of the block 待审核报告. */
export interface WaitingReport extends PersonPlace {
  reportcode: string;
  username: string;
  title: string;
  overalllevel: number | null;
  createtime: Date;
}
/** The reports without a review, the highest level first. `more` counts those at level 2 or above. */
export const findReports = (scope: Scope) =>
  countAndFetch<WaitingReport>(
    scope,
    sql`
      select r.reportcode, c.username,
        coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname, '') as belongs, ${pregnancy},
        r.title, r.overalllevel, r.createtime,
        count(*) over () as total,
        count(*) filter (where r.overalllevel >= 2) over () as more
      from report r
        join examrecord e on e.examcode = r.examcode and e.status = 2
        join cuser c on c.cuserid = r.cuserid
        left join cuserarchive a on a.cuserid = e.cuserid and a.appid = e.appid and a.iscurrent = 1
      where r.status = 1 and r.isdeleted = 0
      order by r.overalllevel desc nulls last, r.createtime, r.reportcode
      limit ${MAX_ROWS}`,
  );

/** Counts (次数) of the block 即将到期授权. */
export interface EndingGrant {
  musercode: string;
  insname: string;
  planname: string | null;
  free: number;
  enddate: string;
}
/** The free counts whose last day is between two days. `more` is the sum of the counts that would expire. */
export const findGrants = (scope: Scope, from: string, to: string) =>
  countAndFetch<EndingGrant>(
    scope,
    sql`
      select a.musercode, m.insname, p.planname, a.free, a.enddate,
        count(*) over () as total,
        sum(a.free) over ()::int as more
      from countlot a
        join muser m on m.musercode = a.musercode
        left join plan p on p.plancode = a.plancode
      where a.enddate between ${from}::date and ${to}::date and a.free > 0
      order by a.enddate, a.musercode, a.plancode
      limit ${MAX_ROWS}`,
  );
