import { sql, type SqlBool } from 'kysely';
import type { ArchiveValue } from '#domain/person/archive.ts';
import type { Scope } from '#server/db/scope.ts';
import { visibleRiskflag } from '#server/security/suspect.ts';
import { toArchiveConditions, type ArchiveFilters } from '#features/archive/archive.queries.ts';
import { toPersonConditions, type PersonFilters } from '#features/cuser/cuser.queries.ts';

/** The filters of both lists of persons. */
export type SheetFilters = ArchiveFilters & Omit<PersonFilters, 'appids' | 'appid' | 'keyword'>;

/** An archive in the export, before its values are read. */
export interface ArchiveKey {
  archiveid: number;
  cuserid: string;
  appid: string;
}

/** The current archives that the filters find: by population, then the newest person first. */
export async function findArchiveKeys(scope: Scope, filters: SheetFilters): Promise<ArchiveKey[]> {
  const { mentalstate, focus, enabled, teamcode, notteamcode } = filters;
  const conditions = [
    ...toArchiveConditions(filters),
    ...toPersonConditions({ mentalstate, focus, enabled, teamcode, notteamcode }),
  ];
  const { rows } = await sql<ArchiveKey>`
    select a.archiveid, a.cuserid, a.appid from cuserarchive a join cuser c on c.cuserid = a.cuserid
    where ${sql.join<SqlBool>(conditions, sql` and `)}
    order by a.appid, c.createtime desc, a.archiveid desc`.execute(scope.db);
  return rows;
}

/** A person with one archive. */
export interface PersonSheetRow {
  archiveid: number;
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
  lastexamtime: Date | null;
  createtime: Date;
  ownername: string | null;
  owneraccount: string | null;
  archiveno: string;
  studentno: string | null;
  employeeno: string | null;
  eduphase: string | null;
  gradename: string | null;
  classname: string | null;
  unitname: string | null;
  lmpdate: string | null;
  edcdate: string | null;
  deliverydate: string | null;
  detail: Readonly<Record<string, ArchiveValue>>;
  guardianname: string | null;
  guardianrelation: string | null;
  guardianphonesealed: string | null;
}

/** The persons of these archives, in the order of the ids. */
export async function findPersonRows(scope: Scope, archiveids: readonly number[]): Promise<PersonSheetRow[]> {
  const { rows } = await sql<PersonSheetRow>`
    select a.archiveid, a.cuserid, c.username, c.gender, c.birthday, c.phonesealed, a.appid, a.musercode, m.insname,
      c.mentalstate, ${visibleRiskflag} as riskflag, c.focus, c.examcount, c.lastexamtime, c.createtime,
      u.realname as ownername, u.sysusername as owneraccount, a.archiveno, a.studentno, a.employeeno, a.eduphase, a.gradename,
      a.classname, a.unitname, a.lmpdate, a.edcdate, a.deliverydate, a.detail,
      g.name as guardianname, g.relation as guardianrelation, g.phonesealed as guardianphonesealed
    from cuserarchive a join cuser c on c.cuserid = a.cuserid join muser m on m.musercode = a.musercode
      left join sysuser u on u.userid = c.owneruserid
      left join lateral (select k.name, k.relation, k.phonesealed from guardian k
        where k.cuserid = a.cuserid and k.isdeleted = 0 order by k.iscontact desc, k.guardianid limit 1) g on true
    where a.archiveid = any(${[...archiveids]}::bigint[])`.execute(scope.db);
  const byId = new Map(rows.map((row) => [row.archiveid, row]));
  return archiveids.flatMap((archiveid) => byId.get(archiveid) ?? []);
}
