import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** A link or code with its person and authorization, locked. */
export interface TestLinkRow {
  linkid: number;
  cuserid: string;
  cuserplanid: number;
  way: '01' | '02' | '03';
  usedtime: Date | null;
  wrongtries: number;
  birthday: string | null;
  /** 1: the authorization is live */
  grantstatus: number;
}

/** The valid link or code of an institution with one of these hashes. */
export async function lockLink(
  scope: Scope,
  { musercode, secrethashes, now }: { musercode: string; secrethashes: readonly string[]; now: Date },
): Promise<TestLinkRow | undefined> {
  const { rows } = await sql<TestLinkRow>`
    select k.linkid, k.cuserid, k.cuserplanid, k.way, k.usedtime, k.wrongtries, c.birthday, g.status as grantstatus
    from testlink k join cuser c on c.cuserid = k.cuserid and c.isdeleted = 0 and c.enabled = 1
      join cuserplan g on g.cuserplanid = k.cuserplanid
    where k.musercode = ${musercode} and k.secrethash = any (${[...secrethashes]}::text[]) and k.expiretime > ${now}
    for update of k`.execute(scope.db);
  return rows[0];
}

/** Counts a wrong day of birth. */
export const countWrongTry = (scope: Scope, linkid: number) =>
  sql`update testlink set wrongtries = wrongtries + 1 where linkid = ${linkid}`.execute(scope.db);

/** Marks a link or code as used, and its authorization with the scene of the exam. */
export async function markUsed(scope: Scope, link: TestLinkRow, scenecode: string, now: Date): Promise<void> {
  await sql`update testlink set usedtime = ${now} where linkid = ${link.linkid}`.execute(scope.db);
  await sql`update cuserplan set scenecode = ${scenecode} where cuserplanid = ${link.cuserplanid}`.execute(scope.db);
}

/** A paired device, locked, that takes codes; undefined for an unknown, revoked or expired one. */
export const lockKiosk = (
  scope: Scope,
  { musercode, secrethashes, now }: { musercode: string; secrethashes: readonly string[]; now: Date },
) =>
  scope.db
    .selectFrom('kiosk')
    .select(['kioskid', 'wrongtries', 'wrongsince'])
    .where('musercode', '=', musercode)
    .where('secrethash', 'in', [...secrethashes])
    .where('revokedtime', 'is', null)
    .where('expiretime', '>', now)
    .forUpdate()
    .executeTakeFirst();

/** Stores what a code at a device did: the count of wrong codes, or the time of the right one. */
export const updateKiosk = (
  scope: Scope,
  kioskid: number,
  change: { wrongtries: number; wrongsince: Date | null; lasttime?: Date },
) => scope.db.updateTable('kiosk').set(change).where('kioskid', '=', kioskid).execute();
