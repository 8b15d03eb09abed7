import { sql } from 'kysely';
import type pg from 'pg';
import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { FACTS } from '#features/guide/checklists.ts';

type Account = Pick<Staff, 'accountid' | 'musercode' | 'userid'>;

/** Returns what the account has opened and put away. */
export async function findGuide({ db }: Scope, { accountid }: Account) {
  const row = await db.selectFrom('guide').select(['visited', 'ishidden']).where('accountid', '=', accountid).executeTakeFirst();
  return { visited: row?.visited ?? [], ishidden: row?.ishidden === 1 };
}

/** Returns which facts hold for the caller's institution and account. Institutions, teams and tasks count within the caller's reach. */
export async function findFacts(
  { db }: Scope,
  { musercode, userid, accountid }: Account,
): Promise<Record<(typeof FACTS)[number], boolean>> {
  const { rows } = await sql<Record<(typeof FACTS)[number], boolean>>`
    select
      exists (select from muser m where m.parentmusercode = ${musercode} and m.isdeleted = 0
        and coalesce(m.settings -> 'opening' ->> 'step', 'done') = 'done') as institutions,
      exists (select from dept d where d.musercode = ${musercode} and d.isdeleted = 0) as depts,
      exists (select from role r where r.musercode = ${musercode} and r.isdeleted = 0 and r.isbuiltin = 0)
        or exists (select from sysuserrole h join sysuser u on u.userid = h.userid
          where u.musercode = ${musercode} and u.isdeleted = 0) as roles,
      exists (select from sysuser u where u.musercode = ${musercode} and u.isdeleted = 0) as users,
      exists (select from sysuser u where u.musercode = ${musercode} and u.isdeleted = 0 and u.enabled = 1 and u.duty = 1) as duty,
      exists (select from assessteam t join teamroster r on r.teamcode = t.teamcode and r.status = 1
        where t.isdeleted = 0) as roster,
      exists (select from assesstask k where k.isdeleted = 0) as tasks,
      exists (select from sysuser u where u.userid = ${userid} and coalesce(u.phonenumber, '') <> '') as phone,
      exists (select from counsellortime c where c.userid = ${userid}) as hours,
      exists (select from listview v where v.accountid = ${accountid}) as view`.execute(db);
  return rows[0] as Record<(typeof FACTS)[number], boolean>;
}

/** Whether the account has an address of its calendar. */
export const hasFeed = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<boolean> =>
  (await authn.query('select from auth.calendarfeed where accountid = $1', [accountid])).rowCount === 1;

/** Adds a step to those whose page the account has opened. */
export const saveVisit = ({ db }: Scope, { accountid, musercode }: Account, key: string) =>
  sql`insert into guide (accountid, musercode, visited) values (${accountid}, ${musercode}, array[${key}])
    on conflict (accountid) do update set visited = guide.visited || excluded.visited
    where not guide.visited @> excluded.visited`.execute(db);

/** Puts the checklist of the account away, or shows it again. */
export const saveHidden = ({ db }: Scope, { accountid, musercode }: Account, ishidden: boolean) =>
  sql`insert into guide (accountid, musercode, ishidden) values (${accountid}, ${musercode}, ${ishidden ? 1 : 0})
    on conflict (accountid) do update set ishidden = excluded.ishidden`.execute(db);

/** Saves the newest release note that the account has opened. */
export const saveRelease = ({ db }: Scope, { accountid, musercode }: Account, release: string) =>
  sql`insert into guide (accountid, musercode, releaseread) values (${accountid}, ${musercode}, ${release}::date)
    on conflict (accountid) do update set releaseread = greatest(guide.releaseread, excluded.releaseread)`.execute(db);
