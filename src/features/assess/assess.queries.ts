import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The person of a test with the open entry of the institution; undefined out of reach. */
export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser as c')
    .leftJoin('muserclient as k', (join) => join.onRef('k.musercode', '=', 'c.musercode').on('k.enabled', '=', 1))
    .select(['c.cuserid', 'c.musercode', 'c.appid', 'c.birthday', 'k.clientcode'])
    .where('c.cuserid', '=', cuserid)
    .where('c.isdeleted', '=', 0)
    .executeTakeFirst();

/** The open entry of an institution. */
export const findEntry = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select('clientcode')
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .executeTakeFirst();

/** The live authorization of a person outside tasks that can be answered today. */
export async function findGrant(
  scope: Scope,
  { cuserid, plancode, stagecode, today }: { cuserid: string; plancode: string; stagecode: string; today: string },
): Promise<{ cuserplanid: number; planname: string } | undefined> {
  const { rows } = await sql<{ cuserplanid: number; planname: string }>`
    select g.cuserplanid, p.planname from cuserplan g join plan p on p.plancode = g.plancode
    where g.cuserid = ${cuserid} and g.plancode = ${plancode} and coalesce(g.stagecode, '') = ${stagecode}
      and g.taskcode is null and g.status = 1 and g.frozen > 0
      and coalesce(g.begindate, ${today}::date) <= ${today}::date and coalesce(g.enddate, ${today}::date) >= ${today}::date`.execute(
    scope.db,
  );
  return rows[0];
}

/** Deletes the links and codes of an authorization, and the codes of its institution that are over. */
export const deleteLinks = (scope: Scope, cuserplanid: number, musercode: string, now: Date) =>
  sql`delete from testlink
    where cuserplanid = ${cuserplanid}
      or (musercode = ${musercode} and way = '03' and (usedtime is not null or expiretime <= ${now}))`.execute(scope.db);

/** Stores a link or a code. */
export const insertLink = (
  scope: Scope,
  link: {
    musercode: string;
    cuserid: string;
    cuserplanid: number;
    way: string;
    secrethash: string;
    createby: string;
    createtime: Date;
    expiretime: Date;
  },
) => scope.db.insertInto('testlink').values(link).execute();

/** The hashes of the live codes of an institution. Callers wait for each other, so that no two codes are equal. */
export async function lockLiveCodes(scope: Scope, musercode: string): Promise<Set<string>> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`kiosk ${musercode}`}, 0))`.execute(scope.db);
  const rows = await scope.db
    .selectFrom('testlink')
    .select('secrethash')
    .where('musercode', '=', musercode)
    .where('way', '=', '03')
    .execute();
  return new Set(rows.map((row) => row.secrethash));
}

/** Stores a paired device. */
export const insertKiosk = (
  scope: Scope,
  kiosk: {
    musercode: string;
    kioskname: string;
    secrethash: string;
    createby: string;
    createtime: Date;
    expiretime: Date;
  },
) => scope.db.insertInto('kiosk').values(kiosk).returning('kioskid').executeTakeFirstOrThrow();

/** The paired devices of an institution that take codes, the newest first. */
export const findKiosks = (scope: Scope, musercode: string, now: Date) =>
  scope.db
    .selectFrom('kiosk as k')
    .leftJoin('sysuser as u', 'u.userid', 'k.createby')
    .select([
      'k.kioskid',
      'k.kioskname',
      'k.createtime',
      'k.expiretime',
      'k.lasttime',
      'k.wrongtries',
      'k.wrongsince',
      'u.realname as pairedby',
    ])
    .where('k.musercode', '=', musercode)
    .where('k.revokedtime', 'is', null)
    .where('k.expiretime', '>', now)
    .orderBy('k.kioskid', 'desc')
    .execute();

/** Ends the pairing of a device. Returns false for an unknown one. */
export const revokeKiosk = async (scope: Scope, musercode: string, kioskid: number, now: Date): Promise<boolean> =>
  (
    await scope.db
      .updateTable('kiosk')
      .set({ revokedtime: now })
      .where('kioskid', '=', kioskid)
      .where('musercode', '=', musercode)
      .where('revokedtime', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Forgets the wrong codes of a paired device. Returns false for an unknown one. */
export const releaseKiosk = async (scope: Scope, musercode: string, kioskid: number): Promise<boolean> =>
  (
    await scope.db
      .updateTable('kiosk')
      .set({ wrongtries: 0, wrongsince: null })
      .where('kioskid', '=', kioskid)
      .where('musercode', '=', musercode)
      .where('revokedtime', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;
