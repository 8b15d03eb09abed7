import { sql, type SqlBool } from 'kysely';
import type { TenantNode } from '#domain/tenant/tenantTree.ts';
import type { Scope } from '#server/db/scope.ts';
import { inReach, placeColumns } from '#features/access/institutionAccess.queries.ts';

/** Returns an institution with all below it and locks them until the transaction ends. Deleted ones count: their rows move, too. */
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

/** Locks the tree: a move waits for all others; creations wait only for moves. */
export const lockTree = (scope: Scope, mode: 'moving' | 'adding') =>
  (mode === 'moving'
    ? sql`select pg_advisory_xact_lock(hashtext('muser tree'))`
    : sql`select pg_advisory_xact_lock_shared(hashtext('muser tree'))`
  ).execute(scope.db);

/**
 * Writes the new places of institutions in one statement and removes rights outside `grantableCodes`; returns the number of rows.
 * Foreign keys update the path in all other tables.
 */
export async function rewritePlaces(scope: Scope, places: readonly TenantNode[], grantableCodes: readonly string[]) {
  const codesOfLevel = (level: number) => places.map((place) => place.categorycodes[level] ?? '');
  const { rows } = await sql<{ musercode: string }>`
    update muser m set
      orgpath = v.orgpath, parentmusercode = v.parent, categorylevel = v.level,
      categorycode0 = v.c0, categorycode1 = v.c1, categorycode2 = v.c2,
      categorycode3 = v.c3, categorycode4 = v.c4, categorycode5 = v.c5,
      codes = array(select c from unnest(m.codes) c where c = any (${[...grantableCodes]}::text[])),
      version = m.version + 1, updatetime = now()
    from unnest(
      ${places.map((place) => place.musercode)}::text[],
      ${places.map((place) => place.orgpath)}::text[],
      ${places.map((place) => place.parentmusercode)}::text[],
      ${places.map((place) => place.categorylevel)}::int[],
      ${codesOfLevel(0)}::text[], ${codesOfLevel(1)}::text[], ${codesOfLevel(2)}::text[],
      ${codesOfLevel(3)}::text[], ${codesOfLevel(4)}::text[], ${codesOfLevel(5)}::text[])
      v(musercode, orgpath, parent, level, c0, c1, c2, c3, c4, c5)
    where m.musercode = v.musercode
    returning m.musercode`.execute(scope.db);
  return rows.length;
}

/** Returns the rights of the nearest provider or platform at or above an institution: it may grant these below. */
export async function findGrantableCodes(scope: Scope, orgpath: string): Promise<string[]> {
  const row = await scope.db
    .selectFrom('muser as m')
    .select('m.codes')
    .where(sql<SqlBool>`starts_with(${orgpath}, m.orgpath)`)
    .where('m.musertype', 'in', ['001', '002'])
    .orderBy('m.orgpath', 'desc')
    .executeTakeFirst();
  return row?.codes ?? [];
}

/** Returns the rights of a built-in role: a new institution starts with them. */
export const findRoleCodes = async (scope: Scope, rolekey: string) =>
  (await scope.db.selectFrom('role').select('codes').where('rolekey', '=', rolekey).where('isbuiltin', '=', 1).executeTakeFirst())
    ?.codes ?? [];

/** Returns whether another child of the parent has this name. The lock lasts until the transaction ends, so the result stays true. */
export async function isNameUsed(
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

/** Returns the code of the next new institution. */
export async function nextMusercode(scope: Scope): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    select 'M' || lpad(nextval('musercode_seq')::text, 8, '0') as code`.execute(scope.db);
  return rows[0]?.code as string;
}

export interface NewMUser {
  place: TenantNode;
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
    abnormalminlevel: number;
    showreportdefault: number;
    mustfactor: number;
    trustdevice: number;
  };
}

/** Inserts an institution. */
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

/** Creates the account of an institution below the caller, or sets its one-time password and ends its sessions. */
export const createAccount = (scope: Scope, musercode: string, loginname: string, pwdhash: string) =>
  sql`select auth.create_tenant_account(${musercode}, ${loginname}, ${pwdhash})`.execute(scope.db);

/** Returns the login name of an institution's own account, or ''. */
export const findUsername = async (scope: Scope, musercode: string) =>
  (await scope.db.selectFrom('muser').select('username').where('musercode', '=', musercode).executeTakeFirst())?.username ?? '';

/** Returns the telephone of an institution, or ''. */
export const findPhone = async (scope: Scope, musercode: string) =>
  (await scope.db.selectFrom('muser').select('phonenumber').where('musercode', '=', musercode).executeTakeFirst())?.phonenumber ??
  '';

/** Updates columns of an institution; returns undefined if the row is gone. */
export const changeMUser = (scope: Scope, musercode: string, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('muser')
    .set({ ...changes, version: sql<number>`version + 1`, updatetime: sql<Date>`now()` })
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .returning('version')
    .executeTakeFirst();

/** Sets the URL of an institution's logo; null: no logo. */
export const setLogo = (scope: Scope, musercode: string, logo: string | null) =>
  scope.db.updateTable('muser').set({ logo }).where('musercode', '=', musercode).execute();

/** Deletes an institution without children, persons and staff; returns whether it did. */
export async function removeMUser(scope: Scope, musercode: string): Promise<boolean> {
  const { rows } = await sql`
    update muser m set isdeleted = 1, enabled = 0, version = version + 1, updatetime = now()
    where m.musercode = ${musercode} and m.isdeleted = 0
      and not exists (select from muser c where c.parentmusercode = m.musercode and c.isdeleted = 0)
      and not exists (select from cuser c where c.musercode = m.musercode and c.isdeleted = 0)
      and not exists (select from sysuser u where u.musercode = m.musercode and u.isdeleted = 0)
    returning m.musercode`.execute(scope.db);
  return rows.length === 1;
}

/** Counts the children, persons and staff of an institution. */
export async function findDependents(scope: Scope, musercode: string) {
  const { rows } = await sql<{ children: number; persons: number; staff: number }>`select
    (select count(*) from muser c where c.parentmusercode = ${musercode} and c.isdeleted = 0) as children,
    (select count(*) from cuser c where c.musercode = ${musercode} and c.isdeleted = 0) as persons,
    (select count(*) from sysuser u where u.musercode = ${musercode} and u.isdeleted = 0) as staff`.execute(scope.db);
  return rows[0] ?? { children: 0, persons: 0, staff: 0 };
}

/** Saves the step of the onboarding in the settings of an institution. */
export const setOpening = (scope: Scope, musercode: string, opening: string) =>
  scope.db
    .updateTable('muser')
    .set({ settings: sql<string>`jsonb_set(settings, '{opening}', ${opening}::jsonb)` })
    .where('musercode', '=', musercode)
    .execute();

/** Returns the regions below a region. */
export const findDistricts = (scope: Scope, parentcode: string, level: number | undefined) => {
  let query = scope.db
    .selectFrom('ref.district as d')
    .select([
      'd.districtcode',
      'd.districtname',
      'd.parentcode',
      'd.level',
      sql<number>`case
        when exists (select from ref.district c where c.parentcode = d.districtcode and c.enabled = 1) then 1
        else 0 end`.as('haschild'),
    ])
    .where('d.enabled', '=', 1)
    .where('d.parentcode', '=', parentcode);
  if (level !== undefined) query = query.where('d.level', '=', level);
  return query.orderBy('d.districtcode').execute();
};

/** Returns a region with the codes and levels of its parents, or undefined. */
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

/** Copies applications, stages and the settings of the entry from one institution to another; the entry gets a new code. */
export async function copySetup(scope: Scope, from: string, to: { musercode: string; clientcode: string; clienttitle: string }) {
  await sql`insert into muserapp (musercode, appid, begindate, enddate, enabled)
    select ${to.musercode}, appid, begindate, enddate, enabled
    from muserapp where musercode = ${from}
    on conflict do nothing`.execute(scope.db);
  await sql`insert into muserstage (musercode, appid, stagecode)
    select ${to.musercode}, appid, stagecode
    from muserstage where musercode = ${from}
    on conflict do nothing`.execute(scope.db);
  await sql`insert into muserclient (clientcode, musercode, clienttitle, welcome, loginmode, consentversion,
      needguardian, needsignature, hotline, themecolor, showreport)
    select ${to.clientcode}, ${to.musercode}, ${to.clienttitle}, welcome,
      case when loginmode = '04' then '03' else loginmode end, consentversion,
      needguardian, needsignature, hotline, themecolor, showreport
    from muserclient where musercode = ${from}`.execute(scope.db);
}

/** Returns the applications, the number of their stages and the way to identify persons of an institution. */
export async function findSetup(scope: Scope, musercode: string) {
  const { rows } = await sql<{ appids: string[]; stages: number; loginmode: string }>`
    select array(select a.appid from muserapp a where a.musercode = ${musercode} and a.enabled = 1 order by a.appid) as appids,
      (select count(*)::int from muserstage s where s.musercode = ${musercode}) as stages,
      coalesce((select k.loginmode from muserclient k where k.musercode = ${musercode}), '') as loginmode`.execute(scope.db);
  return rows[0] as { appids: string[]; stages: number; loginmode: string };
}
