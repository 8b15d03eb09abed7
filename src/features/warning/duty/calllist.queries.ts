import { sql } from 'kysely';
import { maskPhone } from '#domain/base/mask.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { StaffMessage } from '#server/messages/messageAdapter.ts';

/**
 * SQL condition: somebody must still be reached. Nobody has acknowledged the entry, its case is open, and the person has neither read
 * a notice of the case nor worked on it since. A handler need not be reached once anybody has accepted the case.
 */
const isWaiting = sql<boolean>`(c.acktime is null
  and exists (
    select from warning w
    where w.warningcode = c.warningcode and w.isdeleted = 0 and w.state not in ('07', '08')
      and (w.accepttime is null or w.accepttime < c.createtime or not exists (
        select from notification n where n.warningcode = c.warningcode and n.userid = c.userid and n.infokind = 4)))
  and not exists (
    select from notification n where n.warningcode = c.warningcode and n.userid = c.userid and n.readtime >= c.createtime)
  and not exists (
    select from warninglog l where l.warningcode = c.warningcode and l.operator = c.userid and l.time >= c.createtime))`;

/** SQL condition: the case of the entry does not suspect the caller of harm. */
const isVisible = sql<boolean>`exists (select from warning w where w.warningcode = c.warningcode and ${isNotSuspect})`;

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

/**
 * The colleagues to reach in the caller's range with their waiting entries: calls before short messages, then the longest wait. The
 * caller is at work and is not in it.
 */
export async function findCalls(scope: Scope, caller: Pick<Staff, 'userid'>) {
  const { rows } = await sql<{
    callids: number[];
    warningcodes: string[];
    realname: string;
    phonenumber: string | null;
    kind: 'sms' | 'call';
    insname: string;
    createtime: Date;
  }>`
    select array_agg(c.callid::int order by c.callid) as callids,
      array_agg(distinct c.warningcode) as warningcodes,
      u.realname, u.phonenumber, min(c.kind) as kind, m.insname, min(c.createtime) as createtime
    from calllist c
      join sysuser u on u.userid = c.userid
      join muser m on m.musercode = c.musercode
    where ${isWaiting} and ${isVisible} and c.userid is distinct from ${caller.userid}
    group by u.userid, u.realname, u.phonenumber, m.insname
    order by min(c.kind), min(c.createtime), u.userid
    limit 100`.execute(scope.db);
  return rows;
}

/** The number of colleagues to reach in the caller's range. */
export const countCalls = async (scope: Scope, caller: Pick<Staff, 'userid'>): Promise<number> =>
  (
    await sql<{ n: number }>`
      select count(distinct c.userid)::int as n from calllist c
      where ${isWaiting} and ${isVisible} and c.userid is distinct from ${caller.userid}`.execute(scope.db)
  ).rows[0]?.n ?? 0;

/** Acknowledges entries. Returns those that the caller sees and that nobody had acknowledged before. */
export const acknowledgeCalls = (
  scope: Scope,
  callids: readonly number[],
  { accountid, name }: Pick<Staff, 'accountid' | 'name'>,
  now: Date,
) =>
  scope.db
    .updateTable('calllist')
    .set({ acktime: now, ackby: accountid, ackname: name })
    .where('callid', 'in', [...callids])
    .where('acktime', 'is', null)
    .returning(['callid', 'userid', 'warningcode'])
    .execute();
