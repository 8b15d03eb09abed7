import { sql } from 'kysely';
import { isOnline, RefundStatus } from '#domain/order/order.ts';
import type { RefundAsk } from '#domain/order/refund.ts';
import type { Scope } from '#server/db/scope.ts';

/** The rows of refunds. */

interface NewRefund {
  order: { orderno: string; musercode: string; paychannel: string | null };
  /** 分 */
  amount: number;
  items: readonly RefundAsk[];
  reason: string;
  payno: string;
  isSurplus: boolean;
  actor: { operator: string | null; operatorname: string; now: Date };
  /** the keys of the human who asks; another one answers */
  askkeys?: readonly string[];
  /** waits for a second human */
  isAsked?: boolean;
  takenback?: unknown;
}

/**
 * Adds a refund. Returns its number; undefined when the same surplus payment has one already. Money that came outside a gateway goes
 * back by hand, so a refund without a second human is running until somebody notes the repayment.
 */
export async function addRefund(scope: Scope, refund: NewRefund): Promise<string | undefined> {
  const { order, amount, items, reason, payno, isSurplus, actor, askkeys = [], isAsked = false, takenback = [] } = refund;
  const refundno = sql<string>`'R' || to_char(${actor.now}::timestamptz at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS')
    || lpad((nextval('orderno_seq') % 1000000)::text, 6, '0')`;
  const row = await scope.db
    .insertInto('refund')
    .values({
      refundno,
      ...{ orderno: order.orderno, musercode: order.musercode, amount, reason, payno, issurplus: isSurplus ? 1 : 0 },
      items: JSON.stringify(items),
      takenback: JSON.stringify(takenback),
      status: isAsked ? RefundStatus.waiting : RefundStatus.running,
      ...{ askedby: actor.operatorname, askkeys: [...askkeys], createtime: actor.now },
    })
    // A literal, because PostgreSQL cannot match a parameter with the condition of the index once it keeps the plan.
    .onConflict((conflict) => conflict.columns(['orgpath', 'orderno', 'payno']).where('issurplus', '=', sql.lit(1)).doNothing())
    .returning('refundno')
    .executeTakeFirst();
  return row?.refundno;
}

/** Locks a refund; undefined when the scope does not see it. */
export const lockRefund = (scope: Scope, refundno: string) =>
  scope.db.selectFrom('refund').selectAll().where('refundno', '=', refundno).forUpdate().executeTakeFirst();
export type RefundRecord = NonNullable<Awaited<ReturnType<typeof lockRefund>>>;

/** The refunds of an order, the latest first. */
export const findRefunds = (scope: Scope, orderno: string) =>
  scope.db
    .selectFrom('refund')
    .selectAll()
    .where('orderno', '=', orderno)
    .orderBy('createtime', 'desc')
    .orderBy('refundno', 'desc')
    .execute();

/** Changes a refund. */
export const updateRefund = (
  scope: Scope,
  refundno: string,
  change: Partial<Pick<RefundRecord, 'status' | 'answeredby' | 'answer' | 'refundpayno' | 'donetime'>> & { takenback?: unknown },
) => {
  const { takenback, ...columns } = change;
  return scope.db
    .updateTable('refund')
    .set({ ...columns, ...(takenback === undefined ? {} : { takenback: JSON.stringify(takenback) }) })
    .where('refundno', '=', refundno)
    .execute();
};

/** Whether a refund of the order is asked for or runs. */
export const hasRunningRefund = async (scope: Scope, orderno: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('refund')
    .select('refundno')
    .where('orderno', '=', orderno)
    .where('issurplus', '=', 0)
    .where('status', 'in', [RefundStatus.waiting, RefundStatus.running])
    .executeTakeFirst()) !== undefined;

/** How many lessons of a course learners of an institution have finished. */
export const countFinishedLessons = async (scope: Scope, musercode: string, courseid: number): Promise<number> =>
  (await sql<{ finished: number }>`select access.finished_lessons(${musercode}, ${courseid})::int as finished`.execute(scope.db))
    .rows[0]?.finished ?? 0;

/** The channel through which a payment of an order came: that of the gateway's notice, else the one that the order names. */
export const findChannel = async (scope: Scope, orderno: string, payno: string | null): Promise<string | null> =>
  (
    await sql<{ channel: string | null }>`select coalesce(n.channel, o.paychannel) as channel from orders o
      left join paynotice n on n.orderno = o.orderno and n.payno = ${payno} and n.state = 'success'
      where o.orderno = ${orderno}`.execute(scope.db)
  ).rows[0]?.channel ?? null;

/** The refunds that run through gateways, each with its channel and the payment that it gives back. */
export const findRunningOnline = async (scope: Scope) =>
  (
    await sql<{ refundno: string; orderno: string; amount: number; payno: string; channel: string }>`
      select r.refundno, r.orderno, r.amount, r.payno, coalesce(n.channel, o.paychannel) as channel
      from refund r join orders o on o.orderno = r.orderno
        left join paynotice n on n.orderno = r.orderno and n.payno = r.payno and n.state = 'success'
      where r.status = ${RefundStatus.running} and r.amount > 0 and r.payno <> '' order by r.refundno`.execute(scope.db)
  ).rows.filter(({ channel }) => channel && isOnline(channel));
