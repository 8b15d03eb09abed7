import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getCUserReportPageList, getReportMaxTime } from '#features/report/report.contract.ts';

type Filters = z.output<(typeof getCUserReportPageList)['request']> & { phonehash: string | undefined };

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
/** The same with the person `c`. */
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
/** Indicators of a sitting, as JSON; the main ones only when `primary`. */
const quotasOf = (examcode: string, primary: boolean): RawBuilder<QuotaJson[]> => sql<QuotaJson[]>`coalesce((
  select jsonb_agg(jsonb_build_object('quotacode', v.quotacode, 'quotaname', q.quotaname, 'domain', v.domain,
    'score', v.score, 'level', v.level,
    'levelname', v.levelname, 'minscore', q.minscore, 'maxscore', q.maxscore) order by x.ordernum, q.ordernum)
  from examresult v join quota q on q.quotacode = v.quotacode join examform x on x.examformid = v.examformid
  where v.examcode = ${sql.ref(examcode)} ${primary ? sql`and v.isprimary = 1` : sql``}), '[]')`;

const shown = (query: ReturnType<typeof withPerson>) =>
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
      sql<string>`coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname, '')`.as('belongs'),
      sql<
        string | null
      >`(select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode order by s.isplatform limit 1)`.as(
        'stagename',
      ),
      quotasOf('r.examcode', true).as('quotas'),
    ]);
export type ReportRecord = Awaited<ReturnType<typeof findReports>>['rows'][number];

/**
 * A page of reports, the newest first unless asked otherwise. The first statement cuts the page and counts; the second looks up names and
 * scores for its rows only.
 */
export async function findReports(scope: Scope, filters: Filters) {
  const needsPerson = filters.keyword || filters.gender || filters.orderby === 'username';
  let query = needsPerson ? withPerson(scope) : (reports(scope) as ReturnType<typeof withPerson>);
  const same = {
    cuserid: 'r.cuserid',
    musercode: 'r.musercode',
    appid: 'r.appid',
    reporttype: 'r.reporttype',
    isshow: 'r.isshow',
    status: 'r.status',
    gender: 'c.gender',
    plancode: 'e.plancode',
    stagecode: 'e.stagecode',
    taskcode: 'e.taskcode',
    teamcode: 'e.teamcode',
    gradecode: 'e.gradecode',
    classname: 'e.classname',
    isabnormal: 'e.isabnormal',
  } as const;
  for (const [key, column] of Object.entries(same) as [keyof typeof same, (typeof same)[keyof typeof same]][]) {
    const value = filters[key];
    if (value !== undefined && value !== '') query = query.where(column, '=', value as never);
  }
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
    const starts = `${filters.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(c.username like ${'%' + starts} or c.initials like ${starts} or c.pinyin like ${starts}
        or r.cuserid = ${filters.keyword} or r.reportcode = ${filters.keyword}
        or c.phonehash = ${filters.phonehash ?? ''} or exists (select from cuserarchive k
          where k.cuserid = c.cuserid and (k.studentno = ${filters.keyword} or k.employeeno = ${filters.keyword})))`,
    );
  }
  const column = sql.ref((filters.orderby && sortable[filters.orderby]) || 'r.createtime');
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const orderBy = sql`${column} ${direction} nulls last, r.reportcode desc`;
  const page = await query
    .select(['r.reportcode', sql<number>`(count(*) over ())::int`.as('total')])
    .orderBy(orderBy)
    .$call(paginate(filters))
    .execute();
  const codes = page.map((row) => row.reportcode);
  const rows = await shown(withPerson(scope))
    .where(sql<SqlBool>`r.reportcode = any (${codes}::text[])`)
    .orderBy(orderBy)
    .execute();
  // A page behind the end has no row to carry the total.
  const total =
    page[0]?.total ??
    (filters.page === 1 ? 0 : (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total);
  return { total, rows };
}

export function findReport(
  scope: Scope,
  { reportcode, examcode }: { reportcode?: string | undefined; examcode?: string | undefined },
) {
  let query = withPerson(scope);
  query = reportcode ? query.where('r.reportcode', '=', reportcode) : query.where('r.examcode', '=', examcode ?? '');
  return shown(query)
    .leftJoin('sysuser as u', 'u.userid', 'r.reviewby')
    .select(['r.conclusion', 'r.advice', 'r.reviewby', 'r.reviewtime', 'r.version', 'u.realname as reviewername'])
    .executeTakeFirst();
}

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
      coalesce((select jsonb_agg(jsonb_build_object('quotacode', v.quotacode, 'quotaname', q.quotaname, 'domain',
      v.domain, 'score', v.score, 'level', v.level,
        'levelname', v.levelname, 'minscore', q.minscore, 'maxscore', q.maxscore) order by q.ordernum)
        from examresult v join quota q on q.quotacode = v.quotacode where v.examformid = x.examformid), '[]') as scores
    from examform x join examrecord e on e.examcode = x.examcode join form f on f.formcode = x.formcode
      where x.examcode = ${examcode} order by x.ordernum`.execute(scope.db);
  return rows;
}

export async function findMaxTime(scope: Scope, { appid, musercode, since }: z.output<(typeof getReportMaxTime)['request']>) {
  let query = scope.db.selectFrom('report').where('isdeleted', '=', 0);
  if (appid) query = query.where('appid', '=', appid);
  if (musercode) query = query.where('musercode', '=', musercode);
  const from = since ? fromShanghai(since) : null;
  return query
    .select((eb) => [
      eb.fn.max('createtime').as('maxtime'),
      sql<number>`count(*) filter (where ${from}::timestamptz is not null and createtime > ${from}::timestamptz)`.as('newcount'),
    ])
    .executeTakeFirstOrThrow();
}

/** Writes when nobody else did meanwhile; undefined when the report is gone or has another version. */
export const changeReport = (scope: Scope, reportcode: string, version: number, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('report')
    .set({ ...changes, version: version + 1 })
    .where('reportcode', '=', reportcode)
    .where('version', '=', version)
    .where('isdeleted', '=', 0)
    .returning(['version', 'status', 'cuserid'])
    .executeTakeFirst();

/** Shows or hides all of the reports or none: answers whose they are. */
export const showReports = (scope: Scope, reportcodes: readonly string[], isshow: number, updatetime: Date) =>
  scope.db
    .updateTable('report')
    .set({ isshow, updatetime })
    .where('reportcode', 'in', reportcodes)
    .where('isdeleted', '=', 0)
    .returning('cuserid')
    .execute();

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
