import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { limitOffset, walkIndex, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

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

/**
 * Conditions on the rows `l`. `own` limits to one institution; without it the caller's whole range is read. The institution is asked for
 * by its path, by which and by time the rows are indexed. `names` are the tables that asking by name needs.
 */
function matching(own: string | undefined, filters: AuditFilters): { where: RawBuilder<SqlBool>; names: RawBuilder<unknown> } {
  const parts: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  const musercode = own ?? filters.musercode;
  if (musercode) parts.push(sql`l.orgpath = ${pathOf(musercode)}`);
  if (filters.who) {
    const text = like(filters.who);
    parts.push(
      sql`(l.accountid = ${filters.who} or l.loginasby = ${filters.who} or l.loginasname like ${text}
        or u.realname like ${text} or u.sysusername like ${text} or (u.userid is null and m.insname like ${text}))`,
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
  return {
    where: sql.join(parts, sql` and `),
    names: filters.who
      ? sql`left join muser m on m.musercode = l.musercode left join sysuser u on u.userid = l.accountid`
      : sql``,
  };
}
const pathOf = (musercode: string) => sql`(select i.orgpath from muser i where i.musercode = ${musercode})`;

/**
 * How many rows there are: the rollup (db/schema/85_rollups.sql) and the rows newer than it. Filters the rollup does not know
 * make PostgreSQL count the rows.
 */
function countRows(own: string | undefined, filters: AuditFilters): RawBuilder<number> {
  const { where, names } = matching(own, filters);
  const { who, action, cuserid, objectid, loginas, begindate, enddate, kind } = filters;
  const one = own ?? filters.musercode;
  const isSummed = !who && !action && !cuserid && !objectid && !loginas && !(one && (begindate || enddate));
  const sums = one
    ? sql`rollup.audit_by_tenant t where t.orgpath = ${pathOf(one)}`
    : sql`rollup.audit_by_day t where t.day >= ${begindate ?? '1970-01-01'}::date and t.day <= ${enddate ?? '9999-12-31'}::date`;
  return isSummed
    ? sql<number>`((select coalesce(sum(t.rows), 0) from ${sums} and ${kind ? sql`t.kind = ${kind}` : sql`true`})::int
      + (select count(*) from (select from audit.log l where l.xid >= (select w.audit
        from rollup.watermark w) and ${where} order by l.xid) x)::int)`
    : sql<number>`(select count(*) from audit.log l ${names} where ${where})::int`;
}

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
  /** of the first persons, those the caller may see, by their numbers */
  names: Readonly<Record<string, string>>;
  minors: number;
  objectid: string | null;
  detail: Record<string, unknown>;
  ip: string | null;
}
const from = sql`left join muser m on m.musercode = l.musercode left join sysuser u on u.userid = l.accountid
  left join sysuser b on b.userid = l.loginasby left join muser bm on bm.musercode = l.loginasby`;
/** So many of the persons of a row are named; the rest are counted. */
export const namesOf = 3;
/** Respondents stand as 受测者: their name is a matter of the person, not of the trail. */
const columns = sql`l.id, l.time, l.accountid, l.musercode, coalesce(u.realname, case
  when l.accountid = l.musercode then m.insname when l.accountid like 'C%' then '受测者本人' else l.accountid end, '未登录') as who,
  l.loginasby, coalesce(l.loginasname, b.realname, bm.insname, l.loginasby) as loginasname, m.insname, l.action,
  l.title, l.kind, l.cuserids, l.minors, l.objectid, l.detail, l.ip,
  coalesce((select json_object_agg(c.cuserid, c.username) from cuser c
    where c.cuserid = any (l.cuserids[:${sql.lit(namesOf)}])), '{}') as names`;

/** A page of the trail, the newest first unless `oldest`. */
export async function findAudit(scope: Scope, own: string | undefined, filters: AuditFilters, page: Page & { oldest?: boolean }) {
  const order = page.oldest ? sql`asc` : sql`desc`;
  const { where, names } = matching(own, filters);
  const total = countRows(own, filters);
  const query = sql<AuditRecord & { total: number }>`
    with page as (select l.* from audit.log l ${names} where ${where} order by l.time ${order}, l.id ${order} ${limitOffset(page)})
    select ${columns}, ${total} as total from page l ${from} order by l.time ${order}, l.id ${order}`;
  await walkIndex(scope);
  const { rows } = await query.execute(scope.db);
  if (rows[0] !== undefined) return { total: rows[0].total, rows };
  // A page behind the end comes without the total.
  if (page.page === 1) return { total: 0, rows };
  const { rows: counted } = await sql<{ total: number }>`select ${total} as total`.execute(scope.db);
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
    select coalesce(accountid, '') as accountid, min(who) as who, (count(*)
      filter (where kind in ('read', 'reveal')))::int as looked, (count(*) filter (where kind in ('write', 'import')))::int as changed,
      (count(*) filter (where kind = 'export'))::int as exported, min(time) as firsttime, max(time) as lasttime
    from (select ${columns} from audit.log l ${from} where ${matching(own, filters).where}) x group by accountid
      order by max(time) desc limit 200`.execute(scope.db)
  ).rows;

export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db.selectFrom('cuser').select(['cuserid', 'username', 'musercode']).where('cuserid', '=', cuserid).executeTakeFirst();

/** When a segment of the chain was sealed. */
export const sealTime = async (scope: Scope, seq: number): Promise<Date | undefined> =>
  (await sql<{ time: Date }>`select time from audit.seal where seq = ${seq}`.execute(scope.db)).rows[0]?.time;
