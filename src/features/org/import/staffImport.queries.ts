import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import type { UserFields } from '#features/org/user/user.queries.ts';

/** Returns the staff of an institution who have one of these names or login names. */
export const findColleagues = (scope: Scope, musercode: string, realnames: readonly string[], loginnames: readonly string[]) =>
  scope.db
    .selectFrom('sysuser as u')
    .leftJoin('dept as d', 'd.deptid', 'u.deptid')
    .select(['u.realname', 'u.sysusername', 'd.deptname'])
    .where('u.musercode', '=', musercode)
    .where('u.isdeleted', '=', 0)
    .where(sql<boolean>`(u.realname = any (${realnames}::text[]) or lower(u.sysusername) = any (${loginnames}::text[]))`)
    .orderBy('u.createtime')
    .execute();

/** Inserts users in one statement; returns their ids by lower-case login name. */
export async function addUsers(scope: Scope, musercode: string, users: readonly UserFields[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ userid: string; loginname: string }>`
    insert into sysuser (musercode, sysusername, realname, deptid, phonenumber, gender, post, duty)
    select ${musercode}, n.sysusername, n.realname, n.deptid, n.phonenumber, n.gender, n.post, n.duty
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) n
      (sysusername text, realname text, deptid bigint, phonenumber text, gender text, post text, duty smallint)
    returning userid, lower(sysusername) as loginname`.execute(scope.db);
  return new Map(rows.map((row) => [row.loginname, row.userid]));
}

/** Assigns roles to users. */
export const assignRoles = (scope: Scope, musercode: string, pairs: readonly { userid: string; roleid: number }[]) =>
  sql`insert into sysuserrole (userid, roleid, musercode)
    select n.userid, n.roleid, ${musercode}
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) n (userid text, roleid bigint)`.execute(scope.db);

/** Creates the accounts of new users in the same transaction. */
export const createAccounts = (scope: Scope, userids: readonly string[], hashes: readonly string[], validdays: number) =>
  sql`select auth.create_accounts(${userids}::text[], ${hashes}::text[], make_interval(days => ${validdays}))`.execute(scope.db);

/** Sets new one-time passwords for users who have never signed in; returns the ids of these users. */
export const renewAccounts = async (
  scope: Scope,
  userids: readonly string[],
  hashes: readonly string[],
  validdays: number,
): Promise<Set<string>> =>
  new Set(
    (
      await sql<{ userid: string }>`
        select auth.renew_one_time_passwords(${userids}::text[], ${hashes}::text[], make_interval(days => ${validdays})) as userid`.execute(
        scope.db,
      )
    ).rows.map((row) => row.userid),
  );

/** Returns those of the users that are not deleted, with their current names. */
export const findRemaining = (scope: Scope, userids: readonly string[]) =>
  scope.db
    .selectFrom('sysuser')
    .select(['userid', 'sysusername', 'realname'])
    .where('isdeleted', '=', 0)
    .where(sql<boolean>`userid = any (${userids}::text[])`)
    .execute();

/**
 * Counts the users that prevent the undo of an import: signed in, deleted, edited or in charge of a person, team or case. Names the
 * first one. Locks the accounts.
 */
export async function findObstacles(scope: Scope, userids: readonly string[]) {
  const { rows } = await sql<{
    signedin: number;
    signedinname: string | null;
    deleted: number;
    edited: number;
    incharge: string | null;
  }>`
    with users as (select * from sysuser where userid = any (${userids}::text[])),
      in_use as (select s as userid from auth.accounts_in_use(${userids}::text[]) s)
    select (select count(*)::int from in_use) as signedin,
      (select min(realname) from users where userid in (select userid from in_use)) as signedinname,
      cardinality(${userids}::text[]) - (select count(*)::int from users where isdeleted = 0) as deleted,
      (select count(*)::int from users u where u.isdeleted = 0
        and (u.updatetime <> u.createtime or exists (select from sysuserpermission p where p.userid = u.userid))) as edited,
      (select min(u.realname) from users u
        where exists (select from cuser c where c.owneruserid = u.userid)
          or exists (select from assessteam t where t.owneruserid = u.userid)
          or exists (select from warning w where w.owneruserid = u.userid)) as incharge`.execute(scope.db);
  return rows[0] as NonNullable<(typeof rows)[0]>;
}

/** Deletes users: their login names become free and their accounts are closed. */
export const removeUsers = (scope: Scope, userids: readonly string[]) =>
  sql`update sysuser set isdeleted = 1, sysusername = sysusername || '#' || userid, updatetime = now()
    where userid = any (${userids}::text[]) and isdeleted = 0`.execute(scope.db);
