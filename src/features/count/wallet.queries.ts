import { sql } from 'kysely';
import type { Scope } from '#server/scope.ts';

export interface StoredWallet {
  plancode: string;
  planname: string | null;
  granted: number;
  used: number;
  frozen: number;
  expired: number;
  free: number;
  enddate: string | null;
}
/** The wallets of an institution, the one for any plan first. */
export const findWallets = async (scope: Scope, musercode: string): Promise<StoredWallet[]> =>
  (
    await sql<StoredWallet>`
      select w.plancode, p.planname, w.granted, w.used, w.frozen, w.expired, w.granted - w.used - w.frozen - w.expired as free, w.enddate
      from assesscount w left join plan p on p.plancode = w.plancode
      where w.musercode = ${musercode} order by w.plancode <> '*', p.planname, w.plancode`.execute(scope.db)
  ).rows;

/** What an institution got from another one, less what went back, in one wallet. */
export async function givenBy(scope: Scope, musercode: string, walletcode: string, partycode: string): Promise<number> {
  const { rows } = await sql<{ qty: number }>`select coalesce(sum(qty), 0)::int as qty from assesscountlog
    where musercode = ${musercode} and plancode = ${walletcode} and partycode = ${partycode} and kind in ('01', '06')`.execute(
    scope.db,
  );
  return rows[0]?.qty ?? 0;
}

/** Free counts of one wallet. */
export async function freeIn(scope: Scope, musercode: string, walletcode: string): Promise<number> {
  const { rows } = await sql<{ free: number }>`select granted - used - frozen - expired as free from assesscount
    where musercode = ${musercode} and plancode = ${walletcode}`.execute(scope.db);
  return rows[0]?.free ?? 0;
}

/** Institutions within reach that hold something whose last day is over. */
export const findEnded = async (scope: Scope, today: string): Promise<string[]> =>
  (
    await sql<{ musercode: string }>`
      select musercode from assesscode where status = 0 and expiredate < ${today}::date
      union select musercode from cuserplan where taskcode is null and status = 1 and enddate < ${today}::date
      union select musercode from assesscount where enddate < ${today}::date and granted - used - frozen - expired > 0
      order by 1`.execute(scope.db)
  ).rows.map((row) => row.musercode);

/** Makes unused codes void whose last day is over; answers what they held, one line for each batch and wallet. */
export const endCodes = async (scope: Scope, musercode: string, today: string) =>
  (
    await sql<{ musercode: string; walletcode: string; batchno: string; qty: number }>`
      with gone as (
        update assesscode set status = 3 where musercode = ${musercode} and status = 0 and expiredate < ${today}::date
        returning musercode, walletcode, batchno)
      select musercode, walletcode, batchno, count(*)::int as qty from gone group by 1, 2, 3 order by 3`.execute(scope.db)
  ).rows;

/**
 * Ends authorisations outside tasks whose last day is over; answers what they held. A sitting begun within the last day is let to
 * its end: the next run comes back to it.
 */
export const endGrants = async (scope: Scope, musercode: string, today: string, since: Date) =>
  (
    await sql<{ cuserid: string; musercode: string; walletcode: string; qty: number }>`
      with held as (
        select cuserplanid, frozen from cuserplan g
        where musercode = ${musercode} and taskcode is null and status = 1 and enddate < ${today}::date
          and not exists (select from examrecord e where e.cuserplanid = g.cuserplanid and e.status = 1 and e.starttime > ${since}::timestamptz)
        order by cuserplanid for update)
      update cuserplan g set status = 4, frozen = 0 from held h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;
