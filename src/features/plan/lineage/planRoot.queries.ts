import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** SQL: the lineage of a plan, which is the key of its wallet; the code itself when no plan that the caller sees has it. */
export const planRoot = (plancode: string) =>
  sql<string>`coalesce((select r.planroot from plan r where r.plancode = ${plancode}), ${plancode})`;

/** SQL: the codes of all versions of a plan. */
export const versionsOf = (plancode: string) =>
  sql<string>`(select r.plancode from plan r where r.planroot = ${planRoot(plancode)} union select ${plancode})`;

/** Returns the lineage of a plan; '*' and unknown codes stay as they are. */
export async function findPlanRoot(scope: Scope, plancode: string): Promise<string> {
  const { rows } = await sql<{ planroot: string }>`select ${planRoot(plancode)} as planroot`.execute(scope.db);
  return rows[0]?.planroot ?? plancode;
}
