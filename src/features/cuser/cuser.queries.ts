import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { cut } from '#server/db/page.ts';
import type { Scope } from '#server/scope.ts';
import type { getCUserPageList } from '#features/cuser/cuser.contract.ts';

type Filters = z.output<(typeof getCUserPageList)['request']> & {
  phonehash: string | undefined;
  /** the caller's reach is one institution: its persons stand in an index in the order of the list */
  alone?: boolean;
};

const sortable: Record<string, string> = {
  username: 'c.pinyin',
  createtime: 'c.createtime',
  lastexamtime: 'c.lastexamtime',
  mentalstate: 'c.mentalstate',
  riskflag: 'c.riskflag',
  examcount: 'c.examcount',
};

/** A page of persons; the newest first unless asked otherwise. */
export async function findCUsers(scope: Scope, filters: Filters) {
  const { keyword, phonehash, teamcode, notteamcode } = filters;
  let query = scope.db.selectFrom('cuser as c').where('c.isdeleted', '=', sql.lit(0));
  if (filters.alone) query = query.where(sql<SqlBool>`c.orgpath = (select auth.lo())`);
  if (filters.appid) query = query.where('c.appid', '=', filters.appid);
  if (filters.gender) query = query.where('c.gender', '=', filters.gender);
  if (filters.musercode) query = query.where('c.musercode', '=', filters.musercode);
  if (filters.mentalstate !== undefined) query = query.where('c.mentalstate', '=', filters.mentalstate);
  if (filters.riskflag !== undefined) query = query.where('c.riskflag', '=', filters.riskflag);
  if (filters.focus !== undefined) query = query.where('c.focus', '=', filters.focus);
  if (teamcode)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('teamroster as r')
          .select('r.cuserid')
          .whereRef('r.cuserid', '=', 'c.cuserid')
          .where('r.teamcode', '=', teamcode)
          .where('r.status', '=', 1),
      ),
    );
  if (notteamcode)
    query = query.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('teamroster as r')
            .select('r.cuserid')
            .whereRef('r.cuserid', '=', 'c.cuserid')
            .where('r.teamcode', '=', notteamcode)
            .where('r.status', '=', 1),
        ),
      ),
    );
  if (keyword) {
    const starts = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(c.username like ${'%' + starts} or c.initials like ${starts} or c.pinyin like ${starts} or c.cuserid = ${keyword} or c.phonehash = ${phonehash ?? ''}
        or exists (select from cuserarchive k where k.cuserid = c.cuserid and (k.studentno = ${keyword} or k.employeeno = ${keyword})))`,
    );
  }
  const counted = query.select((eb) => eb.fn.countAll<number>().as('total'));
  // The page is cut before anything is looked up for it, and comes with the total; a page behind the end has none.
  const page = await query
    .select(['c.cuserid', sql<number>`(${counted})::int`.as('total')])
    .orderBy(sql.ref((filters.orderby && sortable[filters.orderby]) || 'c.createtime'), (order) =>
      filters.isasc === '1' ? order.asc().nullsLast() : order.desc().nullsLast(),
    )
    .orderBy('c.cuserid', 'desc')
    .$call(cut(filters))
    .execute();
  if (page[0] === undefined) return { total: filters.page === 1 ? 0 : (await counted.executeTakeFirstOrThrow()).total, rows: [] };
  const { total } = page[0];
  const codes = page.map((row) => row.cuserid);
  const found = await scope.db
    .selectFrom('cuser as c')
    .where(sql<SqlBool>`c.cuserid = any (${codes}::text[])`)
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .leftJoin('cuserarchive as a', (join) => join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid'))
    .leftJoin('sysuser as u', 'u.userid', 'c.owneruserid')
    .select([
      'c.cuserid',
      'c.username',
      'c.gender',
      'c.birthday',
      'c.phonesealed',
      'c.appid',
      'c.musercode',
      'm.insname',
      'c.mentalstate',
      'c.riskflag',
      'c.focus',
      'c.examcount',
      'c.reportcount',
      'c.lastlevel',
      'c.lastexamtime',
      'c.createtime',
      'c.version',
      'u.realname as ownername',
      sql<string>`coalesce(a.studentno, a.employeeno, '')`.as('studentno'),
      sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`.as('belongs'),
      sql<number>`case when exists (select from consent k where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1 and k.withdrawtime is null) then 1 else 0 end`.as(
        'consentok',
      ),
    ])
    .execute();
  const byCode = new Map(found.map((row) => [row.cuserid, row]));
  return { total, rows: codes.flatMap((code) => byCode.get(code) ?? []) };
}

export interface NewPerson {
  musercode: string;
  appid: string;
  username: string;
  pinyin: string;
  initials: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  phonehash: string | null;
  owneruserid?: string | null;
  source?: string;
  importjob?: string | null;
  /** stands for the browser tab of somebody without a name */
  scanhash?: string | null;
  createby: string;
}
export const addCUser = (scope: Scope, person: NewPerson) =>
  scope.db.insertInto('cuser').values(person).returning('cuserid').executeTakeFirstOrThrow();

/** Archive number: last digit of the population, year, six digits. */
export const addArchive = (
  scope: Scope,
  archive: {
    cuserid: string;
    musercode: string;
    appid: string;
    opendate: string;
    columns: Record<string, string | null>;
    detail: string;
  },
) =>
  scope.db
    .insertInto('cuserarchive')
    .values({
      cuserid: archive.cuserid,
      musercode: archive.musercode,
      appid: archive.appid,
      opendate: archive.opendate,
      archiveno: sql<string>`${archive.appid.slice(-1) + archive.opendate.slice(0, 4)} || lpad(nextval('archiveno_seq')::text, 6, '0')`,
      detail: archive.detail,
      ...archive.columns,
    })
    .returning(['archiveid', 'archiveno'])
    .executeTakeFirstOrThrow();

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

export const addGuardians = (
  scope: Scope,
  rows: {
    cuserid: string;
    musercode: string;
    name: string;
    relation: string;
    phonesealed: string | null;
    phonehash: string | null;
  }[],
) => (rows.length ? scope.db.insertInto('guardian').values(rows).execute() : Promise.resolve([]));
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
