/** What `seed/verify.ts` asks of goods and orders. */

/** The invariants of orders in every database. Each query finds the rows that break one. */
export const orderInvariants: readonly (readonly [title: string, sql: string])[] = [
  [
    'an order costs its items, and its refunds are those that are done',
    `select o.orderno from orders o
      where o.totalamount <> (select coalesce(sum(i.amount), 0) from orderitem i where i.orderno = o.orderno)
        or o.refundamount <> (select coalesce(sum(r.amount), 0) from refund r
          where r.orderno = o.orderno and r.status = 2 and r.issurplus = 0)`,
  ],
  [
    'the log of an order ends in its status',
    `select o.orderno from orders o where o.orderstatus is distinct from
      (select l.tostatus from orderlog l where l.orderno = o.orderno order by l.logid desc limit 1)`,
  ],
  [
    'only open orders hold counts of their seller',
    'select h.orderno from orderhold h join orders o using (orderno) where o.orderstatus not in (1, 2, 4)',
  ],
  [
    'the units that goods gave away are those of their orders',
    `select g.goodsid from goods g where g.taken <> (select coalesce(sum(i.qty), 0) from orderitem i
      join orders o using (orderno) where i.goodsid = g.goodsid and o.orderstatus <> 5)`,
  ],
];

/** Parts of the counter that the demonstration must contain, with the least number of kinds. */
export const orderParts: readonly (readonly [title: string, sql: string, kinds: number])[] = [
  ['orders by status', 'select distinct orderstatus from orders', 7],
  ['goods by kind', 'select distinct goodstype from goods where isdeleted = 0', 4],
  ['goods by state: draft, on sale, taken off', 'select distinct listingstatus from goods where isdeleted = 0', 3],
  ['sellers of goods: platform and provider', 'select distinct musercode from goods', 2],
  [
    'packages of one plan, of any plan, and free ones',
    "select distinct plancode = '*', price = 0 from goods where goodstype = '01'",
    3,
  ],
  [
    'transfers that wait: recorded by the first human, or not',
    "select distinct transferno is null from orders where orderstatus = 2 and paychannel in ('03', '04')",
    2,
  ],
  ['refunds: asked and done', 'select distinct status from refund where status in (0, 2)', 2],
  ['money too much', 'select refundno from refund where issurplus = 1', 2],
  ['compared days that agree', 'select day from payreconcile where isbalanced = 1', 28],
  ['comparisons, none of which disagrees', 'select 1 from payreconcile having bool_and(isbalanced = 1)', 1],
];
