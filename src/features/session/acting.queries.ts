import type pg from 'pg';
import { sql } from 'kysely';
import type { Scope, SessionHash } from '#server/db/scope.ts';

export interface Subject {
  accountid: string;
  musercode: string;
  userid: string | null;
  open: boolean;
}
/** The account of a member of staff, or an institution's own; whether the caller may reach it is asked elsewhere. */
export const findSubject = async (
  authn: Pick<pg.Pool, 'query'>,
  musercode: string,
  userid: string | undefined,
): Promise<Subject | undefined> =>
  (
    await authn.query<Subject>(
      `select a.accountid, a.musercode, a.userid,
         a.enabled = 1 and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date) as open
       from auth.account a join auth.tenant t on t.musercode = a.musercode
       where a.musercode = $1 and a.userid is not distinct from $2`,
      [musercode, userid ?? null],
    )
  ).rows[0];

/** The open accounts of an institution within the caller's range: its own first, then its staff by name; 500 at most. */
export const findSubjects = async (scope: Scope, authn: Pick<pg.Pool, 'query'>, musercode: string) => {
  const { rows: own } = await authn.query('select from auth.account where accountid = $1 and enabled = 1', [musercode]);
  const { rows: staff } = await sql<{ userid: string; realname: string; rolenames: string[] }>`
    select u.userid, u.realname, coalesce((select array_agg(r.rolename order by r.rolesort) from sysuserrole ur
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 where ur.userid = u.userid), '{}') as rolenames
    from sysuser u where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0 order by u.realname, u.userid limit 500`.execute(
    scope.db,
  );
  return { own: own.length > 0, staff };
};

/** How the subject is called: its institution, and its name when it is a member of staff. Both within the caller's range. */
export const recordSubject = async (scope: Scope, { musercode, userid }: Subject) =>
  (
    await sql<{ insname: string; realname: string | null }>`
    select m.insname, u.realname from muser m left join sysuser u on u.userid = ${userid} and u.isdeleted = 0
    where m.musercode = ${musercode} and m.isdeleted = 0`.execute(scope.db)
  ).rows[0];

/**
 * Opens the session in which one account acts in another. It is bound to the same browser as the one it comes from, ends with it and
 * after `minutes` in any case; one that was open before from the same session ends.
 */
export async function openActing(
  authn: Pick<pg.Pool, 'query'>,
  row: {
    tokenhash: SessionHash;
    parenthash: SessionHash;
    subject: Subject;
    by: string;
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
     from auth.session p where p.tokenhash = $9 and p.loginasby is null`,
    [
      row.tokenhash,
      row.subject.musercode,
      row.subject.accountid,
      row.ip,
      row.useragent.slice(0, 300),
      row.minutes,
      row.by,
      row.reason,
      row.parenthash,
    ],
  );
}

/** Ends the session of acting and moves the one it came from to a new token; false when that one is gone. */
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
