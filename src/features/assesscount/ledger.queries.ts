import { sql, type RawBuilder } from 'kysely';
import { balanceOf, LOW_RATIO, type Balance, type CountKindCode } from '#domain/counts/wallet.ts';
import { limitOffset, walkIndex, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { nextEnd, type StoredWallet } from '#features/assesscount/wallet.queries.ts';

/** Days, and the instants they begin and end. */
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
  /** The caller reaches all there are (`everybody`) or one institution (`alone`): both find a page along an index. */
  reach?: 'everybody' | 'alone' | undefined;
  /** Not every person of the institution is within reach, nor their lines. */
  scoped?: boolean | undefined;
}

type Condition = RawBuilder<unknown>;
const both = (parts: readonly Condition[]) => (parts.length ? sql.join(parts, sql` and `) : sql`true`);

/**
 * Conditions on the wallet or line `w` and, where a region is asked for, its institution `m`; the same ones for both screens,
 * so that their sums agree.
 */
function where(filters: CountFilters): Condition[] {
  const parts: Condition[] = [sql`true`];
  if (filters.reach === 'alone') parts.push(sql`w.orgpath = (select access.path_from())`);
  if (filters.musercode) parts.push(sql`w.musercode = ${filters.musercode}`);
  if (filters.provincecode) parts.push(sql`m.provincecode = ${filters.provincecode}`);
  if (filters.citycode) parts.push(sql`m.citycode = ${filters.citycode}`);
  if (filters.districtcode) parts.push(sql`m.districtcode = ${filters.districtcode}`);
  if (filters.categorycode)
    parts.push(
      sql`w.orgpath >= (select u.orgpath from muser u
        where u.musercode = ${filters.categorycode}) and w.orgpath < (select left(u.orgpath, -1) || '/' from muser u
          where u.musercode = ${filters.categorycode})`,
    );
  if (filters.plancode) parts.push(sql`w.plancode = ${filters.plancode}`);
  // Counts of any plan belong to the populations the institution looks after.
  if (filters.appid)
    parts.push(sql`case when w.plancode = '*' then exists (select from muserapp k
      where k.musercode = w.musercode and k.appid = ${filters.appid})
      else exists (select from plan k where k.plancode = w.plancode and k.appid = ${filters.appid}) end`);
  return parts;
}
/** Days of the ledger's lines `l`. */
const days = (filters: CountFilters): Condition[] => [
  ...(filters.from ? [sql`l.time >= ${filters.from}::timestamptz`] : []),
  ...(filters.until ? [sql`l.time < ${filters.until}::timestamptz`] : []),
];
export type LineFilters = CountFilters & { kind?: string | undefined; forplan?: string | undefined };
const ofLines = (filters: LineFilters): Condition[] => [
  ...(filters.kind ? [sql`l.kind = ${filters.kind}`] : []),
  ...(filters.forplan
    ? [
        sql`l.kind in ('03', '04', '05') and (l.forplan = ${filters.forplan} or (l.forplan is null and l.plancode = ${filters.forplan}))`,
      ]
    : []),
];
/** Lines `l` of the ledger, for conditions on `w`. */
const lines = sql`assesscountlog l cross join lateral (select l.musercode, l.plancode, l.orgpath) w`;
const institution = sql`join muser m on m.musercode = w.musercode`;
/** The institution where the conditions ask for it, and not otherwise: there are thousands. */
const regionJoin = (filters: CountFilters) =>
  filters.provincecode || filters.citycode || filters.districtcode ? institution : sql``;
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
  /** the last day of the counts it speaks of */
  enddate: string | null;
}
const linesOf = (filters: LineFilters, page: Page & { oldest?: boolean }) => {
  const order = page.oldest ? sql`asc` : sql`desc`;
  const conditions = both([...where(filters), ...days(filters), ...ofLines(filters)]);
  return sql<LedgerLine>`
    with found as (
      select l.* from ${lines} ${regionJoin(filters)} where ${conditions}
      order by l.time ${order}, l.logid ${order} ${limitOffset(page)})
    select w.logid, w.time, w.musercode, m.insname, w.plancode, case
      when w.plancode <> '*' then p.planname end as planname, case w.plancode when '*' then w.forplan end as forplan,
      case w.plancode when '*' then p.planname end as forplanname, w.kind, w.qty, w.balance, c.username, m.partyname,
      w.operator, coalesce(u.realname, m.operatorname) as operatorname,
      w.remark, w.enddate
    from found w
      -- The three institutions a line may name are read together: row-level security is asked once for every table of a statement.
      join lateral (
        select max(m.insname) filter (where m.musercode = w.musercode) as insname, max(m.insname)
          filter (where m.musercode = w.partycode) as partyname,
          max(m.insname) filter (where m.musercode = w.operator) as operatorname
        from muser m where m.musercode in (w.musercode, w.partycode, w.operator)) m on true
      left join plan p on p.plancode = case w.plancode when '*' then w.forplan else w.plancode end
      left join cuser c on c.cuserid = w.cuserid left join sysuser u on u.userid = w.operator
    order by w.time ${order}, w.logid ${order}`;
};
/** Lines of the ledger, the newest first unless `oldest`. */
export const findLines = async (scope: Scope, filters: LineFilters, page: Page & { oldest?: boolean }): Promise<LedgerLine[]> => {
  await walkIndex(scope);
  return (await linesOf(filters, page).execute(scope.db)).rows;
};

interface KindSum {
  kind: CountKindCode;
  lines: number;
  qty: number;
}
function kindsOf(filters: LineFilters) {
  const conditions = both([...where(filters), ...days(filters), ...ofLines(filters)]);
  const condition = tallied(filters);
  // What is newer stands at the end of the lines in the order of their transactions.
  return sql<KindSum>`
    select kind, sum(lines)::int as lines, sum(qty)::int as qty from (
      ${
        condition
          ? sql`select t.kind, t.lines, t.qty from ${condition} and ${filters.kind ? sql`t.kind = ${filters.kind}` : sql`true`}
            union all select l.kind, 1, l.qty from (select l.* from ${lines} where l.xid >= (select w.ledger
              from rollup.watermark w) and ${conditions} order by l.xid) l`
          : sql`select l.kind, count(*) as lines, sum(l.qty) as qty from ${lines} ${regionJoin(filters)}
            where ${conditions} group by l.kind`
      }) s
    group by kind order by kind`;
}
/**
 * How many lines there are of each kind and what their quantities add up to: the rollup (db/schema/85_rollups.sql) and the lines newer
 * than it. Filters the rollup does not know make PostgreSQL add up the lines.
 */
export const sumLines = async (scope: Scope, filters: LineFilters): Promise<KindSum[]> =>
  (await kindsOf(filters).execute(scope.db)).rows;

/** A page of lines with what all of them add up to, in one statement and so of one moment. */
export async function findDetails(scope: Scope, filters: LineFilters, page: Page & { oldest?: boolean }) {
  await walkIndex(scope);
  const { rows } = await sql<{ kinds: KindSum[]; lines: (Omit<LedgerLine, 'time'> & { time: string })[] }>`
    select coalesce((select json_agg(k) from (${kindsOf(filters)}) k), '[]') as kinds,
      coalesce((select json_agg(l) from (${linesOf(filters, page)}) l), '[]') as lines`.execute(scope.db);
  const { kinds = [], lines = [] } = rows[0] ?? {};
  return { kinds, lines: lines.map((line): LedgerLine => ({ ...line, time: new Date(line.time) })) };
}
/** The rows `t` of the rollup that add up to the lines of these filters; undefined where the rollup does not know. */
function tallied(filters: LineFilters): Condition | undefined {
  const everybody = filters.reach === 'everybody' && !filters.musercode;
  if (
    filters.provincecode ||
    filters.citycode ||
    filters.districtcode ||
    filters.categorycode ||
    filters.appid ||
    filters.plancode ||
    filters.forplan ||
    filters.scoped
  )
    return undefined;
  if ((filters.begindate || filters.enddate) && !everybody) return undefined;
  if (everybody)
    return sql`rollup.ledger_by_day t where t.day >= ${filters.begindate ?? '1970-01-01'}::date
      and t.day <= ${filters.enddate ?? '9999-12-31'}::date`;
  return sql`rollup.ledger_by_tenant t where ${filters.musercode ? sql`t.musercode = ${filters.musercode}` : sql`true`}`;
}

export interface CountLine extends StoredWallet {
  musercode: string;
  insname: string;
  uses: { plancode: string; planname: string | null; used: number; frozen: number }[];
  peoplecount: number;
  lastusetime: Date | null;
  /** granted ever, whatever the days */
  everygranted: number;
}
const sortable: Readonly<Record<string, string>> = {
  insname: 'insname',
  granted: 'granted',
  used: 'used',
  frozen: 'frozen',
  expired: 'expired',
  free: 'free',
  enddate: 'enddate',
};

export type WalletFilters = CountFilters & { low?: number | undefined; endingby?: string | undefined };

/**
 * The wallets the filters find. Without dates their figures are the wallet's own; with dates, granted, used and expired are what the
 * ledger's lines of these days add up to. Frozen and free are always those of now.
 */
function found(filters: WalletFilters, names: boolean): Condition {
  const institutions = names ? institution : regionJoin(filters);
  const free = sql`w.granted - w.used - w.frozen - w.expired`;
  const parts = where(filters);
  if (filters.low !== undefined)
    parts.push(sql`(w.granted > 0 and ${free} < w.granted * ${LOW_RATIO}::float) = ${filters.low === 1}::boolean`);
  if (filters.endingby)
    parts.push(
      sql`exists (select from countlot c where c.musercode = w.musercode and c.plancode = w.plancode and c.free > 0
        and c.enddate <= ${filters.endingby}::date)`,
    );
  const figures = days(filters).length
    ? sql`d.granted, d.used, d.expired from assesscount w ${institutions} cross join lateral (
        select coalesce(sum(l.qty) filter (where l.kind in ('01', '02', '06', '08')), 0)::int as granted,
          coalesce(-sum(l.qty) filter (where l.kind = '04'), 0)::int as used, coalesce(-sum(l.qty)
          filter (where l.kind = '07'), 0)::int as expired
        from assesscountlog l where l.musercode = w.musercode and l.plancode = w.plancode and ${both(days(filters))}) d`
    : sql`w.granted, w.used, w.expired from assesscount w ${institutions}`;
  return sql`select w.musercode, ${names ? sql`m.insname, m.musercode as institution,` : sql``} w.plancode, w.frozen,
    ${free} as free, w.granted as everygranted, ${figures} where ${both(parts)}`;
}

type Sorted = Page & { orderby?: string | undefined; isasc?: string | undefined };
/** A page of wallets with who they were used for and when last. */
const countsOf = (filters: WalletFilters & Sorted) => {
  const by = sql.ref((filters.orderby && sortable[filters.orderby]) || 'insname');
  // Of now, whatever the days: what is not free.
  const ends = nextEnd(sql`w.everygranted - w.free`);
  const way = filters.orderby && filters.isasc !== '1' ? sql`desc` : sql`asc`;
  return sql`
    with page as (
      select w.* from (${found(filters, true)}) w ${filters.orderby === 'enddate' ? ends : sql``}
      order by ${by} ${way} nulls last, w.institution, w.plancode ${limitOffset(filters)})
    select w.*, p.planname, e.enddate, coalesce(e.ending, 0) as ending,
      coalesce((select jsonb_agg(jsonb_build_object('plancode', u.plancode, 'planname', k.planname, 'used', u.used,
      'frozen', u.frozen) order by u.used desc, u.plancode) from (
        select coalesce(l.forplan, '*') as plancode, coalesce(-sum(l.qty) filter (where l.kind = '04'
          and ${both(days(filters))}), 0)::int as used,
          (coalesce(sum(l.qty) filter (where l.kind = '04'), 0) - coalesce(sum(l.qty) filter (where l.kind <> '04'), 0))::int as frozen
        from assesscountlog l where l.musercode = w.musercode and l.plancode = w.plancode and w.plancode = '*'
          and l.kind in ('03', '04', '05') group by 1) u
        left join plan k on k.plancode = u.plancode where u.used <> 0 or u.frozen <> 0), '[]') as uses,
      (select count(distinct l.cuserid) from assesscountlog l
      where l.musercode = w.musercode and l.plancode = w.plancode and l.kind = '03' and ${both(days(filters))})::int as peoplecount,
      (select max(l.time) from assesscountlog l where l.musercode = w.musercode and l.plancode = w.plancode
      and l.kind = '04' and ${both(days(filters))}) as lastusetime
    from page w left join plan p on p.plancode = w.plancode ${ends} order by ${by} ${way} nulls last, w.musercode, w.plancode`;
};

/** What all wallets of the filters add up to; `peoplecount` counts a person once. */
const sumsOf = (filters: WalletFilters) => {
  // Only what is asked of wallets themselves leads from them to their lines.
  const ofWallets = filters.low !== undefined || filters.endingby !== undefined;
  return sql`
    with f as (${found(filters, false)})
    select count(*)::int as total, coalesce(sum(granted), 0)::int as granted, coalesce(sum(used), 0)::int as used,
      coalesce(sum(frozen), 0)::int as frozen,
      coalesce(sum(expired), 0)::int as expired, coalesce(sum(free), 0)::int as free,
      (select count(distinct l.cuserid) from ${
        ofWallets
          ? sql`assesscountlog l
        join f using (musercode, plancode)`
          : sql`${lines} ${regionJoin(filters)}`
      }
        where l.kind = '03' and l.cuserid is not null
          and ${both([...days(filters), ...(ofWallets ? [] : where(filters))])})::int as peoplecount
    from f`;
};
/**
 * The same for all wallets there are, of which there are thousands: each figure is what the ledger's lines add up to, and the rollup
 * has that.
 */
const everybodysOf = (filters: WalletFilters) => {
  const dated = days(filters).length > 0;
  return sql`
    select jsonb_object_agg(s.kind, s.ever) as ever, jsonb_object_agg(s.kind, s.within) as within,
      (select count(*)::int from assesscount) as total,
      (select count(*)::int from (select distinct l.cuserid from assesscountlog l
      where l.kind = '03' and l.cuserid is not null and ${both(days(filters))}) p) as peoplecount
    from (
      select kind, sum(ever) as ever, sum(within) as within from (
        select t.kind, t.qty as ever, ${dated ? sql`0` : sql`t.qty`} as within from ${tallied({ reach: 'everybody' })}
        ${dated ? sql`union all select t.kind, 0, t.qty from ${tallied(filters)}` : sql``}
        union all select l.kind, l.qty, case when ${both(days(filters))} then l.qty else 0 end
          from (select l.* from ${lines} where l.xid >= (select w.ledger from rollup.watermark w) order by l.xid) l) t
      group by kind) s`;
};
type Sums = Partial<Record<CountKindCode, number>>;
type Total = Balance & { total: number; peoplecount: number };

/** A page of wallets with what all the filters find add up to, in one statement and so of one moment. */
export async function findStatistics(scope: Scope, filters: WalletFilters & Sorted) {
  const known =
    filters.reach === 'everybody' && !filters.musercode && filters.low === undefined && !filters.endingby && tallied(filters);
  if (filters.reach === 'everybody') await walkIndex(scope);
  const {
    rows: [row],
  } = await sql<{
    sums: Total | { ever: Sums | null; within: Sums | null; total: number; peoplecount: number };
    lines: (Omit<CountLine, 'lastusetime'> & { lastusetime: string | null })[];
  }>`select (select to_json(s) from (${known ? everybodysOf(filters) : sumsOf(filters)}) s) as sums,
      coalesce((select json_agg(l) from (${countsOf(filters)}) l), '[]') as lines`.execute(scope.db);
  if (!row) throw new Error('sums are one row');
  const lines = row.lines.map((line): CountLine => ({
    ...line,
    lastusetime: line.lastusetime === null ? null : new Date(line.lastusetime),
  }));
  if (!('ever' in row.sums)) return { sums: row.sums, lines };
  const { ever, within, total, peoplecount } = row.sums;
  const { frozen, free } = balanceOf(ever ?? {});
  return { sums: { ...balanceOf(within ?? {}), frozen, free, total, peoplecount }, lines };
}
