import { sql } from 'kysely';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { authorizePersons } from '#features/assesscount/authorizations/authorizePersons.ts';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import type { StaffContext } from '#features/warning/handling/transition.ts';

/** The re-test of a follow-up: the right to answer a plan once, and the sheet that the person hands in with it. */

/** The days before a planned follow-up from which its person may answer the re-test. */
const OPEN_DAYS_BEFORE = 3;

/** A re-test that was attached. `isgranted` 1: one count was frozen for it. */
export interface AttachedRetest {
  cuserplanid: number;
  planname: string;
  isgranted: number;
}

/** The live authorization of a person for a plan outside tasks and without a stage. */
async function findLiveGrant(scope: Scope, cuserid: string, plancode: string) {
  const { rows } = await sql<{ cuserplanid: number; planname: string }>`
    select g.cuserplanid, p.planname from cuserplan g join plan p on p.plancode = g.plancode
    where g.cuserid = ${cuserid} and g.plancode = ${plancode} and g.stagecode is null and g.taskcode is null
      and g.status = 1 and g.frozen > 0
    order by g.cuserplanid limit 1`.execute(scope.db);
  return rows[0];
}

/**
 * Lets the person answer the plan once, from three days before `due` on, and returns the authorization. A live authorization of the
 * same plan is used instead of a new one. Refuses callers who may not authorize persons (110004), an institution without counts
 * (150001), and a person for the wrong plan (120002).
 */
export async function attachRetest(ctx: StaffContext, cuserid: string, plancode: string, due: Date): Promise<AttachedRetest> {
  ctx.authorizeCall(authorizeCUserPlan.name, { cuserids: [cuserid], plancode });
  const live = await findLiveGrant(ctx.scope, cuserid, plancode);
  if (live) return { ...live, isgranted: 0 };
  const from = addDays(due, -OPEN_DAYS_BEFORE);
  const { exclusions } = await authorizePersons(ctx, {
    cuserids: [cuserid],
    plancode,
    total: 1,
    begindate: shanghaiDate(from > ctx.now ? from : ctx.now),
  });
  const made = await findLiveGrant(ctx.scope, cuserid, plancode);
  if (!made)
    throw problems.invalid({ message: `不能附带此复测：${exclusions[0]?.reason ?? '没有有效的授权'}` }, { field: 'retestplan' });
  return { ...made, isgranted: 1 };
}

/** SQL: the first sheet that the person handed in with the re-test of follow-up `f`, as row `x`. */
export const handedIn = sql`(
  select e.examcode from examrecord e
  where e.cuserid = f.cuserid and e.cuserplanid = f.cuserplanid and e.status = 2
    and e.submittime >= coalesce(f.retesttime, f.createtime)
  order by e.submittime limit 1)`;

/** The sheet that a person handed in with the re-test of a follow-up; undefined before. */
export async function findHandedIn(scope: Scope, followupid: number): Promise<string | undefined> {
  const { rows } = await sql<{ examcode: string | null }>`
    select ${handedIn} as examcode from followup f where f.followupid = ${followupid}`.execute(scope.db);
  return rows[0]?.examcode ?? undefined;
}
