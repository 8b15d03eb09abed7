import { sql, type SqlBool } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

const activeDepts = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('dept as d').where('d.musercode', '=', musercode).where('d.isdeleted', '=', 0);
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const staffCount = sql<number>`(select count(*)::int from sysuser u where u.deptid = d.deptid and u.isdeleted = 0)`;

/** Returns the departments of an institution that match the filters. */
export function findDepts(
  scope: Scope,
  musercode: string,
  { deptname, enabled }: { deptname?: string | undefined; enabled?: number | undefined } = {},
) {
  let query = activeDepts(scope, musercode);
  if (deptname) query = query.where('d.deptname', 'like', like(deptname));
  if (enabled !== undefined) query = query.where('d.enabled', '=', enabled);
  return query
    .selectAll('d')
    .select(staffCount.as('usercount'))
    .orderBy('d.parentid')
    .orderBy('d.ordernum')
    .orderBy('d.sortname')
    .orderBy('d.deptid')
    .execute();
}

/** Returns a department of the institution, or undefined. */
export const findDept = (scope: Scope, musercode: string, deptid: number) =>
  activeDepts(scope, musercode).selectAll('d').where('d.deptid', '=', deptid).executeTakeFirst();

/** Locks the departments of an institution until the transaction ends: two concurrent moves could form a circle. */
export const lockDepts = (scope: Scope, musercode: string) =>
  sql`select pg_advisory_xact_lock(hashtext('dept'), hashtext(${musercode}))`.execute(scope.db);

export interface DeptFields {
  parentid: number;
  ancestors: string;
  deptname: string;
  ordernum: number;
  leader: string | null;
  phonenumber: string | null;
  email: string | null;
  enabled: number;
}

/** Inserts a department and returns its id. */
export const addDept = (scope: Scope, musercode: string, dept: DeptFields) =>
  scope.db
    .insertInto('dept')
    .values({ musercode, ...dept })
    .returning('deptid')
    .executeTakeFirstOrThrow();

/** Updates all columns of a department. */
export const changeDept = (scope: Scope, deptid: number, dept: DeptFields) =>
  scope.db
    .updateTable('dept')
    .set({ ...dept, updatetime: sql<Date>`now()` })
    .where('deptid', '=', deptid)
    .execute();

/** Replaces the path prefix `from` by `to` in all departments below a moved one. */
export const moveBelow = (scope: Scope, musercode: string, from: string, to: string) =>
  sql`update dept set ancestors = ${to} || substr(ancestors, ${from.length + 1}::int), updatetime = now()
      where musercode = ${musercode} and (ancestors = ${from} or starts_with(ancestors, ${`${from},`}))`.execute(scope.db);

/** Deletes a department without child departments, staff and roles that reach it by its number, in one statement. */
export const removeDept = (scope: Scope, musercode: string, deptid: number) =>
  scope.db
    .updateTable('dept as d')
    .set({ isdeleted: 1, updatetime: sql<Date>`now()` })
    .where('d.deptid', '=', deptid)
    .where('d.musercode', '=', musercode)
    .where('d.isdeleted', '=', 0)
    .where(
      sql<SqlBool>`not exists (select from dept c where c.parentid = d.deptid and c.isdeleted = 0)
        and not exists (select from sysuser u where u.deptid = d.deptid and u.isdeleted = 0)
        and not exists (select from role r where d.deptid = any (r.deptids) and r.isdeleted = 0)`,
    )
    .returning('d.deptid')
    .executeTakeFirst();
