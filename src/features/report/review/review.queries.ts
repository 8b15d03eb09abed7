import { sql } from 'kysely';
import type { ReportContent } from '#domain/report/report.content.ts';
import type { Scope } from '#server/db/scope.ts';
import { filterReports, orderOf, type ReportFilters } from '#features/report/report.queries.ts';

/** The columns that decide whether a bulk step takes a report. */
const stateColumns = [
  'r.reportcode',
  'r.cuserid',
  'r.appid',
  'r.version',
  'r.status',
  'r.isshow',
  'r.aistatus',
  'e.valid',
  'e.hasalert',
  'e.overalllevel',
  'c.username',
] as const;
const iserased = sql<boolean>`c.anonymizedtime is not null`.as('iserased');

/** The reports that the filters find, in the order of the list, at most `limit`; with `reportcodes` only these. */
export async function findBatch(
  scope: Scope,
  { reportcodes, ...filters }: ReportFilters & { reportcodes?: string[] | undefined },
  limit: number,
) {
  let query = filterReports(scope, filters);
  if (reportcodes) query = query.where('r.reportcode', 'in', reportcodes.length ? reportcodes : ['']);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const codes = await query.select('r.reportcode').orderBy(orderOf(filters)).limit(limit).execute();
  const rows = await findStates(
    scope,
    codes.map(({ reportcode }) => reportcode),
  );
  const byCode = new Map(rows.map((row) => [row.reportcode, row]));
  return { total: Number(total), rows: codes.flatMap(({ reportcode }) => byCode.get(reportcode) ?? []) };
}

const states = (scope: Scope, reportcodes: readonly string[]) =>
  scope.db
    .selectFrom('report as r')
    .innerJoin('examrecord as e', 'e.examcode', 'r.examcode')
    .innerJoin('cuser as c', 'c.cuserid', 'r.cuserid')
    .select([...stateColumns, iserased])
    .where('r.reportcode', 'in', reportcodes.length ? reportcodes : [''])
    .where('r.isdeleted', '=', 0);

const findStates = (scope: Scope, reportcodes: readonly string[]) => states(scope, reportcodes).execute();
export type ReportStateRow = Awaited<ReturnType<typeof findStates>>[number];

/** The states of these reports. They stay locked until the commit, in one order, so that two bulk steps do not block each other. */
export const lockStates = (scope: Scope, reportcodes: readonly string[]) =>
  states(scope, reportcodes).orderBy('r.reportcode').forUpdate('r').execute();

/** Marks these reports as reviewed; each gets a new version. */
export const reviewReports = (scope: Scope, reportcodes: readonly string[], reviewby: string, now: Date) =>
  scope.db
    .updateTable('report')
    .set((eb) => ({ status: 2, reviewby, reviewtime: now, updatetime: now, version: eb('version', '+', 1) }))
    .where('reportcode', 'in', reportcodes.length ? reportcodes : [''])
    .returning('cuserid')
    .execute();

/** What staff wrote in each later version, the oldest first. */
export const findVersions = (scope: Scope, reportcode: string) =>
  scope.db
    .selectFrom('reportversion')
    .select(['version', 'cuserid', 'conclusion', 'advice', 'status', 'aistatus', 'aicontent', 'username', 'time'])
    .where('reportcode', '=', reportcode)
    .orderBy('version')
    .execute();

/** The texts before the sheet moved to another person, the oldest first. */
export const findCorrections = (scope: Scope, reportcode: string) =>
  scope.db
    .selectFrom('reportcorrection')
    .select(['version', 'cuserid', 'content', 'selfcontent', 'conclusion', 'advice', 'time'])
    .where('reportcode', '=', reportcode)
    .orderBy('version')
    .$castTo<{
      version: number;
      cuserid: string;
      content: ReportContent | null;
      selfcontent: ReportContent | null;
      conclusion: string | null;
      advice: string | null;
      time: Date;
    }>()
    .execute();

/** Who read or exported the report of these persons, by reader, version and action; the newest first. */
export async function findViews(scope: Scope, reportcode: string, cuserids: readonly string[]) {
  const { rows } = await sql<{
    who: string;
    isrespondent: boolean;
    version: number | null;
    action: string;
    times: number;
    lasttime: Date;
  }>`
    select coalesce(l.loginasname, u.realname, m.insname, '') as who, l.action like 'as.c.%' as isrespondent,
      (l.detail->>'version')::int as version, l.title as action, count(*)::int as times, max(l.time) as lasttime
    from audit.log l
      left join sysuser u on u.userid = l.accountid
      left join muser m on m.musercode = l.accountid
    where l.cuserids && ${[...cuserids]}::text[] and l.objectid = ${reportcode} and l.kind in ('reveal', 'export') and l.result = 0
      and l.action <> 'as.m.exam.getReportHistory'
    group by 1, 2, 3, 4 order by lasttime desc limit 200`.execute(scope.db);
  return rows;
}
