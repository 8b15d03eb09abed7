import type pg from 'pg';
import { sql } from 'kysely';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope, SessionHash } from '#server/db/scope.ts';

/** Returns the profile of the current caller. */
export const findProfile = async (scope: Scope) =>
  (
    await sql<{
      version: number;
      account: string;
      realname: string | null;
      phonenumber: string | null;
      email: string | null;
      deptname: string | null;
      rolenames: string[];
    }>`
    select coalesce(u.version, m.version) as version, coalesce(u.sysusername, m.username) as account,
      case when u.userid is null then m.realname else u.realname end as realname,
      case when u.userid is null then m.phonenumber else u.phonenumber end as phonenumber, u.email, d.deptname,
      coalesce((select array_agg(r.rolename order by r.rolesort)
        from sysuserrole ur
          join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
        where ur.userid = u.userid), '{}') as rolenames
    from muser m
      left join sysuser u on u.userid = access.current_userid()
      left join dept d on d.deptid = u.deptid
    where m.musercode = access.current_musercode()`.execute(scope.db)
  ).rows[0];

/** Returns the name of the caller's institution and those of its users whose enabled roles give them this code. */
export async function findAdministrators(scope: Scope, musercode: string, code: string) {
  const { rows } = await sql<{ userid: string; realname: string; rolenames: string[] }>`
    select u.userid, u.realname, array_agg(r.rolename order by r.rolesort) as rolenames
    from sysuser u
      join sysuserrole ur on ur.userid = u.userid
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 and ${code} = any (r.codes)
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0
      and not exists (select from sysuserpermission p where p.userid = u.userid and p.code = ${code} and p.effect = 'deny')
    group by u.userid, u.realname
    order by u.realname
    limit 20`.execute(scope.db);
  const ins = await scope.db.selectFrom('muser').select('insname').where('musercode', '=', musercode).executeTakeFirstOrThrow();
  return { insname: ins.insname, administrators: rows };
}

/** Returns when the password of an account was last changed. */
export const findPasswordTime = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<Date | undefined> =>
  (await authn.query<{ pwdtime: Date }>('select pwdtime from auth.account where accountid = $1', [accountid])).rows[0]?.pwdtime;

/** Changes the contact data of the caller. An institution's own account has no e-mail address. */
export async function updateContact(
  scope: Scope,
  { musercode, userid }: Staff,
  contact: { phonenumber?: string | null; email?: string | null },
) {
  if (userid === null) {
    if (contact.phonenumber === undefined) return;
    await scope.db
      .updateTable('muser')
      .set({ phonenumber: contact.phonenumber, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
      .where('musercode', '=', musercode)
      .execute();
    return;
  }
  await scope.db
    .updateTable('sysuser')
    .set({ ...contact, updatetime: sql<Date>`now()` })
    .where('userid', '=', userid)
    .execute();
}

export interface LoginRow {
  id: number;
  time: Date;
  ok: number;
  reason: string;
  ip: string | null;
  useragent: string | null;
}

/** Returns the last twenty sign-ins of an account, the newest first. */
export const findRecentLogins = async (authn: Pick<pg.Pool, 'query'>, accountid: string): Promise<LoginRow[]> =>
  (
    await authn.query<LoginRow>(
      `select id, time, ok, reason, ip, useragent
       from auth.loginlog
       where accountid = $1
       order by time desc, id desc
       limit 20`,
      [accountid],
    )
  ).rows;

/**
 * Ends every session of an account except the current one and its screens, acting sessions included, and the trust in other browsers.
 * Returns how many sessions it ended.
 */
export const endOtherSessions = async (authn: Pick<pg.Pool, 'query'>, accountid: string, current: SessionHash): Promise<number> =>
  (
    await authn.query(
      `with ended as (update auth.session set revoked = now()
           where accountid = $1 and kind = 'staff' and revoked is null and tokenhash <> $2 returning tokenhash),
         distrusted as (delete from auth.trusteddevice where accountid = $1
           and cookiehash is distinct from (select boundhash from auth.session where tokenhash = $2))
       select from ended`,
      [accountid, current],
    )
  ).rowCount ?? 0;
