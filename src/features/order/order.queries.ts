import { sql, type SqlBool } from 'kysely';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import type { OrderStatusCode } from '#domain/order/order.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { paginate, toLikePattern, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** What an institution reads of orders: its purchases and its sales; the platform reads all. */

export interface OrderFilters {
  side?: 'sold' | 'bought' | undefined;
  musercode?: string | undefined;
  orderno?: string | undefined;
  orderstatus?: readonly OrderStatusCode[] | undefined;
  goodsname?: string | undefined;
  paychannel?: string | undefined;
  /** the first instant of a day, and the first after the last day */
  from?: Date | undefined;
  until?: Date | undefined;
}

/** Adds the instants at which the days of the filters begin and end. */
export const toOrderFilters = <F extends { begindate?: string | undefined; enddate?: string | undefined }>({
  begindate,
  enddate,
  ...filters
}: F) => ({
  ...filters,
  from: begindate ? fromShanghai(begindate) : undefined,
  until: enddate ? addDays(fromShanghai(enddate), 1) : undefined,
});

/** The condition that an institution is a party of an order. Row-level security shows a seller also the orders of others below it. */
const isParty = (alias: string, musercode: string, side?: 'sold' | 'bought') => {
  const sold = sql`${sql.ref(`${alias}.sellermusercode`)} = ${musercode}`;
  const bought = sql`${sql.ref(`${alias}.musercode`)} = ${musercode}`;
  if (side === 'sold') return sql<SqlBool>`${sold}`;
  if (side === 'bought') return sql<SqlBool>`${bought}`;
  return musercode === platformCode ? sql<SqlBool>`true` : sql<SqlBool>`(${sold} or ${bought})`;
};

const selectOrders = (scope: Scope, musercode: string, filters: OrderFilters) => {
  let query = scope.db.selectFrom('orders as o').where(isParty('o', musercode, filters.side));
  if (filters.musercode) query = query.where('o.musercode', '=', filters.musercode);
  if (filters.orderno) query = query.where('o.orderno', 'like', toLikePattern(filters.orderno));
  if (filters.orderstatus?.length) query = query.where('o.orderstatus', 'in', [...filters.orderstatus]);
  if (filters.paychannel) query = query.where('o.paychannel', '=', filters.paychannel);
  if (filters.from) query = query.where('o.createtime', '>=', filters.from);
  if (filters.until) query = query.where('o.createtime', '<', filters.until);
  if (filters.goodsname)
    query = query.where(
      sql<SqlBool>`exists (select from orderitem i where i.orderno = o.orderno and i.goodsname like ${toLikePattern(filters.goodsname)})`,
    );
  return query;
};

/** SQL: the name of the first goods of an order, with “等 n 种” for more. */
const goodsnameOf = sql<string>`(select case when count(*) = 1 then min(i.goodsname)
  else (array_agg(i.goodsname order by i.seq))[1] || ' 等 ' || count(*) || ' 种' end from orderitem i where i.orderno = o.orderno)`;

const ROW = [
  'o.orderno',
  'o.musercode',
  'o.sellermusercode',
  'o.goodscount',
  'o.totalamount',
  'o.payamount',
  'o.refundamount',
  'o.orderstatus',
  'o.paychannel',
  'o.createtime',
  'o.paytime',
  'o.expiretime',
  'o.invoicestatus',
] as const;

const withNames = (query: ReturnType<typeof selectOrders>) =>
  query
    .leftJoin('muser as b', 'b.musercode', 'o.musercode')
    .leftJoin('muser as s', 's.musercode', 'o.sellermusercode')
    .select(ROW)
    .select([sql<string>`coalesce(b.insname, '')`.as('insname'), sql<string>`coalesce(s.insname, '')`.as('sellername')])
    .select(goodsnameOf.as('goodsname'));

/** A page of orders with their number and sums. */
export async function findOrders(
  scope: Scope,
  musercode: string,
  {
    orderby,
    isasc,
    page,
    pageSize,
    ...filters
  }: OrderFilters & Page & { orderby?: 'createtime' | 'payamount' | 'paytime' | undefined; isasc?: string | undefined },
) {
  const sums = await selectOrders(scope, musercode, filters)
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`coalesce(sum(o.totalamount), 0)::float8`.as('totalamount'),
      sql<number>`coalesce(sum(o.payamount) filter (where o.orderstatus in (3, 10, 11)), 0)::float8`.as('payamount'),
      sql<number>`coalesce(sum(o.refundamount), 0)::float8`.as('refundamount'),
    ])
    .executeTakeFirstOrThrow();
  const rows = await withNames(selectOrders(scope, musercode, filters))
    .orderBy(`o.${orderby ?? 'createtime'}`, isasc === '1' ? 'asc' : 'desc')
    .orderBy('o.orderno', 'desc')
    .$call(paginate({ page, pageSize }))
    .execute();
  return { sums, rows };
}
export type OrderLine = Awaited<ReturnType<typeof findOrders>>['rows'][number];

/** The number of items of the orders that fit the filters. */
export const countItems = async (scope: Scope, musercode: string, filters: OrderFilters): Promise<number> =>
  (
    await selectOrders(scope, musercode, filters)
      .innerJoin('orderitem as i', 'i.orderno', 'o.orderno')
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow()
  ).total;

/** The items of the orders that fit the filters, the latest order first. */
export const findSoldItems = (scope: Scope, musercode: string, filters: OrderFilters, page: Page) =>
  selectOrders(scope, musercode, filters)
    .innerJoin('orderitem as i', 'i.orderno', 'o.orderno')
    .leftJoin('muser as b', 'b.musercode', 'o.musercode')
    .leftJoin('muser as s', 's.musercode', 'o.sellermusercode')
    .leftJoin('plan as p', 'p.plancode', 'i.plancode')
    .select(['o.orderno', 'o.musercode', 'o.orderstatus', 'o.paychannel', 'o.payno', 'o.createtime', 'o.paytime', 'o.payamount'])
    .select(['o.refundamount', 'o.invoicestatus', 'o.invoicetitle', 'o.taxno', 'o.invoiceno', 'o.remark', 'p.planname'])
    .select(['i.seq', 'i.goodsname', 'i.goodstype', 'i.price', 'i.qty', 'i.amount', 'i.plancode', 'i.countqty', 'i.enddate'])
    .select(['i.delivered', 'i.refundedqty'])
    .select([sql<string>`coalesce(b.insname, '')`.as('insname'), sql<string>`coalesce(s.insname, '')`.as('sellername')])
    .orderBy('o.createtime', 'desc')
    .orderBy('o.orderno', 'desc')
    .orderBy('i.seq')
    .$call(paginate(page))
    .execute();

/** The number and the amount of orders by status. */
export const countByStatus = (scope: Scope, musercode: string, filters: OrderFilters) =>
  selectOrders(scope, musercode, filters)
    .select(['o.orderstatus', sql<number>`count(*)::int`.as('count'), sql<number>`sum(o.payamount)::float8`.as('amount')])
    .groupBy('o.orderstatus')
    .execute();

/** An order of which the institution is a party; undefined for all others. */
export const findOrder = (scope: Scope, musercode: string, orderno: string) =>
  withNames(selectOrders(scope, musercode, {}))
    .where('o.orderno', '=', orderno)
    .select([
      'o.payno',
      'o.voucherfileid',
      'o.transferno',
      'o.transferdate',
      'o.transferamount',
      'o.transferby',
      'o.transferkeys',
    ])
    .select([
      'o.receiver',
      'o.receiverphone',
      'o.receiveraddress',
      'o.invoicetitle',
      'o.taxno',
      'o.invoiceno',
      'o.cancelreason',
      'o.remark',
    ])
    .executeTakeFirst();
export type FoundOrder = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

/** The items of an order with the names of their plans and covers. */
export const findItemLines = (scope: Scope, orderno: string) =>
  scope.db
    .selectFrom('orderitem as i')
    .leftJoin('plan as p', 'p.plancode', 'i.plancode')
    .leftJoin('goods as g', 'g.goodsid', 'i.goodsid')
    .where('i.orderno', '=', orderno)
    .select(['i.seq', 'i.goodsid', 'i.goodsname', 'i.goodstype', 'i.price', 'i.qty', 'i.amount', 'i.plancode', 'i.countqty'])
    .select(['i.enddate', 'i.delivered', 'i.refundedqty', 'p.planname', 'g.coverfileid'])
    .orderBy('i.seq')
    .execute();

/** The log of an order, the earliest first. */
export const findLog = (scope: Scope, orderno: string) =>
  scope.db
    .selectFrom('orderlog')
    .select(['time', 'event', 'fromstatus', 'tostatus', 'content', 'operatorname'])
    .where('orderno', '=', orderno)
    .orderBy('logid')
    .execute();

/** The order that an institution made with this key. */
export const findByClientkey = (scope: Scope, musercode: string, clientkey: string) =>
  scope.db
    .selectFrom('orders')
    .select(['orderno', 'payamount', 'orderstatus', 'expiretime'])
    .where('musercode', '=', musercode)
    .where('clientkey', '=', clientkey)
    .executeTakeFirst();
