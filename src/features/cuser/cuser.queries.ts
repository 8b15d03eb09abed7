import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ArchiveValue } from '#domain/person/archive.ts';
import { limitOffset } from '#server/db/pagination.ts';
import { insertMany } from '#server/db/insertMany.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getCUserPageList } from '#features/cuser/cuser.contract.ts';

type Filters = z.output<(typeof getCUserPageList)['request']> & {
  phonehash: string | undefined;
  /** the caller's reach is one institution: its persons stand in an index in the order of the list */
  alone?: boolean;
  /** every person of the caller's reach is within it */
  everybody?: boolean;
};

const sortable: Record<string, string> = {
  username: 'c.pinyin',
  createtime: 'c.createtime',
  lastexamtime: 'c.lastexamtime',
  mentalstate: 'c.mentalstate',
  riskflag: 'c.riskflag',
  examcount: 'c.examcount',
};

interface CUserRow {
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
  version: number;
  ownername: string | null;
  studentno: string;
  belongs: string;
  consentok: number;
}

function conditionsOf(filters: Filters): RawBuilder<SqlBool>[] {
  const { appid, gender, musercode, mentalstate, riskflag, focus, keyword, phonehash, teamcode, notteamcode } = filters;
  const inTeam = (code: string) =>
    sql<SqlBool>`exists (select from teamroster r where r.cuserid = c.cuserid and r.teamcode = ${code} and r.status = 1)`;
  const parts: RawBuilder<SqlBool>[] = [];
  if (appid) parts.push(sql`c.appid = ${appid}`);
  if (gender) parts.push(sql`c.gender = ${gender}`);
  if (musercode) parts.push(sql`c.musercode = ${musercode}`);
  if (mentalstate !== undefined) parts.push(sql`c.mentalstate = ${mentalstate}`);
  if (riskflag !== undefined) parts.push(sql`c.riskflag = ${riskflag}`);
  if (focus !== undefined) parts.push(sql`c.focus = ${focus}`);
  if (teamcode) parts.push(inTeam(teamcode));
  if (notteamcode) parts.push(sql`not ${inTeam(notteamcode)}`);
  if (keyword) {
    const starts = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    parts.push(
      sql`(c.username like ${'%' + starts} or c.initials like ${starts} or c.pinyin like ${starts}
        or c.cuserid = ${keyword} or c.phonehash = ${phonehash ?? ''}
        or exists (select from cuserarchive k where k.cuserid = c.cuserid and (k.studentno = ${keyword} or k.employeeno = ${keyword})))`,
    );
  }
  return parts;
}

/** A page of persons; the newest first unless asked otherwise. */
export async function findCUsers(scope: Scope, filters: Filters): Promise<{ total: number; rows: CUserRow[] }> {
  const parts = conditionsOf(filters);
  const alone = filters.alone ? [sql<SqlBool>`c.orgpath = (select access.path_from())`] : [];
  const from = sql`from cuser c where ${sql.join([sql<SqlBool>`c.isdeleted = 0`, ...alone, ...parts], sql` and `)}`;
  const total = sql<number>`(select count(*)::int ${from})`;
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const column = sql.raw((filters.orderby && sortable[filters.orderby]) || 'c.createtime');
  const sorting = sql`order by ${column} ${direction} nulls last, c.cuserid desc`;
  // The page is cut before anything is looked up for it, and comes with the total; a page behind the end has none. What stands on earlier
  // pages, or is only sorted, is passed over in the index; the first page of one institution takes its rows as it goes. Whoever is looked
  // for by a word is read once for both.
  const page =
    filters.alone && filters.page === 1 && !filters.keyword
      ? sql`page as materialized (select c.*, ${total} as total ${from} ${sorting} ${limitOffset(filters)})`
      : sql`cut as materialized (select c.cuserid,
        ${filters.keyword ? sql`(count(*) over ())::int` : total} as total ${from} ${sorting} ${limitOffset(filters)}),
        page as (select c.*, k.total from cut k join cuser c on c.cuserid = k.cuserid)`;
  const query = sql<CUserRow & { total: number }>`with ${page}
    select c.total, c.cuserid, c.username, c.gender, c.birthday, c.phonesealed, c.appid, c.musercode, m.insname,
      c.mentalstate, c.riskflag, c.focus, c.examcount, c.reportcount,
      c.lastlevel, c.lastexamtime, c.createtime, c.version, u.realname as ownername, coalesce(a.studentno, a.employeeno, '') as studentno,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      (exists (select from consent k where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1
      and k.withdrawtime is null))::int as consentok
    from page c join muser m on m.musercode = c.musercode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid left join sysuser u on u.userid = c.owneruserid
    ${sorting}`;
  const { rows } = await query.execute(scope.db);
  if (rows[0] !== undefined) return { total: rows[0].total, rows };
  if (filters.page === 1) return { total: 0, rows };
  const { rows: counted } = await sql<{ total: number }>`select ${total} as total`.execute(scope.db);
  return { total: counted[0]?.total ?? 0, rows };
}

/** The next numbers of persons and of archives, so that rows which refer to each other can be written together. */
export const takePersonNumbers = async (scope: Scope, count: number): Promise<{ person: number; archive: number }[]> =>
  count === 0
    ? []
    : (
        await sql<{ person: number; archive: number }>`
          select nextval('cuserid_seq') as person, nextval('archiveno_seq') as archive from generate_series(1, ${count}::int)`.execute(
          scope.db,
        )
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
  owneruserid: string | null;
  source: string;
  importjob: string | null;
  scanhash: string | null;
  createby: string;
}
export const insertCUsers = (scope: Scope, rows: readonly NewCUserRow[]) => insertMany(scope, 'cuser', rows);

/** The archive values that are searched and have a column of their own. */
export interface ArchiveColumns {
  studentno: string | null;
  employeeno: string | null;
  eduphase: string | null;
  gradecode: string | null;
  gradename: string | null;
  classname: string | null;
  unitname: string | null;
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
/** Inserts archives; answers their numbers by person. */
export const insertArchives = async (scope: Scope, rows: readonly NewArchiveRow[]): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (await insertMany(scope, 'cuserarchive', rows, ['cuserid', 'archiveid'])).map((row) => [
      String(row.cuserid),
      Number(row.archiveid),
    ]),
  );

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
/** Adds guardians; answers their numbers. */
export const insertGuardians = async (scope: Scope, rows: readonly NewGuardianRow[]): Promise<number[]> =>
  (await insertMany(scope, 'guardian', rows, ['guardianid'])).map((row) => Number(row.guardianid));
export const dropGuardians = (scope: Scope, cuserid: string) =>
  scope.db.updateTable('guardian').set({ isdeleted: 1 }).where('cuserid', '=', cuserid).execute();

export const findCUser = (scope: Scope, cuserid: string) =>
  scope.db.selectFrom('cuser').selectAll().where('cuserid', '=', cuserid).where('isdeleted', '=', 0).executeTakeFirst();
export const findArchive = (scope: Scope, cuserid: string, appid: string) =>
  scope.db
    .selectFrom('cuserarchive')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('appid', '=', appid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
export const findGuardians = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('guardian')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .orderBy('guardianid')
    .execute();

/** Writes changes when nobody else did meanwhile; answers the new version, or undefined. */
export const changeCUser = (scope: Scope, cuserid: string, version: number, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('cuser')
    .set({ ...changes, version: version + 1, updatetime: sql<Date>`now()` })
    .where('cuserid', '=', cuserid)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();

export const countExams = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('examrecord')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('cuserid', 'in', cuserids)
    .where('status', '<>', 4)
    .executeTakeFirstOrThrow();
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
