import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { sealedJson } from '#server/sealing/textSealer.ts';

/** A notice to those who administer an institution. */
export interface AdministratorNotice {
  musercode: string;
  title: string;
  content: string;
  link: string;
  dedupekey: string;
}
const isContent = (_: string, name: string) => name === 'content';

/** Stores notices for institutions' accounts and their administrators, once for each key. Returns the number of new ones. */
export const notifyAdministrators = async (scope: Scope, notices: readonly AdministratorNotice[], now: Date): Promise<number> =>
  (
    await sql`
      insert into notification (musercode, userid, kind, title, content, link, dedupekey, createtime)
      select n.musercode, w.userid, 'system', n.title, n.content, n.link,
        n.dedupekey || ':' || coalesce(w.userid, n.musercode), ${now}::timestamptz
      from jsonb_to_recordset(${sealedJson(notices, isContent)}::jsonb)
          as n (musercode text, title text, content text, link text, dedupekey text)
        cross join lateral (
          select null as userid union all
          select distinct u.userid from sysuser u join sysuserrole ur on ur.userid = u.userid
            join role r on r.roleid = ur.roleid and r.rolekey in ('insadmin', 'provideradmin') and r.enabled = 1 and r.isdeleted = 0
          where u.musercode = n.musercode and u.enabled = 1 and u.isdeleted = 0) w
      on conflict do nothing returning id`.execute(scope.db)
  ).rows.length;
