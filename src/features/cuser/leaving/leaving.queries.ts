import { sql } from 'kysely';
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
