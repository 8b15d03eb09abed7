import { sql } from 'kysely';
import { allCodes } from '#contract/menu.ts';
import type { MUserTypeCode } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import { effectiveCodes, type Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';

/**
 * Throws 110004 unless the caller sees the whole institution. Otherwise restricted staff could create an unrestricted account.
 * The step-up is a separate check of every `sensitive` action.
 */
export function assertMayManageRights(caller: Staff) {
  if (caller.hasDataScope) throw problems.notAllowed();
}

/** Throws 110004 when the caller lacks one of the codes: nobody grants a right they lack. Nobody holds 'admin'. */
export function assertHoldsAll(caller: Staff, codes: Iterable<string>) {
  for (const code of codes) if (!caller.codes.has(code)) throw problems.notAllowed();
}
/** True when the caller holds all of the codes. */
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
  /** of the row of the user or the institution */
  version: number;
}
/** The rights of an account; `codes` are the effective ones. */
export interface Rights extends RightsRow {
  codes: ReadonlySet<string>;
}
const menusoff = sql<number[]>`coalesce((select array_agg(menuid) from menuoverride where enabled = 0), '{}')`;

/** Returns the current rights of a user within the caller's range. `lock` makes concurrent changes of one account wait. */
export async function rightsOfUser(scope: Scope, userid: string, lock = false): Promise<Rights | undefined> {
  if (lock) await sql`select from sysuser where userid = ${userid} for update`.execute(scope.db);
  const { rows } = await sql<RightsRow>`
    select u.version, u.musercode, m.insname, m.musertype, m.codes as mcodes, false as issuper, ${menusoff} as menusoff,
      coalesce((select array_agg(distinct c) from sysuserrole ur
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0, unnest(r.codes) c
      where ur.userid = u.userid), '{}') as rolecodes,
      coalesce((select array_agg(code) from sysuserpermission p where p.userid = u.userid and effect = 'grant'), '{}') as granted,
      coalesce((select array_agg(code) from sysuserpermission p where p.userid = u.userid and effect = 'deny'), '{}') as denied
    from sysuser u join muser m on m.musercode = u.musercode where u.userid = ${userid} and u.isdeleted = 0`.execute(scope.db);
  const row = rows[0];
  return row && { ...row, codes: effectiveCodes({ ...row, staff: true }) };
}

/** Returns the rights of an institution within the caller's range. */
export async function rightsOfInstitution(scope: Scope, musercode: string): Promise<Rights | undefined> {
  const { rows } = await sql<Omit<RightsRow, 'rolecodes' | 'granted' | 'denied'>>`
    select m.version, m.musercode, m.insname, m.musertype, m.codes as mcodes, m.musertype = '001' as issuper, ${menusoff} as menusoff
    from muser m where m.musercode = ${musercode} and m.isdeleted = 0 and m.orgpath >= access.path_from()
      and m.orgpath < access.path_to()`.execute(scope.db);
  const row = rows[0];
  if (!row) return undefined;
  const full = { ...row, rolecodes: [], granted: [], denied: [] };
  return { ...full, mcodes: row.issuper ? [...allCodes] : row.mcodes, codes: effectiveCodes({ ...full, staff: false }) };
}

/**
 * Returns the rights of a user that the caller may manage. The user belongs to the same institution and has no code that the
 * caller lacks. Otherwise the caller could reset the password of a stronger account and use its rights.
 */
export async function findManageableUser(scope: Scope, caller: Staff, userid: string): Promise<Rights> {
  const rights = await rightsOfUser(scope, userid, true);
  if (!rights || rights.musercode !== caller.musercode) throw problems.notFound({ what: '用户' });
  // The codes of disabled roles and denied codes count too: another account may give them back.
  const { rows } = await sql<{ code: string }>`
    select distinct c as code from sysuserrole ur join role r on r.roleid = ur.roleid, unnest(r.codes) c
    where ur.userid = ${userid}`.execute(scope.db);
  const institution = new Set(rights.mcodes);
  assertHoldsAll(
    caller,
    [...rights.granted, ...rows.map((row) => row.code)].filter((code) => institution.has(code)),
  );
  return rights;
}

/** Throws unless the caller may manage all of these users (`findManageableUser`). */
export async function findManageableUsers(scope: Scope, caller: Staff, userids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ usercount: number; codes: string[] }>`
    with users as (select u.userid from sysuser u where u.userid = any (${userids}::text[])
      and u.musercode = ${caller.musercode} and u.isdeleted = 0)
    select (select count(*)::int from users) as usercount, coalesce((select array_agg(distinct c) from (
      select unnest(r.codes) from sysuserrole ur join role r on r.roleid = ur.roleid where ur.userid in (select userid from users)
      union select p.code from sysuserpermission p where p.effect = 'grant' and p.userid in (select userid
        from users)) x (c)), '{}') as codes`.execute(scope.db);
  if (rows[0]?.usercount !== new Set(userids).size) throw problems.notFound({ what: '用户' });
  assertHoldsAll(
    caller,
    rows[0].codes.filter((code) => caller.institutioncodes.has(code)),
  );
}

/**
 * True when the caller may assign this role. The caller must hold every code of an institution's own role.
 * Of a built-in role only the codes that the institution has bought count; the others have no effect there.
 */
export const canAssignRole = (
  caller: Staff,
  role: { codes: readonly string[]; isbuiltin: number },
  institution: ReadonlySet<string>,
): boolean => holdsAll(caller, role.isbuiltin ? role.codes.filter((code) => institution.has(code)) : role.codes);
