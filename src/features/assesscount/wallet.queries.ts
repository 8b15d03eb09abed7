import { sql, type RawBuilder } from 'kysely';
import type { Lot } from '#domain/counts/wallet.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Wallet } from '#features/assesscount/movement.queries.ts';

export interface StoredWallet {
  plancode: string;
  planname: string | null;
  granted: number;
  used: number;
  frozen: number;
  expired: number;
  free: number;
  /** the next last day of something free, and how much of it ends then */
  enddate: string | null;
  ending: number;
}
/**
 * The lot of wallet `w` that ends next, as `e`; counts without end make none. What `countlot` says of it, from the lots with a
 * last day alone:
 * those without one come after all of them, and most wallets have no other.
 */
export const nextEnd = (query: RawBuilder<unknown>) => sql`left join lateral (
  select c.enddate, least(c.qty, c.upto - (${query}))::int as ending from (
    select l.enddate, sum(l.qty) as qty, sum(sum(l.qty)) over (order by l.enddate) as upto from assesscountlog l
    where l.musercode = w.musercode and l.plancode = w.plancode and l.kind in ('01', '02', '06', '08')
      and l.enddate is not null group by l.enddate) c
  where least(c.qty, c.upto - (${query})) > 0 order by c.enddate limit 1) e on true`;
/** The wallets of an institution, the one for any plan first. */
export const findWallets = async (scope: Scope, musercode: string): Promise<StoredWallet[]> =>
  (
    await sql<StoredWallet>`
      select w.plancode, p.planname, w.granted, w.used, w.frozen, w.expired,
        w.granted - w.used - w.frozen - w.expired as free, e.enddate, coalesce(e.ending, 0) as ending
      from assesscount w left join plan p on p.plancode = w.plancode ${nextEnd(sql`w.used + w.frozen + w.expired`)}
      where w.musercode = ${musercode} order by w.plancode <> '*', p.planname, w.plancode`.execute(scope.db)
  ).rows;

/** Did a wallet ever hold anything? Asked of one that holds no lot any more that lasts. */
export const hasEnded = async (scope: Scope, { musercode, walletcode }: Wallet): Promise<boolean> =>
  (
    await sql`select from assesscountlog where musercode = ${musercode} and plancode = ${walletcode}
      and kind in ('01', '02', '06', '08') limit 1`.execute(scope.db)
  ).rows.length > 0;

/** What an institution gave another from one wallet and did not get back, by the last day it had then, the latest first. */
export const outstanding = async (scope: Scope, wallet: Wallet, partycode: string, today: string): Promise<Lot[]> =>
  (
    await sql<Lot>`select enddate, -sum(qty)::int as qty from assesscountlog
      where musercode = ${wallet.musercode} and plancode = ${wallet.walletcode} and partycode = ${partycode} and kind in ('01', '06')
        and (enddate is null or enddate >= ${today}::date)
      group by enddate having sum(qty) < 0 order by enddate desc nulls first`.execute(scope.db)
  ).rows;

/** Institutions within reach that hold something whose last day is over. */
export const findEnded = async (scope: Scope, today: string): Promise<string[]> =>
  (
    await sql<{ musercode: string }>`
      select musercode from assesscode where status = 0 and expiredate < ${today}::date
      union select musercode from cuserplan where taskcode is null and status = 1 and enddate < ${today}::date
      union select musercode from countlot where enddate < ${today}::date and free > 0
      order by 1`.execute(scope.db)
  ).rows.map((row) => row.musercode);

/** Makes unused codes void whose last day is over; answers what they held, one line for each batch and wallet. */
export const endCodes = async (scope: Scope, musercode: string, today: string) =>
  (
    await sql<{ musercode: string; walletcode: string; plancode: string; batchno: string; qty: number }>`
      with gone as (
        update assesscode set status = 3 where musercode = ${musercode} and status = 0 and expiredate < ${today}::date
        returning musercode, walletcode, plancode, batchno)
      select musercode, walletcode, plancode, batchno, count(*)::int as qty from gone group by 1, 2, 3, 4 order by 4`.execute(
      scope.db,
    )
  ).rows;

/**
 * Ends authorisations outside tasks whose last day is over; answers what they held. A sitting begun within the last day is let to
 * its end: the next run comes back to it.
 */
export const endGrants = async (scope: Scope, musercode: string, today: string, since: Date) =>
  (
    await sql<{ cuserid: string; musercode: string; plancode: string; walletcode: string; qty: number }>`
      with held as (
        select cuserplanid, frozen from cuserplan g
        where musercode = ${musercode} and taskcode is null and status = 1 and enddate < ${today}::date
          and not exists (select from examrecord e where e.cuserplanid = g.cuserplanid and e.status = 1
          and e.starttime > ${since}::timestamptz)
        order by cuserplanid for update)
      update cuserplan g set status = 4, frozen = 0 from held h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;
