import { sql, type SqlBool } from 'kysely';
import type pg from 'pg';
import type { z } from 'zod';
import { limitOffset, walkIndex } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { selectUserList } from '#features/org/user/user.contract.ts';

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const sortColumns: Record<string, string> = {
  realname: 'u.realname',
  sysusername: 'u.sysusername',
  createtime: 'u.createtime',
  deptname: 'd.deptname',
  enabled: 'u.enabled',
};
const openCases = sql<number>`(select count(*)::int from warning w
  where w.owneruserid = u.userid and w.state not in ('07', '08') and w.isdeleted = 0 and ${isNotSuspect})`;

const joinDept = sql`left join dept d on d.deptid = u.deptid`;

interface UserRow {
  userid: string;
  musercode: string;
  insname: string;
  version: number;
  sysusername: string;
  realname: string;
  gender: string | null;
  phonenumber: string | null;
  email: string | null;
  deptid: number | null;
  deptname: string | null;
  post: string | null;
  titles: string | null;
  remark: string | null;
  duty: number;
  enabled: number;
  createtime: Date;
  opencases: number;
  absentuntil: Date | null;
  isshared: number;
  /** roles that are not deleted */
  roles: { roleid: number; rolename: string; enabled: number }[];
  /** the codes of each role, deleted roles too */
  rolecodes: string[][];
  grants: string[];
  secondfactor: boolean;
}

/** The users to list: those of one institution, or of the caller's and all below it. */
export interface UserReach {
  musercode: string | undefined;
  /** the caller reads the telephones in full; otherwise a part of a telephone finds nobody */
  hasPhones: boolean;
}
type UserFilters = Omit<z.output<(typeof selectUserList)['request']>, 'musercode' | 'reach'>;

/** Returns a page of users. Row-level security hides institutions that are not below the caller. */
export async function findUsers(scope: Scope, { musercode, hasPhones }: UserReach, filters: UserFilters) {
  const { keyword, deptid, enabled, duty, roleid, orderby } = filters;
  const conditions = [sql<SqlBool>`u.isdeleted = 0`];
  // The policies also show the staff on call above the caller.
  if (musercode === undefined)
    conditions.push(sql`u.orgpath >= (select access.path_from())`, sql`u.orgpath < (select access.path_to())`);
  else conditions.push(sql`u.musercode = ${musercode}`);
  if (keyword) {
    const text = like(keyword);
    const byPhone = hasPhones
      ? sql`u.phonenumber like ${text}`
      : sql`u.phonenumber = ${keyword} or (u.phonenumber like ${text} and u.musercode = (select access.current_musercode()))`;
    conditions.push(sql`(u.realname like ${text} or u.sysusername like ${text} or ${byPhone})`);
  }
  if (deptid) conditions.push(sql`(d.deptid = ${deptid} or ${String(deptid)} = any (string_to_array(d.ancestors, ',')))`);
  if (enabled !== undefined) conditions.push(sql`u.enabled = ${enabled}`);
  if (duty !== undefined) conditions.push(sql`u.duty = ${duty}`);
  if (roleid) conditions.push(sql`exists (select from sysuserrole ur where ur.userid = u.userid and ur.roleid = ${roleid})`);
  const query = sql`from sysuser u ${deptid || orderby === 'deptname' ? joinDept : sql``} where ${sql.join(conditions, sql` and `)}`;
  const sortColumn = orderby && sortColumns[orderby];
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const firstSort = sortColumn ? sql`${sql.raw(sortColumn)} ${direction} nulls last, ` : sql``;
  const sorting = sql`order by ${firstSort}u.createtime desc, u.userid desc`;
  // No index answers a part of a name: PostgreSQL reads the users once, for the page and for the total.
  const total = keyword ? sql`(count(*) over ())::int` : sql`(select count(*)::int ${query})`;
  // The statement cuts the page before it looks up details, and counts the total. A page after the last has no row with a total.
  const rowsOfPage = sql<
    UserRow & { total: number; mustchangepwd: number | null; lapsed: boolean | null }
  >`with cut as materialized (select u.userid, ${total} as total ${query} ${sorting} ${limitOffset(filters)}),
      page as materialized (select u.*, c.total from cut c join sysuser u on u.userid = c.userid)
    select u.total, u.userid, u.musercode, m.insname, u.version, u.sysusername, u.realname, u.gender, u.phonenumber, u.email,
      u.deptid, d.deptname,
      u.post, u.titles, u.remark, u.duty, u.enabled, u.createtime, u.absentuntil, u.isshared,
      ${openCases} as opencases,
      coalesce(r.roles, '[]') as roles,
      coalesce(r.rolecodes, '[]') as rolecodes,
      array(select p.code from sysuserpermission p where p.userid = u.userid and p.effect = 'grant') as grants,
      a.mustchangepwd, a.lapsed, coalesce(a.secondfactor, false) as secondfactor
    from page u join muser m on m.musercode = u.musercode ${joinDept}
      left join auth.account_states(array(select userid from page)) a on a.accountid = u.userid
      left join lateral (
        select json_agg(r.codes) as rolecodes,
          json_agg(json_build_object('roleid', r.roleid, 'rolename', r.rolename, 'enabled', r.enabled) order by r.rolesort)
            filter (where r.isdeleted = 0) as roles
        from sysuserrole ur join role r on r.roleid = ur.roleid
        where ur.userid = u.userid) r on true
    ${sorting}`;
  if (musercode === undefined && !keyword) await walkIndex(scope);
  const { rows: page } = await rowsOfPage.execute(scope.db);
  if (page[0] === undefined) {
    const { rows: totals } =
      filters.page === 1 ? { rows: [] } : await sql<{ total: number }>`select count(*)::int as total ${query}`.execute(scope.db);
    return { total: totals[0]?.total ?? 0, rows: [] };
  }
  const rows = page.map(({ total: _, mustchangepwd, lapsed, ...row }) => ({
    ...row,
    account: mustchangepwd === null || lapsed === null ? null : { mustchangepwd, lapsed },
  }));
  return { total: page[0].total, rows };
}

/** Returns the time of the last sign-in of each account. */
export async function lastLogins(
  authn: Pick<pg.Pool, 'query'>,
  accountids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await authn.query<{ accountid: string; time: Date }>(
    `select a.accountid, (
        select l.time from auth.loginlog l where l.accountid = a.accountid and l.ok = 1 order by l.time desc limit 1) as time
      from unnest($1::text[]) a (accountid)`,
    [accountids],
  );
  return new Map(rows.filter((row) => row.time).map((row) => [row.accountid, row.time]));
}

/** Returns a user of the institution, or undefined. */
export const findUser = (scope: Scope, musercode: string, userid: string) =>
  scope.db
    .selectFrom('sysuser')
    .selectAll()
    .where('userid', '=', userid)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Returns a user of an institution below the caller, or undefined. */
export const findUserBelow = (scope: Scope, musercode: string, userid: string) =>
  scope.db
    .selectFrom('sysuser')
    .selectAll()
    .where('userid', '=', userid)
    .where('musercode', '<>', musercode)
    .where('isdeleted', '=', 0)
    .where(sql<SqlBool>`orgpath > (select access.path_from()) and orgpath < (select access.path_to())`)
    .executeTakeFirst();

/** Returns the ids of the roles that a user holds. */
export const roleidsOf = async (scope: Scope, userid: string): Promise<number[]> =>
  (await scope.db.selectFrom('sysuserrole').select('roleid').where('userid', '=', userid).execute()).map((row) => row.roleid);

/** Returns those of the roles that the institution may use: its own and the built-in ones. */
export const findRolesById = (scope: Scope, musercode: string, roleids: readonly number[]) =>
  scope.db
    .selectFrom('role')
    .selectAll()
    .where('roleid', 'in', roleids)
    .where('isdeleted', '=', 0)
    .where((eb) => eb.or([eb('musercode', '=', musercode), eb('isbuiltin', '=', 1)]))
    .execute();

export interface UserFields {
  sysusername: string;
  realname: string;
  deptid: number | null;
  phonenumber: string | null;
  email: string | null;
  gender: string | null;
  post: string | null;
  titles: string | null;
  remark: string | null;
  duty: number;
  isshared: number;
}

/** Inserts a user and returns the id. */
export const addUser = (scope: Scope, musercode: string, user: UserFields) =>
  scope.db
    .insertInto('sysuser')
    .values({ musercode, ...user })
    .returning('userid')
    .executeTakeFirstOrThrow();

/** Updates columns of a user. */
export const changeUser = (scope: Scope, userid: string, user: Partial<UserFields>) =>
  scope.db
    .updateTable('sysuser')
    .set({ ...user, updatetime: sql<Date>`now()` })
    .where('userid', '=', userid)
    .execute();

/** Enables or disables a user. The trigger on sysuser closes the account and ends its sessions. */
export const setEnabled = (scope: Scope, userid: string, enabled: number) =>
  scope.db
    .updateTable('sysuser')
    .set({ enabled, updatetime: sql<Date>`now()` })
    .where('userid', '=', userid)
    .execute();

/** Replaces the roles of a user. */
export async function setRoles(scope: Scope, user: { userid: string; musercode: string }, roleids: readonly number[]) {
  await scope.db.deleteFrom('sysuserrole').where('userid', '=', user.userid).execute();
  await markEdit(scope, 'sysuser', 'userid', user.userid, 'roleids');
  if (roleids.length > 0)
    await scope.db
      .insertInto('sysuserrole')
      .values(roleids.map((roleid) => ({ ...user, roleid })))
      .execute();
}

/** Deletes a user who owns no open case, in one statement. The login name becomes free. */
export const removeUser = (scope: Scope, userid: string) =>
  scope.db
    .updateTable('sysuser as u')
    .set({ isdeleted: 1, sysusername: sql<string>`u.sysusername || '#' || u.userid`, updatetime: sql<Date>`now()` })
    .where('u.userid', '=', userid)
    .where('u.isdeleted', '=', 0)
    .where(sql<SqlBool>`${openCases} = 0`)
    .returning('u.userid')
    .executeTakeFirst();

/** Creates the account of a new user in the same transaction. */
export const createAccount = (scope: Scope, userid: string, pwdhash: string, validdays: number) =>
  sql`select auth.create_account(${userid}, ${pwdhash}, make_interval(days => ${validdays}))`.execute(scope.db);

/** Sets a new one-time password and ends the sessions of a user. */
export const resetAccount = (scope: Scope, userid: string, pwdhash: string, validdays: number) =>
  sql`select auth.reset_account(${userid}, ${pwdhash}, make_interval(days => ${validdays}))`.execute(scope.db);

/** Leaves a message in the inbox of a user. */
export const notifyUser = (
  scope: Scope,
  { userid, musercode }: { userid: string; musercode: string },
  title: string,
  content: string,
  createtime: Date,
) => scope.db.insertInto('notification').values({ userid, musercode, kind: 'system', title, content, createtime }).execute();

/** Returns those of the login names that are in use, in lower case. Login names are unique on the whole platform. */
export const findUsedNames = async (authn: Pick<pg.Pool, 'query'>, names: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await authn.query<{ loginname: string }>('select loginname from auth.account where loginname = any ($1)', [
        names.map((name) => name.toLowerCase()),
      ])
    ).rows.map((row) => row.loginname),
  );
