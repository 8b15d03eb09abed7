import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

export interface ExplainedRow {
  userid: string | null;
  musercode: string;
  name: string;
  insname: string;
  musertype: string;
  insopen: number;
  expiredate: string | null;
  expired: boolean;
  open: number;
  deptid: number | null;
  deptname: string | null;
  /** waiting: has not set a first password yet; lapsed: the one-time password is used or expired */
  waiting: number;
  lapsed: boolean;
}

/** Returns an account within the caller's reach, or undefined. Deleted accounts do not count. */
export async function findAccount(scope: Scope, accountid: string): Promise<ExplainedRow | undefined> {
  const { rows } = await sql<ExplainedRow>`
    select u.userid, m.musercode, u.realname as name, m.insname, m.musertype, m.enabled as insopen, m.expiredate,
      coalesce(m.expiredate < (now() at time zone 'Asia/Shanghai')::date, false) as expired,
      u.enabled as open, u.deptid, d.deptname, coalesce(s.mustchangepwd, 0) as waiting, coalesce(s.lapsed, false) as lapsed
    from sysuser u join muser m on m.musercode = u.musercode left join dept d on d.deptid = u.deptid
      left join lateral auth.account_states(array[u.userid]) s on true
    where u.userid = ${accountid} and u.isdeleted = 0
    union all
    select null, m.musercode, coalesce(m.realname, m.insname), m.insname, m.musertype, m.enabled, m.expiredate,
      coalesce(m.expiredate < (now() at time zone 'Asia/Shanghai')::date, false), m.enabled, null, null, 0, false
    from muser m where m.musercode = ${accountid} and m.isdeleted = 0 and m.orgpath >= access.path_from()
      and m.orgpath < access.path_to()`.execute(scope.db);
  return rows[0];
}

/** Returns the roles of a member of staff, disabled ones too. */
export const rolesOf = (scope: Scope, userid: string) =>
  scope.db
    .selectFrom('sysuserrole as ur')
    .innerJoin('role as r', 'r.roleid', 'ur.roleid')
    .select(['r.roleid', 'r.rolename', 'r.codes', 'r.datascope', 'r.deptids', 'r.enabled'])
    .where('ur.userid', '=', userid)
    .where('r.isdeleted', '=', 0)
    .orderBy('r.rolesort')
    .execute();

/** Returns how many persons an institution has, and how many of them a restricted member of staff sees. */
export async function countPersons(
  scope: Scope,
  musercode: string,
  userid: string | null,
): Promise<{ total: number; reached: number }> {
  const { rows } = await sql<{ total: number; reached: number }>`
    select count(*)::int as total, (count(*) filter (where cuserid in (select access.visible_cusers(${userid}))))::int as reached
    from cuser where musercode = ${musercode} and isdeleted = 0`.execute(scope.db);
  return rows[0] ?? { total: 0, reached: 0 };
}

/** Returns the names of departments that are not deleted. */
export const deptNames = async (scope: Scope, deptids: readonly number[]): Promise<string[]> =>
  deptids.length === 0
    ? []
    : (
        await scope.db.selectFrom('dept').select('deptname').where('deptid', 'in', deptids).where('isdeleted', '=', 0).execute()
      ).map((row) => row.deptname);

/** Returns staff and institutions within reach whose name or login contains the keyword; at most 30. */
export async function findAccounts(
  scope: Scope,
  {
    keyword,
    accountid,
    kind,
  }: { keyword?: string | undefined; accountid?: string | undefined; kind?: 'staff' | 'institution' | undefined },
) {
  const like = `%${(keyword ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<{ accountid: string; name: string; loginname: string; insname: string }>`
    select * from (
      select u.userid as accountid, u.realname as name, u.sysusername as loginname, m.insname, 0 as own
        from sysuser u join muser m on m.musercode = u.musercode
      where ${kind !== 'institution'} and u.isdeleted = 0 and u.orgpath >= access.path_from()
        and u.orgpath < access.path_to() and (u.realname like ${like} or u.sysusername like ${like})
        and (${accountid ?? null}::text is null or u.userid = ${accountid ?? null})
      union all
      select m.musercode, coalesce(m.realname, m.insname), m.username, m.insname, 1 from muser m
      where ${kind !== 'staff'} and m.isdeleted = 0 and m.orgpath >= access.path_from()
        and m.orgpath < access.path_to() and (m.insname like ${like} or m.username like ${like})
        and (${accountid ?? null}::text is null or m.musercode = ${accountid ?? null})
    ) a order by a.own, a.insname, a.name limit 30`.execute(scope.db);
  return rows.map(({ accountid: id, name, loginname, insname }) => ({ accountid: id, name, loginname, insname }));
}
