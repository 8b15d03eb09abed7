import { sql } from 'kysely';
import { WINDDOWN_DAYS } from '#domain/tenant/winddown.ts';
import type { Scope } from '#server/db/scope.ts';

/** An enabled institution whose contract ends soon or has ended. */
export interface EndingInstitution {
  musercode: string;
  insname: string;
  sector: string;
  expiredate: string;
  /** days to the last day of the contract; negative afterwards */
  daysleft: number;
  /** last day of 收尾模式 */
  winddownuntil: string;
}

/** The enabled institutions whose contract ends by `until`. After 收尾模式 only those with open cases. */
export async function findEndingInstitutions(scope: Scope, today: string, until: string): Promise<EndingInstitution[]> {
  const { rows } = await sql<EndingInstitution>`
    select m.musercode, m.insname, m.sector, m.expiredate, m.expiredate - ${today}::date as daysleft,
      m.expiredate + ${WINDDOWN_DAYS}::int as winddownuntil
    from muser m
    where m.musertype in ('002', '004', '005') and m.enabled = 1 and m.isdeleted = 0 and m.expiredate <= ${until}::date
      and (m.expiredate + ${WINDDOWN_DAYS}::int >= ${today}::date or exists (
        select from warning w where w.musercode = m.musercode and w.state not in ('07', '08') and w.isdeleted = 0))
    order by m.musercode`.execute(scope.db);
  return rows;
}

/** The own account and the administrators of an institution. */
export async function findManagerAccounts(
  scope: Scope,
  musercode: string,
): Promise<{ musercode: string; userid: string | null }[]> {
  const { rows } = await sql<{ musercode: string; userid: string | null }>`
    select ${musercode} as musercode, null as userid
    union
    select u.musercode, u.userid from sysuser u
      join sysuserrole ur on ur.userid = u.userid
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0 and r.rolekey in ('insadmin', 'provideradmin')`.execute(
    scope.db,
  );
  return rows;
}
