import { sql, type Insertable } from 'kysely';
import type { OrderitemTable, OrdersTable } from '#db/generated/tables.ts';
import type { OrderStatusCode } from '#domain/order/order.ts';
import type { Scope } from '#server/db/scope.ts';
import type { PayNotice } from '#server/pay/gateway.ts';

/** The rows that a step of an order changes. The scope is the server's session (`withOrders`). */

/** Locks an order with its institution's names; undefined when the scope does not see it. */
export const lockOrder = (scope: Scope, orderno: string) =>
  scope.db.selectFrom('orders').selectAll().where('orderno', '=', orderno).forUpdate().executeTakeFirst();
export type OrderRecord = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;

/** Locks goods in the order of their numbers. A step that moves goods and wallets locks the goods first, so that none waits for another. */
export const lockGoods = (scope: Scope, goodsids: readonly number[]) =>
  scope.db
    .selectFrom('goods')
    .select('goodsid')
    .where('goodsid', 'in', [...goodsids])
    .orderBy('goodsid')
    .forNoKeyUpdate()
    .execute();

/** The items of an order in their order. */
export const findItems = (scope: Scope, orderno: string) =>
  scope.db.selectFrom('orderitem').selectAll().where('orderno', '=', orderno).orderBy('seq').execute();
export type ItemRecord = Awaited<ReturnType<typeof findItems>>[number];

/** Sets the status of an order with what belongs to it. */
export const updateOrder = (
  scope: Scope,
  orderno: string,
  change: Partial<Omit<OrderRecord, 'orderno' | 'orgpath' | 'musercode'>>,
) => scope.db.updateTable('orders').set(change).where('orderno', '=', orderno).execute();

/** Changes an item. */
export const updateItem = (
  scope: Scope,
  orderno: string,
  seq: number,
  change: Partial<Pick<ItemRecord, 'enddate' | 'delivered' | 'delivertime' | 'refundedqty'>>,
) => scope.db.updateTable('orderitem').set(change).where('orderno', '=', orderno).where('seq', '=', seq).execute();

/** Adds a line to the log of an order. */
export const addLog = (
  scope: Scope,
  line: {
    orderno: string;
    musercode: string;
    fromstatus: OrderStatusCode | null;
    tostatus: OrderStatusCode;
    event: string;
    content: string;
    operator: string | null;
    operatorname: string;
    time: Date;
  },
) => scope.db.insertInto('orderlog').values(line).execute();

/** Takes stock of goods on sale. Returns false when there is too little. */
export async function takeStock(scope: Scope, goodsid: number, qty: number): Promise<boolean> {
  const { numUpdatedRows } = await scope.db
    .updateTable('goods')
    .set({ stock: sql`stock - ${qty}`, taken: sql`taken + ${qty}` })
    .where('goodsid', '=', goodsid)
    .where(sql<boolean>`(stock is null or stock >= ${qty})`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Puts units back into stock. Goods without limit stay so. */
export const returnStock = (scope: Scope, goodsid: number, qty: number) =>
  scope.db
    .updateTable('goods')
    .set({ stock: sql`stock + ${qty}`, taken: sql`taken - ${qty}` })
    .where('goodsid', '=', goodsid)
    .execute();

/** Counts sold units; negative for refunds. */
export const addSales = (scope: Scope, goodsid: number, qty: number) =>
  scope.db
    .updateTable('goods')
    .set({ sales: sql`sales + ${qty}` })
    .where('goodsid', '=', goodsid)
    .execute();

/** Opens a course for an institution until its last day. */
export const addAccess = (
  scope: Scope,
  row: { musercode: string; courseid: number; orderno: string; enddate: string | null; createtime: Date },
) => scope.db.insertInto('courseaccess').values(row).execute();

/** Closes the courses of an order for its buyer. */
export const removeAccess = (scope: Scope, orderno: string, courseid: number) =>
  scope.db.deleteFrom('courseaccess').where('orderno', '=', orderno).where('courseid', '=', courseid).execute();

/** The next number of an order: the second of its creation in Shanghai and six digits. */
export async function nextOrderno(scope: Scope, now: Date): Promise<string> {
  const { rows } = await sql<{
    orderno: string;
  }>`select to_char(${now}::timestamptz at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS')
    || lpad((nextval('orderno_seq') % 1000000)::text, 6, '0') as orderno`.execute(scope.db);
  return rows[0]?.orderno as string;
}

/** Adds an order. Returns false when the buyer has one with the same key. */
export async function addOrder(scope: Scope, row: Omit<Insertable<OrdersTable>, 'orgpath'>): Promise<boolean> {
  const added = await scope.db
    .insertInto('orders')
    .values(row)
    .onConflict((conflict) => conflict.columns(['orgpath', 'musercode', 'clientkey']).doNothing())
    .returning('orderno')
    .executeTakeFirst();
  return added !== undefined;
}

/** Adds the items of an order. */
export const addItems = (scope: Scope, rows: readonly Omit<Insertable<OrderitemTable>, 'orgpath'>[]) =>
  scope.db
    .insertInto('orderitem')
    .values([...rows])
    .execute();

/** Whether another order of this seller was paid by this payment. */
export const isPaynoUsed = async (scope: Scope, sellermusercode: string, payno: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('orders')
    .select('orderno')
    .where('sellermusercode', '=', sellermusercode)
    .where('payno', '=', payno)
    .executeTakeFirst()) !== undefined;

/** Stores a notice. Returns false when it came before. */
export async function rememberNotice(
  scope: Scope,
  channel: string,
  notice: PayNotice,
  musercode: string,
  now: Date,
): Promise<boolean> {
  const { payno, state, orderno, amount, time } = notice;
  const row = await scope.db
    .insertInto('paynotice')
    .values({ channel, payno, state, orderno, musercode, amount, time, createtime: now })
    .onConflict((conflict) => conflict.columns(['channel', 'payno', 'state']).doNothing())
    .returning(sql<number>`1`.as('isnew'))
    .executeTakeFirst();
  return row !== undefined;
}
