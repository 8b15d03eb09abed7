import { sql, type SqlBool } from 'kysely';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { paginate, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { ReconcileLine } from '#features/order/reconcile/reconcile.contract.ts';

/**
 * What the daily comparison reads. Each query puts two independent records of the same thing beside each other: orders and payments,
 * orders and ledger, orders and holds, orders and stock. The scope is the server's session (`withOrders`).
 */

/** A day of Shanghai: its first instant, and the first of the next day. */
export interface Span {
  from: Date;
  until: Date;
}
/** Two records of one order. Money in 分, counts, or units. */
export interface Pair {
  orderno: string;
  expected: number;
  actual: number;
}
/** Two records of one payment. */
export interface Payment extends Pair {
  channel: string;
}

const isWithin = (column: string, { from, until }: Span) =>
  sql<SqlBool>`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${until}`;

/** SQL: the order `o` was paid within the span, as its log says. */
const wasPaidWithin = (span: Span) => sql<SqlBool>`exists (select from orderlog l
  where l.orderno = o.orderno and l.tostatus = 3 and l.fromstatus in (1, 2, 4) and ${isWithin('l.time', span)})`;

/** SQL: the gateway's notice of the payment that the refund `r` gives back. */
const joinNotice = sql`left join paynotice n on n.orderno = r.orderno and n.payno = r.payno and n.state = 'success'`;

/**
 * The payments of a day: what the orders say (paid orders, and money too much), and what came in (notices of gateways, and transfers
 * that two humans read).
 */
export const findPaid = async (scope: Scope, seller: string, span: Span): Promise<Payment[]> =>
  (
    await sql<Payment>`with booked as (
        select o.orderno, o.paychannel as channel, o.payno, o.payamount as amount from orders o
        where o.sellermusercode = ${seller} and o.payamount > 0 and ${wasPaidWithin(span)}
        union all
        select r.orderno, coalesce(n.channel, o.paychannel), r.payno, r.amount
        from refund r join orders o on o.orderno = r.orderno ${joinNotice}
        where o.sellermusercode = ${seller} and r.issurplus = 1 and ${isWithin('r.createtime', span)}),
      received as (
        select n.orderno, n.channel, n.payno, n.amount from paynotice n join orders o on o.orderno = n.orderno
        where o.sellermusercode = ${seller} and n.state = 'success' and ${isWithin('n.createtime', span)}
        union all
        select o.orderno, o.paychannel, o.transferno, o.transferamount from orders o
        where o.sellermusercode = ${seller} and o.paychannel in ('03', '04') and o.transferno = o.payno and ${wasPaidWithin(span)})
      select orderno, channel, coalesce(b.amount, 0) as expected, coalesce(c.amount, 0) as actual
      from booked b full join received c using (orderno, channel, payno)
      order by channel, orderno`.execute(scope.db)
  ).rows;

/** The repayments of a day: the refunds that have ended, and the notices of gateways or the numbers of the bank. */
export const findRefunded = async (scope: Scope, seller: string, span: Span): Promise<Payment[]> =>
  (
    await sql<Payment>`with booked as (
        select r.orderno, coalesce(n.channel, o.paychannel) as channel, r.refundpayno as payno, r.amount
        from refund r join orders o on o.orderno = r.orderno ${joinNotice}
        where o.sellermusercode = ${seller} and r.status = 2 and r.amount > 0 and ${isWithin('r.donetime', span)}),
      received as (
        select n.orderno, n.channel, n.payno, n.amount from paynotice n join orders o on o.orderno = n.orderno
        where o.sellermusercode = ${seller} and n.state = 'refunded' and ${isWithin('n.createtime', span)}
        union all
        select b.orderno, b.channel, b.payno, b.amount from booked b where b.channel in ('03', '04') and b.payno <> '')
      select orderno, channel, coalesce(b.amount, 0) as expected, coalesce(c.amount, 0) as actual
      from booked b full join received c using (orderno, channel, payno)
      order by channel, orderno`.execute(scope.db)
  ).rows;

/** The orders whose refunded amount is not the sum of their refunds, with their channel. */
export const findWrongRefunds = async (scope: Scope, seller: string): Promise<{ orderno: string; channel: string }[]> =>
  (
    await sql<{ orderno: string; channel: string }>`select o.orderno, coalesce(o.paychannel, '03') as channel from orders o
      left join (select orderno, sum(amount) as amount from refund where status = 2 and issurplus = 0 group by 1) r using (orderno)
      where o.sellermusercode = ${seller} and o.refundamount <> coalesce(r.amount, 0) order by o.orderno`.execute(scope.db)
  ).rows;

/** A line of a gateway, or our copy of it. Repayments are negative. */
export interface FlowLine {
  orderno: string;
  payno: string;
  amount: number;
}

/** The notices of some channels that gateways dated on a day. */
export const findNotices = async (scope: Scope, seller: string, channels: readonly string[], span: Span): Promise<FlowLine[]> =>
  (
    await sql<FlowLine>`select n.orderno, n.payno, case n.state when 'refunded' then -n.amount else n.amount end as amount
      from paynotice n join orders o on o.orderno = n.orderno
      where o.sellermusercode = ${seller} and n.channel = any(${[...channels]}::text[]) and n.state in ('success', 'refunded')
        and ${isWithin('n.time', span)}`.execute(scope.db)
  ).rows;

/** The sellers of some orders, by order. */
export const findSellersOf = async (scope: Scope, ordernos: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    (
      await sql<{ orderno: string; seller: string }>`select orderno, sellermusercode as seller from orders
        where orderno = any(${[...ordernos]}::text[])`.execute(scope.db)
    ).rows.map(({ orderno, seller }) => [orderno, seller]),
  );

/** The counts of one order: what it brings by its items, and what the ledgers of both sides and the holds say. */
export interface OrderCounts {
  orderno: string;
  /** bought counts, without those that went back or that a running refund has taken */
  bought: number;
  buyer: number;
  seller: number;
  /** counts that an open order must hold, the holds, and the frozen counts of the ledger */
  open: number;
  held: number;
  frozen: number;
}

/** The orders of a seller whose counts are moved or must be. The platform has no wallet, so its side always agrees. */
export const findCounts = async (scope: Scope, seller: string): Promise<OrderCounts[]> =>
  (
    await sql<OrderCounts>`with mine as (
        select orderno, musercode, orderstatus, sellermusercode = ${platformCode} as isplatform from orders
        where sellermusercode = ${seller}),
      running as (
        select r.orderno, (a->>'seq')::int as seq, sum((a->>'qty')::int) as qty
        from refund r join mine using (orderno) cross join jsonb_array_elements(r.items) a
        where r.status = 1 and r.issurplus = 0 group by 1, 2),
      ordered as (
        select i.orderno, sum(i.qty * i.countqty) as qty,
          sum(i.countqty * (i.qty - i.refundedqty - coalesce(r.qty, 0))) as remaining
        from orderitem i join mine using (orderno) left join running r on r.orderno = i.orderno and r.seq = i.seq
        where i.goodstype = '01' group by 1),
      moved as (
        select l.orderno, sum(l.qty) filter (where l.musercode = m.musercode and l.kind in ('02', '06')) as buyer,
          -sum(l.qty) filter (where l.musercode = ${seller} and l.kind in ('02', '06')) as seller,
          -sum(l.qty) filter (where l.musercode = ${seller} and l.kind in ('03', '05')) as frozen
        from assesscountlog l join mine m using (orderno) group by 1),
      holds as (select h.orderno, sum(h.qty) as qty from orderhold h join mine using (orderno) group by 1),
      sums as (
        select m.orderno, m.isplatform, coalesce(c.buyer, 0) as buyer, coalesce(c.seller, 0) as seller,
          coalesce(c.frozen, 0) as frozen, coalesce(h.qty, 0) as held,
          case when m.orderstatus in (3, 10, 11) then coalesce(o.remaining, 0) else 0 end as bought,
          case when m.orderstatus in (1, 2, 4) and not m.isplatform then coalesce(o.qty, 0) else 0 end as open
        from mine m left join ordered o using (orderno) left join moved c using (orderno) left join holds h using (orderno))
      select orderno, bought::int, buyer::int, (case when isplatform then bought else seller end)::int as seller,
        open::int, held::int, frozen::int
      from sums where bought <> 0 or buyer <> 0 or seller <> 0 or open <> 0 or held <> 0 or frozen <> 0
      order by orderno`.execute(scope.db)
  ).rows;

/** The units of one kind of goods: what the orders took that were not cancelled, and what the goods say was taken. */
export interface GoodsStock {
  goodsid: number;
  ordered: number;
  taken: number;
}

/** The goods of a seller that orders took. */
export const findStock = async (scope: Scope, seller: string): Promise<GoodsStock[]> =>
  (
    await sql<GoodsStock>`select g.goodsid::int as goodsid, g.taken, coalesce(o.qty, 0)::int as ordered from goods g
      left join (select i.goodsid, sum(i.qty) as qty from orderitem i join orders using (orderno)
        where sellermusercode = ${seller} and orderstatus <> 5 group by 1) o using (goodsid)
      where g.musercode = ${seller} and (g.taken <> 0 or o.qty is not null) order by g.goodsid`.execute(scope.db)
  ).rows;

/** The orders of goods to look at when their stock is wrong: those whose log does not end in their status, or else the last ones. */
export const findStockOrders = async (scope: Scope, goodsid: number, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ orderno: string; isodd: boolean }>`select o.orderno,
      o.orderstatus is distinct from (select l.tostatus from orderlog l where l.orderno = o.orderno order by l.logid desc limit 1) as isodd
    from orders o where exists (select from orderitem i where i.orderno = o.orderno and i.goodsid = ${goodsid})
    order by isodd desc, o.updatetime desc, o.orderno desc limit ${limit}`.execute(scope.db);
  const odd = rows.filter(({ isodd }) => isodd);
  return (odd.length > 0 ? odd : rows).map(({ orderno }) => orderno);
};

/** The sellers and days from `first` to `last` that have orders and no comparison yet, the earliest day first. */
export const findMissingDays = async (scope: Scope, first: string, last: string) =>
  (
    await sql<{ seller: string; day: string }>`select s.seller, to_char(d.day, 'YYYY-MM-DD') as day
      from (select sellermusercode as seller, min(createtime) as first from orders group by 1) s
        cross join generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') d (day)
      where s.first < (d.day + interval '1 day') at time zone 'Asia/Shanghai'
        and not exists (select from payreconcile p where p.musercode = s.seller and p.day = d.day::date)
      order by d.day, s.seller`.execute(scope.db)
  ).rows;

/** Stores the comparison of a day. A second one replaces it. */
export const saveDay = (scope: Scope, musercode: string, day: string, lines: readonly ReconcileLine[], now: Date) => {
  const row = {
    lines: JSON.stringify(lines),
    isbalanced: lines.every(({ isbalanced }) => isbalanced === 1) ? 1 : 0,
    createtime: now,
  };
  return scope.db
    .insertInto('payreconcile')
    .values({ ...row, musercode, day })
    .onConflict((conflict) => conflict.columns(['musercode', 'day']).doUpdateSet(row))
    .execute();
};

interface DayFilters {
  /** absent: all sellers that the scope sees */
  musercode?: string | undefined;
  begindate?: string | undefined;
  enddate?: string | undefined;
}

const selectDays = (scope: Scope, { musercode, begindate, enddate }: DayFilters) => {
  let query = scope.db.selectFrom('payreconcile as p').leftJoin('muser as m', 'm.musercode', 'p.musercode');
  if (musercode !== undefined) query = query.where('p.musercode', '=', musercode);
  if (begindate !== undefined) query = query.where('p.day', '>=', begindate);
  if (enddate !== undefined) query = query.where('p.day', '<=', enddate);
  return query;
};

/** The comparisons that fit the filters, the latest day first: their number and a page of them. */
export async function findDays(scope: Scope, { page, pageSize, ...filters }: DayFilters & Page) {
  const { total } = await selectDays(scope, filters)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await selectDays(scope, filters)
    .select([
      'p.musercode',
      'p.day',
      'p.lines',
      'p.isbalanced',
      'p.createtime',
      sql<string>`coalesce(m.insname, '')`.as('insname'),
    ])
    .orderBy('p.day', 'desc')
    .orderBy('p.musercode')
    .$call(paginate({ page, pageSize }))
    .execute();
  return { total, rows };
}
