import type { Insertable, Selectable } from 'kysely';
import type { SafetyplanTable } from '#db/generated/tables.ts';
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
    .select(['time', 'iscomplete'])
    .where('warningcode', '=', warningcode)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
