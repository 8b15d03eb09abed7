import { sql } from 'kysely';
import { DEFAULT_LOCAL_DUTIES, type LocalDuties } from '#domain/warning/clock/caseduty.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';

/** The open cases of persons with the name of the person. `warningcode` is null for a case that suspects the caller. */
export const findOpenCasesOf = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('warning as w')
    .innerJoin('cuser as c', 'c.cuserid', 'w.cuserid')
    .select(['w.cuserid', 'c.username', sql<string | null>`case when ${isNotSuspect} then w.warningcode end`.as('warningcode')])
    .where('w.cuserid', 'in', cuserids.length ? cuserids : [''])
    .where('w.state', 'not in', ['07', '08'])
    .where('w.isdeleted', '=', 0)
    .orderBy('w.warningcode')
    .execute();

/** Enables or disables a person. */
export const setPersonEnabled = (scope: Scope, cuserid: string, enabled: number, updateby: string) =>
  scope.db
    .updateTable('cuser')
    .set({ enabled, updateby, updatetime: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where('cuserid', '=', cuserid)
    .execute();

/** Marks a person as 免测 in the tasks that are not over, unless the person has submitted. Returns the number of tasks. */
export async function exemptFromTasks(scope: Scope, cuserid: string, reason: string, reasonby: string): Promise<number> {
  const { rows } = await sql`
    update taskroster r set status = 3, reason = ${reason}, reasonby = ${reasonby}
    from assesstask t
    where t.taskcode = r.taskcode and t.status in (0, 1) and t.isdeleted = 0
      and r.cuserid = ${cuserid} and r.status in (0, 1, 3)
    returning r.taskcode`.execute(scope.db);
  return rows.length;
}

/** Takes a person who is enabled again off the rosters of open tasks, so that staff can add the person with a new authorisation. */
export const removeExemptions = (scope: Scope, cuserid: string, reason: string) =>
  sql`update taskroster r set status = 9
    from assesstask t
    where t.taskcode = r.taskcode and t.status in (0, 1) and t.isdeleted = 0
      and r.cuserid = ${cuserid} and r.status = 3 and r.reason = ${reason}`.execute(scope.db);

/** What 匿名化 of a person concerns. */
export async function findTraces(scope: Scope, cuserid: string) {
  const { rows } = await sql<{ exams: number; guardians: number; files: number }>`select
    (select count(*) from examrecord where cuserid = ${cuserid} and status = 2)::int as exams,
    (select count(*) from guardian where cuserid = ${cuserid} and isdeleted = 0)::int as guardians,
    (select count(*) from fileobj where cuserid = ${cuserid} and isdeleted = 0)::int as files`.execute(scope.db);
  return rows[0] ?? { exams: 0, guardians: 0, files: 0 };
}

/** The closed cases of a person with the time of closing. */
export const findClosedCases = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('warning as w')
    .select(['w.warningcode', 'w.closetime', 'w.updatetime'])
    .where('w.cuserid', '=', cuserid)
    .where('w.state', 'in', ['07', '08'])
    .where('w.isdeleted', '=', 0)
    .where(isNotSuspect)
    .orderBy('w.warningcode')
    .execute();

/** The years for which an institution keeps the record of a closed case. */
export async function findCaseYears(scope: Scope, musercode: string): Promise<number> {
  const row = await scope.db
    .selectFrom('setting')
    .select('value')
    .where('musercode', '=', musercode)
    .where('key', '=', 'localduties')
    .executeTakeFirst();
  return (row?.value as Partial<LocalDuties> | undefined)?.caseyears ?? DEFAULT_LOCAL_DUTIES.caseyears;
}

/** Erases the names, numbers, contacts, answers and texts of a person (db/schema/66_leaving.sql). */
export const anonymizePerson = (scope: Scope, cuserid: string, keepsince: Date, now: Date) =>
  sql`select access.anonymize_person(${cuserid}, ${keepsince}, ${now})`.execute(scope.db);
