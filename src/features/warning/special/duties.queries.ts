import type { Selectable } from 'kysely';
import type { WarningTable } from '#db/generated/tables.ts';
import type { DutyFact } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';

/** Stores the duties that the facts hold and the database does not have yet, and the end of those that ended without a record. */
export async function saveDuties(
  scope: Scope,
  row: Pick<Selectable<WarningTable>, 'warningcode' | 'cuserid' | 'musercode'>,
  before: readonly DutyFact[],
  after: readonly DutyFact[],
  time: Date,
): Promise<void> {
  const fresh = after.filter(({ dutyid }) => dutyid === undefined);
  if (fresh.length > 0)
    await scope.db
      .insertInto('warningduty')
      .values(
        fresh.map(({ kind, title, duetime, donetime }) => ({
          warningcode: row.warningcode,
          cuserid: row.cuserid,
          musercode: row.musercode,
          kind,
          title,
          duetime,
          donetime,
          createtime: time,
        })),
      )
      .execute();
  const ended = after.filter(
    (duty) => duty.donetime !== null && before.some((item) => item.dutyid === duty.dutyid && item.donetime === null),
  );
  for (const { dutyid, donetime } of ended)
    if (dutyid !== undefined) await scope.db.updateTable('warningduty').set({ donetime }).where('dutyid', '=', dutyid).execute();
}
