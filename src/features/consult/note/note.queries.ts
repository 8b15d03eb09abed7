import { sql, type Insertable } from 'kysely';
import type { ConsultnoteTable } from '#db/generated/tables.ts';
import type { Scope } from '#server/db/scope.ts';

/** The private notes. The policy own_note shows a caller only the notes that the caller wrote or took over. */

/** The caller's notes of a consultation, oldest first. There are several after a hand-over back and forth. */
export const findOwnNotes = (scope: Scope, consultid: number, userid: string) =>
  scope.db
    .selectFrom('consultnote')
    .select(['note', 'isshared', 'updatetime'])
    .where('consultid', '=', consultid)
    .where('userid', '=', userid)
    .orderBy('noteid')
    .execute();

/** Replaces the caller's notes of a consultation by one, or by none. */
export async function replaceOwnNotes(
  scope: Scope,
  { consultid, userid }: { consultid: number; userid: string },
  note: Omit<Insertable<ConsultnoteTable>, 'orgpath'> | null,
): Promise<void> {
  await scope.db.deleteFrom('consultnote').where('consultid', '=', consultid).where('userid', '=', userid).execute();
  if (note) await scope.db.insertInto('consultnote').values(note).execute();
}

/** Whose consultation it is, also when a case hides it from the caller: for the notice of an attempt. Undefined out of reach. */
export async function findCounsellor(scope: Scope, consultid: number) {
  const { rows } = await sql<{ cuserid: string; musercode: string; counsellor: string | null }>`
    select cuserid, musercode, counsellor from consult where consultid = ${consultid} and isdeleted = 0`.execute(scope.db);
  return rows[0];
}
