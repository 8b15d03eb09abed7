import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { getAnxiousDepressedReportPageList } from '#features/warning/warning.contract.ts';
import { belongs, matchesKeyword, overdueAt, toTimeSpan } from '#features/warning/warninglist.queries.ts';

type ReportFilters = Partial<z.output<(typeof getAnxiousDepressedReportPageList)['request']>>;

// Joins the case of the person of exam `e`: the open case, otherwise the newest.
const joinCase = sql`left join lateral (
  select w.* from warning w
  where w.cuserid = e.cuserid and w.isdeleted = 0 and ${isNotSuspect}
  order by w.state not in ('07', '08') desc, w.createtime desc
  limit 1) w on true`;
const primaryResult = (domain: string, column: 'level' | 'score') =>
  sql`(select r.${sql.ref(column)} from examresult r where r.examcode = e.examcode and r.domain = ${sql.lit(domain)} and r.isprimary = 1
    order by r.level desc nulls last limit 1)`;

/** A report that needs attention, with the person and the case. */
export interface FlaggedReport {
  examcode: string;
  submittime: Date | null;
  overalllevel: number | null;
  /** 1: the result waits for the consent of the guardian; only the alert is told */
  withheld: number;
  hasalert: number;
  alertchanged: number;
  planname: string;
  reportcode: string | null;
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  appid: string;
  musercode: string;
  insname: string;
  ownername: string | null;
  warningcode: string | null;
  warninglevel: number | null;
  state: string | null;
  acceptduetime: Date | null;
  belongs: string;
  isoverdue: boolean;
  depscore: number | null;
  deplevel: number | null;
  anxscore: number | null;
  anxlevel: number | null;
  item9: number | null;
}

/** A page of submitted exams with depression (01) or anxiety (02) at level 1 or above, or with an alert. Each row has its case. */
export async function findFlaggedReports(
  scope: Scope,
  filters: ReportFilters,
  now: Date,
): Promise<{ total: number; rows: FlaggedReport[] }> {
  const page = { page: filters.page ?? 1, pageSize: filters.pageSize ?? 200 };
  const needsCase = filters.state || filters.warninglevels?.length || filters.overdue !== undefined || filters.keyword;
  const joinPerson = sql`join cuser c on c.cuserid = e.cuserid
  left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1`;
  const from = sql`from examrecord e ${needsCase ? joinCase : sql``} ${filters.keyword ? joinPerson : sql``}
    where ${sql.join(reportConditions(filters, now), sql` and `)}`;
  const order = sql`order by e.alertlevel desc, e.submittime desc, e.examcode`;
  // The page is chosen from exams alone; persons, plans and reports are joined for its rows only.
  const { rows } = await sql<FlaggedReport & { total: number }>`
    with cut as materialized (
      select e.examcode, (count(*) over ())::int as total ${from} ${order} ${limitOffset(page)})
    select cut.total, e.examcode, e.submittime,
      case when e.withheld = 0 then e.overalllevel end as overalllevel, e.withheld, e.hasalert, e.alertchanged, p.planname,
      k.reportcode,
      c.cuserid, c.username, c.gender, c.birthday, e.appid, e.musercode, m.insname, u.realname as ownername,
      w.warningcode, w.level as warninglevel, w.state, w.acceptduetime,
      ${belongs} as belongs,
      ${overdueAt(now)} as isoverdue,
      ${primaryResult('01', 'score')} as depscore,
      ${primaryResult('01', 'level')} as deplevel,
      ${primaryResult('02', 'score')} as anxscore,
      ${primaryResult('02', 'level')} as anxlevel,
      (select max(case f.formcode
          when 'PHQ9' then f.raw->'itemscores'->>'q9'
          when 'EPDS' then f.raw->'itemscores'->>'q10' end)::int
        from examform f where f.examcode = e.examcode and e.withheld = 0) as item9
    from cut
      join examrecord e on e.examcode = cut.examcode
      ${joinPerson}
      join muser m on m.musercode = e.musercode
      join plan p on p.plancode = e.plancode
      left join report k on k.examcode = e.examcode and k.isdeleted = 0
      ${joinCase}
      left join sysuser u on u.userid = w.owneruserid
    ${order}`.execute(scope.db);
  if (rows[0] !== undefined || page.page === 1) return { total: rows[0]?.total ?? 0, rows };
  const { rows: countRows } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db);
  return { total: countRows[0]?.total ?? 0, rows };
}

function reportConditions(filters: ReportFilters, now: Date): RawBuilder<SqlBool>[] {
  const { from, until } = toTimeSpan(filters.begindate, filters.enddate);
  const parts: RawBuilder<SqlBool>[] = [
    sql`e.status = 2`,
    sql`(e.hasalert = 1 or exists (select from examresult r
      where r.examcode = e.examcode and r.domain in ('01', '02') and r.isprimary = 1 and r.level >= 1))`,
  ];
  const levelIsIn = (levels: readonly number[], domain: string) =>
    sql<SqlBool>`coalesce(${primaryResult(domain, 'level')}, -1) = any (${[...levels]}::int[])`;
  if (filters.deplevels?.length) parts.push(levelIsIn(filters.deplevels, '01'));
  if (filters.anxlevels?.length) parts.push(levelIsIn(filters.anxlevels, '02'));
  if (filters.alertonly) parts.push(sql`e.hasalert = 1`);
  if (filters.changed !== undefined) parts.push(sql`e.alertchanged = ${filters.changed}`);
  if (filters.state) parts.push(sql`w.state = ${filters.state}`);
  if (filters.warninglevels?.length) parts.push(sql`w.level = any (${[...filters.warninglevels]}::int[])`);
  if (filters.overdue !== undefined) parts.push(sql`${overdueAt(now)} = ${filters.overdue === 1}::boolean`);
  if (filters.appid) parts.push(sql`e.appid = ${filters.appid}`);
  if (filters.musercode) parts.push(sql`e.musercode = ${filters.musercode}`);
  if (filters.plancode) parts.push(sql`e.plancode = ${filters.plancode}`);
  if (filters.taskcode) parts.push(sql`e.taskcode = ${filters.taskcode}`);
  if (from) parts.push(sql`e.submittime >= ${from}`);
  if (until) parts.push(sql`e.submittime < ${until}`);
  if (filters.keyword) parts.push(matchesKeyword(filters.keyword));
  return parts;
}
