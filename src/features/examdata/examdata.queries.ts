import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import type { Answers, FormResult } from '#domain/scoring/scale.ts';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';
import type { getCUserExamDataPageList } from '#features/examdata/examdata.contract.ts';

type Request = z.output<(typeof getCUserExamDataPageList)['request']>;
export type SheetFilters = Omit<Request, 'page' | 'pageSize' | 'orderby' | 'isasc'> & {
  phonehashes: string[] | undefined;
  /** the populations that the caller sees; null means all */
  appids: readonly string[] | null;
  /** these persons only */
  cuserids?: readonly string[];
};

const sortable: Record<string, string> = { submittime: 'e.submittime', username: 'c.pinyin', duration: 'e.duration' };

/** Handed-in sheets `x` of exams `e` with the person `c`, the institution `m` and perhaps the task `t`. */
const handedIn = sql`from examform x join examrecord e on e.examcode = x.examcode join cuser c on c.cuserid = e.cuserid
  join muser m on m.musercode = e.musercode left join assesstask t on t.taskcode = e.taskcode`;

/** The conditions of the filters. A filter by result finds no sheet that waits for a guardian, because its rows would tell the result. */
function toConditions(filters: SheetFilters): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`x.status = 2`, sql`e.status = 2`, sql`c.isdeleted = 0`];
  const add = (value: unknown, condition: () => RawBuilder<SqlBool>) => {
    if (value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)) conditions.push(condition());
  };
  add(filters.cuserids, () => sql`e.cuserid = any(${[...(filters.cuserids ?? [])]}::text[])`);
  if (filters.appids) conditions.push(sql`e.appid = any(${[...filters.appids]}::text[])`);
  for (const key of ['musercode', 'appid', 'stagecode', 'taskcode', 'teamcode', 'gradecode', 'classname'] as const)
    add(filters[key], () => sql`${sql.ref(`e.${key}`)} = ${filters[key]}`);
  add(filters.plancode, () => sql`e.plancode = any(array${versionsOf(filters.plancode as string)})`);
  for (const key of ['provincecode', 'citycode', 'districtcode'] as const)
    add(filters[key], () => sql`${sql.ref(`m.${key}`)} = ${filters[key]}`);
  for (const key of ['year', 'term'] as const) add(filters[key], () => sql`${sql.ref(`t.${key}`)} = ${filters[key]}`);
  add(filters.schoolcode, () => sql`e.musercode = ${filters.schoolcode}`);
  add(
    filters.categorycode,
    () => sql`starts_with(e.orgpath, (select u.orgpath from muser u where u.musercode = ${filters.categorycode}))`,
  );
  add(filters.formcode, () => sql`x.formcode = ${filters.formcode}`);
  add(filters.gender, () => sql`c.gender = ${filters.gender}`);
  add(filters.agemin, () => sql`e.age >= ${filters.agemin}`);
  add(filters.agemax, () => sql`e.age <= ${filters.agemax}`);
  add(filters.begindate, () => sql`e.submittime >= ${fromShanghai(filters.begindate as string)}`);
  add(filters.enddate, () => sql`e.submittime < ${addDays(fromShanghai(filters.enddate as string), 1)}`);
  add(filters.username, () => sql`c.username like ${`%${escapeLike(filters.username as string)}%`}`);
  add(filters.keyword, () => matchesKeyword(filters.keyword as string, filters.phonehashes));
  const { levels, mentalstates, isabnormal, quotas = [] } = filters;
  if (levels?.length || mentalstates?.length || isabnormal !== undefined || quotas.length) conditions.push(sql`e.withheld = 0`);
  add(levels, () => sql`x.overalllevel = any(${levels}::smallint[])`);
  add(mentalstates, () => sql`e.mentalstate = any(${mentalstates}::smallint[])`);
  add(isabnormal, () => sql`e.isabnormal = ${isabnormal}`);
  for (const quota of quotas)
    conditions.push(
      sql`exists (select from examresult v where v.examcode = x.examcode and v.quotacode = ${quota.quotacode}
        and v.level = any(${quota.levels}::smallint[]))`,
    );
  return sql.join(conditions, sql` and `);
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');
const matchesKeyword = (keyword: string, phonehashes: string[] | undefined): RawBuilder<SqlBool> => {
  const prefix = `${escapeLike(keyword.toLowerCase())}%`;
  return sql`(c.username like ${`%${prefix}`} or c.initials like ${prefix} or c.pinyin like ${prefix} or c.cuserid = ${keyword}
    or c.phonehash = any (${phonehashes ?? []}::text[]) or exists (select from cuserarchive k
      where k.cuserid = c.cuserid and (k.studentno = ${keyword} or k.employeeno = ${keyword} or k.archiveno = ${keyword})))`;
};

/** The ids of a page of sheets, the newest first by default, and the number of all. */
export async function findSheetPage(
  scope: Scope,
  filters: SheetFilters & Pick<Request, 'page' | 'pageSize' | 'orderby' | 'isasc'>,
): Promise<{ total: number; examformids: number[] }> {
  const from = sql`${handedIn} where ${toConditions(filters)}`;
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const sortColumn = sql.ref((filters.orderby && sortable[filters.orderby]) || 'e.submittime');
  const { rows } = await sql<{ examformid: number; total: number }>`
    select x.examformid, (count(*) over ())::int as total ${from}
    order by ${sortColumn} ${direction} nulls last, x.examcode desc, x.ordernum ${limitOffset(filters)}`.execute(scope.db);
  const examformids = rows.map((row) => row.examformid);
  if (rows[0] || filters.page === 1) return { total: rows[0]?.total ?? 0, examformids };
  const { rows: totals } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db);
  return { total: totals[0]?.total ?? 0, examformids };
}

/** A sheet in an export, before its values are read. */
export interface SheetKey {
  examformid: number;
  cuserid: string;
  formcode: string;
  formname: string;
  formversion: string;
}
/** All sheets that the filters find: by questionnaire, then the newest first. */
export const findSheetKeys = async (scope: Scope, filters: SheetFilters): Promise<SheetKey[]> =>
  (
    await sql<SheetKey>`
      select x.examformid, x.cuserid, x.formcode, f.formname, x.formversion
      ${handedIn} join form f on f.formcode = x.formcode
      where ${toConditions(filters)}
      order by f.ordernum, x.formcode, e.submittime desc, x.examformid desc`.execute(scope.db)
  ).rows;

/** A handed-in sheet with its person. */
export interface SheetRow {
  examformid: number;
  examcode: string;
  cuserid: string;
  username: string;
  personno: string;
  gender: string;
  age: number | null;
  appid: string;
  musercode: string;
  insname: string;
  belongs: string;
  planname: string | null;
  stagecode: string | null;
  taskname: string | null;
  formcode: string;
  formname: string;
  formversion: string;
  iswithdrawn: number;
  submittime: Date;
  duration: number | null;
  valid: number | null;
  withheld: number;
  /** null without `needsAnswers`, for a withheld sheet, and when a case of the person suspects the reader of harm */
  answers: Answers | null;
  raw: FormResult | null;
}

/** The columns of a person in an exam `e`. */
const personColumns = sql`e.examcode, e.cuserid, c.username, coalesce(a.studentno, a.employeeno, a.checkupno, '') as personno,
  c.gender, e.age, e.appid, e.musercode, m.insname,
  coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname, '') as belongs,
  p.planname, e.stagecode, t.taskname, e.submittime`;
const joinPerson = sql`join cuser c on c.cuserid = e.cuserid join muser m on m.musercode = e.musercode
  left join plan p on p.plancode = e.plancode left join assesstask t on t.taskcode = e.taskcode
  left join cuserarchive a on a.cuserid = e.cuserid and a.appid = e.appid and a.iscurrent = 1`;

/** SQL: 1 for a sheet whose version was withdrawn. */
const isWithdrawn = sql<number>`(select count(*) from formversion v
  where v.formcode = x.formcode and v.version = x.formversion and v.status = 3)::int`;

/** The sheets with these ids, in the order of the ids. */
export async function findSheets(
  scope: Scope,
  examformids: readonly number[],
  { needsAnswers }: { needsAnswers: boolean },
): Promise<SheetRow[]> {
  const isReadable = sql`e.withheld = 0 and not exists (select from warning w where w.cuserid = e.cuserid and not ${isNotSuspect})`;
  const answers = needsAnswers
    ? sql`case when ${isReadable} then x.answers end as answers, case when ${isReadable} then x.raw end as raw`
    : sql`null as answers, null as raw`;
  const { rows } = await sql<SheetRow>`
    select x.examformid, ${personColumns}, x.formcode, f.formname, x.formversion, ${isWithdrawn} as iswithdrawn,
      e.duration, x.valid, e.withheld, ${answers}
    from examform x join form f on f.formcode = x.formcode join examrecord e on e.examcode = x.examcode ${joinPerson}
    where x.examformid = any(${[...examformids]}::bigint[])`.execute(scope.db);
  return inOrder(examformids, rows, (row) => row.examformid);
}

/** A score of a sheet. Row-level security leaves out the scores of withheld sheets. */
export interface ScoreRow {
  examformid: number;
  examcode: string;
  quotacode: string;
  score: number | null;
  level: number | null;
  levelname: string | null;
}
/** The scores of these sheets. */
export const findScores = async (scope: Scope, examformids: readonly number[]): Promise<ScoreRow[]> =>
  (
    await sql<ScoreRow>`select v.examformid, v.examcode, v.quotacode, v.score, v.level, v.levelname from examresult v
      where v.examformid = any(${[...examformids]}::bigint[])`.execute(scope.db)
  ).rows;
/** The scores of these exams. */
export const findScoresOfExams = async (scope: Scope, examcodes: readonly string[]): Promise<ScoreRow[]> =>
  (
    await sql<ScoreRow>`select v.examformid, v.examcode, v.quotacode, v.score, v.level, v.levelname from examresult v
      where v.examcode = any(${[...examcodes]}::text[])`.execute(scope.db)
  ).rows;

/** An indicator with its form. */
export interface QuotaRow {
  quotacode: string;
  formcode: string;
  formname: string;
  quotaname: string;
  domain: string;
  minscore: number | null;
  maxscore: number | null;
}
/** The indicators of these forms, in the order of the forms. */
export const findQuotas = async (scope: Scope, formcodes: readonly string[]): Promise<QuotaRow[]> =>
  (
    await sql<QuotaRow>`
      select q.quotacode, q.formcode, f.formname, q.quotaname, q.domain, q.minscore::float8 as minscore, q.maxscore::float8 as maxscore
      from quota q join form f on f.formcode = q.formcode
      where q.formcode = any(${[...formcodes]}::text[])
      order by f.ordernum, q.formcode, q.ordernum, q.quotacode`.execute(scope.db)
  ).rows;
/** The forms of these exams. */
export const findFormsOfExams = async (scope: Scope, examcodes: readonly string[]): Promise<string[]> =>
  (
    await sql<{
      formcode: string;
    }>`select distinct x.formcode from examform x where x.examcode = any(${[...examcodes]}::text[])`.execute(scope.db)
  ).rows.map((row) => row.formcode);

/** A report with its person. */
export interface ReportDetailRow extends Pick<
  SheetRow,
  | 'examcode'
  | 'cuserid'
  | 'username'
  | 'personno'
  | 'gender'
  | 'age'
  | 'appid'
  | 'insname'
  | 'belongs'
  | 'planname'
  | 'stagecode'
  | 'taskname'
  | 'submittime'
  | 'valid'
> {
  reportcode: string;
  mentalstate: number | null;
  isabnormal: number;
  status: number;
  isshow: number;
}
/** The reports with these codes, in the order of the codes. */
export async function findReportDetails(scope: Scope, reportcodes: readonly string[]): Promise<ReportDetailRow[]> {
  const { rows } = await sql<ReportDetailRow>`
    select r.reportcode, ${personColumns}, e.valid, e.mentalstate, e.isabnormal, r.status, r.isshow
    from report r join examrecord e on e.examcode = r.examcode ${joinPerson}
    where r.reportcode = any(${[...reportcodes]}::text[])`.execute(scope.db);
  return inOrder(reportcodes, rows, (row) => row.reportcode);
}

/** How many valid results of an indicator in one group have a level. */
export interface LevelCount {
  quotacode: string;
  kind: string;
  name: string;
  level: number;
  count: number;
}
/** Counts the valid results of these exams by indicator, group and level. */
export const countLevels = async (scope: Scope, exams: Expression<{ examcode: string }>): Promise<LevelCount[]> =>
  (
    await sql<LevelCount>`
      select v.quotacode, g.kind, g.name, v.level, count(*)::int as count
      from ${exams} s join examrecord e on e.examcode = s.examcode and e.valid = 1
        join muser m on m.musercode = e.musercode
        join examresult v on v.examcode = e.examcode and v.level is not null
        cross join lateral (values
          ('all', ''), ('institution', m.insname), ('grade', e.gradename),
          ('class', case when e.classname is not null then concat_ws(' ', e.gradename, e.classname) end),
          ('stage', e.appid || ' ' || e.stagecode), ('unit', e.unitname), ('gender', e.gender)) g (kind, name)
      where g.name is not null
      group by v.quotacode, g.kind, g.name, v.level`.execute(scope.db)
  ).rows;

/** The rows in the order of their keys. */
function inOrder<Key, Row>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}
