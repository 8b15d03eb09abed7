import type pg from 'pg';
import { sql } from 'kysely';
import type { Scope, SessionHash } from '#server/db/scope.ts';

export interface Subject {
  accountid: string;
  musercode: string;
  userid: string | null;
  /** the account and its institution are enabled, and 收尾模式 has not ended (domain/tenant/winddown.ts) */
  isOpen: boolean;
}
/** Returns the account of a member of staff, or the institution's own account. The handler checks that the caller may reach it. */
export const findSubject = async (
  authn: Pick<pg.Pool, 'query'>,
  musercode: string,
  userid: string | undefined,
): Promise<Subject | undefined> =>
  (
    await authn.query<Subject>(
      `select a.accountid, a.musercode, a.userid,
         a.enabled = 1 and t.enabled = 1
           and (t.expiredate is null or t.expiredate + 30 >= (now() at time zone 'Asia/Shanghai')::date) as "isOpen"
       from auth.account a
         join auth.tenant t on t.musercode = a.musercode
       where a.musercode = $1 and a.userid is not distinct from $2`,
      [musercode, userid ?? null],
    )
  ).rows[0];

/** Returns the enabled accounts of an institution that the caller may see: whether it has its own, and at most 500 staff by name. */
export const findOpenAccounts = async (scope: Scope, authn: Pick<pg.Pool, 'query'>, musercode: string) => {
  const { rows: own } = await authn.query('select from auth.account where accountid = $1 and enabled = 1', [musercode]);
  const { rows: staff } = await sql<{ userid: string; realname: string; rolenames: string[] }>`
    select u.userid, u.realname,
      coalesce((select array_agg(r.rolename order by r.rolesort)
        from sysuserrole ur
          join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
        where ur.userid = u.userid), '{}') as rolenames
    from sysuser u
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0
    order by u.realname, u.userid
    limit 500`.execute(scope.db);
  return { hasOwnAccount: own.length > 0, staff };
};

/** Returns the names of a subject that the caller may see: of its institution, and of the member of staff or null. */
export const findSubjectNames = async (scope: Scope, { musercode, userid }: Subject) =>
  (
    await sql<{ insname: string; realname: string | null }>`
    select m.insname, u.realname
    from muser m
      left join sysuser u on u.userid = ${userid} and u.isdeleted = 0
    where m.musercode = ${musercode} and m.isdeleted = 0`.execute(scope.db)
  ).rows[0];

/**
 * Opens the session in which one account acts in another. It is bound to the same browser as its parent session.
 * It ends with the parent session, and after `minutes` in any case. An earlier acting session of the same parent ends.
 */
export async function openActingSession(
  authn: Pick<pg.Pool, 'query'>,
  row: {
    tokenhash: SessionHash;
    parenthash: SessionHash;
    subject: Subject;
    actorid: string;
    reason: string;
    minutes: number;
    ip: string;
    useragent: string;
  },
) {
  await authn.query('update auth.session set revoked = now() where parenthash = $1 and revoked is null', [row.parenthash]);
  await authn.query(
    `insert into auth.session (tokenhash, kind, musercode, accountid, ip, useragent, expiretime, idle, boundhash,
      loginasby, loginasreason, parenthash)
     select $1, 'staff', $2, $3, $4, $5, least(p.expiretime, now() + make_interval(mins => $6)),
       make_interval(mins => $6), p.boundhash, $7, $8, p.tokenhash
     from auth.session p
     where p.tokenhash = $9 and p.loginasby is null`,
    [
      row.tokenhash,
      row.subject.musercode,
      row.subject.accountid,
      row.ip,
      row.useragent.slice(0, 300),
      row.minutes,
      row.actorid,
      row.reason,
      row.parenthash,
    ],
  );
}

/** Ends the acting session and moves its parent session to a new token. Returns false when the parent session has ended. */
export async function restoreOwnSession(
  authn: Pick<pg.Pool, 'query'>,
  acting: SessionHash,
  tokenhash: SessionHash,
): Promise<boolean> {
  const { rowCount } = await authn.query(
    `with acting as (update auth.session set revoked = now()
      where tokenhash = $1 and revoked is null and parenthash is not null returning parenthash)
     update auth.session set tokenhash = $2, lastseen = now()
       where tokenhash = (select parenthash from acting) and revoked is null and expiretime > now()`,
    [acting, tokenhash],
  );
  return rowCount === 1;
}
