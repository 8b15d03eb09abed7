import { sql, type RawBuilder } from 'kysely';
import type { StatsScope, Scope } from '#server/db/scope.ts';

/** Each block of 工作台 is one statement that answers the count and the first five rows. */
const MAX_ROWS = 5;

export interface WarningDue {
  warningcode: string;
  username: string;
  belongs: string;
  insname: string;
  level: number;
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
/** `rows` come with the totals of the whole set on each of them. */
async function countAndFetch<Row>(
  { db }: Pick<Scope, 'db'>,
  query: RawBuilder<Row & { total: number; more: number }>,
): Promise<BlockRows<Row>> {
  const { rows } = await query.execute(db);
  const first = rows[0];
  return first ? { total: Number(first.total), more: Number(first.more), rows } : NO_ROWS;
}

const nextFollow = sql`(select min(f.duetime) from followup f
  where f.warningcode = w.warningcode and f.status in ('01', '03') and f.isdeleted = 0)`;
/** When the next duty of an open warning falls due: `currentDue` of domain/warning/deadline.ts as a statement. */
const due = sql<Date | null>`least(
  case when w.accepttime is null or w.accepttime < w.raisedtime then w.acceptduetime
    when w.assessduetime is not null and (w.state in ('02', '03') or (w.level >= 3 and w.raisedtime is not null
      and not exists (select from riskassess a where a.warningcode = w.warningcode
      and a.time >= greatest(w.createtime, w.raisedtime, w.reopentime)))) then w.assessduetime
    else ${nextFollow} end,
  case when w.guardiannotified = 0 and trim(w.guardianexempt) = '' then w.guardianduetime end)`;

const belongs = sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`;

const warnings = (scope: Scope, condition: RawBuilder<unknown>) =>
  countAndFetch<WarningDue>(
    scope,
    sql`
      select o.*, count(*) over () as total, 0 as more from (
        select w.warningcode, w.cuserid, w.musercode, w.appid, w.level, w.state, ${due} as due from warning w
          where w.state not in ('07', '08') and w.isdeleted = 0) d
        cross join lateral (select d.warningcode, c.username, ${belongs} as belongs, m.insname, d.level, d.state, d.due
          from cuser c join muser m on m.musercode = d.musercode
            left join cuserarchive a on a.cuserid = c.cuserid and a.appid = d.appid where c.cuserid = d.cuserid) o
      where ${condition} order by d.due nulls last, d.level desc, d.warningcode limit ${MAX_ROWS}`,
  );
export const findOverdue = (scope: Scope, now: Date) => warnings(scope, sql`d.due < ${now}::timestamptz`);
export const findWaiting = (scope: Scope) => warnings(scope, sql`d.state = '01'`);

/** What an authority may count: no names, and no notes on why a guardian was not told. */
export async function countWarnings({ db }: StatsScope, now: Date) {
  const { rows } = await sql<{ overdue: number; waiting: number }>`
    select count(*) filter (where w.state = '01')::int as waiting,
      count(*) filter (where case when w.accepttime is null then w.acceptduetime when w.state in ('02', '03')
      and w.assessduetime is not null then w.assessduetime else ${nextFollow} end < ${now}::timestamptz)::int as overdue
    from warning w where w.state not in ('07', '08') and w.isdeleted = 0`.execute(db);
  return rows[0] ?? { overdue: 0, waiting: 0 };
}

export interface FollowDue {
  followupid: number;
  warningcode: string | null;
  username: string;
  belongs: string;
  method: string;
  seq: number;
  duetime: Date;
}
/** Follow-ups due before `until`, those of earlier days among them; `more` counts the latter. */
export const findFollowups = (scope: Scope, today: Date, until: Date) =>
  countAndFetch<FollowDue>(
    scope,
    sql`select f.followupid, f.warningcode, c.username, ${belongs} as belongs, f.method, f.seq, f.duetime,
      count(*) over () as total, count(*) filter (where f.duetime < ${today}::timestamptz) over () as more
      from followup f join cuser c on c.cuserid = f.cuserid left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid
      where f.status in ('01', '03') and f.isdeleted = 0 and f.duetime < ${until}::timestamptz
        order by f.duetime, f.followupid limit ${MAX_ROWS}`,
  );

export interface RunningTask {
  taskcode: string;
  taskname: string;
  endtime: Date;
  roster: number;
  open: number;
}
/** Tasks under way with people of the caller's reach on their roster; `more` counts those who have not finished. */
export const findTasks = (scope: Scope, now: Date) =>
  countAndFetch<RunningTask>(
    scope,
    sql`select t.taskcode, t.taskname, t.endtime, r.roster, r.open, count(*) over () as total, sum(r.open) over ()::int as more
      from assesstask t join lateral (select count(*)::int as roster, count(*)
        filter (where status in (0, 1))::int as open from taskroster where taskcode = t.taskcode and status <> 9) r on r.roster > 0
      where t.status = 1 and t.isdeleted = 0 and t.begintime <= ${now}::timestamptz order by t.endtime, t.taskcode limit ${MAX_ROWS}`,
  );

export interface WaitingReport {
  reportcode: string;
  username: string;
  belongs: string;
  title: string;
  overalllevel: number | null;
  createtime: Date;
}
/** Reports nobody has reviewed, the gravest first; `more` counts those at level 2 or above. */
export const findReports = (scope: Scope) =>
  countAndFetch<WaitingReport>(
    scope,
    sql`select r.reportcode, c.username, coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname,
      '') as belongs, r.title, r.overalllevel, r.createtime,
        count(*) over () as total, count(*) filter (where r.overalllevel >= 2) over () as more
      from report r join examrecord e on e.examcode = r.examcode and e.status = 2 join cuser c on c.cuserid = r.cuserid
      where r.status = 1 and r.isdeleted = 0 order by r.overalllevel desc nulls last, r.createtime, r.reportcode limit ${MAX_ROWS}`,
  );

export interface EndingGrant {
  musercode: string;
  insname: string;
  planname: string | null;
  free: number;
  enddate: string;
}
/** What is left of counts whose last day lies between two days; `more` is what would be lost. */
export const findGrants = (scope: Pick<Scope, 'db'>, from: string, to: string) =>
  countAndFetch<EndingGrant>(
    scope,
    sql`select a.musercode, m.insname, p.planname, a.free, a.enddate, count(*) over () as total, sum(a.free) over ()::int as more
      from countlot a join muser m on m.musercode = a.musercode left join plan p on p.plancode = a.plancode
      where a.enddate between ${from}::date and ${to}::date and a.free > 0
      order by a.enddate, a.musercode, a.plancode limit ${MAX_ROWS}`,
  );
