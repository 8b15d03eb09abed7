import { sql, type Insertable } from 'kysely';
import type { WarningconfirmTable } from '#db/generated/tables.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import type { LocalDuties } from '#domain/warning/clock/caseduty.ts';
import type { Scope } from '#server/db/scope.ts';

/** The person and the institution of a case. */
export const findCaseKeys = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('warning')
    .select(['cuserid', 'musercode', 'newsno'])
    .where('warningcode', '=', warningcode)
    .executeTakeFirstOrThrow();

/** The enabled staff of an institution by name. */
export const findColleagues = async (scope: Scope, musercode: string) =>
  (
    await scope.db
      .selectFrom('sysuser')
      .select(['userid', 'realname', 'post'])
      .where('musercode', '=', musercode)
      .where('enabled', '=', 1)
      .where('isdeleted', '=', 0)
      .orderBy('realname')
      .execute()
  ).map((row) => ({ ...row, post: row.post ?? '' }));

/** Adds a confirmation by a second person. */
export const addConfirmation = (scope: Scope, row: Insertable<WarningconfirmTable>) =>
  scope.db.insertInto('warningconfirm').values(row).execute();

/** Who accompanied a person in danger; null `companionuntil`: still does. */
export interface Companion {
  companion: string;
  companionrole: string;
  companionfrom: Date;
  companionuntil: Date | null;
}

/** Saves who was told about a duty, with the receipt, or who accompanied the person. `saveFacts` stores its time. */
export const saveDutyRecord = (
  scope: Scope,
  dutyid: number,
  record: { unit: string; receipt: string; content: string; operator: string; operatorname: string } & Partial<Companion>,
) => scope.db.updateTable('warningduty').set(record).where('dutyid', '=', dutyid).execute();

/** The reason that excuses a dead person from tasks. */
const DEATH_REASON = '已故';
const ABSENT = 3;

/** Takes a dead person out of open tasks, classes and sign-in at once, so that nobody reminds or writes to them. */
export async function takeOffLists({ db }: Scope, cuserid: string, now: Date): Promise<void> {
  await db.updateTable('cuser').set({ deathtime: now, enabled: 0 }).where('cuserid', '=', cuserid).execute();
  await db
    .updateTable('taskroster')
    .set({ status: ABSENT, reason: DEATH_REASON })
    .where('cuserid', '=', cuserid)
    .where('status', 'in', [0, 1])
    .execute();
  await db
    .updateTable('teamroster')
    .set({ status: 0, leavedate: shanghaiDate(now) })
    .where('cuserid', '=', cuserid)
    .where('status', '=', 1)
    .execute();
}

/** Puts a person back whose death was reported by mistake. */
export async function putBackOnLists({ db }: Scope, cuserid: string, now: Date): Promise<void> {
  const { deathtime } = await db.selectFrom('cuser').select('deathtime').where('cuserid', '=', cuserid).executeTakeFirstOrThrow();
  await db.updateTable('cuser').set({ deathtime: null, enabled: 1, updatetime: now }).where('cuserid', '=', cuserid).execute();
  await db
    .updateTable('taskroster')
    .set({ status: 0, reason: null })
    .where('cuserid', '=', cuserid)
    .where('reason', '=', DEATH_REASON)
    .execute();
  if (deathtime)
    await db
      .updateTable('teamroster')
      .set({ status: 1, leavedate: sql<null>`null` })
      .where('cuserid', '=', cuserid)
      .where('leavedate', '=', shanghaiDate(deathtime))
      .execute();
}

/** Saves the duties that local rules decide. */
export const saveLocalDuties = (scope: Scope, musercode: string, local: Partial<LocalDuties>) =>
  scope.db
    .insertInto('setting')
    .values({ musercode, key: 'localduties', value: JSON.stringify(local) })
    .onConflict((oc) =>
      oc.columns(['musercode', 'key']).doUpdateSet({ value: sql`setting.value || excluded.value`, updatetime: sql<Date>`now()` }),
    )
    .execute();
