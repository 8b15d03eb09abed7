import { sql } from 'kysely';
import type pg from 'pg';
import type { Scope, SessionHash } from '#server/db/scope.ts';

/** What the entry link of an institution says to anybody who holds it. */
export interface EntryFacts {
  musercode: string;
  clienttitle: string;
  welcome: string;
  insname: string;
  sector: string;
  loginmode: '01' | '02' | '03' | '04';
  themecolor: string;
  hotline: string;
  needsignature: number;
  consentversion: string;
}

export async function findEntry(authn: Pick<pg.Pool, 'query'>, clientcode: string): Promise<EntryFacts | undefined> {
  const { rows } = await authn.query<{ musercode: string; facts: Omit<EntryFacts, 'musercode'> }>(
    `select e.musercode, e.facts from auth.entry e join auth.tenant t on t.musercode = e.musercode
      where e.clientcode = $1 and e.enabled = 1 and t.enabled = 1 and (t.expiredate is null
        or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)`,
    [clientcode],
  );
  return rows[0] && { musercode: rows[0].musercode, ...rows[0].facts };
}

export interface FoundPerson {
  cuserid: string;
  appid: string;
  username: string;
  gender: string;
  birthday: string | null;
  belongs: string;
}

/** The person of that name with that number or telephone; only an exact and single match counts. */
export async function findPerson(
  scope: Scope,
  by: { username: string; number?: string; phonehash?: string },
): Promise<FoundPerson | undefined> {
  let query = scope.db
    .selectFrom('cuser as c')
    .leftJoin('cuserarchive as a', (join) => join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid'))
    .select([
      'c.cuserid',
      'c.appid',
      'c.username',
      'c.gender',
      'c.birthday',
      sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`.as('belongs'),
    ])
    .where('c.username', '=', by.username)
    .where('c.isdeleted', '=', 0)
    .where('c.enabled', '=', 1);
  if (by.number !== undefined)
    query = query.where((eb) =>
      eb.or([eb('a.studentno', '=', by.number as string), eb('a.employeeno', '=', by.number as string)]),
    );
  else query = query.where('c.phonehash', '=', by.phonehash ?? '');
  const rows = await query.limit(2).execute();
  return rows.length === 1 ? rows[0] : undefined;
}

export const openRespondentSession = (
  authn: Pick<pg.Pool, 'query'>,
  session: {
    tokenhash: SessionHash;
    musercode: string;
    cuserid: string;
    ip: string;
    useragent: string;
    newCookieHash: SessionHash | undefined;
  },
) =>
  authn.query(
    `insert into auth.session (tokenhash, kind, musercode, cuserid, ip, useragent, expiretime, idle, boundhash)
     values ($1, 'respondent', $2, $3, $4, $5, now() + interval '12 hours', '8 hours', $6)`,
    [
      session.tokenhash,
      session.musercode,
      session.cuserid,
      session.ip,
      session.useragent.slice(0, 300),
      session.newCookieHash ?? null,
    ],
  );

/** Scopes this person agreed to and did not withdraw, with the latest consent for processing. */
export async function consentOf(
  scope: Scope,
  cuserid: string,
  consentversion: string,
): Promise<{ scopes: string[]; guardian: boolean; consentid: number | null }> {
  const rows = await scope.db
    .selectFrom('consent')
    .select(['consentid', 'scope', 'subject'])
    .where('cuserid', '=', cuserid)
    .where('consentversion', '=', consentversion)
    .where('agreed', '=', 1)
    .where('withdrawtime', 'is', null)
    .orderBy('agreetime', 'desc')
    .execute();
  return {
    scopes: [...new Set(rows.filter((row) => row.subject === '01').map((row) => row.scope))],
    guardian: rows.some((row) => row.subject === '02'),
    consentid: rows.find((row) => row.scope === '01' && row.subject === '01')?.consentid ?? null,
  };
}

export const ownFacts = async (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .leftJoin('muserclient as k', 'k.musercode', 'c.musercode')
    .select([
      'c.cuserid',
      'c.appid',
      'c.username',
      'c.gender',
      'c.birthday',
      'c.musercode',
      'm.sector',
      'm.insname',
      'k.hotline',
      'k.consentversion',
      'k.needsignature',
    ])
    .where('c.cuserid', '=', cuserid)
    .executeTakeFirst();

export const addConsents = (
  scope: Scope,
  rows: {
    cuserid: string;
    musercode: string;
    scope: string;
    consentversion: string;
    subject: string;
    guardianid?: number | null;
    method: string;
    signaturefileid?: string | null;
    agreed: number;
    agreetime: Date;
    ip: string;
  }[],
) => scope.db.insertInto('consent').values(rows).execute();

export const addGuardian = (
  scope: Scope,
  row: {
    cuserid: string;
    musercode: string;
    name: string;
    relation: string;
    phonesealed: string | null;
    phonehash: string | null;
  },
) => scope.db.insertInto('guardian').values(row).returning('guardianid').executeTakeFirstOrThrow();

export const addFile = (
  scope: Scope,
  row: {
    musercode: string;
    cuserid: string;
    filename: string;
    mime: string;
    size: number;
    sha256: string;
    path: string;
    biztype: string;
  },
) => scope.db.insertInto('fileobj').values(row).returning('fileid').executeTakeFirstOrThrow();

export const withdrawConsents = (scope: Scope, cuserid: string, time: Date) =>
  scope.db
    .updateTable('consent')
    .set({ withdrawtime: time })
    .where('cuserid', '=', cuserid)
    .where('withdrawtime', 'is', null)
    .execute();

/** A one-time code of the institution, held until the end of the transaction so that two phones cannot both become its person. */
export const lockCode = (scope: Scope, musercode: string, code: string) =>
  scope.db
    .selectFrom('assesscode')
    .select(['code', 'appid', 'plancode', 'stagecode', 'walletcode', 'cuserid', 'status', 'expiredate'])
    .where('code', '=', code)
    .where('musercode', '=', musercode)
    .forUpdate()
    .executeTakeFirst();

export const bindCode = (scope: Scope, code: string, cuserid: string, now: Date) =>
  scope.db
    .updateTable('assesscode')
    .set({ status: 1, cuserid, bindtime: now })
    .where('code', '=', code)
    .where('status', '=', 0)
    .execute();

/**
 * The nameless person a browser tab stands for since then. Callers with one secret wait for each other, so that it never
 * becomes two persons.
 */
export async function findByScan(scope: Scope, musercode: string, scanhash: string, since: Date): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scan ${musercode} ${scanhash}`}, 0))`.execute(scope.db);
  const own = scope.db
    .updateTable('cuser')
    .set({ scanhash: null })
    .where('musercode', '=', musercode)
    .where('scanhash', '=', scanhash);
  await own.where((is) => is.or([is('createtime', '<=', since), is('enabled', '=', 0), is('isdeleted', '=', 1)])).execute();
  const found = await scope.db
    .selectFrom('cuser')
    .select('cuserid')
    .where('musercode', '=', musercode)
    .where('scanhash', '=', scanhash)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  return found?.cuserid;
}

/** What an entry without names asks of everybody. */
export const findEntryPlan = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient as k')
    .innerJoin('plan as p', 'p.plancode', 'k.plancode')
    .select(['p.plancode', 'p.appid', 'k.stagecode'])
    .where('k.musercode', '=', musercode)
    .where('p.status', '=', 1)
    .where('p.isdeleted', '=', 0)
    .executeTakeFirst();

/** The right to answer a plan once, whose count is frozen already. */
export const addGrant = (
  scope: Scope,
  grant: {
    cuserid: string;
    musercode: string;
    plancode: string;
    appid: string;
    stagecode: string | null;
    walletcode: string;
    grantby: string;
  },
) =>
  scope.db
    .insertInto('cuserplan')
    .values({ ...grant, total: 1, used: 0, frozen: 1 })
    .execute();

export const findById = (scope: Scope, cuserid: string): Promise<FoundPerson | undefined> =>
  scope.db
    .selectFrom('cuser')
    .select(['cuserid', 'appid', 'username', 'gender', 'birthday', sql<string>`''`.as('belongs')])
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .where('enabled', '=', 1)
    .executeTakeFirst();
