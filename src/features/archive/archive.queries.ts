import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ArchiveFieldDef, ArchiveValue } from '#domain/person/archive.ts';
import { TERM_DAYS } from '#domain/person/gestation.ts';
import { limitOffset, toLikePattern, toLikePrefix } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { visibleRiskflag } from '#server/security/suspect.ts';
import { withheldSheets, type PersonListColumns } from '#features/cuser/cuser.queries.ts';
import type { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import type { OwnColumns } from '#features/archive/ownColumns.ts';
import { proposedStage } from '#features/archive/stage.queries.ts';

export type ArchiveFilters = Partial<z.output<(typeof getCUserArchivePageList)['request']>> & {
  /** the populations that the caller sees; null means all */
  appids: readonly string[] | null;
  phonehashes: string[] | undefined;
  today: string;
  own?: OwnColumns;
};

/** Class, unit or community of archive `a`. */
/** The number by which an institution knows the person. */
const ownNumber = sql<string>`coalesce(nullif(a.checkupno, ''), nullif(a.studentno, ''), nullif(a.employeeno, ''), a.archiveno)`;
const belongs = sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`;

const sortable: Record<string, string> = {
  username: 'c.pinyin',
  opendate: 'a.opendate',
  lastexamtime: 'c.lastexamtime',
  edcdate: `coalesce(a.edcdate, a.lmpdate + ${TERM_DAYS})`,
  archiveno: 'a.archiveno',
};

/** The person's number or name in a search. */
const matchesKeyword = (keyword: string, phonehashes: string[] | undefined): RawBuilder<SqlBool> => {
  const prefix = toLikePrefix(keyword);
  return sql`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix} or c.cuserid = ${keyword}
    or a.archiveno = ${keyword} or a.studentno = ${keyword} or a.employeeno = ${keyword}
    or a.checkupno = ${keyword} or c.phonehash = any (${phonehashes ?? []}::text[]))`;
};

/** Whether archive `a` has a value in an own field: a part of a text, one of several choices, else the value itself. */
function isOwnValue({ code, kind }: ArchiveFieldDef, value: string): RawBuilder<SqlBool> {
  if (kind === 'list') return sql`a.detail -> ${code} @> to_jsonb(${value}::text)`;
  if (kind === 'text') return sql`a.detail ->> ${code} ilike ${toLikePattern(value)}`;
  const values = kind === 'yesno' ? [value, value === '1' ? 'true' : 'false'] : [value];
  return sql`a.detail ->> ${code} = any(${values}::text[])`;
}

/** The conditions of the filters on archive `a` of person `c`. */
export function toArchiveConditions(filters: ArchiveFilters): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [sql`a.iscurrent = 1`, sql`a.isdeleted = 0`, sql`c.isdeleted = 0`];
  const add = (value: unknown, condition: () => RawBuilder<SqlBool>) => {
    if (value !== undefined && value !== '') conditions.push(condition());
  };
  const { today } = filters;
  if (filters.appids) conditions.push(sql`a.appid = any(${[...filters.appids]}::text[])`);
  add(filters.keyword, () => matchesKeyword(filters.keyword as string, filters.phonehashes));
  add(filters.appid, () => sql`a.appid = ${filters.appid}`);
  add(filters.musercode, () => sql`a.musercode = ${filters.musercode}`);
  add(filters.gender, () => sql`c.gender = ${filters.gender}`);
  add(filters.agemin, () => sql`c.birthday <= ${today}::date - make_interval(years => ${filters.agemin}::int)`);
  add(filters.agemax, () => sql`c.birthday > ${today}::date - make_interval(years => ${filters.agemax}::int + 1)`);
  add(filters.stagecode, () => sql`${proposedStage(today)} = ${filters.stagecode}`);
  add(filters.lastlevel, () => sql`c.lastlevel = ${filters.lastlevel}`);
  add(filters.riskflag, () => sql`${visibleRiskflag} = ${filters.riskflag}`);
  add(filters.archivestatus, () => sql`a.status = ${filters.archivestatus}`);
  add(filters.owneruserid, () => sql`c.owneruserid = ${filters.owneruserid}`);
  add(filters.edcfrom, () => sql`coalesce(a.edcdate, a.lmpdate + ${sql.lit(TERM_DAYS)}) >= ${filters.edcfrom}::date`);
  add(filters.edcto, () => sql`coalesce(a.edcdate, a.lmpdate + ${sql.lit(TERM_DAYS)}) <= ${filters.edcto}::date`);
  add(filters.gradecode, () => sql`a.gradecode = ${filters.gradecode}`);
  add(filters.classname, () => sql`a.classname = ${filters.classname}`);
  add(filters.unitname, () => sql`a.unitname = ${filters.unitname}`);
  add(
    filters.highrisk,
    () => sql`coalesce(a.detail ->> 'highrisk', '0') in ${filters.highrisk === 1 ? sql`('1', 'true')` : sql`('0', 'false')`}`,
  );
  add(filters.studystatus, () => sql`a.detail ->> 'status' = ${filters.studystatus}`);
  for (const field of ['deptname', 'jobtype', 'livewith', 'adl'] as const)
    add(filters[field], () => sql`a.detail ->> ${sql.lit(field)} = ${filters[field]}`);
  for (const { field, value } of filters.own?.conditions ?? [])
    conditions.push(sql`a.musercode = ${filters.own?.musercode}`, isOwnValue(field, value));
  return conditions;
}

/** The person and archive columns of a list row. */
export interface ArchiveListRow extends PersonListColumns {
  leftcount: number;
  stagecode: string | null;
  archiveid: number;
  archiveno: string;
  status: number;
  opendate: string;
  closedate: string | null;
  studentno: string | null;
  employeeno: string | null;
  gradename: string | null;
  classname: string | null;
  unitname: string | null;
  detail: Readonly<Record<string, ArchiveValue>>;
}

const rowColumns = (
  today: string,
) => sql`c.cuserid, c.username, c.gender, c.birthday, c.phonesealed, a.appid, a.musercode, m.insname,
  c.mentalstate, ${visibleRiskflag} as riskflag, c.focus, c.examcount, c.reportcount,
  (select coalesce(sum(g.frozen), 0)::int from cuserplan g
    where g.cuserid = c.cuserid and g.appid = a.appid and g.status = 1) as leftcount, c.lastlevel, c.lastexamtime, c.createtime,
  u.realname as ownername, ${proposedStage(today)} as stagecode, a.archiveid, a.archiveno, a.status, a.opendate, a.closedate,
  a.lmpdate, a.edcdate, a.deliverydate, a.studentno, a.employeeno, a.gradename, a.classname, a.unitname, a.detail,
  (exists (select from consent k
    where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1 and k.withdrawtime is null))::int as consentok,
  ${withheldSheets} as withheldcount`;
const joinNames = sql`join muser m on m.musercode = a.musercode left join sysuser u on u.userid = c.owneruserid`;

/** Finds a page of current archives; the newest come first unless `orderby` says otherwise. */
export async function findArchives(scope: Scope, filters: ArchiveFilters): Promise<{ total: number; rows: ArchiveListRow[] }> {
  const from = sql`from cuserarchive a join cuser c on c.cuserid = a.cuserid where ${sql.join(toArchiveConditions(filters), sql` and `)}`;
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const sorting = sql`order by ${sql.raw((filters.orderby && sortable[filters.orderby]) || 'c.createtime')} ${direction} nulls last,
    a.archiveid desc`;
  const page = { page: filters.page ?? 1, pageSize: filters.pageSize ?? 200 };
  const { rows } = await sql<ArchiveListRow & { total: number }>`
    with page as materialized (
      select a.archiveid, (count(*) over ())::int as total ${from} ${sorting} ${limitOffset(page)})
    select page.total, ${rowColumns(filters.today)}
    from page join cuserarchive a on a.archiveid = page.archiveid join cuser c on c.cuserid = a.cuserid ${joinNames}
    ${sorting}`.execute(scope.db);
  if (rows[0] || page.page === 1) return { total: rows[0]?.total ?? 0, rows };
  const { rows: totals } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db);
  return { total: totals[0]?.total ?? 0, rows };
}

/** An archive as the due list judges it. */
export interface DueRow {
  cuserid: string;
  username: string;
  pinyin: string;
  gender: string;
  birthday: string | null;
  appid: string;
  belongs: string;
  archiveno: string;
  number: string;
  opendate: string;
  lmpdate: string | null;
  edcdate: string | null;
  deliverydate: string | null;
  gradecode: string | null;
  ownername: string | null;
  lastexamtime: Date | null;
}

/** Finds the open archives of a population at one institution. */
export async function findOpenArchives(
  scope: Scope,
  { musercode, appid, keyword, phonehashes }: { musercode: string; appid: string; keyword?: string; phonehashes?: string[] },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select c.cuserid, c.username, c.pinyin, c.gender, c.birthday, a.appid, ${belongs} as belongs, a.archiveno, ${ownNumber} as number,
      a.opendate, a.lmpdate, a.edcdate, a.deliverydate, a.gradecode, u.realname as ownername, c.lastexamtime
    from cuserarchive a join cuser c on c.cuserid = a.cuserid left join sysuser u on u.userid = c.owneruserid
    where a.musercode = ${musercode} and a.appid = ${appid} and a.iscurrent = 1 and a.status = 1 and a.isdeleted = 0
      and c.isdeleted = 0 and c.enabled = 1 and c.deathtime is null
      ${keyword ? sql`and ${matchesKeyword(keyword, phonehashes)}` : sql``}
    order by a.archiveid`.execute(scope.db);
  return rows;
}

/** The stages that an institution has chosen for a population; undefined means all of them. */
export async function findChosenStages(scope: Scope, musercode: string, appid: string): Promise<string[] | undefined> {
  const rows = await scope.db
    .selectFrom('muserstage')
    .select('stagecode')
    .where('musercode', '=', musercode)
    .where('appid', '=', appid)
    .execute();
  return rows.length > 0 ? rows.map((row) => row.stagecode) : undefined;
}

/** The names of stages by app id and code; an institution's own name comes before the platform's. */
export async function findStageNames(scope: Scope): Promise<(appid: string, stagecode: string | null) => string> {
  const rows = await scope.db
    .selectFrom('examstage')
    .select(['appid', 'stagecode', 'stagename'])
    .where('isdeleted', '=', 0)
    .orderBy('isplatform', 'desc')
    .execute();
  const names = new Map(rows.map(({ appid, stagecode, stagename }) => [`${appid} ${stagecode}`, stagename]));
  return (appid, stagecode) =>
    stagecode === null ? '' : (names.get(`${appid} ${stagecode}`) ?? (stagecode === 'FC01' ? '复测' : stagecode));
}

/** One person with the current archive of a population. */
export async function findPersonArchive(
  scope: Scope,
  cuserid: string,
  appid: string | undefined,
  today: string,
): Promise<(ArchiveListRow & { belongs: string; enabled: number; anonymized: boolean; version: number }) | undefined> {
  const { rows } = await sql<ArchiveListRow & { belongs: string; enabled: number; anonymized: boolean; version: number }>`
    select ${rowColumns(today)}, ${belongs} as belongs, c.enabled, c.anonymizedtime is not null as anonymized, c.version
    from cuser c join cuserarchive a on a.cuserid = c.cuserid and a.appid = ${appid ?? sql.ref('c.appid')} and a.iscurrent = 1
      ${joinNames}
    where c.cuserid = ${cuserid} and c.isdeleted = 0`.execute(scope.db);
  return rows[0];
}

/** All archives of a person, the current ones first, then the newest. */
export const findAllArchives = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuserarchive')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .orderBy('iscurrent', 'desc')
    .orderBy('archiveid', 'desc')
    .execute();

/** The consents and refusals of a person, the newest first. */
export const findConsents = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('consent')
    .select(['consentid', 'scope', 'subject', 'method', 'agreed', 'consentversion', 'agreetime', 'withdrawtime'])
    .select(sql<boolean>`signaturefileid is not null`.as('hassignature'))
    .where('cuserid', '=', cuserid)
    .orderBy('agreetime', 'desc')
    .orderBy('consentid', 'desc')
    .limit(100)
    .execute();

/** The newest signed consent that was valid at a sheet of the person, or is valid now; undefined without one. */
export async function findSignature(scope: Scope, cuserid: string, examcode: string | undefined, now: Date) {
  const { rows } = await sql<{
    path: string;
    filename: string;
    mime: string;
    agreetime: Date;
    subject: string;
    consentversion: string;
  }>`
    select f.path, f.filename, f.mime, k.agreetime, k.subject, k.consentversion
    from consent k join fileobj f on f.fileid = k.signaturefileid and f.isdeleted = 0
      cross join lateral (select coalesce(
        (select e.starttime from examrecord e where e.examcode = ${examcode ?? null} and e.cuserid = k.cuserid), ${now}) as at) t
    where k.cuserid = ${cuserid} and k.agreed = 1 and k.agreetime <= t.at and (k.withdrawtime is null or k.withdrawtime > t.at)
    order by k.agreetime desc, k.consentid desc limit 1`.execute(scope.db);
  return rows[0];
}

/** An archive, locked. */
export const lockArchive = (scope: Scope, archiveid: number) =>
  scope.db
    .selectFrom('cuserarchive')
    .selectAll()
    .where('archiveid', '=', archiveid)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** The current archive of a person in a population, locked. */
export const lockCurrentArchive = (scope: Scope, cuserid: string, appid: string) =>
  scope.db
    .selectFrom('cuserarchive')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('appid', '=', appid)
    .where('iscurrent', '=', 1)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** Changes the state of an archive. */
export const changeArchiveState = (
  scope: Scope,
  archiveid: number,
  state: {
    status?: number;
    closedate?: string | null;
    closereason?: string | null;
    closenote?: string | null;
    iscurrent?: number;
  },
) =>
  scope.db
    .updateTable('cuserarchive')
    .set({ ...state, updatetime: sql<Date>`now()` })
    .where('archiveid', '=', archiveid)
    .execute();
