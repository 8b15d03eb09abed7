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
const toLikePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Returns the conditions on the rows `l`, and the joins that a filter by name needs. `own` limits to one institution; without it the
 * caller's whole range is read. The condition names the path of the institution, because the rows are indexed by path and time.
 */
function buildConditions(
  own: string | undefined,
  filters: AuditFilters,
): { where: RawBuilder<SqlBool>; joins: RawBuilder<unknown> } {
  const parts: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  const musercode = own ?? filters.musercode;
  if (musercode) parts.push(sql`l.orgpath = ${pathOf(musercode)}`);
  if (filters.who) {
    const text = toLikePattern(filters.who);
    parts.push(
      sql`(l.accountid = ${filters.who} or l.loginasby = ${filters.who} or l.loginasname like ${text}
        or u.realname like ${text} or u.sysusername like ${text} or (u.userid is null and m.insname like ${text}))`,
    );
  }
  if (filters.action) parts.push(sql`(l.title like ${toLikePattern(filters.action)} or l.action = ${filters.action})`);
  if (filters.kind) parts.push(sql`l.kind = ${filters.kind}`);
  // The log keeps the codes of records that were merged into the person's.
  if (filters.cuserid)
    parts.push(sql`l.cuserids && array(select b.cuserid from cuser b where ${filters.cuserid} in (b.cuserid, b.mergedinto))`);
  if (filters.objectid) parts.push(sql`l.objectid = ${filters.objectid}`);
  if (filters.loginas === '1') parts.push(sql`l.loginasby is not null`);
  if (filters.loginas === '0') parts.push(sql`l.loginasby is null`);
  if (filters.begindate) parts.push(sql`l.time >= ${fromShanghai(`${filters.begindate} 00:00:00`)}`);
  if (filters.enddate) parts.push(sql`l.time < ${addDays(fromShanghai(`${filters.enddate} 00:00:00`), 1)}`);
  return {
    where: sql.join(parts, sql` and `),
    joins: filters.who
      ? sql`left join muser m on m.musercode = l.musercode left join sysuser u on u.userid = l.accountid`
      : sql``,
  };
}
const pathOf = (musercode: string) => sql`(select i.orgpath from muser i where i.musercode = ${musercode})`;

/**
 * Returns the number of rows: the sums of the rollup (db/schema/85_rollups.sql) and the rows after its watermark.
 * With a filter that the rollup does not contain, PostgreSQL counts the rows.
 */
function countRows(own: string | undefined, filters: AuditFilters): RawBuilder<number> {
  const { where, joins } = buildConditions(own, filters);
  const { who, action, cuserid, objectid, loginas, begindate, enddate, kind } = filters;
  const musercode = own ?? filters.musercode;
  const isInRollup = !who && !action && !cuserid && !objectid && !loginas && !(musercode && (begindate || enddate));
  const sums = musercode
    ? sql`rollup.audit_by_tenant t where t.orgpath = ${pathOf(musercode)}`
    : sql`rollup.audit_by_day t where t.day >= ${begindate ?? '1970-01-01'}::date and t.day <= ${enddate ?? '9999-12-31'}::date`;
  const ofKind = kind ? sql`t.kind = ${kind}` : sql`true`;
  return isInRollup
    ? sql<number>`((select coalesce(sum(t.rows), 0) from ${sums} and ${ofKind})::int
      + (select count(*)
         from (select from audit.log l
           where l.xid >= (select w.audit from rollup.watermark w) and ${where}
           order by l.xid) x)::int)`
    : sql<number>`(select count(*) from audit.log l ${joins} where ${where})::int`;
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
  /** the names of the first persons that the caller may see, by cuserid */
  names: Readonly<Record<string, string>>;
  minors: number;
  objectid: string | null;
  detail: Record<string, unknown>;
  ip: string | null;
}
const nameJoins = sql`
  left join muser m on m.musercode = l.musercode
  left join sysuser u on u.userid = l.accountid
  left join sysuser b on b.userid = l.loginasby
  left join muser bm on bm.musercode = l.loginasby`;
/** The audit log names this many persons of a row and only counts the rest. */
export const NAMED_PERSONS = 3;
/** Respondents are shown as 受测者本人, because the audit log must not reveal their names. */
const columns = sql`l.id, l.time, l.accountid, l.musercode,
  coalesce(u.realname, case
    when l.accountid = l.musercode then m.insname
    when l.accountid like 'C%' then '受测者本人'
    else l.accountid end, '未登录') as who,
  l.loginasby, coalesce(l.loginasname, b.realname, bm.insname, l.loginasby) as loginasname, m.insname, l.action,
  l.title, l.kind, l.cuserids, l.minors, l.objectid, l.detail, l.ip,
  coalesce((select json_object_agg(c.cuserid, c.username) from cuser c
    where c.cuserid = any (l.cuserids[:${sql.lit(NAMED_PERSONS)}])), '{}') as names`;

/** Returns a page of the audit log and the total; the newest row comes first unless `oldest` is set. */
export async function findAuditRows(
  scope: Scope,
  own: string | undefined,
  filters: AuditFilters,
  page: Page & { oldest?: boolean },
) {
  const order = page.oldest ? sql`asc` : sql`desc`;
  const { where, joins } = buildConditions(own, filters);
  const total = countRows(own, filters);
  const query = sql<AuditRecord & { total: number }>`
    with page as (
      select l.* from audit.log l ${joins}
      where ${where}
      order by l.time ${order}, l.id ${order} ${limitOffset(page)})
    select ${columns}, ${total} as total
    from page l ${nameJoins}
    order by l.time ${order}, l.id ${order}`;
  await walkIndex(scope);
  const { rows } = await query.execute(scope.db);
  if (rows[0] !== undefined) return { total: rows[0].total, rows };
  // A page after the last one has no row that carries the total.
  if (page.page === 1) return { total: 0, rows };
  const { rows: totals } = await sql<{ total: number }>`select ${total} as total`.execute(scope.db);
  return { total: totals[0]?.total ?? 0, rows };
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

/** Returns the users who looked at, changed or exported data that match the filters; the last active first, at most 200. */
export const findViewers = async (scope: Scope, own: string | undefined, filters: AuditFilters): Promise<Viewer[]> =>
  (
    await sql<Viewer>`
    select coalesce(accountid, '') as accountid, min(who) as who,
      (count(*) filter (where kind in ('read', 'reveal') and not detail ? 'refusal'))::int as looked,
      (count(*) filter (where kind in ('write', 'import') and not detail ? 'refusal'))::int as changed,
      (count(*) filter (where kind = 'export'))::int as exported,
      min(time) as firsttime, max(time) as lasttime
    from (select ${columns} from audit.log l ${nameJoins} where ${buildConditions(own, filters).where}) x
    group by accountid
    order by max(time) desc
    limit 200`.execute(scope.db)
  ).rows;

/** Returns the name and institution of a person that the caller may see. */
export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db.selectFrom('cuser').select(['cuserid', 'username', 'musercode']).where('cuserid', '=', cuserid).executeTakeFirst();

/** The caller's institution with its name. */
export const findInstitution = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('muser').select(['musercode', 'insname']).where('musercode', '=', musercode).executeTakeFirstOrThrow();
