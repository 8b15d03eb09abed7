import { sql } from 'kysely';
import type pg from 'pg';
import type { ConsentTerms } from '#domain/exam/consentTerms.ts';
import type { Hotline } from '#domain/exam/hotline.ts';
import type { Scope, SessionHash } from '#server/db/scope.ts';

/** What the server tells about an institution to anyone with its entry link. */
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
  consentterms: Partial<ConsentTerms>;
  hotlines: Hotline[];
}

/** Whether an entry takes respondents: its institution's service has ended, the institution is disabled, or the entry is closed. */
export type EntryState = 'open' | 'lapsed' | 'disabled' | 'closed';

/** An entry with its state; undefined for an unknown link. */
export async function findEntry(
  authn: Pick<pg.Pool, 'query'>,
  clientcode: string,
): Promise<(EntryFacts & { state: EntryState }) | undefined> {
  const { rows } = await authn.query<{ musercode: string; state: EntryState; facts: Omit<EntryFacts, 'musercode'> }>(
    `select e.musercode, e.facts, case
       when t.enabled = 0 then 'disabled'
       when t.expiredate < (now() at time zone 'Asia/Shanghai')::date then 'lapsed'
       when e.enabled = 0 then 'closed'
       else 'open' end as state
     from auth.entry e join auth.tenant t on t.musercode = e.musercode
     where e.clientcode = $1`,
    [clientcode],
  );
  return rows[0] && { musercode: rows[0].musercode, ...rows[0].facts, state: rows[0].state };
}

/** A respondent as the entry identifies them. */
export interface EntryPerson {
  cuserid: string;
  appid: string;
  username: string;
  gender: string;
  birthday: string | null;
  belongs: string;
}

/**
 * The person with this name and this number or telephone; undefined unless exactly one person matches. A name, a number or a telephone
 * of a record that was merged into the person's counts, too.
 */
export async function findPerson(
  scope: Scope,
  filter: { username: string; number?: string; phonehashes?: string[] },
): Promise<EntryPerson | undefined> {
  let query = scope.db
    .selectFrom('cuser as b')
    .innerJoin('cuser as c', (join) => join.on('c.cuserid', '=', sql`coalesce(b.mergedinto, b.cuserid)`))
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .distinct()
    .select([
      'c.cuserid',
      'c.appid',
      'c.username',
      'c.gender',
      'c.birthday',
      sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`.as('belongs'),
    ])
    .where('b.username', '=', filter.username)
    .where('c.isdeleted', '=', 0)
    .where('c.enabled', '=', 1);
  if (filter.number !== undefined)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('cuserarchive as n')
          .whereRef('n.cuserid', '=', 'c.cuserid')
          .where('n.isdeleted', '=', 0)
          .where(sql<boolean>`(n.iscurrent = 1 and n.appid = c.appid or n.closereason = '06')`)
          .where(sql<boolean>`${filter.number} in (n.studentno, n.employeeno)`),
      ),
    );
  else
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('cuser as p')
          .where(sql<boolean>`c.cuserid in (p.cuserid, p.mergedinto)`)
          .where(sql<boolean>`p.phonehash = any (${filter.phonehashes ?? []}::text[])`),
      ),
    );
  const rows = await query.limit(2).execute();
  return rows.length === 1 ? rows[0] : undefined;
}

/** Stores the session of a respondent: 12 hours at most, 8 hours without a call. */
export const createRespondentSession = (
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

/** The scopes of a version that the person agreed to and did not withdraw, with the latest consent to processing. */
export async function findConsent(
  scope: Scope,
  cuserid: string,
  consentversion: string,
): Promise<{ scopes: string[]; consentid: number | null }> {
  const rows = await scope.db
    .selectFrom('consent')
    .select(['consentid', 'scope'])
    .where('cuserid', '=', cuserid)
    .where('consentversion', '=', consentversion)
    .where('subject', '=', '01')
    .where('agreed', '=', 1)
    .where('withdrawtime', 'is', null)
    .orderBy('agreetime', 'desc')
    .execute();
  return {
    scopes: [...new Set(rows.map((row) => row.scope))],
    consentid: rows.find((row) => row.scope === '01')?.consentid ?? null,
  };
}

/** The calling respondent with the institution and its entry settings. */
export const findRespondent = async (scope: Scope, cuserid: string) =>
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
      'k.needsignature',
    ])
    .where('c.cuserid', '=', cuserid)
    .executeTakeFirst();

/** Stores one row for each scope and each person who agrees. */
export const insertConsents = (
  scope: Scope,
  rows: {
    cuserid: string;
    musercode: string;
    scope: string;
    consentversion: string;
    subject: string;
    method: string;
    reading: string;
    signaturefileid?: string | null;
    agreed: number;
    agreetime: Date;
    ip: string;
  }[],
) => scope.db.insertInto('consent').values(rows).execute();

/** Stores the row of a file and returns its id. */
export const insertFile = (
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

/** Stores the text of a version, once. */
export const insertConsentText = (
  scope: Scope,
  row: {
    musercode: string;
    version: string;
    reading: string;
    facts: string;
    text: string;
    sensitivetext: string;
    providetext: string;
    createtime: Date;
  },
) =>
  scope.db
    .insertInto('consenttext')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** An assessment code of the institution, locked until the transaction ends: two phones cannot both become its person. */
export const lockCode = (scope: Scope, musercode: string, code: string) =>
  scope.db
    .selectFrom('assesscode')
    .select(['code', 'appid', 'plancode', 'stagecode', 'walletcode', 'cuserid', 'status', 'expiredate'])
    .where('code', '=', code)
    .where('musercode', '=', musercode)
    .forUpdate()
    .executeTakeFirst();

/** Gives an unused code to its person. */
export const bindCode = (scope: Scope, code: string, cuserid: string, now: Date) =>
  scope.db
    .updateTable('assesscode')
    .set({ status: 1, cuserid, bindtime: now })
    .where('code', '=', code)
    .where('status', '=', 0)
    .execute();

/**
 * The anonymous person of a browser tab, when created after `since`; after a merge the record that stays. Callers with the same secret
 * wait for each other, so that one secret never becomes two persons.
 */
export async function findCUseridByScan(
  scope: Scope,
  musercode: string,
  scanhashes: readonly string[],
  since: Date,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scan ${musercode} ${[...scanhashes].sort()[0]}`}, 0))`.execute(
    scope.db,
  );
  const stalePersons = scope.db
    .updateTable('cuser')
    .set({ scanhash: null })
    .where('musercode', '=', musercode)
    .where('scanhash', 'in', [...scanhashes]);
  await stalePersons
    .where((eb) =>
      eb.or([
        eb('createtime', '<=', since),
        eb('enabled', '=', 0),
        eb.and([eb('isdeleted', '=', 1), eb('mergedinto', 'is', null)]),
      ]),
    )
    .execute();
  const person = await scope.db
    .selectFrom('cuser')
    .select(['cuserid', 'mergedinto'])
    .where('musercode', '=', musercode)
    .where('scanhash', 'in', [...scanhashes])
    .executeTakeFirst();
  return person?.mergedinto ?? person?.cuserid;
}

/** The plan that an anonymous entry gives to every respondent. */
export const findEntryPlan = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient as k')
    .innerJoin('plan as v', 'v.plancode', 'k.plancode')
    // New persons answer the newest version of the plan that the entry names.
    .innerJoin('plan as p', 'p.planroot', 'v.planroot')
    .select(['p.plancode', 'p.appid', 'k.stagecode'])
    .where('p.supersededby', 'is', null)
    .where('k.musercode', '=', musercode)
    .where('p.status', '=', 1)
    .where('p.isdeleted', '=', 0)
    .executeTakeFirst();

/** Stores the right to answer a plan once; its count is already frozen. */
export const insertAuthorization = (
  scope: Scope,
  authorization: {
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
    .values({ ...authorization, total: 1, used: 0, frozen: 1 })
    .execute();

/** An enabled person by id. */
export const findPersonById = (scope: Scope, cuserid: string): Promise<EntryPerson | undefined> =>
  scope.db
    .selectFrom('cuser')
    .select(['cuserid', 'appid', 'username', 'gender', 'birthday', sql<string>`''`.as('belongs')])
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .where('enabled', '=', 1)
    .executeTakeFirst();

/** Finds the regions below a region; '' has the provinces. */
export const findRegions = async (authn: Pick<pg.Pool, 'query'>, parentcode: string) =>
  (
    await authn.query<{ districtcode: string; districtname: string; level: number; haschild: number }>(
      `select d.districtcode, d.districtname, d.level,
         exists (select from ref.district c where c.parentcode = d.districtcode and c.enabled = 1)::int as haschild
       from ref.district d
       where d.parentcode = $1 and d.enabled = 1
       order by d.districtcode`,
      [parentcode],
    )
  ).rows;
