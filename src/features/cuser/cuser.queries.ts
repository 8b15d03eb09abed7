import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ArchiveValue } from '#domain/person/archive.ts';
import { limitOffset } from '#server/db/pagination.ts';
import { insertMany } from '#server/db/insertMany.ts';
import type { Scope } from '#server/db/scope.ts';
import { visibleRiskflag } from '#server/security/suspect.ts';
import type { getCUserPageList } from '#features/cuser/cuser.contract.ts';

type Filters = z.output<(typeof getCUserPageList)['request']> & {
  phonehashes: string[] | undefined;
  /** the populations that the caller sees; null or absent means all */
  appids?: readonly string[] | null;
  /** the caller's data scope is one institution; an index then has its persons in the order of the list */
  isOneInstitution?: boolean;
};

/** The filters on a person. */
export type PersonFilters = Partial<Omit<Filters, 'page' | 'pageSize'>>;

const sortable: Record<string, string> = {
  username: 'c.pinyin',
  createtime: 'c.createtime',
  lastexamtime: 'c.lastexamtime',
  mentalstate: 'c.mentalstate',
  examcount: 'c.examcount',
};

/** The columns of a person that every list with archives reads. */
export interface PersonListColumns {
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  appid: string;
  musercode: string;
  insname: string;
  mentalstate: number;
  riskflag: number;
  focus: number;
  examcount: number;
  reportcount: number;
  lastlevel: number | null;
  lastexamtime: Date | null;
  createtime: Date;
  ownername: string | null;
  lmpdate: string | null;
  edcdate: string | null;
  deliverydate: string | null;
  consentok: number;
  withheldcount: number;
}

/** How many sheets of person `c` wait for a consent; their scores and reports are hidden. */
export const withheldSheets = sql<number>`(
  select count(*)::int from examrecord e where e.cuserid = c.cuserid and e.status = 2 and e.withheld = 1)`;

/** A row of the lists of persons. */
export interface CUserRow extends PersonListColumns {
  version: number;
  studentno: string;
  belongs: string;
  guardianstate: number | null;
  enabled: number;
  anonymized: number;
}

/** The columns of `CUserRow` of person `c` with `joinPersonNames`. */
export const personColumns = sql`c.cuserid, c.username, c.gender, c.birthday, c.phonesealed, c.appid, c.musercode, m.insname,
  c.mentalstate, ${visibleRiskflag} as riskflag, c.focus,
  c.examcount, c.reportcount, c.lastlevel, c.lastexamtime, c.createtime, c.version,
  c.enabled, (c.anonymizedtime is not null)::int as anonymized,
  u.realname as ownername, coalesce(a.studentno, a.employeeno, a.checkupno, '') as studentno,
  a.lmpdate, a.edcdate, a.deliverydate,
  coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
  (exists (select from consent k
    where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1 and k.withdrawtime is null))::int as consentok,
  ${withheldSheets} as withheldcount,
  (select g.status from guardianconsent g where g.cuserid = c.cuserid) as guardianstate`;
/** The institution, the current archive and the owner of person `c`. */
export const joinPersonNames = sql`join muser m on m.musercode = c.musercode
  left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
  left join sysuser u on u.userid = c.owneruserid`;

/** Builds the SQL conditions of the filters. */
export function toPersonConditions(filters: PersonFilters): RawBuilder<SqlBool>[] {
  const { appid, gender, musercode, mentalstate, riskflag, focus, keyword, phonehashes, teamcode, notteamcode } = filters;
  const inTeam = (code: string) =>
    sql<SqlBool>`exists (select from teamroster r where r.cuserid = c.cuserid and r.teamcode = ${code} and r.status = 1)`;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (filters.appids) conditions.push(sql`c.appid = any(${[...filters.appids]}::text[])`);
  if (appid) conditions.push(sql`c.appid = ${appid}`);
  if (gender) conditions.push(sql`c.gender = ${gender}`);
  if (musercode) conditions.push(sql`c.musercode = ${musercode}`);
  if (mentalstate !== undefined) conditions.push(sql`c.mentalstate = ${mentalstate}`);
  if (riskflag !== undefined) conditions.push(sql`${visibleRiskflag} = ${riskflag}`);
  if (focus !== undefined) conditions.push(sql`c.focus = ${focus}`);
  if (filters.enabled !== undefined) conditions.push(sql`c.enabled = ${filters.enabled}`);
  if (teamcode) conditions.push(inTeam(teamcode));
  if (notteamcode) conditions.push(sql`not ${inTeam(notteamcode)}`);
  if (keyword) {
    const prefix = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(
      sql`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix}
        or c.cuserid = ${keyword} or exists (select from cuser b where b.mergedinto = c.cuserid and b.cuserid = ${keyword})
        or c.phonehash = any (${phonehashes ?? []}::text[])
        or exists (select from cuserarchive k
          where k.cuserid = c.cuserid and (k.studentno = ${keyword} or k.employeeno = ${keyword})))`,
    );
  }
  return conditions;
}

/** Finds a page of persons; the newest come first unless `orderby` says otherwise. */
export async function findCUsers(scope: Scope, filters: Filters): Promise<{ total: number; rows: CUserRow[] }> {
  const conditions = [sql<SqlBool>`c.isdeleted = 0`];
  if (filters.isOneInstitution) conditions.push(sql<SqlBool>`c.orgpath = (select access.path_from())`);
  conditions.push(...toPersonConditions(filters));
  const from = sql`from cuser c where ${sql.join(conditions, sql` and `)}`;
  const total = sql<number>`(select count(*)::int ${from})`;
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const sortColumn =
    filters.orderby === 'riskflag' ? visibleRiskflag : sql.raw((filters.orderby && sortable[filters.orderby]) || 'c.createtime');
  const sorting = sql`order by ${sortColumn} ${direction} nulls last, c.cuserid desc`;
  // The statement cuts the ids of the page first and then looks up the other columns for its rows only. A keyword search reads its
  // matches once, for the page and the total. A page after the last has no rows, so the total comes from the query below.
  const countExpression = filters.keyword ? sql`(count(*) over ())::int` : total;
  const query = sql<CUserRow & { total: number }>`
    with page as materialized (
      select c.cuserid, ${countExpression} as total ${from} ${sorting} ${limitOffset(filters)})
    select page.total, ${personColumns}
    from page join cuser c on c.cuserid = page.cuserid ${joinPersonNames}
    ${sorting}`;
  const { rows } = await query.execute(scope.db);
  if (rows[0] !== undefined) return { total: rows[0].total, rows };
  if (filters.page === 1) return { total: 0, rows };
  const { rows: totals } = await sql<{ total: number }>`select ${total} as total`.execute(scope.db);
  return { total: totals[0]?.total ?? 0, rows };
}

/** Takes the next numbers of persons and archives. With them, rows that refer to each other can be inserted in any order. */
export const takePersonNumbers = async (scope: Scope, count: number): Promise<{ person: number; archive: number }[]> =>
  count === 0
    ? []
    : (
        await sql<{ person: number; archive: number }>`
          select nextval('cuserid_seq') as person, nextval('archiveno_seq') as archive
          from generate_series(1, ${count}::int)`.execute(scope.db)
      ).rows;

/** A new row of `cuser`. */
export interface NewCUserRow {
  cuserid: string;
  musercode: string;
  appid: string;
  username: string;
  pinyin: string;
  initials: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  phonehash: string | null;
  idtype: string | null;
  idnohash: string | null;
  owneruserid: string | null;
  source: string;
  importjob: string | null;
  scanhash: string | null;
  createby: string;
}

/** Inserts rows of `cuser`. */
export const insertCUsers = (scope: Scope, rows: readonly NewCUserRow[]) => insertMany(scope, 'cuser', rows);

/** The archive values that have their own column, because queries search them. */
export interface ArchiveColumns {
  studentno: string | null;
  employeeno: string | null;
  eduphase: string | null;
  gradecode: string | null;
  gradename: string | null;
  classname: string | null;
  unitname: string | null;
  lmpdate: string | null;
  edcdate: string | null;
  deliverydate: string | null;
}
/** A new row of `cuserarchive`. */
export interface NewArchiveRow extends ArchiveColumns {
  cuserid: string;
  musercode: string;
  appid: string;
  archiveno: string;
  opendate: string;
  detail: Readonly<Record<string, ArchiveValue>>;
}
/** Inserts archives; returns their archiveids by cuserid. */
export const insertArchives = async (scope: Scope, rows: readonly NewArchiveRow[]): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (await insertMany(scope, 'cuserarchive', rows, ['cuserid', 'archiveid'])).map((row) => [
      String(row.cuserid),
      Number(row.archiveid),
    ]),
  );

/** Changes the columns and the detail of the current archive. */
export const changeArchive = (
  scope: Scope,
  cuserid: string,
  appid: string,
  columns: Record<string, string | null>,
  detail: string,
) =>
  scope.db
    .updateTable('cuserarchive')
    .set({ ...columns, detail, updatetime: sql<Date>`now()` })
    .where('cuserid', '=', cuserid)
    .where('appid', '=', appid)
    .where('iscurrent', '=', 1)
    .execute();

/** A new row of `guardian`. */
export interface NewGuardianRow {
  cuserid: string;
  musercode: string;
  name: string;
  relation: string;
  phonesealed: string | null;
  phonehash: string | null;
}
/** Inserts guardians; returns their guardianids. */
export const insertGuardians = async (scope: Scope, rows: readonly NewGuardianRow[]): Promise<number[]> =>
  (await insertMany(scope, 'guardian', rows, ['guardianid'])).map((row) => Number(row.guardianid));

/** Marks the guardians of a person as deleted. */
export const deleteGuardians = (scope: Scope, cuserid: string) =>
  scope.db.updateTable('guardian').set({ isdeleted: 1 }).where('cuserid', '=', cuserid).execute();

/** Finds a person who is not deleted. */
export const findCUser = (scope: Scope, cuserid: string) =>
  scope.db.selectFrom('cuser').selectAll().where('cuserid', '=', cuserid).where('isdeleted', '=', 0).executeTakeFirst();

/** Finds the current archive of a person in a population. */
export const findArchive = (scope: Scope, cuserid: string, appid: string) =>
  scope.db
    .selectFrom('cuserarchive')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('appid', '=', appid)
    .where('iscurrent', '=', 1)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/**
 * Finds the person of an institution whose current archive has this number. A number of a record that was merged into the person's counts,
 * too: its archive is closed as 重复建档.
 */
export const findNumberHolder = async (
  scope: Scope,
  musercode: string,
  code: 'studentno' | 'employeeno' | 'checkupno',
  value: string,
): Promise<{ cuserid: string; appid: string } | undefined> => {
  const { rows } = await sql<{ cuserid: string; appid: string }>`
    select a.cuserid, a.appid from cuserarchive a join cuser c on c.cuserid = a.cuserid
    where a.musercode = ${musercode} and ${sql.ref(`a.${code}`)} = ${value} and a.isdeleted = 0 and c.isdeleted = 0
      and (a.iscurrent = 1 or a.closereason = '06')
    order by a.iscurrent desc limit 1`.execute(scope.db);
  return rows[0];
};

/** Finds the person of an institution with this ID number, also by the number of a record that was merged into the person's. */
export const findIdHolder = async (
  scope: Scope,
  musercode: string,
  idnohashes: readonly string[],
): Promise<{ cuserid: string; appid: string } | undefined> => {
  const { rows } = await sql<{ cuserid: string; appid: string }>`
    select c.cuserid, c.appid from cuser b join cuser c on c.cuserid = coalesce(b.mergedinto, b.cuserid)
    where b.musercode = ${musercode} and b.idnohash = any (${[...idnohashes]}::text[]) and c.isdeleted = 0
    limit 1`.execute(scope.db);
  return rows[0];
};

/** Finds the guardians of a person, in the order of their creation. */
export const findGuardians = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('guardian')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .orderBy('guardianid')
    .execute();

/** Changes a person and returns the new version. */
export const changeCUser = (scope: Scope, cuserid: string, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('cuser')
    .set({ ...changes, updatetime: sql<Date>`now()` })
    .where('cuserid', '=', cuserid)
    .returning('version')
    .executeTakeFirstOrThrow();

/** Counts the exams of persons, without the voided ones (status 4). */
export const countExams = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('examrecord')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('cuserid', 'in', cuserids)
    .where('status', '<>', 4)
    .executeTakeFirstOrThrow();

/** Marks persons and their archives as deleted and ends their memberships; returns the deleted persons. */
export const removeCUsers = async (scope: Scope, cuserids: readonly string[]) => {
  await scope.db.updateTable('cuserarchive').set({ isdeleted: 1 }).where('cuserid', 'in', cuserids).execute();
  await scope.db.updateTable('teamroster').set({ status: 0 }).where('cuserid', 'in', cuserids).execute();
  return scope.db
    .updateTable('cuser')
    .set({ isdeleted: 1 })
    .where('cuserid', 'in', cuserids)
    .where('isdeleted', '=', 0)
    .returning('cuserid')
    .execute();
};
