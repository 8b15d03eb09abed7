import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Free counts of an institution and a plan with the same last day. */
export interface ExpiringLot {
  musercode: string;
  insname: string;
  plancode: string;
  planname: string | null;
  enddate: string;
  free: number;
  /** whole days until `enddate` */
  days: number;
}
/** The free counts whose last day lies between two days, by institution and plan. */
export const findExpiringLots = async (scope: Scope, from: string, to: string): Promise<ExpiringLot[]> =>
  (
    await sql<ExpiringLot>`
      select c.musercode, m.insname, c.plancode, p.planname, c.enddate, c.free, c.enddate - ${from}::date as days
      from countlot c join muser m on m.musercode = c.musercode and m.enabled = 1 and m.isdeleted = 0
        left join plan p on p.plancode = c.plancode
      where c.enddate between ${from}::date and ${to}::date and c.free > 0 order by c.enddate, c.musercode, c.plancode`.execute(
      scope.db,
    )
  ).rows;

/** An institution that granted counts of a lot. */
export interface Grantor {
  partycode: string;
  musercode: string;
  plancode: string;
  enddate: string;
  qty: number;
}
/** The institutions that granted these counts, with the number for each lot. */
export const findGrantors = async (scope: Scope, lots: readonly ExpiringLot[]): Promise<Grantor[]> =>
  (
    await sql<Grantor>`
      select l.partycode, l.musercode, l.plancode, l.enddate, sum(l.qty)::int as qty
      from unnest(${lots.map((lot) => lot.musercode)}::text[], ${lots.map((lot) => lot.plancode)}::text[],
        ${lots.map((lot) => lot.enddate)}::date[]) as w (musercode, plancode, enddate)
        join assesscountlog l using (musercode, plancode, enddate)
      where l.partycode is not null and l.kind in ('01', '06') group by 1, 2, 3, 4 having sum(l.qty) > 0`.execute(scope.db)
  ).rows;
