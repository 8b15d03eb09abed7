import type pg from 'pg';
import type { SessionHash } from '#server/db/scope.ts';

/** Keys are sessions, so these statements run under the database role that reads accounts and no tenant data. */
type Authn = Pick<pg.Pool, 'query'>;

export interface KeyRow {
  keyid: string;
  keyname: string;
  prefix: string;
  scopes: string[];
  permin: number;
  createby: string;
  createtime: Date;
  expiretime: Date;
  lastseen: Date;
  state: 'valid' | 'expired' | 'ended';
}

const state = `case when s.revoked is not null then 'ended' when s.expiretime <= now() then 'expired' else 'valid' end`;

/** Returns the keys of an institution: the valid ones first, each the newest first. */
export const findKeys = async (authn: Authn, musercode: string): Promise<KeyRow[]> =>
  (
    await authn.query<KeyRow>(
      `select s.sessionid as keyid, k.keyname, k.prefix, k.scopes, k.permin, k.createby, s.createtime, s.expiretime, s.lastseen,
         ${state} as state
       from auth.apikey k join auth.session s using (tokenhash)
       where s.musercode = $1
       order by ${state} = 'valid' desc, s.createtime desc
       limit 100`,
      [musercode],
    )
  ).rows;

/** Adds a key as a session that acts as the institution's own account. A pause does not end it. */
export async function insertKey(
  authn: Authn,
  key: Omit<KeyRow, 'keyid' | 'createtime' | 'expiretime' | 'lastseen' | 'state'> & {
    tokenhash: SessionHash;
    musercode: string;
    days: number;
    ip: string;
  },
): Promise<void> {
  await authn.query(
    `with opened as (
       insert into auth.session (tokenhash, kind, musercode, ip, expiretime, idle)
       values ($1, 'key', $2, $3, now() + make_interval(days => $4), make_interval(days => $4 + 1))
       returning tokenhash)
     insert into auth.apikey (tokenhash, keyname, prefix, scopes, permin, createby)
     select tokenhash, $5, $6, $7, $8, $9 from opened`,
    [key.tokenhash, key.musercode, key.ip, key.days, key.keyname, key.prefix, key.scopes, key.permin, key.createby],
  );
}

/** Returns the valid keys that end within `days`, of institutions in service. */
export const findExpiringKeys = async (authn: Authn, days: number) =>
  (
    await authn.query<Pick<KeyRow, 'keyid' | 'keyname' | 'expiretime'> & { musercode: string }>(
      `select s.sessionid as keyid, s.musercode, k.keyname, s.expiretime
       from auth.apikey k join auth.session s using (tokenhash) join auth.tenant t on t.musercode = s.musercode
       where s.revoked is null and s.expiretime between now() and now() + make_interval(days => $1) and t.enabled = 1
       order by s.expiretime`,
      [days],
    )
  ).rows;

/** Ends a valid key of an institution and returns its name; undefined without one. */
export const endKey = async (authn: Authn, musercode: string, keyid: string): Promise<string | undefined> =>
  (
    await authn.query<{ keyname: string }>(
      `update auth.session s set revoked = now() from auth.apikey k
       where k.tokenhash = s.tokenhash and s.musercode = $1 and s.sessionid = $2 and s.kind = 'key' and s.revoked is null
         and s.expiretime > now()
       returning k.keyname`,
      [musercode, keyid],
    )
  ).rows[0]?.keyname;
