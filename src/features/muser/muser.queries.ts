import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Place } from '#domain/tenantTree.ts';
import { cut } from '#server/db/page.ts';
import type { CountScope, Scope } from '#server/scope.ts';
import type { getMUserPageList } from '#features/muser/muser.contract.ts';
import { childrenOf, inReach } from '#features/muser/tree.queries.ts';

type Filters = Omit<z.output<(typeof getMUserPageList)['request']>, 'expiring'> & { expiringby: string | undefined };

const sortable: Record<string, string> = {
  insname: 'm.insname',
  createtime: 'm.createtime',
  expiredate: 'm.expiredate',
  enabled: 'm.enabled',
  musertype: 'm.musertype',
};
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Who asks: an authority, who counts its region; the platform, who reaches everything; or whoever reaches what stands below them. */
type Asker = 'authority' | 'platform' | 'others';

/** The types asked for, or none when it is every type. Written into the statement, because they decide which index is walked. */
const askedTypes = ({ musertype, musertypes = [] }: Filters) =>
  musertype ? (musertypes.length === 0 || musertypes.includes(musertype) ? [musertype] : ['']) : musertypes;

function filtered({ db }: Scope | CountScope, filters: Filters, asker: Asker) {
  const anonymous = asker === 'authority';
  let query = db.selectFrom('muser as m').where('m.isdeleted', '=', sql.lit(0));
  const types = askedTypes(filters);
  if (types.length === 1) query = query.where('m.musertype', '=', sql.lit(types[0] as string));
  if (types.length > 1) query = query.where('m.musertype', 'in', types.map((type) => sql.lit(type)) as never);
  if (filters.sector) query = query.where('m.sector', '=', filters.sector);
  if (filters.enabled !== undefined) query = query.where('m.enabled', '=', filters.enabled);
  if (filters.regioncode)
    query = query.where((eb) =>
      eb.or([
        eb('m.districtcode', '=', filters.regioncode as string),
        eb('m.citycode', '=', filters.regioncode as string),
        eb('m.provincecode', '=', filters.regioncode as string),
      ]),
    );
  if (filters.parentmusercode)
    query = query.where(
      sql<SqlBool>`exists (select from muser u where u.musercode = ${filters.parentmusercode} and m.orgpath > u.orgpath and m.orgpath < left(u.orgpath, -1) || '/')`,
    );
  if (filters.appid)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('muserapp as a')
          .select('a.appid')
          .whereRef('a.musercode', '=', 'm.musercode')
          .where('a.appid', '=', filters.appid as string)
          .where('a.enabled', '=', 1),
      ),
    );
  if (anonymous) query = query.where(sql<SqlBool>`m.orgpath <> (select auth.lo())`);
  if (anonymous)
    return filters.keyword
      ? query.where((eb) =>
          eb.or([eb('m.insname', 'like', like(filters.keyword as string)), eb('m.musercode', '=', filters.keyword as string)]),
        )
      : query;
  if (filters.expiringby) query = query.where('m.expiredate', '<=', filters.expiringby);
  if (filters.opening === 1) query = query.where(sql<SqlBool>`m.settings -> 'opening' ->> 'step' <> 'done'`);
  if (filters.keyword) {
    const { keyword } = filters;
    query = query.where((eb) =>
      eb.or([
        eb('m.insname', 'like', like(keyword)),
        eb('m.shortname', 'like', like(keyword)),
        eb('m.username', 'like', like(keyword.toLowerCase())),
        eb('m.musercode', '=', keyword),
      ]),
    );
  }
  return asker === 'platform'
    ? query.where('m.musertype', '<>', sql.lit('001'))
    : query.where(inReach).where(sql<SqlBool>`m.orgpath <> (select auth.lo())`);
}

/** How many there are in all: kept beside the tree (migration 0029) where only what is kept there is asked for, else counted. */
function howMany(scope: Scope, filters: Filters, asker: Asker) {
  const {
    musertype: _,
    musertypes: __,
    sector,
    enabled,
    page: ___,
    pageSize: ____,
    orderby: _____,
    isasc: ______,
    ...rest
  } = filters;
  const types = askedTypes(filters);
  return Object.values(rest).every((value) => value === undefined)
    ? sql<number>`(select auth.below_me(${types.length > 0 ? types : null}::text[], ${sector ?? null}, ${enabled ?? null}::int))`
    : sql<number>`(${filtered(scope, filters, asker).select((eb) => eb.fn.countAll<number>().as('total'))})::int`;
}

/**
 * A page of the institutions below the caller with their counts; the newest first unless asked otherwise. `everybody`: the caller reaches
 * all there are.
 */
export async function findMUsers(scope: Scope, filters: Filters, everybody: boolean) {
  const asker = everybody ? 'platform' : 'others';
  const total = howMany(scope, filters, asker);
  // The page is cut before anything is looked up for it, and comes with the total; a page behind the end has none.
  const page = filtered(scope, filters, asker)
    .select(['m.musercode', total.as('total')])
    .orderBy(sql.ref((filters.orderby && sortable[filters.orderby]) || 'm.createtime'), (order) =>
      filters.isasc === '1' ? order.asc().nullsLast() : order.desc().nullsLast(),
    )
    .orderBy('m.musercode', 'desc')
    .$call(cut(filters));
  const found = await page.execute();
  if (found[0] === undefined) {
    const { rows: counted } =
      filters.page === 1 ? { rows: [] } : await sql<{ total: number }>`select ${total} as total`.execute(scope.db);
    return { total: counted[0]?.total ?? 0, rows: [] };
  }
  const codes = found.map((row) => row.musercode);
  const rows = await findRows(scope, codes);
  return { total: found[0].total, rows: codes.flatMap((code) => rows.filter((row) => row.musercode === code)) };
}

const findRows = (scope: Scope, codes: readonly string[]) =>
  scope.db
    .selectFrom('muser as m')
    .leftJoin('muser as p', 'p.musercode', 'm.parentmusercode')
    .leftJoin('muserclient as k', 'k.musercode', 'm.musercode')
    .leftJoinLateral(
      (eb) => eb.selectFrom('assesscount as w').whereRef('w.musercode', '=', 'm.musercode').select([
        sql<number>`sum(w.granted)`.as('granted'), sql<number>`sum(w.used)`.as('used'), sql<number>`sum(w.granted - w.used - w.frozen - w.expired)`.as('free'),
      ]).as('w'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) => eb.selectFrom('headcount as h').whereRef('h.musercode', '=', 'm.musercode').select([
        sql<number>`sum(h.n) filter (where h.what = '01')`.as('persons'), sql<number>`sum(h.n) filter (where h.what = '02')`.as('staff'),
      ]).as('h'),
      (join) => join.onTrue(),
    )
    .select([
      'm.musercode', 'm.username', 'm.insname', 'm.shortname', 'm.musertype', 'm.sector', 'm.parentmusercode', 'p.insname as parentname', 'm.categorylevel', 'm.provincecode', 'm.citycode', 'm.districtcode',
      'm.regionname', 'm.address', 'm.logo', 'm.realname', 'm.phonenumber', 'm.enabled', 'm.expiredate', 'm.seedetail', 'm.abnormalminlevel', 'm.showreportdefault', 'm.mustfactor', 'm.contractno', 'm.remark', 'm.createtime', 'm.version',
      'k.clientcode', 'k.loginmode',
      sql<string | null>`m.settings -> 'opening' ->> 'step'`.as('opening'),
      sql<{ appid: string; appname: string }[]>`coalesce((select json_agg(json_build_object('appid', a.appid, 'appname', r.appname) order by r.ordernum) from muserapp a join ref.app r on r.appid = a.appid where a.musercode = m.musercode and a.enabled = 1), '[]')`.as('apps'),
      childrenOf(sql`${codes}`, sql`m.musercode`).as('childcount'),
      sql<number>`coalesce(h.staff, 0)`.as('staffcount'),
      sql<number>`coalesce(h.persons, 0)`.as('personcount'),
      sql<number>`coalesce(w.granted, 0)`.as('granted'), sql<number>`coalesce(w.used, 0)`.as('used'), sql<number>`coalesce(w.free, 0)`.as('free'),
    ])
    .where(sql<SqlBool>`m.musercode = any (${codes}::text[])`)
    .execute(); // prettier-ignore

/** The institutions an authority counts: those of its region and sector, without contacts. */
export async function findCounted(scope: CountScope, filters: Filters) {
  const query = filtered(scope, filters, 'authority');
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select([
      'm.musercode', 'm.insname', 'm.shortname', 'm.musertype', 'm.sector', 'm.enabled', 'm.provincecode', 'm.citycode', 'm.districtcode', 'm.categorylevel', 'm.abnormalminlevel',
    ])
    .orderBy('m.insname')
    .orderBy('m.musercode')
    .$call(cut(filters))
    .execute(); // prettier-ignore
  return { total, rows };
}

const placeColumns = [
  'm.musercode', 'm.musertype', 'm.parentmusercode', 'm.categorylevel', 'm.orgpath', 'm.insname', 'm.sector', 'm.enabled', 'm.codes', 'm.expiredate', 'm.abnormalminlevel', 'm.showreportdefault',
  sql<string[]>`array[m.categorycode0, m.categorycode1, m.categorycode2, m.categorycode3, m.categorycode4, m.categorycode5]`.as('categorycodes'),
] as const; // prettier-ignore

/** An institution of the caller's reach: its own or one below, with where it stands. */
export const findPlace = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muser as m')
    .select(placeColumns)
    .where('m.musercode', '=', musercode)
    .where('m.isdeleted', '=', 0)
    .where(inReach)
    .executeTakeFirst();

/** An institution with everything below it, deleted ones too: their rows move along. Locked until the end of the call. */
export const lockSubtree = (scope: Scope, orgpath: string) =>
  scope.db
    .selectFrom('muser as m')
    .select(placeColumns)
    .where(inReach)
    .where('m.orgpath', '>=', orgpath)
    .where(sql<SqlBool>`m.orgpath < ${`${orgpath.slice(0, -1)}/`}`)
    .orderBy('m.orgpath')
    .forUpdate()
    .execute();

/** Moves, and additions below what may be moving, wait for each other; additions do not wait among themselves. */
export const holdTree = (scope: Scope, how: 'moving' | 'adding') =>
  (how === 'moving'
    ? sql`select pg_advisory_xact_lock(hashtext('muser tree'))`
    : sql`select pg_advisory_xact_lock_shared(hashtext('muser tree'))`
  ).execute(scope.db);

/** Puts institutions into their new places by one statement; every table that carries their path follows by its foreign key. */
export async function rewritePlaces(scope: Scope, places: readonly Place[], bound: readonly string[]) {
  const level = (k: number) => places.map((place) => place.categorycodes[k] ?? '');
  const { rows } = await sql<{ musercode: string }>`
    update muser m set orgpath = v.orgpath, parentmusercode = v.parent, categorylevel = v.level, categorycode0 = v.c0, categorycode1 = v.c1, categorycode2 = v.c2, categorycode3 = v.c3,
      categorycode4 = v.c4, categorycode5 = v.c5, codes = array(select c from unnest(m.codes) c where c = any (${[...bound]}::text[])), version = m.version + 1, updatetime = now()
    from unnest(${places.map((each) => each.musercode)}::text[], ${places.map((each) => each.orgpath)}::text[], ${places.map((each) => each.parentmusercode)}::text[],
      ${places.map((each) => each.categorylevel)}::int[], ${level(0)}::text[], ${level(1)}::text[], ${level(2)}::text[], ${level(3)}::text[], ${level(4)}::text[], ${level(5)}::text[])
      v(musercode, orgpath, parent, level, c0, c1, c2, c3, c4, c5)
    where m.musercode = v.musercode returning m.musercode`.execute(scope.db);
  return rows.length;
}

/** Rights a provider or the platform can pass on: those of the nearest one at or above an institution. */
export async function codesToGive(scope: Scope, orgpath: string): Promise<string[]> {
  const row = await scope.db
    .selectFrom('muser as m')
    .select('m.codes')
    .where(sql<SqlBool>`starts_with(${orgpath}, m.orgpath)`)
    .where('m.musertype', 'in', ['001', '002'])
    .orderBy('m.orgpath', 'desc')
    .executeTakeFirst();
  return row?.codes ?? [];
}

/** Rights of a built-in role: what a new institution of a type starts with. */
export const findRoleCodes = async (scope: Scope, rolekey: string) =>
  (await scope.db.selectFrom('role').select('codes').where('rolekey', '=', rolekey).where('isbuiltin', '=', 1).executeTakeFirst())
    ?.codes ?? [];

/** Names are unique among the children of one institution; the lock makes the question and what follows one. */
export async function nameIsTaken(
  scope: Scope,
  parentmusercode: string | null,
  insname: string,
  except?: string,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`muser name ${parentmusercode}`}))`.execute(scope.db);
  let query = scope.db
    .selectFrom('muser')
    .select('musercode')
    .where('parentmusercode', '=', parentmusercode)
    .where('insname', '=', insname)
    .where('isdeleted', '=', 0);
  if (except) query = query.where('musercode', '<>', except);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function nextMusercode(scope: Scope): Promise<string> {
  const { rows } = await sql<{ code: string }>`select 'M' || lpad(nextval('musercode_seq')::text, 8, '0') as code`.execute(
    scope.db,
  );
  return rows[0]?.code as string;
}

export interface NewMUser {
  place: Place;
  row: {
    username: string;
    insname: string;
    sector: string;
    codes: string[];
    settings: string;
    shortname: string | null;
    realname: string | null;
    phonenumber: string | null;
    address: string | null;
    provincecode: string | null;
    citycode: string | null;
    districtcode: string | null;
    regionname: string | null;
    expiredate: string | null;
    contractno: string | null;
    remark: string | null;
    seedetail: number;
    abnormalminlevel: number;
    showreportdefault: number;
    mustfactor: number;
  };
}
export const insertMUser = (scope: Scope, { place, row }: NewMUser) => {
  const [categorycode0 = '', categorycode1 = '', categorycode2 = '', categorycode3 = '', categorycode4 = '', categorycode5 = ''] =
    place.categorycodes;
  const { musercode, musertype, parentmusercode, categorylevel, orgpath } = place;
  return scope.db
    .insertInto('muser')
    .values({
      ...row,
      musercode,
      musertype,
      parentmusercode,
      categorylevel,
      orgpath,
      categorycode: musercode,
      categorycode0,
      categorycode1,
      categorycode2,
      categorycode3,
      categorycode4,
      categorycode5,
    })
    .execute();
};

/** Gives an institution below the caller its sign-in, or a new one-time password; ends its sessions. */
export const giveAccount = (scope: Scope, musercode: string, loginname: string, pwdhash: string) =>
  sql`select auth.give_account(${musercode}, ${loginname}, ${pwdhash})`.execute(scope.db);
export const findUsername = async (scope: Scope, musercode: string) =>
  (await scope.db.selectFrom('muser').select('username').where('musercode', '=', musercode).executeTakeFirst())?.username ?? '';

export const changeMUser = (scope: Scope, musercode: string, version: number | undefined, changes: Record<string, unknown>) => {
  let query = scope.db
    .updateTable('muser')
    .set({ ...changes, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0);
  if (version !== undefined) query = query.where('version', '=', version);
  return query.returning('version').executeTakeFirst();
};

/** Says where the logo of an institution lies; null: it has none. */
export const setLogo = (scope: Scope, musercode: string, logo: string | null) =>
  scope.db.updateTable('muser').set({ logo }).where('musercode', '=', musercode).execute();

/** Deletes an institution that holds nothing; answers whether it did. */
export async function removeMUser(scope: Scope, musercode: string): Promise<boolean> {
  const { rows } =
    await sql`update muser m set isdeleted = 1, enabled = 0, version = version + 1, updatetime = now() where m.musercode = ${musercode} and m.isdeleted = 0
    and not exists (select from muser c where c.parentmusercode = m.musercode and c.isdeleted = 0)
    and not exists (select from cuser c where c.musercode = m.musercode and c.isdeleted = 0)
    and not exists (select from sysuser u where u.musercode = m.musercode and u.isdeleted = 0) returning m.musercode`.execute(
      scope.db,
    );
  return rows.length === 1;
}
export async function whatItHolds(scope: Scope, musercode: string) {
  const { rows } = await sql<{ children: number; persons: number; staff: number }>`select
    (select count(*) from muser c where c.parentmusercode = ${musercode} and c.isdeleted = 0) as children,
    (select count(*) from cuser c where c.musercode = ${musercode} and c.isdeleted = 0) as persons,
    (select count(*) from sysuser u where u.musercode = ${musercode} and u.isdeleted = 0) as staff`.execute(scope.db);
  return rows[0] ?? { children: 0, persons: 0, staff: 0 };
}

export const setOpening = (scope: Scope, musercode: string, opening: string) =>
  scope.db
    .updateTable('muser')
    .set({ settings: sql<string>`jsonb_set(settings, '{opening}', ${opening}::jsonb)` })
    .where('musercode', '=', musercode)
    .execute();

export const findDistricts = (scope: Scope, parentcode: string, level: number | undefined) => {
  let query = scope.db
    .selectFrom('ref.district as d')
    .select([
      'd.districtcode',
      'd.districtname',
      'd.parentcode',
      'd.level',
      sql<number>`case when exists (select from ref.district c where c.parentcode = d.districtcode and c.enabled = 1) then 1 else 0 end`.as(
        'haschild',
      ),
    ])
    .where('d.enabled', '=', 1)
    .where('d.parentcode', '=', parentcode);
  if (level !== undefined) query = query.where('d.level', '=', level);
  return query.orderBy('d.districtcode').execute();
};
export const findDistrict = (scope: Scope, districtcode: string) =>
  scope.db
    .selectFrom('ref.district as d')
    .leftJoin('ref.district as p', 'p.districtcode', 'd.parentcode')
    .select([
      'd.districtcode',
      'd.level',
      'd.fullname',
      'd.parentcode',
      'p.level as parentlevel',
      'p.parentcode as grandparentcode',
    ])
    .where('d.districtcode', '=', districtcode)
    .where('d.enabled', '=', 1)
    .executeTakeFirst();

/** Copies what makes a similar institution: applications, stages and the entry's settings (with a link of its own). */
export async function copySetup(scope: Scope, from: string, to: { musercode: string; clientcode: string; clienttitle: string }) {
  await sql`insert into muserapp (musercode, appid, begindate, enddate, enabled) select ${to.musercode}, appid, begindate, enddate, enabled from muserapp where musercode = ${from} on conflict do nothing`.execute(
    scope.db,
  );
  await sql`insert into muserstage (musercode, appid, stagecode) select ${to.musercode}, appid, stagecode from muserstage where musercode = ${from} on conflict do nothing`.execute(
    scope.db,
  );
  await sql`insert into muserclient (clientcode, musercode, clienttitle, welcome, loginmode, consentversion, needguardian, needsignature, hotline, themecolor, showreport)
    select ${to.clientcode}, ${to.musercode}, ${to.clienttitle}, welcome, case when loginmode = '04' then '03' else loginmode end, consentversion, needguardian, needsignature, hotline, themecolor, showreport
    from muserclient where musercode = ${from}`.execute(scope.db);
}
