import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { SheetRow } from '#features/identity/sheet.queries.ts';
import { toSeal } from '#server/sealing/textSealer.ts';

/** Declares a submitted sheet void, with its scores and its report. Returns false when it is not a submitted one. */
export async function voidSheet(
  scope: Scope,
  examcode: string,
  { operator, operatorname, reason, now }: { operator: string; operatorname: string; reason: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ isdone: boolean }>`
    select access.void_sheet(${examcode}, ${operator}, ${operatorname}, ${toSeal(reason)}, ${now}::timestamptz) as isdone`.execute(
    scope.db,
  );
  return rows[0]?.isdone ?? false;
}

/** Whether the task of a sheet still takes answers; false for a sheet outside tasks. */
export const isTaskRunning = async (scope: Scope, taskcode: string | null, now: Date): Promise<boolean> =>
  taskcode !== null &&
  (await scope.db
    .selectFrom('assesstask')
    .select('taskcode')
    .where('taskcode', '=', taskcode)
    .where('status', '=', 1)
    .where('isdeleted', '=', 0)
    .where('endtime', '>', now)
    .executeTakeFirst()) !== undefined;

/** The open cases that a sheet had triggered, without those that suspect the caller. */
export async function countOpenCases(
  scope: Scope,
  { examcode, cuserid }: Pick<SheetRow, 'examcode' | 'cuserid'>,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from warning w
    where w.cuserid = ${cuserid} and w.isdeleted = 0 and w.state not in ('07', '08') and ${isNotSuspect}
      and exists (
        select from warninglog l where l.warningcode = w.warningcode and l.detail->'trigger'->>'examcode' = ${examcode})`.execute(
    scope.db,
  );
  return rows[0]?.n ?? 0;
}
