import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';
import type { getCUserReportPageList, getReportMaxTime } from '#features/report/report.contract.ts';

type Filters = z.output<(typeof getCUserReportPageList)['request']> & {
  phonehashes: string[] | undefined;
  /** the populations that the caller sees; null means all */
  appids: readonly string[] | null;
  /** 02 AI reports and every report with an AI text · 03 孕产妇1.0 */
  list?: '02' | '03' | undefined;
  aistatus?: number | undefined;
};
export type ReportFilters = Omit<Filters, 'page' | 'pageSize'>;

const sortable: Record<string, string> = {
  submittime: 'e.submittime',
  overalllevel: 'e.overalllevel',
  alertlevel: 'e.alertlevel',
  username: 'c.pinyin',
  createtime: 'r.createtime',
  status: 'r.status',
};

/** Reports `r` of submitted exams `e`. */
const reports = (scope: Scope) =>
  scope.db
    .selectFrom('report as r')
    .innerJoin('examrecord as e', 'e.examcode', 'r.examcode')
    .where('r.isdeleted', '=', sql.lit(0))
    .where('e.status', '=', sql.lit(2));
/** Reports `r` and exams `e` with the person `c`. */
const withPerson = (scope: Scope) => reports(scope).innerJoin('cuser as c', 'c.cuserid', 'r.cuserid');

interface QuotaJson {
  quotacode: string;
  quotaname: string;
  domain: string;
  score: number | null;
  level: number | null;
  levelname: string | null;
  minscore: number | null;
  maxscore: number | null;
}
/** The indicators of an exam, as JSON; only the main ones with `isPrimaryOnly`. */
const quotasOf = (examcode: string, isPrimaryOnly: boolean): RawBuilder<QuotaJson[]> => sql<QuotaJson[]>`coalesce((
  select jsonb_agg(jsonb_build_object('quotacode', v.quotacode, 'quotaname', q.quotaname, 'domain', v.domain,
    'score', v.score, 'level', v.level,
    'levelname', v.levelname, 'minscore', q.minscore, 'maxscore', q.maxscore) order by x.ordernum, q.ordernum)
  from examresult v join quota q on q.quotacode = v.quotacode join examform x on x.examformid = v.examformid
  where v.examcode = ${sql.ref(examcode)} ${isPrimaryOnly ? sql`and v.isprimary = 1` : sql``}), '[]')`;

/** Adds the columns of a report row. */
const selectDetails = (query: ReturnType<typeof withPerson>) =>
  query
    .innerJoin('muser as m', 'm.musercode', 'r.musercode')
    .leftJoin('plan as p', 'p.plancode', 'e.plancode')
    .leftJoin('assesstask as t', 't.taskcode', 'e.taskcode')
    .leftJoin('warning as w', (join) =>
      join.onRef('w.cuserid', '=', 'r.cuserid').on('w.state', 'not in', ['07', '08']).on('w.isdeleted', '=', 0),
    )
    .select([
      'r.reportcode',
      'r.examcode',
      'r.reporttype',
      'r.title',
      'r.cuserid',
      'c.username',
      'c.gender',
      'e.age',
      'r.appid',
      'r.musercode',
      'm.insname',
      'e.plancode',
      'p.planname',
      'e.stagecode',
      't.taskname',
      'e.submittime',
      'e.valid',
      'e.overalllevel',
      'e.mentalstate',
      'e.isabnormal',
      'e.hasalert',
      'e.alertlevel',
      'w.warningcode',
      'r.isshow',
      'r.status',
      'r.aistatus',
      'r.aitime',
      sql<string>`coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname, '')`.as('belongs'),
      sql<
        string | null
      >`(select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode order by s.isplatform limit 1)`.as(
        'stagename',
      ),
      quotasOf('r.examcode', true).as('quotas'),
    ]);
export type ReportRecord = Awaited<ReturnType<typeof findReports>>['rows'][number];

/** Whether report `r` belongs to AI个体报告 (02) or 孕产妇1.0 (03). */
const isInList = (list: '02' | '03') =>
  list === '02' ? sql<SqlBool>`(r.reporttype = '02' or r.aistatus > 0)` : sql<SqlBool>`r.reporttype = '03'`;

/** The reports that the filters find, without an order. */
export function filterReports(scope: Scope, filters: ReportFilters) {
  const needsPerson = filters.keyword || filters.gender || filters.orderby === 'username';
  let query = needsPerson ? withPerson(scope) : (reports(scope) as ReturnType<typeof withPerson>);
  const columns = {
    cuserid: 'r.cuserid',
    musercode: 'r.musercode',
    appid: 'r.appid',
    reporttype: 'r.reporttype',
    isshow: 'r.isshow',
    status: 'r.status',
    gender: 'c.gender',
    stagecode: 'e.stagecode',
    taskcode: 'e.taskcode',
    teamcode: 'e.teamcode',
    gradecode: 'e.gradecode',
    classname: 'e.classname',
    isabnormal: 'e.isabnormal',
    aistatus: 'r.aistatus',
  } as const;
  for (const [key, column] of Object.entries(columns) as [keyof typeof columns, (typeof columns)[keyof typeof columns]][]) {
    const value = filters[key];
    if (value !== undefined && value !== '') query = query.where(column, '=', value as never);
  }
  if (filters.plancode) query = query.where('e.plancode', 'in', versionsOf(filters.plancode));
  if (filters.list) query = query.where(isInList(filters.list));
  if (filters.appids) query = query.where('r.appid', 'in', filters.appids.length ? filters.appids : ['']);
  if (filters.agemin !== undefined) query = query.where('e.age', '>=', filters.agemin);
  if (filters.agemax !== undefined) query = query.where('e.age', '<=', filters.agemax);
  if (filters.levels?.length) query = query.where('e.overalllevel', 'in', filters.levels);
  if (filters.mentalstates?.length) query = query.where('e.mentalstate', 'in', filters.mentalstates);
  if (filters.begindate) query = query.where('e.submittime', '>=', fromShanghai(filters.begindate));
  if (filters.enddate) query = query.where('e.submittime', '<', addDays(fromShanghai(filters.enddate), 1));
  if (filters.formcode)
    query = query.where(
      sql<SqlBool>`exists (select from examform x where x.examcode = r.examcode and x.formcode = ${filters.formcode})`,
    );
  for (const { quotacode, levels } of filters.quotas ?? [])
    query = query.where(
      sql<SqlBool>`exists (select from examresult v
        where v.examcode = r.examcode and v.quotacode = ${quotacode} and v.level = any (${levels}::smallint[]))`,
    );
  if (filters.keyword) {
    const prefix = `${filters.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix}
        or r.cuserid = ${filters.keyword} or r.reportcode = ${filters.keyword}
        or c.phonehash = any (${filters.phonehashes ?? []}::text[]) or exists (select from cuserarchive k
          where k.cuserid = c.cuserid and (k.studentno = ${filters.keyword} or k.employeeno = ${filters.keyword})))`,
    );
  }
  return query;
}

/** The order of a list, the newest report first by default. */
export function orderOf({ orderby, isasc }: Pick<Filters, 'orderby' | 'isasc'>) {
  const sortColumn = sql.ref((orderby && sortable[orderby]) || 'r.createtime');
  return sql`${sortColumn} ${sql.raw(isasc === '1' ? 'asc' : 'desc')} nulls last, r.reportcode desc`;
}

/**
 * A page of reports, the newest first by default. The first statement finds the page and counts; the second reads names and scores
 * of its rows only.
 */
export async function findReports(scope: Scope, filters: Filters) {
  const query = filterReports(scope, filters);
  const orderBy = orderOf(filters);
  const page = await query
    .select(['r.reportcode', sql<number>`(count(*) over ())::int`.as('total')])
    .orderBy(orderBy)
    .$call(paginate(filters))
    .execute();
  const codes = page.map((row) => row.reportcode);
  const rows = await selectDetails(withPerson(scope))
    .where(sql<SqlBool>`r.reportcode = any (${codes}::text[])`)
    .orderBy(orderBy)
    .execute();
  // A page after the last one has no row with the total.
  const total =
    page[0]?.total ??
    (filters.page === 1 ? 0 : (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total);
  return { total, rows };
}

/** One report with its review, by report code or exam code. */
export function findReport(
  scope: Scope,
  { reportcode, examcode }: { reportcode?: string | undefined; examcode?: string | undefined },
) {
  let query = withPerson(scope);
  query = reportcode ? query.where('r.reportcode', '=', reportcode) : query.where('r.examcode', '=', examcode ?? '');
  return selectDetails(query)
    .leftJoin('sysuser as u', 'u.userid', 'r.reviewby')
    .select(['r.conclusion', 'r.advice', 'r.reviewby', 'r.reviewtime', 'r.version', 'r.createtime', 'u.realname as reviewername'])
    .executeTakeFirst();
}

/** Says whether the person of the report was anonymised, so that its text is erased. */
export const isErasedReport = async (scope: Scope, reportcode: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('report as r')
    .innerJoin('cuser as c', 'c.cuserid', 'r.cuserid')
    .select('r.reportcode')
    .where('r.reportcode', '=', reportcode)
    .where('c.anonymizedtime', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** The open case of a person with the name of its owner; undefined without one. */
export const findOpenCase = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('warning as w')
    .leftJoin('sysuser as u', 'u.userid', 'w.owneruserid')
    .select(['w.warningcode', 'u.realname as ownername'])
    .where('w.cuserid', '=', cuserid)
    .where('w.state', 'not in', ['07', '08'])
    .where('w.isdeleted', '=', 0)
    .where(isNotSuspect)
    .executeTakeFirst();

/** Says whether a case of the person suspects the caller of harm, also a closed one. */
export const isSuspectedBy = async (scope: Scope, cuserid: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('warning as w')
    .select('w.warningcode')
    .where('w.cuserid', '=', cuserid)
    .where(sql<boolean>`not ${isNotSuspect}`)
    .executeTakeFirst()) !== undefined;

/** The forms of an exam with their scores. */
export async function findExamForms(scope: Scope, examcode: string) {
  const { rows } = await sql<{
    cuserid: string;
    age: number | null;
    examformid: number;
    formcode: string;
    formname: string;
    formtype: string;
    status: number;
    valid: number | null;
    overalllevel: number | null;
    scores: QuotaJson[];
  }>`
    select x.cuserid, e.age, x.examformid, x.formcode, f.formname, f.formtype, x.status, x.valid, x.overalllevel,
      coalesce((select jsonb_agg(jsonb_build_object('quotacode', v.quotacode, 'quotaname', q.quotaname, 'domain', v.domain,
        'score', v.score, 'level', v.level, 'levelname', v.levelname, 'minscore', q.minscore, 'maxscore', q.maxscore) order by q.ordernum)
        from examresult v join quota q on q.quotacode = v.quotacode where v.examformid = x.examformid), '[]') as scores
    from examform x join examrecord e on e.examcode = x.examcode join form f on f.formcode = x.formcode
      where x.examcode = ${examcode} and e.withheld = 0 order by x.ordernum`.execute(scope.db);
  return rows;
}

/** The time of the newest report, and the number of reports after `since`. */
export async function findMaxTime(
  scope: Scope,
  { appid, musercode, reporttype, since }: z.output<(typeof getReportMaxTime)['request']>,
) {
  let query = scope.db.selectFrom('report as r').where('isdeleted', '=', 0);
  if (appid) query = query.where('appid', '=', appid);
  if (musercode) query = query.where('musercode', '=', musercode);
  if (reporttype === '02' || reporttype === '03') query = query.where(isInList(reporttype));
  else if (reporttype) query = query.where('reporttype', '=', reporttype);
  const from = since ? fromShanghai(since) : null;
  return query
    .select((eb) => [
      eb.fn.max('createtime').as('maxtime'),
      sql<number>`count(*) filter (where date_trunc('second', createtime) > ${from}::timestamptz)`.as('newcount'),
    ])
    .executeTakeFirstOrThrow();
}

/** Counts the sheets whose reports wait for a consent, of all types of reports. */
export async function countWithheldSheets(
  scope: Scope,
  { appid, musercode }: z.output<(typeof getReportMaxTime)['request']>,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from examrecord e
    where e.withheld = 1 and e.status = 2
      ${appid ? sql`and e.appid = ${appid}` : sql``}
      ${musercode ? sql`and e.musercode = ${musercode}` : sql``}`.execute(scope.db);
  return rows[0]?.n ?? 0;
}

/**
 * Updates a report of this version; a review is one of its AI text too. Undefined when the report is deleted or another person
 * changed it meanwhile.
 */
export const updateReport = (scope: Scope, reportcode: string, version: number, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('report')
    .set({
      ...changes,
      ...(changes['status'] === 2 ? { aistatus: sql<number>`case aistatus when 2 then 3 else aistatus end` } : {}),
      version: version + 1,
    })
    .where('reportcode', '=', reportcode)
    .where('version', '=', version)
    .where('isdeleted', '=', 0)
    .returning(['version', 'status', 'cuserid'])
    .executeTakeFirst();

/** Shows or hides reports and returns the person of each. */
export const updateVisibility = (scope: Scope, reportcodes: readonly string[], isshow: number, updatetime: Date) =>
  scope.db
    .updateTable('report')
    .set({ isshow, updatetime })
    .where('reportcode', 'in', reportcodes.length ? reportcodes : [''])
    .where('isdeleted', '=', 0)
    .returning('cuserid')
    .execute();

/** The number of reports and of visible reports, by person. */
export const countReports = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('report')
    .select((eb) => [
      'cuserid',
      eb.fn.countAll<number>().as('reportcount'),
      sql<number>`count(*) filter (where isshow = 1)`.as('showcount'),
    ])
    .where('cuserid', 'in', cuserids)
    .where('isdeleted', '=', 0)
    .groupBy('cuserid')
    .execute();
