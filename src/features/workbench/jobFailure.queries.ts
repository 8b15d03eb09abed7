import { sql } from 'kysely';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';

/** Records that a background job has failed, for the operator's workbench. */
export const recordJobFailure = ({ pools }: Pick<Services, 'pools'>, jobname: string, lasterror: string, now: Date) =>
  runAsSystem(pools, platformCode, (scope) =>
    scope.db
      .insertInto('jobfailure')
      .values({
        jobname,
        musercode: platformCode,
        failures: 1,
        firsttime: now,
        lasttime: now,
        lasterror: lasterror.slice(0, 200),
      })
      .onConflict((oc) =>
        oc.column('jobname').doUpdateSet({
          failures: sql<number>`jobfailure.failures + 1`,
          lasttime: now,
          lasterror: lasterror.slice(0, 200),
        }),
      )
      .execute(),
  );

/** Deletes the failure of a background job, because it has succeeded. */
export const clearJobFailure = ({ pools }: Pick<Services, 'pools'>, jobname: string) =>
  runAsSystem(pools, platformCode, (scope) => scope.db.deleteFrom('jobfailure').where('jobname', '=', jobname).execute());
