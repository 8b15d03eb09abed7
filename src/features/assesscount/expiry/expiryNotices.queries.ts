import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { sealedJson } from '#server/sealing/textSealer.ts';

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

/** A notification about counts that expire. */
export interface ExpiryNotice {
  musercode: string;
  title: string;
  content: string;
  link: string;
  dedupekey: string;
}
const isContent = (_: string, name: string) => name === 'content';

/** Stores notices for institutions' accounts and their administrators, once for each key. Returns the number of new ones. */
export const notifyAdministrators = async (scope: Scope, notices: readonly ExpiryNotice[], now: Date): Promise<number> =>
  (
    await sql`
      insert into notification (musercode, userid, kind, title, content, link, dedupekey, createtime)
      select n.musercode, w.userid, 'system', n.title, n.content, n.link,
        n.dedupekey || ':' || coalesce(w.userid, n.musercode), ${now}::timestamptz
      from jsonb_to_recordset(${sealedJson(notices, isContent)}::jsonb)
          as n (musercode text, title text, content text, link text, dedupekey text)
        cross join lateral (
          select null as userid union all
          select distinct u.userid from sysuser u join sysuserrole ur on ur.userid = u.userid
            join role r on r.roleid = ur.roleid and r.rolekey in ('insadmin', 'provideradmin') and r.enabled = 1 and r.isdeleted = 0
          where u.musercode = n.musercode and u.enabled = 1 and u.isdeleted = 0) w
      on conflict do nothing returning id`.execute(scope.db)
  ).rows.length;
