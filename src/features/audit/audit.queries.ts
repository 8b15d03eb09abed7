import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { addDays, fromShanghai } from '#domain/calendar.ts';
import type { Scope } from '#server/scope.ts';

export interface AuditFilters {
  who?: string | undefined;
  action?: string | undefined;
  kind?: string | undefined;
  cuserid?: string | undefined;
  objectid?: string | undefined;
  loginas?: string | undefined;
  begindate?: string | undefined;
  enddate?: string | undefined;
  musercode?: string | undefined;
}
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** `own` limits to one institution; without it the caller's whole range is read. */
function matching(own: string | undefined, filters: AuditFilters): RawBuilder<SqlBool> {
  const parts: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  const musercode = own ?? filters.musercode;
  if (musercode) parts.push(sql`l.musercode = ${musercode}`);
  if (filters.who) {
    const text = like(filters.who);
    parts.push(
      sql`(l.accountid = ${filters.who} or l.loginasby = ${filters.who} or l.loginasname like ${text} or u.realname like ${text} or u.sysusername like ${text} or (u.userid is null and m.insname like ${text}))`,
    );
  }
  if (filters.action) parts.push(sql`(l.title like ${like(filters.action)} or l.action = ${filters.action})`);
  if (filters.kind) parts.push(sql`l.kind = ${filters.kind}`);
  if (filters.cuserid) parts.push(sql`l.cuserids @> array[${filters.cuserid}]`);
  if (filters.objectid) parts.push(sql`l.objectid = ${filters.objectid}`);
  if (filters.loginas === '1') parts.push(sql`l.loginasby is not null`);
  if (filters.loginas === '0') parts.push(sql`l.loginasby is null`);
  if (filters.begindate) parts.push(sql`l.time >= ${fromShanghai(`${filters.begindate} 00:00:00`)}`);
  if (filters.enddate) parts.push(sql`l.time < ${addDays(fromShanghai(`${filters.enddate} 00:00:00`), 1)}`);
  return sql.join(parts, sql` and `);
}
const from = sql`audit.log l left join muser m on m.musercode = l.musercode left join sysuser u on u.userid = l.accountid
  left join sysuser b on b.userid = l.loginasby left join muser bm on bm.musercode = l.loginasby`;

export interface AuditRecord {
  id: number;
  time: Date;
  accountid: string | null;
  musercode: string | null;
  who: string;
  loginasby: string | null;
  loginasname: string | null;
  insname: string | null;
  action: string;
  title: string;
  kind: string;
  cuserids: string[];
  minors: number;
  objectid: string | null;
  detail: Record<string, unknown>;
  ip: string | null;
}
/** Newest first. Respondents stand as 受测者: their name is a matter of the person, not of the trail. */
const columns = sql`l.id, l.time, l.accountid, l.musercode, coalesce(u.realname, case when l.accountid = l.musercode then m.insname when l.accountid like 'C%' then '受测者本人' else l.accountid end, '未登录') as who,
  l.loginasby, coalesce(l.loginasname, b.realname, bm.insname, l.loginasby) as loginasname, m.insname, l.action, l.title, l.kind, l.cuserids, l.minors, l.objectid, l.detail, l.ip`;

/** A page of the trail; `upto` keeps a long export from running away. */
export async function findAudit(
  scope: Scope,
  own: string | undefined,
  filters: AuditFilters,
  { limit, offset }: { limit: number; offset: number },
) {
  const where = matching(own, filters);
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from ${from} where ${where}`.execute(
    scope.db,
  );
  const { rows } =
    await sql<AuditRecord>`select ${columns} from ${from} where ${where} order by l.time desc, l.id desc limit ${limit} offset ${offset}`.execute(
      scope.db,
    );
  return { total: counted[0]?.total ?? 0, rows };
}

export interface Viewer {
  accountid: string;
  who: string;
  looked: number;
  changed: number;
  exported: number;
  firsttime: Date;
  lasttime: Date;
}
export const findViewers = async (scope: Scope, own: string | undefined, filters: AuditFilters): Promise<Viewer[]> =>
  (
    await sql<Viewer>`
    select coalesce(accountid, '') as accountid, min(who) as who, (count(*) filter (where kind in ('read', 'reveal')))::int as looked, (count(*) filter (where kind in ('write', 'import')))::int as changed,
      (count(*) filter (where kind = 'export'))::int as exported, min(time) as firsttime, max(time) as lasttime
    from (select ${columns} from ${from} where ${matching(own, filters)}) x group by accountid order by max(time) desc limit 200`.execute(
      scope.db,
    )
  ).rows;

/** Names of persons the caller may see; others stay numbers. */
export const namesOf = async (scope: Scope, cuserids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map(
    cuserids.length === 0
      ? []
      : (await scope.db.selectFrom('cuser').select(['cuserid', 'username']).where('cuserid', 'in', cuserids).execute()).map(
          (row) => [row.cuserid, row.username],
        ),
  );
export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db.selectFrom('cuser').select(['cuserid', 'username', 'musercode']).where('cuserid', '=', cuserid).executeTakeFirst();

/** When a segment of the chain was sealed. */
export const sealTime = async (scope: Scope, seq: number): Promise<Date | undefined> =>
  (await sql<{ time: Date }>`select time from audit.seal where seq = ${seq}`.execute(scope.db)).rows[0]?.time;
