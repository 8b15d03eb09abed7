import { sql } from 'kysely';
import type { FhirCase, FhirConsult, FhirFollowUp } from '#features/fhir/resource/case.ts';
import type { FhirConsent, FhirInstitution } from '#features/fhir/resource/person.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect, isVisibleCare, isVisibleConsult } from '#server/security/suspect.ts';

/** The persons of a task. */
export const findRoster = async (scope: Scope, taskcode: string): Promise<string[]> =>
  (await scope.db.selectFrom('taskroster').select('cuserid').where('taskcode', '=', taskcode).orderBy('cuserid').execute()).map(
    ({ cuserid }) => cuserid,
  );

/** Those of these persons who are not deleted and belong to the populations (null: all). */
export async function findVisible(
  scope: Scope,
  cuserids: readonly string[],
  appids: readonly string[] | null,
): Promise<string[]> {
  const { rows } = await sql<{ cuserid: string }>`
    select c.cuserid from cuser c
    where c.cuserid = any(${[...cuserids]}::text[]) and c.isdeleted = 0
      and (${appids === null} or c.appid = any(${[...(appids ?? [])]}::text[]))
    order by c.cuserid`.execute(scope.db);
  return rows.map(({ cuserid }) => cuserid);
}

export interface PersonRow {
  cuserid: string;
  musercode: string;
  username: string;
  gender: string;
  birthday: string | null;
  archiveno: string | null;
  personno: string | null;
  phonesealed: string | null;
  address: string | null;
  districtcode: string | null;
}
export const findPersons = async (scope: Scope, cuserids: readonly string[]): Promise<PersonRow[]> =>
  (
    await sql<PersonRow>`
      select c.cuserid, c.musercode, c.username, c.gender, c.birthday::text as birthday, c.phonesealed, c.address, c.districtcode,
        a.archiveno, coalesce(a.studentno, a.employeeno, a.checkupno) as personno
      from cuser c left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1 and a.isdeleted = 0
      where c.cuserid = any(${[...cuserids]}::text[]) order by c.cuserid`.execute(scope.db)
  ).rows;

/** The institutions of these persons. */
export const findInstitutions = async (scope: Scope, cuserids: readonly string[]): Promise<FhirInstitution[]> =>
  (
    await sql<FhirInstitution>`
      select m.musercode, m.insname, m.parentmusercode from muser m
      where m.musercode in (select c.musercode from cuser c where c.cuserid = any(${[...cuserids]}::text[]))
      order by m.musercode`.execute(scope.db)
  ).rows;

export const findGuardians = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('guardian')
    .select(['guardianid', 'musercode', 'cuserid', 'name', 'relation', 'phonesealed'])
    .where('cuserid', 'in', [...cuserids])
    .where('isdeleted', '=', 0)
    .orderBy('guardianid')
    .execute();

export const findConsents = (scope: Scope, cuserids: readonly string[]): Promise<Omit<FhirConsent, 'scopename'>[]> =>
  scope.db
    .selectFrom('consent')
    .select(['consentid', 'cuserid', 'scope', 'consentversion', 'guardianid', 'agreed', 'agreetime', 'withdrawtime'])
    .where('cuserid', 'in', [...cuserids])
    .orderBy('consentid')
    .execute();

/** The reports that are made. */
export const findReports = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('report')
    .select(['reportcode', 'cuserid', 'examcode', 'title', 'status', 'createtime', 'conclusion'])
    .where('cuserid', 'in', [...cuserids])
    .where('isdeleted', '=', 0)
    .where('withheld', '=', 0)
    .where('status', 'in', [1, 2])
    .orderBy('reportcode')
    .execute();

/** The cases, without those that suspect the caller. */
export const findCases = async (scope: Scope, cuserids: readonly string[]): Promise<FhirCase[]> =>
  (
    await sql<FhirCase>`
      select w.warningcode, w.cuserid, w.level, m.sector, w.state, w.createtime, w.closetime, w.owneruserid, w.examcode
      from warning w join muser m on m.musercode = w.musercode
      where w.cuserid = any(${[...cuserids]}::text[]) and w.isdeleted = 0 and ${isNotSuspect} order by w.warningcode`.execute(
      scope.db,
    )
  ).rows;

export const findFollowUps = async (scope: Scope, warningcodes: readonly string[]): Promise<FhirFollowUp[]> =>
  (
    await sql<FhirFollowUp>`
      select f.followupid, f.cuserid, f.warningcode, f.duetime, f.method, f.status from followup f
      where f.warningcode = any(${[...warningcodes]}::text[]) and f.isdeleted = 0 and ${isVisibleCare}
      order by f.duetime, f.followupid`.execute(scope.db)
  ).rows;

export const findConsults = async (scope: Scope, cuserids: readonly string[]): Promise<FhirConsult[]> =>
  (
    await sql<FhirConsult>`
      select k.consultid, k.cuserid, k.status, k.consulttype, k.slotbegin, k.slotend, k.counsellor from consult k
      where k.cuserid = any(${[...cuserids]}::text[]) and ${isVisibleConsult}
      order by k.consultid`.execute(scope.db)
  ).rows;

/** The names of staff. */
export const findStaff = (scope: Scope, userids: readonly string[]) =>
  scope.db
    .selectFrom('sysuser')
    .select(['userid', 'realname'])
    .where('userid', 'in', [...userids])
    .orderBy('userid')
    .execute();
