import { sql, type RawBuilder } from 'kysely';
import type { Lot } from '#domain/counts/wallet.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Wallet } from '#features/assesscount/movement.queries.ts';

/** A wallet with its figures. */
export interface StoredWallet {
  plancode: string;
  planname: string | null;
  granted: number;
  used: number;
  frozen: number;
  expired: number;
  free: number;
  /** the next last day of free counts, and the number that ends then */
  enddate: string | null;
  ending: number;
}
/**
 * Joins the lot of wallet `w` that ends next, as `e`; `consumed` are the counts that are not free. It agrees with `countlot` and reads
 * only lots with a last day. Lots without one are used after them, and most wallets have only such lots.
 */
export const joinNextExpiry = (consumed: RawBuilder<unknown>) => sql`left join lateral (
  select c.enddate, least(c.qty, c.upto - (${consumed}))::int as ending from (
    select l.enddate, sum(l.qty) as qty, sum(sum(l.qty)) over (order by l.enddate) as upto from assesscountlog l
    where l.musercode = w.musercode and l.plancode = w.plancode and l.kind in ('01', '02', '06', '08')
      and l.enddate is not null group by l.enddate) c
  where least(c.qty, c.upto - (${consumed})) > 0 order by c.enddate limit 1) e on true`;
/** The wallets of an institution, the one for any plan first. */
export const findWallets = async (scope: Scope, musercode: string): Promise<StoredWallet[]> =>
  (
    await sql<StoredWallet>`
      select w.plancode, p.planname, w.granted, w.used, w.frozen, w.expired,
        w.granted - w.used - w.frozen - w.expired as free, e.enddate, coalesce(e.ending, 0) as ending
      from assesscount w left join plan p on p.plancode = w.plancode ${joinNextExpiry(sql`w.used + w.frozen + w.expired`)}
      where w.musercode = ${musercode} order by w.plancode <> '*', p.planname, w.plancode`.execute(scope.db)
  ).rows;

/** Tells whether a wallet ever had counts. For a wallet without a current lot this means that it has expired. */
export const hasHistory = async (scope: Scope, { musercode, walletcode }: Wallet): Promise<boolean> =>
  (
    await sql`select from assesscountlog where musercode = ${musercode} and plancode = ${walletcode}
      and kind in ('01', '02', '06', '08') limit 1`.execute(scope.db)
  ).rows.length > 0;

/** The counts that one wallet granted an institution and did not get back, by their last day at the grant, the latest first. */
export const findOutstanding = async (scope: Scope, wallet: Wallet, partycode: string, today: string): Promise<Lot[]> =>
  (
    await sql<Lot>`select enddate, -sum(qty)::int as qty from assesscountlog
      where musercode = ${wallet.musercode} and plancode = ${wallet.walletcode} and partycode = ${partycode} and kind in ('01', '06')
        and (enddate is null or enddate >= ${today}::date)
      group by enddate having sum(qty) < 0 order by enddate desc nulls first`.execute(scope.db)
  ).rows;

/** The institutions with codes, authorizations or counts whose last day is over. */
export const findInstitutionsToExpire = async (scope: Scope, today: string): Promise<string[]> =>
  (
    await sql<{ musercode: string }>`
      select musercode from assesscode where status = 0 and expiredate < ${today}::date
      union select musercode from cuserplan where taskcode is null and status = 1 and enddate < ${today}::date
      union select musercode from countlot where enddate < ${today}::date and free > 0
      order by 1`.execute(scope.db)
  ).rows.map((row) => row.musercode);

/** Voids unused codes whose last day is over; returns their counts, one row for each batch and wallet. */
export const expireCodes = async (scope: Scope, musercode: string, today: string) =>
  (
    await sql<{ musercode: string; walletcode: string; plancode: string; batchno: string; qty: number }>`
      with voided as (
        update assesscode set status = 3 where musercode = ${musercode} and status = 0 and expiredate < ${today}::date
        returning musercode, walletcode, plancode, batchno)
      select musercode, walletcode, plancode, batchno, count(*)::int as qty from voided group by 1, 2, 3, 4 order by 4`.execute(
      scope.db,
    )
  ).rows;

/**
 * Ends authorizations outside tasks whose last day is over; returns their counts. An exam that started within the last day may be
 * finished: a later run ends its authorization.
 */
export const expireAuthorizations = async (scope: Scope, musercode: string, today: string, since: Date) =>
  (
    await sql<{ cuserid: string; musercode: string; plancode: string; walletcode: string; qty: number }>`
      with locked as (
        select cuserplanid, frozen from cuserplan g
        where musercode = ${musercode} and taskcode is null and status = 1 and enddate < ${today}::date
          and not exists (select from examrecord e where e.cuserplanid = g.cuserplanid and e.status = 1
          and e.starttime > ${since}::timestamptz)
        order by cuserplanid for update)
      update cuserplan g set status = 4, frozen = 0 from locked h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;
