import { sql } from 'kysely';
import type pg from 'pg';
import type { MenuChange } from '#contract/menuTree.ts';
import type { Scope, SessionHash } from '#server/db/scope.ts';

/** Sign-in runs as the database role that reads accounts and sessions and no tenant data. */

export interface AccountRow {
  accountid: string;
  musercode: string;
  userid: string | null;
  pwdhash: string;
  /** the account and its institution are enabled and 收尾模式 has not ended (domain/tenant/winddown.ts) */
  isOpen: boolean;
  /** why it is not open: the account, or the institution, is disabled; otherwise the last day of the service */
  isDisabled: boolean;
  isInstitutionDisabled: boolean;
  expiredate: string | null;
  /** the end of a one-time password that is no longer valid; null for a valid password */
  lapsedtime: Date | null;
  /** somebody signed in with the present password */
  isUsed: boolean;
  hasfactor: boolean;
  /** stands for the password of now: a session opens only while it is the same */
  pwdversion: string;
  /** the password is a one-time password that the account has not changed yet */
  isOneTime: boolean;
}

/** Returns the account of a login name. */
export async function findAccount(authn: Pick<pg.Pool, 'query'>, loginname: string): Promise<AccountRow | undefined> {
  const { rows } = await authn.query<AccountRow>(
    `select a.accountid, a.musercode, a.userid, a.pwdhash, a.pwdtime::text as pwdversion,
       a.enabled = 1 and t.enabled = 1 and (t.expiredate is null or t.expiredate + 30 >= (now() at time zone 'Asia/Shanghai')::date)
         as "isOpen",
       a.enabled <> 1 as "isDisabled", t.enabled <> 1 as "isInstitutionDisabled", t.expiredate,
       case when a.pwdexpire <= now() then a.pwdexpire end as lapsedtime,
       exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1 and l.time >= a.pwdtime) as "isUsed",
       exists (select from auth.totp f where f.accountid = a.accountid and f.confirmed is not null)
         or exists (select from auth.passkey p where p.accountid = a.accountid) as hasfactor,
       a.mustchangepwd = 1 as "isOneTime"
     from auth.account a
       join auth.tenant t on t.musercode = a.musercode
     where a.loginname = $1`,
    [loginname],
  );
  return rows[0];
}

/** Stores another hash of the same password, unless the password has changed meanwhile. */
export const replaceHash = (authn: Pick<pg.Pool, 'query'>, account: Pick<AccountRow, 'accountid' | 'pwdhash'>, hash: string) =>
  authn.query('update auth.account set pwdhash = $3 where accountid = $1 and pwdhash = $2', [
    account.accountid,
    account.pwdhash,
    hash,
  ]);

/** Whether the account has signed in before in the browser of this cookie. */
export async function hasSignedIn(authn: Pick<pg.Pool, 'query'>, accountid: string, cookieHash: SessionHash): Promise<boolean> {
  const { rows } = await authn.query(
    "select from auth.session where accountid = $1 and boundhash = $2 and kind = 'staff' limit 1",
    [accountid, cookieHash],
  );
  return rows.length > 0;
}

/** Adds a sign-in attempt to the login log. */
export const recordLogin = (
  authn: Pick<pg.Pool, 'query'>,
  row: { loginname: string; accountid: string | null; ok: boolean; reason: string; ip: string; useragent: string },
) =>
  authn.query('insert into auth.loginlog (loginname, accountid, ok, reason, ip, useragent) values ($1, $2, $3, $4, $5, $6)', [
    row.loginname,
    row.accountid,
    row.ok ? 1 : 0,
    row.reason,
    row.ip,
    row.useragent.slice(0, 300),
  ]);

/**
 * Opens a staff session for at most 12 hours. It ends after 8 idle hours in a bound browser and after 1 idle hour elsewhere.
 * An account has at most five own sessions; the oldest ends. Its screens do not count. Returns false when the password has changed or the
 * account was disabled since it was verified: a reset of the password shuts out a sign-in that is under way.
 */
export async function openSession(
  authn: Pick<pg.Pool, 'query'>,
  session: {
    tokenhash: SessionHash;
    musercode: string;
    accountid: string;
    ip: string;
    useragent: string;
    newCookieHash: SessionHash | undefined;
    appid?: string | undefined;
    pwdversion: string;
    /** false: sensitive calls ask for a step-up at once */
    isProven: boolean;
  },
): Promise<boolean> {
  const { rowCount } = await authn.query(
    `insert into auth.session (tokenhash, kind, musercode, accountid, ip, useragent, expiretime, idle, boundhash, stepuptime)
     select $1, 'staff', $2, a.accountid, $4, $5, now() + interval '12 hours', $6::interval, $7, case when $9::boolean then now() end
     from auth.account a where a.accountid = $3 and a.pwdtime::text = $8 and a.enabled = 1
     for share`,
    [
      session.tokenhash,
      session.musercode,
      session.accountid,
      session.ip,
      session.useragent.slice(0, 300),
      session.newCookieHash ? '8 hours' : '1 hour',
      session.newCookieHash ?? null,
      session.pwdversion,
      session.isProven,
    ],
  );
  if (rowCount !== 1) return false;
  // A one-time password is valid for one sign-in. The user changes it in this session.
  await authn.query(
    'update auth.account set pwdexpire = now() where accountid = $1 and mustchangepwd = 1 and pwdexpire > now()',
    [session.accountid],
  );
  await authn.query(
    `update auth.session set revoked = now()
     where accountid = $1 and kind = 'staff' and revoked is null and loginasby is null and tokenhash not in
       (select tokenhash from auth.session
        where accountid = $1 and kind = 'staff' and revoked is null and loginasby is null
        order by createtime desc limit 5)`,
    [session.accountid],
  );
  return true;
}

/** Ends a session. If it is an acting session, its parent session ends, too: signing out ends all access. */
export const endSession = (authn: Pick<pg.Pool, 'query'>, tokenhash: SessionHash) =>
  authn.query(
    `update auth.session set revoked = now()
     where revoked is null
       and (tokenhash = $1 or tokenhash = (select parenthash from auth.session where tokenhash = $1))`,
    [tokenhash],
  );

/** Updates the last-seen time of a session, at most once a minute, or when it lies in the future because the clock was ahead. */
export const touchSession = (authn: Pick<pg.Pool, 'query'>, tokenhash: SessionHash) =>
  authn.query(
    `update auth.session set lastseen = now()
     where tokenhash = $1 and (lastseen < now() - interval '1 minute' or lastseen > now())`,
    [tokenhash],
  );

/** Sets the app of a session. */
export const setSessionApp = (authn: Pick<pg.Pool, 'query'>, tokenhash: SessionHash, appid: string) =>
  authn.query('update auth.session set appid = $2 where tokenhash = $1', [tokenhash, appid]);

/** Returns the user record of the current session in the names of the wire, without the rights. */
export async function findUserRecord(scope: Scope) {
  const { rows } = await sql<{
    userid: string | null;
    musercode: string;
    musertype: string;
    sector: string;
    provincecode: string;
    citycode: string;
    districtcode: string;
    regionname: string;
    categorycode: string;
    categorylevel: number;
    categorycode0: string;
    categorycode1: string;
    categorycode2: string;
    categorycode3: string;
    categorycode4: string;
    categorycode5: string;
    username: string;
    sysusername: string;
    insname: string;
    logo: string;
    realname: string;
    phonenumber: string;
    qrcodeurl: string;
    appid: string;
    appids: string[];
    clientcode: string | null;
    rolekeys: string[];
    issuper: 0 | 1;
    loginas: string;
    appexempt: 0 | 1;
    navextra: 0 | 1;
    menu: MenuChange[];
    releaseread: string;
  }>`
    select w.userid, m.musercode, m.musertype, m.sector, coalesce(m.provincecode, '') as provincecode,
      coalesce(m.citycode, '') as citycode, coalesce(m.districtcode, '') as districtcode,
      coalesce(m.regionname, '') as regionname, m.categorycode, m.categorylevel, m.categorycode0, m.categorycode1,
      m.categorycode2, m.categorycode3, m.categorycode4, m.categorycode5,
      m.username, coalesce(u.sysusername, '') as sysusername, m.insname, coalesce(m.logo, '') as logo,
      coalesce(u.realname, m.realname, '') as realname, coalesce(u.phonenumber, m.phonenumber, '') as phonenumber,
      coalesce(s.appid, '') as appid, k.clientcode,
      coalesce((select array_agg(a.appid order by a.appid) from muserapp a
        where a.musercode = m.musercode and a.enabled = 1), '{}') as appids,
      coalesce('/c/' || k.clientcode, '') as qrcodeurl,
      coalesce((select array_agg(r.rolekey)
        from sysuserrole ur
          join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
        where ur.userid = w.userid), '{}') as rolekeys,
      w.issuper, w.loginas, w.appexempt, w.navextra,
      coalesce((select jsonb_agg(jsonb_build_object('menuid', menuid, 'title', title, 'icon', icon,
          'ordernum', ordernum, 'hidden', hidden, 'enabled', enabled))
        from menuoverride), '[]') as menu,
      greatest(g.releaseread, (coalesce(u.createtime, m.createtime) at time zone 'Asia/Shanghai')::date)::text as releaseread
    from auth.current_session() s
      cross join auth.current_caller() w
      join muser m on m.musercode = s.musercode
      left join sysuser u on u.userid = w.userid
      left join guide g on g.accountid = w.accountid
      left join muserclient k on k.musercode = m.musercode and k.enabled = 1`.execute(scope.db);
  return rows[0];
}
