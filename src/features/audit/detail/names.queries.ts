import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The identifiers in audit rows whose names are wanted: codes as texts, departments and roles as numbers. */
export interface Identifiers {
  texts: readonly string[];
  depts: readonly number[];
  roles: readonly number[];
}

/** Returns the names of the identifiers that the caller may see. The key is the code, or `dept 3` and `role 3`. */
export async function findNames(scope: Scope, { texts, depts, roles }: Identifiers): Promise<ReadonlyMap<string, string>> {
  if (texts.length + depts.length + roles.length === 0) return new Map();
  const { rows } = await sql<{ key: string; name: string }>`
    select userid as key, realname as name from sysuser where userid = any (${texts}::text[])
    union all select musercode, insname from muser where musercode = any (${texts}::text[])
    union all select teamcode, teamname from assessteam where teamcode = any (${texts}::text[])
    union all select taskcode, taskname from assesstask where taskcode = any (${texts}::text[])
    union all select plancode, planname from plan where plancode = any (${texts}::text[])
    union all select formcode, formname from form where formcode = any (${texts}::text[])
    union all select 'dept ' || deptid, deptname from dept where deptid = any (${depts}::bigint[])
    union all select 'role ' || roleid, rolename from role where roleid = any (${roles}::bigint[])`.execute(scope.db);
  return new Map(rows.map(({ key, name }) => [key, name]));
}
