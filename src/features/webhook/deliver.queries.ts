import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import type { SavedWebhook } from '#features/webhook/webhook.queries.ts';

/** A delivery whose next attempt a server makes, with its address. */
export interface DueDelivery extends SavedWebhook {
  deliveryid: number;
  eventid: string;
  event: string;
  eventtime: Date;
  facts: Readonly<Record<string, string | number>>;
  attempts: number;
}

/**
 * Takes the deliveries whose time has come and counts the attempt. Until `leaseEnd` no other server takes them; afterwards they are
 * sent again under the same id, because the server that took them has died. The institutions take turns, and so do the addresses of
 * one, so many deliveries to a slow receiver do not keep back those of the others.
 */
export const takeDueDeliveries = async (scope: Scope, now: Date, leaseEnd: Date, limit: number): Promise<DueDelivery[]> =>
  (
    await sql<DueDelivery>`
      with taken as (
        update webhookdelivery set attempts = attempts + 1, nexttime = ${leaseEnd}::timestamptz
        where deliveryid in (
          select d.deliveryid from webhookdelivery d join (${turns(now)}) q on q.deliveryid = d.deliveryid
          where d.nexttime <= ${now}::timestamptz
          order by q.turn, d.nexttime, d.deliveryid limit ${limit} for update of d skip locked)
        returning *)
      select t.deliveryid, t.eventid, t.event, t.eventtime, t.facts, t.attempts, h.webhookid, h.musercode, h.url, h.events, h.enabled,
        h.secretsealed, h.oldsecretsealed, h.oldsecretuntil
      from taken t join webhook h on h.webhookid = t.webhookid
      order by t.eventtime, t.deliveryid`.execute(scope.db)
  ).rows;

/** The deliveries that are due, each with its turn: the nth of its institution, which takes one of each address before the next. */
const turns = (now: Date) => sql`
  select deliveryid, row_number() over (partition by musercode order by place, nexttime, deliveryid) as turn
  from (
    select deliveryid, musercode, nexttime,
      row_number() over (partition by webhookid order by nexttime, deliveryid) as place
    from webhookdelivery where nexttime <= ${now}::timestamptz) due`;

const CLOSED = '机构已停用或服务已到期';
/** Gives up what is due for an institution that is disabled or deleted, or whose contract has ended. */
export const endWaitingOfClosed = (scope: Scope, now: Date) =>
  sql`
    update webhookdelivery d set nexttime = null, lasterror = ${CLOSED}
    from muser m
    where m.musercode = d.musercode and d.nexttime <= ${now}::timestamptz
      and (m.enabled = 0 or m.isdeleted = 1 or m.expiredate < (${now}::timestamptz at time zone 'Asia/Shanghai')::date)`.execute(
    scope.db,
  );

/** Records the end of an attempt. What was given up meanwhile, because staff switched the address off, stays given up. */
export const recordAttempt = (
  scope: Scope,
  deliveryid: number,
  result: { donetime: Date | null; nexttime: Date | null; answer: number | null; lasterror: string },
) =>
  scope.db
    .updateTable('webhookdelivery')
    .set(result)
    .where('deliveryid', '=', deliveryid)
    .$if(result.donetime === null, (query) => query.where('nexttime', 'is not', null))
    .execute();

/** Notes a failed attempt of an address and returns since when all have failed; undefined when it was deleted. */
export const markFailing = async (scope: Scope, webhookid: number, now: Date): Promise<Date | undefined> =>
  (
    await sql<{ failingsince: Date }>`
      update webhook set failingsince = coalesce(failingsince, ${now}::timestamptz)
      where webhookid = ${webhookid} returning failingsince`.execute(scope.db)
  ).rows[0]?.failingsince;

/** Switches an address off; returns whether it was on. */
export const disableWebhook = async (scope: Scope, webhookid: number, disabledwhy: 'gone' | 'failing'): Promise<boolean> =>
  (await scope.db
    .updateTable('webhook')
    .set({ enabled: 0, disabledwhy })
    .where('webhookid', '=', webhookid)
    .where('enabled', '=', 1)
    .returning('webhookid')
    .executeTakeFirst()) !== undefined;

/** Deletes deliveries of events before a time. */
export const deleteOldDeliveries = (scope: Scope, before: Date) =>
  scope.db.deleteFrom('webhookdelivery').where('nexttime', 'is', null).where('eventtime', '<', before).execute();
