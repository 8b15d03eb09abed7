import type { Insertable, Selectable } from 'kysely';
import type { SafetyplanTable } from '#db/generated/tables.ts';
import type { SafetyPlanFact } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';

export type SafetyPlanRow = Selectable<SafetyplanTable>;

/** Adds a version of a safety plan and returns its id. */
export const addSafetyPlanRow = (scope: Scope, row: Insertable<SafetyplanTable>) =>
  scope.db.insertInto('safetyplan').values(row).returning(['planid', 'version']).executeTakeFirstOrThrow();

/** The newest version of the safety plan of a case; undefined without one. */
export const findLastSafetyPlan = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('safetyplan')
    .selectAll()
    .where('warningcode', '=', warningcode)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** One version of a safety plan; undefined when the caller cannot see it. */
export const findSafetyPlan = (scope: Scope, planid: number) =>
  scope.db.selectFrom('safetyplan').selectAll().where('planid', '=', planid).executeTakeFirst();

/** The versions of the safety plan of a case, the newest first. */
export const findSafetyPlanVersions = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('safetyplan')
    .select(['planid', 'version', 'iscomplete', 'operatorname', 'time'])
    .where('warningcode', '=', warningcode)
    .orderBy('version', 'desc')
    .execute();

/** The time of the newest safety plan of a case, and whether it is complete; undefined without one. It reads no content. */
export const findSafetyPlanState = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('safetyplan')
    .select(['time', 'iscomplete', 'hasopenmeans'])
    .where('warningcode', '=', warningcode)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The state of a safety plan as the rules of a case read it; null without a plan. */
export const toSafetyPlanFact = (
  row: { time: Date; iscomplete: number; hasopenmeans: number } | undefined,
): SafetyPlanFact | null => (row ? { time: row.time, complete: row.iscomplete === 1, openmeans: row.hasopenmeans === 1 } : null);

/** The name and telephone number of an institution's contact person. */
export const findContact = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('muser').select(['realname', 'phonenumber']).where('musercode', '=', musercode).executeTakeFirst();
