import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { limitOffset, walkIndex } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getMUserPageList } from '#features/muser/muser.contract.ts';
import { inReach } from '#features/access/institutionAccess.queries.ts';
import { childCountOf } from '#features/muser/tree/tree.queries.ts';

type Filters = Omit<z.output<(typeof getMUserPageList)['request']>, 'expiring'> & { expiringby: string | undefined };

const sortColumns: Record<string, string> = {
  insname: 'm.sortname',
  createtime: 'm.createtime',
  expiredate: 'm.expiredate',
  enabled: 'm.enabled',
  musertype: 'm.musertype',
};
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The reach of the caller: the platform reaches all institutions, all others those below them. */
type Reach = 'platform' | 'others';

/** Returns the types to list; none means all types. The platform's own institution (001) is in no list. */
function typesToList({ musertype, musertypes = [] }: Filters): readonly string[] {
  if (!musertype && musertypes.length === 0) return [];
  const requested = musertype ? [musertype].filter((type) => musertypes.length === 0 || musertypes.includes(type)) : musertypes;
  const types = requested.filter((type) => type !== '001');
  return types.length > 0 ? types : [''];
}

/** Returns the SQL `from muser m where …` for the filters. */
function fromMatching(filters: Filters, reach: Reach): RawBuilder<unknown> {
  const { sector, enabled, regioncode, parentmusercode, appid, keyword, expiringby } = filters;
  const parts: RawBuilder<unknown>[] = [sql`m.isdeleted = 0`];
  // Literals instead of parameters, so that the planner knows which index fits.
  const types = typesToList(filters).map((type) => sql.lit(type));
  if (types.length === 1) parts.push(sql`m.musertype = ${types[0]}`);
  if (types.length > 1) parts.push(sql`m.musertype in (${sql.join(types)})`);
  if (sector) parts.push(sql`m.sector = ${sector}`);
  if (enabled !== undefined) parts.push(sql`m.enabled = ${enabled}`);
  if (regioncode)
    parts.push(sql`(m.districtcode = ${regioncode} or m.citycode = ${regioncode} or m.provincecode = ${regioncode})`);
  if (parentmusercode)
    parts.push(
      sql`exists (select from muser u where u.musercode = ${parentmusercode} and m.orgpath > u.orgpath
        and m.orgpath < left(u.orgpath, -1) || '/')`,
    );
  if (appid)
    parts.push(sql`exists (select from muserapp a where a.musercode = m.musercode and a.appid = ${appid} and a.enabled = 1)`);
  if (reach !== 'platform') parts.push(sql`m.orgpath <> (select access.path_from())`);
  if (expiringby) parts.push(sql`m.expiredate <= ${expiringby}`);
  if (filters.opening === 1) parts.push(sql`m.settings -> 'opening' ->> 'step' <> 'done'`);
  if (keyword)
    parts.push(
      sql`(m.insname ilike ${like(keyword)} or m.shortname ilike ${like(keyword)}
        or m.username ilike ${like(keyword)} or m.musercode = ${keyword})`,
    );
  if (reach === 'others') parts.push(inReach);
  else if (types.length === 0) parts.push(sql`m.musertype <> '001'`);
  return sql`from muser m where ${sql.join(parts, sql` and `)}`;
}

interface MUserListRow {
  musercode: string;
  username: string;
  insname: string;
  shortname: string | null;
  musertype: string;
  sector: string;
  parentmusercode: string | null;
  parentname: string | null;
  categorylevel: number;
  provincecode: string | null;
  citycode: string | null;
  districtcode: string | null;
  regionname: string | null;
  address: string | null;
  logo: string | null;
  realname: string | null;
  phonenumber: string | null;
  enabled: number;
  expiredate: string | null;
  abnormalminlevel: number;
  showreportdefault: number;
  mustfactor: number;
  trustdevice: number;
  contractno: string | null;
  remark: string | null;
  createtime: Date;
  version: number;
  clientcode: string | null;
  loginmode: string | null;
  opening: string | null;
  apps: { appid: string; appname: string }[];
  childcount: number;
  staffcount: number;
  personcount: number;
  granted: number;
  used: number;
  free: number;
}

/**
 * Returns a page of the institutions below the caller with their counts; by default the newest first. `isPlatform`: the caller reaches
 * all institutions.
 */
export async function findMUsers(
  scope: Scope,
  filters: Filters,
  isPlatform: boolean,
): Promise<{ total: number; rows: MUserListRow[] }> {
  const reach = isPlatform ? 'platform' : 'others';
  const from = fromMatching(filters, reach);
  const direction = sql.raw(filters.isasc === '1' ? 'asc' : 'desc');
  const sortColumn = sql.raw((filters.orderby && sortColumns[filters.orderby]) || 'm.createtime');
  const sorting = sql`order by ${sortColumn} ${direction} nulls last, m.musercode desc`;
  // The statement cuts the page before it looks up details, and counts the total. A page after the last has no row with a total.
  const page = sql`cut as materialized (
      select m.musercode, (select count(*)::int ${from}) as total ${from} ${sorting} ${limitOffset(filters)}),
    page as materialized (select m.*, c.total from cut c join muser m on m.musercode = c.musercode)`;
  const query = sql<MUserListRow & { total: number }>`with ${page}
    select m.total, m.musercode, m.username, m.insname, m.shortname, m.musertype, m.sector, m.parentmusercode,
      p.insname as parentname, m.categorylevel, m.provincecode, m.citycode, m.districtcode,
      m.regionname, m.address, m.logo, m.realname, m.phonenumber, m.enabled, m.expiredate,
      m.abnormalminlevel, m.showreportdefault, m.mustfactor, m.trustdevice, m.contractno, m.remark, m.createtime, m.version,
      k.clientcode, k.loginmode,
      m.settings -> 'opening' ->> 'step' as opening,
      ${childCountOf(sql`m.musercode`)} as childcount,
      coalesce((select json_agg(json_build_object('appid', a.appid, 'appname', r.appname) order by r.ordernum)
        from muserapp a join ref.app r on r.appid = a.appid
        where a.musercode = m.musercode and a.enabled = 1), '[]') as apps,
      (select count(*)::int from sysuser u where u.musercode = m.musercode and u.isdeleted = 0) as staffcount,
      (select count(*)::int from cuser c where c.orgpath = m.orgpath and c.isdeleted = 0) as personcount,
      coalesce(w.granted, 0) as granted, coalesce(w.used, 0) as used, coalesce(w.free, 0) as free
    from page m
      left join muser p on p.musercode = m.parentmusercode
      left join muserclient k on k.musercode = m.musercode
      left join lateral (
        select sum(w.granted) as granted, sum(w.used) as used, sum(w.granted - w.used - w.frozen - w.expired) as free
        from assesscount w where w.musercode = m.musercode) w on true
    ${sorting}`;
  if (isPlatform) await walkIndex(scope);
  const { rows } = await query.execute(scope.db);
  if (rows[0] !== undefined) return { total: rows[0].total, rows };
  if (filters.page === 1) return { total: 0, rows };
  const { rows: totals } = await sql<{ total: number }>`select (select count(*)::int ${from}) as total`.execute(scope.db);
  return { total: totals[0]?.total ?? 0, rows };
}
