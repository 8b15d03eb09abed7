import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The rows that a merge looks at before it changes them. */

/** Appointments and letters that are still open in a case. */
export const findOpenWork = async (scope: Scope, warningcode: string) =>
  (
    await sql<{ table: 'followup' | 'referral'; key: string; id: number }>`
      select 'followup' as table, 'followupid' as key, followupid as id from followup
      where warningcode = ${warningcode} and status in ('01', '03') and isdeleted = 0
      union all
      select 'referral', 'referralid', referralid from referral where warningcode = ${warningcode} and status = '01'`.execute(
      scope.db,
    )
  ).rows;

/** The open duties of a case, each with the equal open duty of the other case. */
export const findOpenDuties = async (scope: Scope, from: string, to: string) =>
  (
    await sql<{ dutyid: number; twin: number | null; isearlier: boolean; duetime: string }>`
      select d.dutyid, k.dutyid as twin, coalesce(d.duetime < k.duetime, false) as isearlier, to_jsonb(d.duetime) #>> '{}' as duetime
      from warningduty d left join lateral (
        select t.dutyid, t.duetime from warningduty t
        where t.warningcode = ${to} and t.kind = d.kind and t.title = d.title and t.donetime is null limit 1) k on true
      where d.warningcode = ${from} and d.donetime is null order by d.dutyid`.execute(scope.db)
  ).rows;

/** The triggers in the log of a case. */
export const findTriggers = async (scope: Scope, warningcode: string) =>
  (
    await sql<{ content: string; trigger: Record<string, unknown> }>`
      select content, detail->'trigger' as trigger from warninglog
      where warningcode = ${warningcode} and detail ? 'trigger' order by seq`.execute(scope.db)
  ).rows;

/** The records that were merged into a record before. */
export const findMergedInto = async (scope: Scope, cuserid: string): Promise<string[]> =>
  (await scope.db.selectFrom('cuser').select('cuserid').where('mergedinto', '=', cuserid).orderBy('cuserid').execute()).map(
    (row) => row.cuserid,
  );

/** The populations in which both records have a current archive. The closed archive gives way to the open one. */
export const findSharedArchives = async (scope: Scope, from: string, to: string) =>
  (
    await sql<{ fromid: number; toid: number; isfromkept: boolean }>`
      select f.archiveid as fromid, t.archiveid as toid, t.status = 2 and f.status = 1 as isfromkept
      from cuserarchive f join cuserarchive t on t.cuserid = ${to} and t.appid = f.appid and t.iscurrent = 1 and t.isdeleted = 0
      where f.cuserid = ${from} and f.iscurrent = 1 and f.isdeleted = 0
      order by f.archiveid`.execute(scope.db)
  ).rows;

/** The consents of guardians to two records: who must agree, and whether they have. */
export const findGuardianConsents = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('guardianconsent')
    .select(['guardianconsentid', 'status'])
    .where('cuserid', 'in', [...cuserids])
    .where('kind', '=', '01')
    .execute();

/** The sheets of a person that wait for the guardian. */
export const findHiddenSheets = async (scope: Scope, cuserid: string) =>
  (
    await sql<{ examcode: string; hasresults: boolean; hasreport: boolean }>`
      select e.examcode, exists (select from examresult r where r.examcode = e.examcode) as hasresults,
        exists (select from report r where r.examcode = e.examcode) as hasreport
      from examrecord e where e.cuserid = ${cuserid} and e.withheld = 1`.execute(scope.db)
  ).rows;
