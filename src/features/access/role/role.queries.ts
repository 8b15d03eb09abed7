import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '#server/db/scope.ts';
import type { selectRoleList } from '#features/access/role/role.contract.ts';

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
/**
 * Roles an institution uses: its own and the platform's built-in ones, without those made for another kind of institution. A school has
 * no 服务商管理员; the role would give it nothing and only be a riddle in its list.
 */
const usable = (musercode: string) => sql<SqlBool>`r.isdeleted = 0 and (r.musercode = ${musercode} or r.isbuiltin = 1 and (
  select m.musertype from muser m where m.musercode = ${musercode}) = any (case r.rolekey when 'platformadmin' then array['001']
    when 'provideradmin' then array['001', '002'] when 'authorityviewer' then array['001', '003']
      else array['001', '002', '003', '004', '005'] end))`;
const members = (musercode: string) =>
  sql<number>`(select count(*)::int from sysuserrole ur join sysuser u on u.userid = ur.userid
    where ur.roleid = r.roleid and u.musercode = ${musercode} and u.isdeleted = 0)`;

type Filters = Pick<z.output<(typeof selectRoleList)['request']>, 'rolename' | 'rolekey' | 'enabled'>;

/** All roles an institution uses; there are dozens, not thousands, so a page is cut by the caller after rights are compared. */
export function findRoles(scope: Scope, musercode: string, filters: Filters) {
  let query = scope.db.selectFrom('role as r').where(usable(musercode));
  if (filters.rolename) query = query.where('r.rolename', 'like', like(filters.rolename));
  if (filters.rolekey) query = query.where('r.rolekey', 'like', like(filters.rolekey));
  if (filters.enabled !== undefined) query = query.where('r.enabled', '=', filters.enabled);
  return query
    .selectAll('r')
    .select(members(musercode).as('usercount'))
    .orderBy('r.isbuiltin', 'desc')
    .orderBy('r.rolesort')
    .orderBy('r.roleid')
    .execute();
}

export const findRole = (scope: Scope, musercode: string, roleid: number) =>
  scope.db.selectFrom('role as r').selectAll('r').where(usable(musercode)).where('r.roleid', '=', roleid).executeTakeFirst();
/** The same, kept from changing until the call is over. */
export const lockRole = (scope: Scope, musercode: string, roleid: number) =>
  scope.db
    .selectFrom('role as r')
    .selectAll('r')
    .where('r.musercode', '=', musercode)
    .where('r.isdeleted', '=', 0)
    .where('r.roleid', '=', roleid)
    .forUpdate()
    .executeTakeFirst();

export interface RoleFields {
  rolename: string;
  rolekey: string;
  rolesort: number;
  datascope: number;
  deptids: number[];
  codes: string[];
  enabled: number;
  mustfactor: number;
  remark: string | null;
}
export const addRole = (scope: Scope, musercode: string, role: RoleFields) =>
  scope.db
    .insertInto('role')
    .values({ musercode, ...role })
    .returning('roleid')
    .executeTakeFirstOrThrow();
export const changeRole = (scope: Scope, roleid: number, role: Partial<RoleFields>) =>
  scope.db
    .updateTable('role')
    .set({ ...role, updatetime: sql<Date>`now()` })
    .where('roleid', '=', roleid)
    .execute();

export const holdsRole = async (scope: Scope, userid: string, roleid: number): Promise<boolean> =>
  (await scope.db
    .selectFrom('sysuserrole')
    .select('roleid')
    .where('userid', '=', userid)
    .where('roleid', '=', roleid)
    .executeTakeFirst()) !== undefined;

/** Deletes a role unless somebody holds it; one statement, so that nobody can be given it in between. */
export const removeRole = (scope: Scope, roleid: number) =>
  scope.db
    .updateTable('role as r')
    .set({ isdeleted: 1, updatetime: sql<Date>`now()` })
    .where('r.roleid', '=', roleid)
    .where('r.isdeleted', '=', 0)
    .where(
      sql<SqlBool>`not exists (select from sysuserrole ur join sysuser u on u.userid = ur.userid
        where ur.roleid = r.roleid and u.isdeleted = 0)`,
    )
    .returning('r.roleid')
    .executeTakeFirst();

export const findMembers = (scope: Scope, musercode: string, roleid: number) =>
  scope.db
    .selectFrom('sysuserrole as ur')
    .innerJoin('sysuser as u', 'u.userid', 'ur.userid')
    .leftJoin('dept as d', 'd.deptid', 'u.deptid')
    .select(['u.userid', 'u.realname', 'u.sysusername', 'd.deptname', 'u.enabled'])
    .where('ur.roleid', '=', roleid)
    .where('u.musercode', '=', musercode)
    .where('u.isdeleted', '=', 0)
    .orderBy('u.realname')
    .limit(500)
    .execute();

/** Departments of the institution among those given. */
export const knownDepts = async (scope: Scope, musercode: string, deptids: readonly number[]): Promise<number[]> =>
  deptids.length === 0
    ? []
    : (
        await scope.db
          .selectFrom('dept')
          .select('deptid')
          .where('musercode', '=', musercode)
          .where('isdeleted', '=', 0)
          .where('deptid', 'in', deptids)
          .execute()
      ).map((row) => row.deptid);

/** Sets what an institution may use, and takes what it lost from its roles, from single grants, and from everything below it. */
export async function setInstitutionCodes(scope: Scope, musercode: string, codes: readonly string[]) {
  await sql`update muser set codes = ${codes}::text[], updatetime = now() where musercode = ${musercode}`.execute(scope.db);
  const within = sql`orgpath > (select m.orgpath from muser m
    where m.musercode = ${musercode}) and orgpath < (select left(m.orgpath, -1) || '/' from muser m where m.musercode = ${musercode})`;
  const reach = sql`orgpath >= (select m.orgpath from muser m
    where m.musercode = ${musercode}) and orgpath < (select left(m.orgpath, -1) || '/' from muser m where m.musercode = ${musercode})`;
  const query = sql`array(select c from unnest(codes) c where c = any (${codes}::text[]))`;
  await sql`update muser set codes = ${query}, updatetime = now() where ${within} and not codes <@ ${codes}::text[]`.execute(
    scope.db,
  );
  await sql`update role set codes = ${query}, updatetime = now() where ${reach} and not codes <@ ${codes}::text[]`.execute(
    scope.db,
  );
  await sql`delete from sysuserpermission where ${reach} and effect = 'grant' and not code = any (${codes}::text[])`.execute(
    scope.db,
  );
}

/** Replaces the single grants and denials of a member of staff. */
export async function setUserCodes(
  scope: Scope,
  user: { userid: string; musercode: string },
  grants: readonly string[],
  denials: readonly string[],
) {
  await scope.db.deleteFrom('sysuserpermission').where('userid', '=', user.userid).execute();
  const rows = [
    ...grants.map((code) => ({ ...user, code, effect: 'grant' })),
    ...denials.map((code) => ({ ...user, code, effect: 'deny' })),
  ];
  if (rows.length > 0) await scope.db.insertInto('sysuserpermission').values(rows).execute();
}
