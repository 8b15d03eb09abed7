import { sql } from 'kysely';
import { REQUEST_SUBJECTS, type RequestSubject } from '#domain/warning/decision/secondRequest.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';

/** A request that waits for the answer of one member of staff. */
export interface AskedRow {
  warningcode: string;
  username: string;
  belongs: string;
  level: number;
  sector: string;
  /** the subject and the asker */
  what: string;
  due: Date;
}

/** The requests that wait for a member of staff, the earliest due first, with their number. The owner of a case never answers. */
export async function findAsked(
  scope: Scope,
  userid: string | null,
  human: readonly string[],
  limit: number,
): Promise<{ total: number; rows: AskedRow[] }> {
  const { rows } = await sql<Omit<AskedRow, 'what'> & { subject: RequestSubject; askname: string; total: number }>`
    select w.warningcode, c.username, coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      w.level, m.sector, q.subject, q.askname, q.duetime as due, (count(*) over ())::int as total
    from secondrequest q
      join warning w on w.warningcode = q.warningcode and w.isdeleted = 0
      join cuser c on c.cuserid = w.cuserid
      join muser m on m.musercode = w.musercode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
    where q.status = '01' and ${userid ?? ''} = any (q.userids) and not q.askkeys && ${[...human]}::text[]
      and w.owneruserid is distinct from ${userid ?? ''} and ${isNotSuspect}
    order by q.duetime, q.requestid
    limit ${limit}`.execute(scope.db);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ subject, askname, total: _total, ...row }) => ({
      ...row,
      what: `${REQUEST_SUBJECTS[subject]} · ${askname} 申请`,
    })),
  };
}
