import { sql, type RawBuilder } from 'kysely';
import { balanceOf, LOW_RATIO, type Balance, type CountKindCode } from '#domain/counts/wallet.ts';
import { limitOffset, walkIndex, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { planRoot } from '#features/plan/lineage/planRoot.queries.ts';
import { joinNextExpiry, type StoredWallet } from '#features/assesscount/wallet.queries.ts';

/** The filters of both screens. `from` and `until` are the instants at which the days begin and end. */
export interface CountFilters {
  musercode?: string | undefined;
  provincecode?: string | undefined;
  citycode?: string | undefined;
  districtcode?: string | undefined;
  categorycode?: string | undefined;
  appid?: string | undefined;
  plancode?: string | undefined;
  begindate?: string | undefined;
  enddate?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  /** The caller reaches all institutions (`all`) or one (`single`): then PostgreSQL finds a page along an index. */
  reach?: 'all' | 'single' | undefined;
  /** The caller does not reach every person of the institution, and so not every line. */
  hasDataScope?: boolean | undefined;
}

type Condition = RawBuilder<unknown>;
const joinConditions = (parts: readonly Condition[]) => (parts.length ? sql.join(parts, sql` and `) : sql`true`);

/**
 * The conditions on the wallet or line `w` and, for a region, on its institution `m`. Both screens use them, so that their sums agree.
 */
function walletConditions(filters: CountFilters): Condition[] {
  const parts: Condition[] = [sql`true`];
  if (filters.reach === 'single') parts.push(sql`w.orgpath = (select access.path_from())`);
  if (filters.musercode) parts.push(sql`w.musercode = ${filters.musercode}`);
  if (filters.provincecode) parts.push(sql`m.provincecode = ${filters.provincecode}`);
  if (filters.citycode) parts.push(sql`m.citycode = ${filters.citycode}`);
  if (filters.districtcode) parts.push(sql`m.districtcode = ${filters.districtcode}`);
  if (filters.categorycode)
    parts.push(
      sql`w.orgpath >= (select u.orgpath from muser u where u.musercode = ${filters.categorycode})
        and w.orgpath < (select left(u.orgpath, -1) || '/' from muser u where u.musercode = ${filters.categorycode})`,
    );
  if (filters.plancode) parts.push(sql`w.plancode = ${planRoot(filters.plancode)}`);
  // Counts for any plan belong to all populations of the institution.
  if (filters.appid)
    parts.push(sql`case when w.plancode = '*' then exists (select from muserapp k
      where k.musercode = w.musercode and k.appid = ${filters.appid})
      else exists (select from plan k where k.plancode = w.plancode and k.appid = ${filters.appid}) end`);
  return parts;
}
/** The conditions on the days of ledger lines `l`. */
const dayConditions = (filters: CountFilters): Condition[] => [
  ...(filters.from ? [sql`l.time >= ${filters.from}::timestamptz`] : []),
  ...(filters.until ? [sql`l.time < ${filters.until}::timestamptz`] : []),
];
/** The filters of ledger lines. */
export type LineFilters = CountFilters & { kind?: string | undefined; forplan?: string | undefined };
const lineConditions = (filters: LineFilters): Condition[] => [
  ...(filters.kind ? [sql`l.kind = ${filters.kind}`] : []),
  ...(filters.forplan
    ? [
        sql`l.kind in ('03', '04', '05') and (l.forplan = ${planRoot(filters.forplan)}
          or (l.forplan is null and l.plancode = ${planRoot(filters.forplan)}))`,
      ]
    : []),
];
/** Ledger lines `l`, with the columns of `w` for the conditions on `w`. */
const lines = sql`assesscountlog l cross join lateral (select l.musercode, l.plancode, l.orgpath) w`;
const institution = sql`join muser m on m.musercode = w.musercode`;
/** Joins the institution only when a condition needs it: there are thousands of institutions. */
const regionJoin = (filters: CountFilters) =>
  filters.provincecode || filters.citycode || filters.districtcode ? institution : sql``;

/** A line of the ledger with its names. */
export interface LedgerLine {
  logid: number;
  time: Date;
  musercode: string;
  insname: string;
  plancode: string;
  planname: string | null;
  forplan: string | null;
  forplanname: string | null;
  kind: CountKindCode;
  qty: number;
  balance: number;
  username: string | null;
  partyname: string | null;
  operator: string | null;
  operatorname: string | null;
  remark: string | null;
  /** the last day of the counts of this line */
  enddate: string | null;
}
const linesQuery = (filters: LineFilters, page: Page & { isOldestFirst?: boolean }) => {
  const order = page.isOldestFirst ? sql`asc` : sql`desc`;
  const conditions = joinConditions([...walletConditions(filters), ...dayConditions(filters), ...lineConditions(filters)]);
  return sql<LedgerLine>`
    with page as (
      select l.* from ${lines} ${regionJoin(filters)} where ${conditions}
      order by l.time ${order}, l.logid ${order} ${limitOffset(page)})
    select w.logid, w.time, w.musercode, m.insname, w.plancode,
      case when w.plancode <> '*' then p.planname end as planname, case w.plancode when '*' then w.forplan end as forplan,
      case w.plancode when '*' then p.planname end as forplanname, w.kind, w.qty, w.balance, c.username, m.partyname,
      w.operator, coalesce(u.realname, m.operatorname) as operatorname,
      w.remark, w.enddate
    from page w
      -- One join reads the three institutions of a line: PostgreSQL checks row-level security once for each table of a statement.
      join lateral (
        select max(m.insname) filter (where m.musercode = w.musercode) as insname,
          max(m.insname) filter (where m.musercode = w.partycode) as partyname,
          max(m.insname) filter (where m.musercode = w.operator) as operatorname
        from muser m where m.musercode in (w.musercode, w.partycode, w.operator)) m on true
      left join plan p on p.plancode = case w.plancode when '*' then w.forplan else w.plancode end
      left join cuser c on c.cuserid = w.cuserid left join sysuser u on u.userid = w.operator
    order by w.time ${order}, w.logid ${order}`;
};
/** Lines of the ledger, the newest first unless `isOldestFirst`. */
export const findLines = async (
  scope: Scope,
  filters: LineFilters,
  page: Page & { isOldestFirst?: boolean },
): Promise<LedgerLine[]> => {
  await walkIndex(scope);
  return (await linesQuery(filters, page).execute(scope.db)).rows;
};

interface KindSum {
  kind: CountKindCode;
  lines: number;
  qty: number;
}
function kindSumsQuery(filters: LineFilters) {
  const conditions = joinConditions([...walletConditions(filters), ...dayConditions(filters), ...lineConditions(filters)]);
  const rollup = rollupRows(filters);
  // Lines that the rollup does not include yet are the last ones in the order of transactions.
  return sql<KindSum>`
    select kind, sum(lines)::int as lines, sum(qty)::int as qty from (
      ${
        rollup
          ? sql`select t.kind, t.lines, t.qty from ${rollup} and ${filters.kind ? sql`t.kind = ${filters.kind}` : sql`true`}
            union all select l.kind, 1, l.qty from (
              select l.* from ${lines}
              where l.xid >= (select w.ledger from rollup.watermark w) and ${conditions}
              order by l.xid) l`
          : sql`select l.kind, count(*) as lines, sum(l.qty) as qty from ${lines} ${regionJoin(filters)}
            where ${conditions} group by l.kind`
      }) s
    group by kind order by kind`;
}

/**
 * The number of lines and the sum of their quantities, by kind: from the rollup (db/schema/85_rollups.sql) and the newer lines. With
 * filters that the rollup does not support, PostgreSQL adds up the lines.
 */
export const sumLines = async (scope: Scope, filters: LineFilters): Promise<KindSum[]> =>
  (await kindSumsQuery(filters).execute(scope.db)).rows;

/** A page of lines with the sums of all lines. One statement reads both, so that they agree. */
export async function findDetails(scope: Scope, filters: LineFilters, page: Page & { isOldestFirst?: boolean }) {
  await walkIndex(scope);
  const { rows } = await sql<{ kinds: KindSum[]; lines: (Omit<LedgerLine, 'time'> & { time: string })[] }>`
    select coalesce((select json_agg(k) from (${kindSumsQuery(filters)}) k), '[]') as kinds,
      coalesce((select json_agg(l) from (${linesQuery(filters, page)}) l), '[]') as lines`.execute(scope.db);
  const { kinds = [], lines = [] } = rows[0] ?? {};
  return { kinds, lines: lines.map((line): LedgerLine => ({ ...line, time: new Date(line.time) })) };
}

/** The rollup rows `t` for these filters; undefined when the rollup does not support a filter. */
function rollupRows(filters: LineFilters): Condition | undefined {
  const isAll = filters.reach === 'all' && !filters.musercode;
  if (
    filters.provincecode ||
    filters.citycode ||
    filters.districtcode ||
    filters.categorycode ||
    filters.appid ||
    filters.plancode ||
    filters.forplan ||
    filters.hasDataScope
  )
    return undefined;
  if ((filters.begindate || filters.enddate) && !isAll) return undefined;
  if (isAll)
    return sql`rollup.ledger_by_day t where t.day >= ${filters.begindate ?? '1970-01-01'}::date
      and t.day <= ${filters.enddate ?? '9999-12-31'}::date`;
  return sql`rollup.ledger_by_tenant t where ${filters.musercode ? sql`t.musercode = ${filters.musercode}` : sql`true`}`;
}

/** A wallet in the statistics, with its use. */
export interface CountLine extends StoredWallet {
  musercode: string;
  insname: string;
  uses: { plancode: string; planname: string | null; used: number; frozen: number }[];
  peoplecount: number;
  lastusetime: Date | null;
  /** all granted counts, also outside the days of the filter */
  everygranted: number;
}
const sortable: Readonly<Record<string, string>> = {
  insname: 'sortname',
  granted: 'granted',
  used: 'used',
  frozen: 'frozen',
  expired: 'expired',
  free: 'free',
  enddate: 'enddate',
};

/** The filters of the statistics. */
export type WalletFilters = CountFilters & { low?: number | undefined; endingby?: string | undefined };

/**
 * The wallets of the filters. Without dates the figures are the wallet's own. With dates, granted, used and expired are the sums of
 * the ledger lines of these days; frozen and free are always the current figures.
 */
function walletsQuery(filters: WalletFilters, hasNames: boolean): Condition {
  const institutions = hasNames ? institution : regionJoin(filters);
  const free = sql`w.granted - w.used - w.frozen - w.expired`;
  const parts = walletConditions(filters);
  if (filters.low !== undefined)
    parts.push(sql`(w.granted > 0 and ${free} < w.granted * ${LOW_RATIO}::float) = ${filters.low === 1}::boolean`);
  if (filters.endingby)
    parts.push(
      sql`exists (select from countlot c where c.musercode = w.musercode and c.plancode = w.plancode and c.free > 0
        and c.enddate <= ${filters.endingby}::date)`,
    );
  const figures = dayConditions(filters).length
    ? sql`d.granted, d.used, d.expired from assesscount w ${institutions} cross join lateral (
        select coalesce(sum(l.qty) filter (where l.kind in ('01', '02', '06', '08')), 0)::int as granted,
          coalesce(-sum(l.qty) filter (where l.kind = '04'), 0)::int as used,
          coalesce(-sum(l.qty) filter (where l.kind = '07'), 0)::int as expired
        from assesscountlog l where l.musercode = w.musercode and l.plancode = w.plancode and ${joinConditions(dayConditions(filters))}) d`
    : sql`w.granted, w.used, w.expired from assesscount w ${institutions}`;
  return sql`select w.musercode, ${hasNames ? sql`m.insname, m.sortname, m.musercode as institution,` : sql``} w.plancode, w.frozen,
    ${free} as free, w.granted as everygranted, ${figures} where ${joinConditions(parts)}`;
}

type SortedPage = Page & { orderby?: string | undefined; isasc?: string | undefined };
/** A page of wallets with their use by plan, the number of persons and the last use. */
const pageQuery = (filters: WalletFilters & SortedPage) => {
  const sortColumn = sql.ref((filters.orderby && sortable[filters.orderby]) || 'sortname');
  // The counts that are not free now; the days of the filter do not matter.
  const expiryJoin = joinNextExpiry(sql`w.everygranted - w.free`);
  const direction = filters.orderby && filters.isasc !== '1' ? sql`desc` : sql`asc`;
  return sql`
    with page as (
      select w.* from (${walletsQuery(filters, true)}) w ${filters.orderby === 'enddate' ? expiryJoin : sql``}
      order by ${sortColumn} ${direction} nulls last, w.institution, w.plancode ${limitOffset(filters)})
    select w.*, p.planname, e.enddate, coalesce(e.ending, 0) as ending,
      coalesce((select jsonb_agg(jsonb_build_object('plancode', u.plancode, 'planname', k.planname, 'used', u.used,
      'frozen', u.frozen) order by u.used desc, u.plancode) from (
        select coalesce(l.forplan, '*') as plancode, coalesce(-sum(l.qty) filter (where l.kind = '04'
          and ${joinConditions(dayConditions(filters))}), 0)::int as used,
          (coalesce(sum(l.qty) filter (where l.kind = '04'), 0) - coalesce(sum(l.qty) filter (where l.kind <> '04'), 0))::int as frozen
        from assesscountlog l where l.musercode = w.musercode and l.plancode = w.plancode and w.plancode = '*'
          and l.kind in ('03', '04', '05') group by 1) u
        left join plan k on k.plancode = u.plancode where u.used <> 0 or u.frozen <> 0), '[]') as uses,
      (select count(distinct l.cuserid) from assesscountlog l
        where l.musercode = w.musercode and l.plancode = w.plancode and l.kind = '03'
          and ${joinConditions(dayConditions(filters))})::int as peoplecount,
      (select max(l.time) from assesscountlog l
        where l.musercode = w.musercode and l.plancode = w.plancode and l.kind = '04'
          and ${joinConditions(dayConditions(filters))}) as lastusetime
    from page w left join plan p on p.plancode = w.plancode ${expiryJoin}
    order by ${sortColumn} ${direction} nulls last, w.musercode, w.plancode`;
};

/** The sums of all wallets of the filters; `peoplecount` counts each person once. */
const sumsQuery = (filters: WalletFilters) => {
  // Only filters on wallets need a join from the wallets to their lines.
  const hasWalletFilter = filters.low !== undefined || filters.endingby !== undefined;
  return sql`
    with f as (${walletsQuery(filters, false)})
    select count(*)::int as total, coalesce(sum(granted), 0)::int as granted, coalesce(sum(used), 0)::int as used,
      coalesce(sum(frozen), 0)::int as frozen,
      coalesce(sum(expired), 0)::int as expired, coalesce(sum(free), 0)::int as free,
      (select count(distinct l.cuserid) from ${
        hasWalletFilter ? sql`assesscountlog l join f using (musercode, plancode)` : sql`${lines} ${regionJoin(filters)}`
      }
        where l.kind = '03' and l.cuserid is not null
          and ${joinConditions([...dayConditions(filters), ...(hasWalletFilter ? [] : walletConditions(filters))])})::int as peoplecount
    from f`;
};
/**
 * The sums of all wallets. There are thousands, so the query does not read them: each figure is a sum of ledger lines, which the
 * rollup stores.
 */
const allSumsQuery = (filters: WalletFilters) => {
  const hasDays = dayConditions(filters).length > 0;
  return sql`
    select jsonb_object_agg(s.kind, s.ever) as ever, jsonb_object_agg(s.kind, s.within) as within,
      (select count(*)::int from assesscount) as total,
      (select count(*)::int from (select distinct l.cuserid from assesscountlog l
      where l.kind = '03' and l.cuserid is not null and ${joinConditions(dayConditions(filters))}) p) as peoplecount
    from (
      select kind, sum(ever) as ever, sum(within) as within from (
        select t.kind, t.qty as ever, ${hasDays ? sql`0` : sql`t.qty`} as within from ${rollupRows({ reach: 'all' })}
        ${hasDays ? sql`union all select t.kind, 0, t.qty from ${rollupRows(filters)}` : sql``}
        union all select l.kind, l.qty, case when ${joinConditions(dayConditions(filters))} then l.qty else 0 end
          from (select l.* from ${lines} where l.xid >= (select w.ledger from rollup.watermark w) order by l.xid) l) t
      group by kind) s`;
};
type Sums = Partial<Record<CountKindCode, number>>;
type Total = Balance & { total: number; peoplecount: number };

/** A page of wallets with the sums of all wallets of the filters. One statement reads both, so that they agree. */
export async function findStatistics(scope: Scope, filters: WalletFilters & SortedPage) {
  const isInRollup =
    filters.reach === 'all' && !filters.musercode && filters.low === undefined && !filters.endingby && rollupRows(filters);
  if (filters.reach === 'all') await walkIndex(scope);
  const {
    rows: [row],
  } = await sql<{
    sums: Total | { ever: Sums | null; within: Sums | null; total: number; peoplecount: number };
    lines: (Omit<CountLine, 'lastusetime'> & { lastusetime: string | null })[];
  }>`select (select to_json(s) from (${isInRollup ? allSumsQuery(filters) : sumsQuery(filters)}) s) as sums,
      coalesce((select json_agg(l) from (${pageQuery(filters)}) l), '[]') as lines`.execute(scope.db);
  if (!row) throw new Error('the query of the sums returned no row');
  const lines = row.lines.map((line): CountLine => ({
    ...line,
    lastusetime: line.lastusetime === null ? null : new Date(line.lastusetime),
  }));
  if (!('ever' in row.sums)) return { sums: row.sums, lines };
  const { ever, within, total, peoplecount } = row.sums;
  const { frozen, free } = balanceOf(ever ?? {});
  return { sums: { ...balanceOf(within ?? {}), frozen, free, total, peoplecount }, lines };
}
