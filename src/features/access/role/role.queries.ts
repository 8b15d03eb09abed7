import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '#server/db/scope.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import type { selectRoleList } from '#features/access/role/role.contract.ts';

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
/**
 * The condition for roles an institution uses: its own and the platform's built-in ones for its type. A school has no 服务商管理员:
 * the role would give it no rights.
 */
const isUsable = (musercode: string) => sql<SqlBool>`r.isdeleted = 0
  and (r.musercode = ${musercode}
    or r.isbuiltin = 1 and (select m.musertype from muser m where m.musercode = ${musercode}) = any (
      case r.rolekey
        when 'platformadmin' then array['001']
        when 'provideradmin' then array['001', '002']
        when 'authorityviewer' then array['001', '003']
        else array['001', '002', '003', '004', '005'] end))`;
const memberCount = (musercode: string) =>
  sql<number>`(select count(*)::int from sysuserrole ur join sysuser u on u.userid = ur.userid
    where ur.roleid = r.roleid and u.musercode = ${musercode} and u.isdeleted = 0)`;

type Filters = Pick<z.output<(typeof selectRoleList)['request']>, 'rolename' | 'rolekey' | 'enabled'>;

/** Returns all roles an institution uses. There are dozens, so the handler compares rights and then cuts the page. */
export function findRoles(scope: Scope, musercode: string, filters: Filters) {
  let query = scope.db.selectFrom('role as r').where(isUsable(musercode));
  if (filters.rolename) query = query.where('r.rolename', 'like', like(filters.rolename));
  if (filters.rolekey) query = query.where('r.rolekey', 'like', like(filters.rolekey));
  if (filters.enabled !== undefined) query = query.where('r.enabled', '=', filters.enabled);
  return query
    .selectAll('r')
    .select(memberCount(musercode).as('usercount'))
    .orderBy('r.isbuiltin', 'desc')
    .orderBy('r.rolesort')
    .orderBy('r.roleid')
    .execute();
}

/** Returns a role that the institution uses, or undefined. */
export const findRole = (scope: Scope, musercode: string, roleid: number) =>
  scope.db.selectFrom('role as r').selectAll('r').where(isUsable(musercode)).where('r.roleid', '=', roleid).executeTakeFirst();

/** Returns a role of the institution and locks it until the transaction ends. */
export const lockRole = (scope: Scope, musercode: string, roleid: number) =>
  scope.db
    .selectFrom('role as r')
    .selectAll('r')
    .where('r.musercode', '=', musercode)
    .where('r.isdeleted', '=', 0)
    .where('r.roleid', '=', roleid)
    .forUpdate()
    .executeTakeFirst();

/** Returns the codes of a role. */
export const codesOf = async (scope: Scope, roleid: number): Promise<readonly string[]> =>
  (await scope.db.selectFrom('role').select('codes').where('roleid', '=', roleid).executeTakeFirst())?.codes ?? [];

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

/** Inserts a role and returns its id. */
export const addRole = (scope: Scope, musercode: string, role: RoleFields) =>
  scope.db
    .insertInto('role')
    .values({ musercode, ...role })
    .returning('roleid')
    .executeTakeFirstOrThrow();

/** Updates columns of a role. */
export const changeRole = (scope: Scope, roleid: number, role: Partial<RoleFields>) =>
  scope.db
    .updateTable('role')
    .set({ ...role, updatetime: sql<Date>`now()` })
    .where('roleid', '=', roleid)
    .execute();

/** Returns whether a user holds a role. */
export const holdsRole = async (scope: Scope, userid: string, roleid: number): Promise<boolean> =>
  (await scope.db
    .selectFrom('sysuserrole')
    .select('roleid')
    .where('userid', '=', userid)
    .where('roleid', '=', roleid)
    .executeTakeFirst()) !== undefined;

/** Deletes a role unless staff hold it. One statement, so that no other call assigns the role in between. */
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

/** Returns the staff of an institution who hold a role; at most 500. */
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

/** Returns those of the departments that belong to the institution. */
export const findExistingDepts = async (scope: Scope, musercode: string, deptids: readonly number[]): Promise<number[]> =>
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

/** Sets the rights of an institution. Removes withdrawn rights from its roles, from single grants and from all institutions below. */
export async function setInstitutionCodes(scope: Scope, musercode: string, codes: readonly string[]) {
  await sql`update muser set codes = ${codes}::text[], updatetime = now() where musercode = ${musercode}`.execute(scope.db);
  const pathFrom = sql`(select m.orgpath from muser m where m.musercode = ${musercode})`;
  const pathTo = sql`(select left(m.orgpath, -1) || '/' from muser m where m.musercode = ${musercode})`;
  const isBelow = sql`orgpath > ${pathFrom} and orgpath < ${pathTo}`;
  const isInReach = sql`orgpath >= ${pathFrom} and orgpath < ${pathTo}`;
  const remainingCodes = sql`array(select c from unnest(codes) c where c = any (${codes}::text[]))`;
  await sql`update muser set codes = ${remainingCodes}, updatetime = now()
    where ${isBelow} and not codes <@ ${codes}::text[]`.execute(scope.db);
  await sql`update role set codes = ${remainingCodes}, updatetime = now()
    where ${isInReach} and not codes <@ ${codes}::text[]`.execute(scope.db);
  await sql`delete from sysuserpermission
    where ${isInReach} and effect = 'grant' and not code = any (${codes}::text[])`.execute(scope.db);
}

/** Replaces the single grants and denials of a member of staff. */
export async function setUserCodes(
  scope: Scope,
  user: { userid: string; musercode: string },
  grants: readonly string[],
  denials: readonly string[],
) {
  await scope.db.deleteFrom('sysuserpermission').where('userid', '=', user.userid).execute();
  await markEdit(scope, 'sysuser', 'userid', user.userid, 'permissions');
  const rows = [
    ...grants.map((code) => ({ ...user, code, effect: 'grant' })),
    ...denials.map((code) => ({ ...user, code, effect: 'deny' })),
  ];
  if (rows.length > 0) await scope.db.insertInto('sysuserpermission').values(rows).execute();
}
