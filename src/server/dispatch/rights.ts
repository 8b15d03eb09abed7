import { sql } from 'kysely';
import { allCodes } from '#contract/menu.ts';
import type { MUserTypeCode } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import { effectiveCodes, type Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';

/**
 * Who may arrange the rights of others: somebody who sees the whole institution. Whoever sees a part of it could otherwise make an
 * account that sees all. That they are themselves and have just proven it is asked of every action that is `sensitive`.
 */
export function assertMayManageRights(caller: Staff) {
  if (caller.hasDataScope) throw problems.notAllowed();
}

/** Nobody gives what they lack: refused with 110004 when a code is not among the caller's own. 'admin' is nobody's. */
export function assertHoldsAll(caller: Staff, codes: Iterable<string>) {
  for (const code of codes) if (!caller.codes.has(code)) throw problems.notAllowed();
}
export const holdsAll = (caller: Staff, codes: Iterable<string>): boolean => [...codes].every((code) => caller.codes.has(code));

interface RightsRow {
  musercode: string;
  insname: string;
  musertype: MUserTypeCode;
  mcodes: string[];
  rolecodes: string[];
  granted: string[];
  denied: string[];
  issuper: boolean;
  menusoff: number[];
}
export interface Rights extends RightsRow {
  codes: ReadonlySet<string>;
}
const menusoff = sql<number[]>`coalesce((select array_agg(menuid) from menuoverride where enabled = 0), '{}')`;

/** What a member of staff within the caller's range holds now. Row locks keep two changes of the same account in turn. */
export async function rightsOfUser(scope: Scope, userid: string, lock = false): Promise<Rights | undefined> {
  if (lock) await sql`select from sysuser where userid = ${userid} for update`.execute(scope.db);
  const { rows } = await sql<RightsRow>`
    select u.musercode, m.insname, m.musertype, m.codes as mcodes, false as issuper, ${menusoff} as menusoff,
      coalesce((select array_agg(distinct c) from sysuserrole ur
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0, unnest(r.codes) c
      where ur.userid = u.userid), '{}') as rolecodes,
      coalesce((select array_agg(code) from sysuserpermission p where p.userid = u.userid and effect = 'grant'), '{}') as granted,
      coalesce((select array_agg(code) from sysuserpermission p where p.userid = u.userid and effect = 'deny'), '{}') as denied
    from sysuser u join muser m on m.musercode = u.musercode where u.userid = ${userid} and u.isdeleted = 0`.execute(scope.db);
  const row = rows[0];
  return row && { ...row, codes: effectiveCodes({ ...row, staff: true }) };
}

/** What an institution within the caller's range may use. */
export async function rightsOfInstitution(scope: Scope, musercode: string): Promise<Rights | undefined> {
  const { rows } = await sql<Omit<RightsRow, 'rolecodes' | 'granted' | 'denied'>>`
    select m.musercode, m.insname, m.musertype, m.codes as mcodes, m.musertype = '001' as issuper, ${menusoff} as menusoff
    from muser m where m.musercode = ${musercode} and m.isdeleted = 0 and m.orgpath >= access.path_from()
      and m.orgpath < access.path_to()`.execute(scope.db);
  const row = rows[0];
  if (!row) return undefined;
  const full = { ...row, rolecodes: [], granted: [], denied: [] };
  return { ...full, mcodes: row.issuper ? [...allCodes] : row.mcodes, codes: effectiveCodes({ ...full, staff: false }) };
}

/**
 * A member of staff of the caller's own institution whom the caller may arrange: not themselves, and nobody who holds more.
 * Otherwise resetting the password of a stronger account would be a way to its rights.
 */
export async function findManageableUser(scope: Scope, caller: Staff, userid: string): Promise<Rights> {
  const rights = await rightsOfUser(scope, userid, true);
  if (!rights || rights.musercode !== caller.musercode) throw problems.notFound({ what: '用户' });
  // What disabled roles would give and what is denied counts, too: it may come back without anybody asking this caller.
  const { rows } = await sql<{
    code: string;
  }>`select distinct c as code from sysuserrole ur join role r on r.roleid = ur.roleid, unnest(r.codes) c
    where ur.userid = ${userid}`.execute(scope.db);
  const institution = new Set(rights.mcodes);
  assertHoldsAll(
    caller,
    [...rights.granted, ...rows.map((row) => row.code)].filter((code) => institution.has(code)),
  );
  return rights;
}

/** The same of many at once: all of them members of the caller's own institution, none of whom holds more. */
export async function findManageableUsers(scope: Scope, caller: Staff, userids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ found: number; codes: string[] }>`
    with they as (select u.userid from sysuser u where u.userid = any (${userids}::text[])
      and u.musercode = ${caller.musercode} and u.isdeleted = 0)
    select (select count(*)::int from they) as found, coalesce((select array_agg(distinct c) from (
      select unnest(r.codes) from sysuserrole ur join role r on r.roleid = ur.roleid where ur.userid in (select userid from they)
      union select p.code from sysuserpermission p where p.effect = 'grant' and p.userid in (select userid
        from they)) x (c)), '{}') as codes`.execute(scope.db);
  if (rows[0]?.found !== new Set(userids).size) throw problems.notFound({ what: '用户' });
  assertHoldsAll(
    caller,
    rows[0].codes.filter((code) => caller.institutioncodes.has(code)),
  );
}

/**
 * May the caller give this role? Of an own role every code must be theirs. A built-in role belongs to the platform: codes the
 * institution has not bought stay without effect there, so only the others count.
 */
export const canAssignRole = (
  caller: Staff,
  role: { codes: readonly string[]; isbuiltin: number },
  institution: ReadonlySet<string>,
): boolean => holdsAll(caller, role.isbuiltin ? role.codes.filter((code) => institution.has(code)) : role.codes);
