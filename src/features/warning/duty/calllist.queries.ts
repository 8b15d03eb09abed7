import { sql } from 'kysely';
import { maskPhone } from '#domain/base/mask.ts';
import type { Scope } from '#server/db/scope.ts';
import type { StaffMessage } from '#server/messages/messageAdapter.ts';

/**
 * SQL condition: somebody must still call. Nobody has acknowledged the entry, its case is open, and the person has neither read a
 * notice of the case nor worked on it since.
 */
const isWaiting = sql<boolean>`(c.acktime is null
  and exists (select from warning w where w.warningcode = c.warningcode and w.isdeleted = 0 and w.state not in ('07', '08'))
  and not exists (
    select from notification n where n.warningcode = c.warningcode and n.userid = c.userid and n.readtime >= c.createtime)
  and not exists (
    select from warninglog l where l.warningcode = c.warningcode and l.operator = c.userid and l.time >= c.createtime))`;

/** Puts a message on the call list. An entry that still waits for the same person, case and kind is not doubled. */
export async function addCall(scope: Scope, { time, ...message }: StaffMessage): Promise<void> {
  const person = await scope.db
    .selectFrom('sysuser')
    .select(['phonenumber'])
    .where('userid', '=', message.userid)
    .where('enabled', '=', 1)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  if (!person) return;
  const { rows } = await sql`
    select from calllist c
    where c.userid = ${message.userid} and c.warningcode = ${message.warningcode} and c.kind = ${message.kind} and ${isWaiting}
    limit 1`.execute(scope.db);
  if (rows.length > 0) return;
  await scope.db
    .insertInto('calllist')
    .values({ ...message, phonemasked: maskPhone(person.phonenumber ?? ''), createtime: time })
    .execute();
}

/** The entries of the call list in the caller's range that still wait, the oldest calls first. */
export async function findCalls(scope: Scope) {
  const { rows } = await sql<{
    callid: number;
    userid: string;
    realname: string;
    phonenumber: string | null;
    kind: 'sms' | 'call';
    warningcode: string;
    insname: string;
    text: string;
    createtime: Date;
  }>`
    select c.callid, c.userid, u.realname, u.phonenumber, c.kind, c.warningcode, m.insname, c.text, c.createtime
    from calllist c
      join sysuser u on u.userid = c.userid
      join muser m on m.musercode = c.musercode
    where ${isWaiting}
    order by c.kind, c.createtime, c.callid
    limit 100`.execute(scope.db);
  return rows;
}

/** The number of entries in the caller's range that still wait. */
export const countCalls = async (scope: Scope): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from calllist c where ${isWaiting}`.execute(scope.db)).rows[0]?.n ?? 0;

/** Acknowledges an entry. undefined when the caller does not see it or somebody has acknowledged it before. */
export const acknowledgeCall = (
  scope: Scope,
  callid: number,
  { accountid, name }: { accountid: string; name: string },
  now: Date,
) =>
  scope.db
    .updateTable('calllist')
    .set({ acktime: now, ackby: accountid, ackname: name })
    .where('callid', '=', callid)
    .where('acktime', 'is', null)
    .returning(['callid', 'userid', 'warningcode'])
    .executeTakeFirst();
