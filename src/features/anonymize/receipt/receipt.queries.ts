import { sql } from 'kysely';
import type { ErasureCounts, ErasureReceipt } from '#domain/retention/receipt.ts';
import type { Scope } from '#server/db/scope.ts';
import { isVisibleCare, isVisibleConsult } from '#server/security/suspect.ts';

/** Counts what an erasure of a person and of the records merged into it would find. Care in `keptcases` stays. */
export async function countTraces(scope: Scope, cuserid: string, keptcases: readonly string[]): Promise<ErasureCounts> {
  const mine = sql`(select cuserid from records)`;
  const isKept = (warningcode: string) => sql`coalesce(${sql.ref(warningcode)} = any(${[...keptcases]}::text[]), false)`;
  const { rows } = await sql<ErasureCounts>`
    with recursive records as (
      select ${cuserid}::text as cuserid
      union
      select c.cuserid from cuser c join records r on c.mergedinto = r.cuserid)
    select (select count(*) from records)::int as records,
      (select count(*) from guardian where cuserid in ${mine} and isdeleted = 0)::int as guardians,
      (select count(*) from fileobj f where f.cuserid in ${mine} and f.isdeleted = 0 and not exists (
        select from casefile t where t.fileid = f.fileid and ${isKept('t.warningcode')}))::int as files,
      (select count(*) from examform where cuserid in ${mine} and answers <> '{}')::int as sheets,
      (select count(*) from report where cuserid in ${mine} and isdeleted = 0)::int as reports,
      (select count(*) from consult k
        where k.cuserid in ${mine} and ${isVisibleConsult} and not ${isKept('k.warningcode')})::int as consults,
      ((select count(*) from followup f
          where f.cuserid in ${mine} and f.isdeleted = 0 and ${isVisibleCare} and not ${isKept('f.warningcode')})
        + (select count(*) from interfere f
          where f.cuserid in ${mine} and f.isdeleted = 0 and ${isVisibleCare} and not ${isKept('f.warningcode')}))::int as care,
      (select count(*) from teamroster where cuserid in ${mine} and status = 1)::int as teams,
      (select count(*) from examrecord where cuserid in ${mine} and ip is not null)::int as addresses,
      (select count(*) from examrecord where cuserid in ${mine} and status = 2)::int as exams,
      ((select count(*) from consent where cuserid in ${mine})
        + (select count(*) from withdrawal where cuserid in ${mine}))::int as consents,
      (select count(*) from audit.log where cuserids && array(select cuserid from records))::int as looks,
      (select count(*) from assesscountlog where cuserid in ${mine})::int as ledger`.execute(scope.db);
  return rows[0] as ErasureCounts;
}

/** Keeps the receipt with the request. */
export const saveReceipt = (scope: Scope, anonymizationid: number, receipt: ErasureReceipt) =>
  scope.db
    .updateTable('anonymization')
    .set({ receipt: JSON.stringify(receipt) })
    .where('anonymizationid', '=', anonymizationid)
    .execute();

/** The receipt of the erasure of a person; undefined without one. */
export const findReceipt = async (scope: Scope, cuserid: string) =>
  (
    await sql<{ anonymizationid: number; insname: string; asktime: Date; answertime: Date; receipt: ErasureReceipt }>`
      select a.anonymizationid, m.insname, a.asktime, a.answertime, a.receipt
      from anonymization a join muser m on m.musercode = a.musercode
      where a.cuserid = ${cuserid} and a.status = '02' and a.receipt is not null
      order by a.anonymizationid desc limit 1`.execute(scope.db)
  ).rows[0];
