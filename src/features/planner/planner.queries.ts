import { sql } from 'kysely';
import type pg from 'pg';
import type { Scope } from '#server/db/scope.ts';
import { isWaiting, ownerOf } from '#features/care/followup/work.queries.ts';

type Authn = Pick<pg.Pool, 'query'>;

/** The address of an account: since when, and when it was last read. */
export const findFeed = async (authn: Authn, accountid: string) =>
  (
    await authn.query<{ createtime: Date; lasttime: Date | null }>(
      'select createtime, lasttime from auth.calendarfeed where accountid = $1',
      [accountid],
    )
  ).rows[0];

/** Saves the hash of a new address; the former one ends. */
export const saveFeed = (authn: Authn, accountid: string, secrethash: string) =>
  authn.query(
    `insert into auth.calendarfeed (accountid, secrethash) values ($1, $2)
     on conflict (accountid) do update set secrethash = excluded.secrethash, createtime = now(), lasttime = null`,
    [accountid, secrethash],
  );

/** Ends the address of an account. */
export const deleteFeed = (authn: Authn, accountid: string) =>
  authn.query('delete from auth.calendarfeed where accountid = $1', [accountid]);

/** Notes that an address was read and returns whose it is; undefined when it has ended or the account may not sign in. */
export const readFeed = async (authn: Authn, secrethash: string) =>
  (
    await authn.query<{ musercode: string; userid: string }>(
      `update auth.calendarfeed f set lasttime = now()
       from auth.account a join auth.tenant t using (musercode)
       where f.secrethash = $1 and a.accountid = f.accountid and a.enabled = 1 and a.userid is not null and t.enabled = 1
       returning a.musercode, a.userid`,
      [secrethash],
    )
  ).rows[0];

/** One thing of a colleague's calendar. It has no word about the person that it concerns. */
export interface PlannedThing {
  kind: 'followup' | 'consult' | 'case';
  id: string;
  begin: Date;
  /** null: a deadline */
  end: Date | null;
  /** the kind of the next step of a case */
  step: string | null;
}

/** The follow-ups, consultations and deadlines of cases of a colleague between two times, the earliest first. */
export async function findPlannedThings(scope: Scope, userid: string, from: Date, until: Date): Promise<PlannedThing[]> {
  const { rows } = await sql<PlannedThing>`
    select 'followup' as kind, f.followupid::text as id, f.duetime as begin, null::timestamptz as end, null as step
    from followup f left join warning w on w.warningcode = f.warningcode
    where f.isdeleted = 0 and ${isWaiting} and ${ownerOf} = ${userid} and f.duetime between ${from} and ${until}
    union all
    select 'consult', k.consultid::text, k.slotbegin, k.slotend, null
    from consult k
    where k.isdeleted = 0 and k.status = '02' and k.counsellor = ${userid} and k.slotbegin between ${from} and ${until}
    union all
    select 'case', w.warningcode, w.nextdue, null, w.nextduekind
    from warning w
    where w.isdeleted = 0 and w.owneruserid = ${userid} and w.nextdue between ${from} and ${until}
      and not (${userid} = any (w.suspectuserids))
      and not exists (
        select from followup f
        where f.warningcode = w.warningcode and f.isdeleted = 0 and f.duetime = w.nextdue and ${ownerOf} = ${userid})
    order by begin, id`.execute(scope.db);
  return rows;
}
