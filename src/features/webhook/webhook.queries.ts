import { sql } from 'kysely';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { WebhookEvent } from '#features/webhook/webhook.contract.ts';

/** The context under which the secrets of addresses are encrypted. */
export const SECRET_CONTEXT = 'webhook.secret';

/** An address with its sealed secrets. */
export interface SavedWebhook {
  webhookid: number;
  musercode: string;
  url: string;
  events: WebhookEvent[];
  enabled: number;
  secretsealed: string;
  oldsecretsealed: string | null;
  oldsecretuntil: Date | null;
}

/** The addresses of an institution, the oldest first. */
export const findWebhooks = async (scope: Scope, musercode: string) =>
  (
    await sql<{
      webhookid: number;
      url: string;
      events: WebhookEvent[];
      enabled: number;
      disabledwhy: '' | 'staff' | 'gone' | 'failing';
      createtime: Date;
      successtime: Date | null;
      failingsince: Date | null;
      oldsecretuntil: Date | null;
      waiting: number;
      version: number;
    }>`
      select h.webhookid, h.url, h.events, h.enabled, h.disabledwhy, h.createtime, h.successtime, h.failingsince, h.oldsecretuntil,
        h.version, (select count(*)::int from webhookdelivery d where d.webhookid = h.webhookid and d.nexttime is not null) as waiting
      from webhook h where h.musercode = ${musercode} order by h.webhookid`.execute(scope.db)
  ).rows;

/** An address of an institution, locked; undefined without one. New deliveries refer to the row, and the lock does not stop them. */
export const lockWebhook = async (scope: Scope, musercode: string, webhookid: number): Promise<SavedWebhook | undefined> =>
  (
    await sql<SavedWebhook>`
      select webhookid, musercode, url, events, enabled, secretsealed, oldsecretsealed, oldsecretuntil
      from webhook where webhookid = ${webhookid} and musercode = ${musercode} for no key update`.execute(scope.db)
  ).rows[0];

/** Counts the addresses of an institution. */
export const countWebhooks = async (scope: Scope, musercode: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from webhook where musercode = ${musercode}`.execute(scope.db)).rows[0]
    ?.n ?? 0;

/** Adds an address and returns its id. */
export const addWebhook = async (
  scope: Scope,
  values: { musercode: string; url: string; events: WebhookEvent[]; secretsealed: string; createtime: Date },
): Promise<number> =>
  Number((await scope.db.insertInto('webhook').values(values).returning('webhookid').executeTakeFirstOrThrow()).webhookid);

/** Changes columns of an address. */
export const saveWebhook = (
  scope: Scope,
  webhookid: number,
  values: {
    url?: string;
    events?: WebhookEvent[];
    enabled?: number;
    disabledwhy?: string;
    failingsince?: Date | null;
    successtime?: Date;
    secretsealed?: string;
    oldsecretsealed?: string;
    oldsecretuntil?: Date;
  },
) => scope.db.updateTable('webhook').set(values).where('webhookid', '=', webhookid).execute();

/** Deletes an address with its deliveries. */
export const removeWebhook = (scope: Scope, webhookid: number) =>
  scope.db.deleteFrom('webhook').where('webhookid', '=', webhookid).execute();

/** Gives up what waits for an address that has been switched off. */
export const endWaiting = (scope: Scope, webhookid: number) =>
  scope.db
    .updateTable('webhookdelivery')
    .set({ nexttime: null, lasterror: '推送地址已停用' })
    .where('webhookid', '=', webhookid)
    .where('nexttime', 'is not', null)
    .execute();

export type DeliveryStateCode = 'waiting' | 'retrying' | 'sent' | 'failed';
const stateOf = sql<DeliveryStateCode>`(case when d.nexttime is not null and d.attempts > 0 and d.lasterror <> '' then 'retrying'
  when d.nexttime is not null then 'waiting' when d.donetime is not null then 'sent' else 'failed' end)`;

/** A page of an institution's deliveries since a time, the newest first. */
export async function findDeliveries(
  scope: Scope,
  musercode: string,
  since: Date,
  filters: { state?: string | undefined; event?: string | undefined; webhookid?: number | undefined } & Page,
) {
  const { state, event, webhookid } = filters;
  const { rows } = await sql<{
    total: number;
    deliveryid: number;
    eventid: string;
    event: WebhookEvent | 'ping';
    eventtime: Date;
    webhookid: number;
    url: string;
    state: DeliveryStateCode;
    attempts: number;
    answer: number | null;
    lasterror: string;
    nexttime: Date | null;
    donetime: Date | null;
  }>`
    select count(*) over ()::int as total, d.deliveryid, d.eventid, d.event, d.eventtime, h.webhookid, h.url, ${stateOf} as state,
      d.attempts, d.answer, d.lasterror, d.nexttime, d.donetime
    from webhookdelivery d join webhook h on h.webhookid = d.webhookid
    where ${sql.join(
      [
        sql`d.musercode = ${musercode} and d.eventtime >= ${since}::timestamptz`,
        ...(state ? [sql`${stateOf} = ${state}`] : []),
        ...(event ? [sql`d.event = ${event}`] : []),
        ...(webhookid ? [sql`d.webhookid = ${webhookid}`] : []),
      ],
      sql` and `,
    )}
    order by d.eventtime desc, d.deliveryid desc
    ${limitOffset(filters)}`.execute(scope.db);
  return { total: rows[0]?.total ?? 0, rows };
}

/** Finds a delivery of an institution with the state of its address, locked. */
export const lockDelivery = async (scope: Scope, musercode: string, deliveryid: number) =>
  (
    await sql<{ event: string; nexttime: Date | null; enabled: number }>`
      select d.event, d.nexttime, h.enabled from webhookdelivery d join webhook h on h.webhookid = d.webhookid
      where d.deliveryid = ${deliveryid} and d.musercode = ${musercode} for update of d`.execute(scope.db)
  ).rows[0];

/** Puts a delivery back into the queue: it starts with its first attempt. */
export const requeueDelivery = (scope: Scope, deliveryid: number, now: Date) =>
  scope.db
    .updateTable('webhookdelivery')
    .set({ attempts: 0, nexttime: now, donetime: null, lasterror: '', answer: null })
    .where('deliveryid', '=', deliveryid)
    .execute();

/** Stores a test event that has been sent. */
export const addTestDelivery = (
  scope: Scope,
  values: {
    musercode: string;
    webhookid: number;
    eventid: string;
    eventtime: Date;
    donetime: Date | null;
    answer: number | null;
    lasterror: string;
  },
) =>
  scope.db
    .insertInto('webhookdelivery')
    .values({ ...values, event: 'ping', facts: '{}', attempts: 1 })
    .execute();
