import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import type { FirstStep } from '#features/workbench/workbench.contract.ts';

/** Returns which first steps of an institution are done. Institutions, teams and tasks count within the caller's reach. */
export async function findFirstSteps({ db }: Pick<Scope, 'db'>, musercode: string): Promise<Record<FirstStep, boolean>> {
  const { rows } = await sql<Record<FirstStep, boolean>>`
    select
      exists (select from muser m where m.parentmusercode = ${musercode} and m.isdeleted = 0
        and coalesce(m.settings -> 'opening' ->> 'step', 'done') = 'done') as "service.institutions",
      exists (select from dept d where d.musercode = ${musercode} and d.isdeleted = 0) as "organization.depts",
      exists (select from role r where r.musercode = ${musercode} and r.isdeleted = 0 and r.isbuiltin = 0)
        or exists (select from sysuserrole h join sysuser u on u.userid = h.userid
          where u.musercode = ${musercode} and u.isdeleted = 0) as "authority.roles",
      exists (select from sysuser u where u.musercode = ${musercode} and u.isdeleted = 0) as "organization.users",
      exists (select from assessteam t join teamroster r on r.teamcode = t.teamcode and r.status = 1
        where t.isdeleted = 0) as "group.teams",
      exists (select from assesstask k where k.isdeleted = 0) as "group.tasks"`.execute(db);
  return rows[0] as Record<FirstStep, boolean>;
}
