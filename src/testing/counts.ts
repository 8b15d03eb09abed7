import type { startServer } from '#testing/server.ts';

type Server = Pick<Awaited<ReturnType<typeof startServer>>, 'sqlAsOwner'>;

/** A number of a wallet that differs from its ledger, its frozen plans, its codes or the holds of orders. */
export interface Disagreement {
  musercode: string;
  plancode: string;
  item: string;
  wallet: number;
  expected: number;
}

/**
 * Returns the numbers of all wallets that differ from their records, read in one statement and so at one moment.
 * The list is empty if every wallet has granted = used + frozen + expired + free, and its records have the same sums.
 */
export const findDisagreements = (server: Server): Promise<Disagreement[]> =>
  server.sqlAsOwner<Disagreement>(`
    with ledger as (
      select musercode, plancode,
        sum(qty) filter (where kind in ('01', '02', '06', '08')) as granted,
        -sum(qty) filter (where kind = '04') as used,
        -sum(qty) filter (where kind = '07') as expired,
        sum(qty) filter (where kind <> '04') as free
      from assesscountlog
      group by musercode, plancode),
    lots as (
      select musercode, plancode, sum(free) as free, min(granted) as smallest
      from countlot
      group by musercode, plancode),
    sums as (
      select w.*, w.granted - w.used - w.frozen - w.expired as free,
        coalesce(l.granted, 0) as ledgergranted,
        coalesce(l.used, 0) as ledgerused,
        coalesce(l.expired, 0) as ledgerexpired,
        coalesce(l.free, 0) as ledgerfree,
        coalesce((select sum(g.frozen) from cuserplan g where g.musercode = w.musercode and g.walletcode = w.plancode), 0)
          + (select count(*) from assesscode c
             where c.musercode = w.musercode and c.walletcode = w.plancode and c.status = 0)
          + coalesce((select sum(h.qty) from orderhold h where h.musercode = w.musercode and h.walletcode = w.plancode), 0)
          as reserved,
        coalesce(t.free, 0) as lotsfree,
        coalesce(t.smallest, 0) as smallestlot
      from assesscount w
        left join ledger l on l.musercode = w.musercode and l.plancode = w.plancode
        left join lots t on t.musercode = w.musercode and t.plancode = w.plancode)
    select musercode, plancode, item, wallet::int, expected::int
    from sums cross join lateral (values
      ('granted', granted, ledgergranted),
      ('used', used, ledgerused),
      ('expired', expired, ledgerexpired),
      ('free', free, ledgerfree),
      ('frozen', frozen, reserved),
      ('free in all lots', free, lotsfree),
      ('not negative', least(granted, used, frozen, expired, free, smallestlot, 0), 0)) v(item, wallet, expected)
    where wallet <> expected`);
