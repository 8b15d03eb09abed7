import { sql } from 'kysely';
import { AbsentReason } from '#domain/task/taskprogress.ts';
import type { Scope } from '#server/db/scope.ts';
import type { DutyPerson } from '#features/consent/guardian/guardianFacts.ts';

/** The consent of guardians by class, before and after the day of an assessment. */

/** A pupil of a class with what the duty of the guardian depends on. */
export interface ClassPupil extends DutyPerson {
  musercode: string;
  teamcode: string;
  teamname: string;
  cuserid: string;
  username: string;
  studentno: string;
  /** null: nothing was recorded yet */
  status: number | null;
  method: string | null;
  verifiedtime: Date | null;
  hasphone: boolean;
}

/** Finds the pupils of the classes of an institution, or of one class, in the order of classes and names. */
export const findClassPupils = async (scope: Scope, filter: { musercode?: string; teamcode?: string }): Promise<ClassPupil[]> =>
  (
    await sql<ClassPupil>`
      select t.musercode, t.teamcode, t.teamname, c.cuserid, c.username, c.appid, c.birthday,
        c.source, coalesce(a.studentno, '') as studentno, a.eduphase, g.status, g.method, g.verifiedtime,
        exists (select from guardian k where k.cuserid = c.cuserid and k.isdeleted = 0 and k.phonesealed is not null) as hasphone
      from assessteam t
        join teamroster r on r.teamcode = t.teamcode and r.status = 1
        join cuser c on c.cuserid = r.cuserid and c.isdeleted = 0 and c.enabled = 1
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
        left join guardianconsent g on g.cuserid = c.cuserid
      where t.isdeleted = 0 and t.teamtype = '01' and t.appid = '000000002'
        and ${filter.musercode === undefined ? sql`true` : sql`t.musercode = ${filter.musercode}`}
        and ${filter.teamcode === undefined ? sql`true` : sql`t.teamcode = ${filter.teamcode}`}
      order by t.sortname, t.teamcode, c.pinyin, c.cuserid`.execute(scope.db)
  ).rows;

/** Finds the members of a class, or those with a name, each with the encrypted telephones of the guardians. */
export const findByGuardian = async (scope: Scope, teamcode: string, username?: string) =>
  (
    await sql<{ cuserid: string; musercode: string; birthday: string | null; phones: string[] }>`
      select c.cuserid, c.musercode, c.birthday, array(
          select k.phonesealed from guardian k where k.cuserid = c.cuserid and k.isdeleted = 0 and k.phonesealed is not null) as phones
      from teamroster r
        join cuser c on c.cuserid = r.cuserid and c.isdeleted = 0 and c.enabled = 1
      where r.teamcode = ${teamcode} and r.status = 1 and ${username === undefined ? sql`true` : sql`c.username = ${username}`}`.execute(
      scope.db,
    )
  ).rows;

/** Opens a decided consent again, so that the guardian can decide otherwise. */
export const reopenGuardianConsent = (scope: Scope, cuserid: string) =>
  scope.db
    .updateTable('guardianconsent')
    .set({ status: 0 })
    .where('cuserid', '=', cuserid)
    .where('status', 'in', [1, 2])
    .execute();

/** Whether an institution stores answers or an own consent of a person. */
export const hasPersonalRecords = async (scope: Scope, cuserid: string): Promise<boolean> =>
  (
    await sql<{ has: boolean }>`
      select exists (select from examrecord where cuserid = ${cuserid} and status <> 4)
        or exists (select from consent where cuserid = ${cuserid} and subject = '01' and withdrawtime is null) as has`.execute(
      scope.db,
    )
  ).rows[0]?.has === true;

/** 免测: excuses a person from the tasks that the person has not submitted, because the guardian refuses. */
export const excuseByGuardian = (scope: Scope, cuserid: string) =>
  scope.db
    .updateTable('taskroster')
    .set({ status: 3, reason: AbsentReason.guardian, reasonby: 'guardian' })
    .where('cuserid', '=', cuserid)
    .where('status', 'in', [0, 1])
    .execute();

/** The guardian agrees after a refusal: the person may answer the running tasks whose counts are still reserved. */
export const endExcuseByGuardian = (scope: Scope, cuserids: readonly string[]) =>
  sql`update taskroster r
    set status = case when r.examcode is null then 0 else 1 end, reason = null, reasonby = null
    where r.cuserid = any(${[...cuserids]}::text[]) and r.status = 3 and r.reason = ${AbsentReason.guardian}
      and exists (select from cuserplan g where g.taskcode = r.taskcode and g.cuserid = r.cuserid and g.status = 1)`.execute(
    scope.db,
  );
