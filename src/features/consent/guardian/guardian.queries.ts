import { sql } from 'kysely';
import { guardianDuty, readingOf } from '#domain/exam/consent.ts';
import type { TeenGuardian } from '#domain/exam/consentTerms.ts';
import type { Scope } from '#server/db/scope.ts';
import { findGuardianFacts } from '#features/consent/guardian/guardianFacts.ts';

/** The consent of guardians: who needs it, and its state. Only the server's own session and staff write it. */

/** A person with what the texts and the guardian's duty depend on. */
export async function findConsentPerson(scope: Scope, cuserid: string, teen: TeenGuardian, now: Date) {
  const row = await scope.db
    .selectFrom('cuser as c')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .select(['c.cuserid', 'c.musercode', 'c.appid', 'c.birthday', 'c.source', 'a.eduphase', 'a.gradename'])
    .where('c.cuserid', '=', cuserid)
    .executeTakeFirst();
  if (!row) return undefined;
  const facts = findGuardianFacts(row, now);
  return { ...row, age: facts.age, duty: guardianDuty(facts, teen), reading: readingOf({ ...row, ...facts }) };
}

/** The state of the guardian's consent of a person; undefined before the person's own consent. */
export const findGuardianConsent = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('guardianconsent')
    .select([
      'guardianconsentid',
      'kind',
      'status',
      'consentversion',
      'codehash',
      'codetime',
      'codetries',
      'guardianid',
      'erasedtime',
    ])
    .where('cuserid', '=', cuserid)
    .executeTakeFirst();

/** Opens the guardian's consent to a version of the text. A verified consent to the same version stays. */
export const openGuardianConsent = (
  scope: Scope,
  consent: {
    cuserid: string;
    musercode: string;
    kind: '01' | '02';
    version: string;
    /** what the person typed about the guardian: staff compare it with the roster */
    claimed?: { name: string; relation: string } | undefined;
    now: Date;
  },
) =>
  sql`
    insert into guardianconsent (cuserid, musercode, kind, consentversion, sincetime, claimedname, claimedrelation)
    values (${consent.cuserid}, ${consent.musercode}, ${consent.kind}, ${consent.version}, ${consent.now},
      ${consent.claimed?.name ?? null}, ${consent.claimed?.relation ?? null})
    on conflict (orgpath, cuserid) do update set
      kind = excluded.kind,
      consentversion = excluded.consentversion,
      claimedname = coalesce(excluded.claimedname, guardianconsent.claimedname),
      claimedrelation = coalesce(excluded.claimedrelation, guardianconsent.claimedrelation),
      status = case when guardianconsent.status = 1 and guardianconsent.consentversion = excluded.consentversion
        and guardianconsent.kind = excluded.kind then 1 else 0 end,
      -- The days are counted from the first open day. After a deletion they begin again.
      sincetime = case when guardianconsent.status = 0 and guardianconsent.erasedtime is null
        then guardianconsent.sincetime else excluded.sincetime end,
      chasedday = case when guardianconsent.status = 0 and guardianconsent.erasedtime is null
        then guardianconsent.chasedday else 0 end,
      erasedtime = null,
      codesealed = null,
      codehash = null`.execute(scope.db);

/** The guardian of the roster whose telephone gets the code; undefined when the roster has none. */
export const findRosterGuardian = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('guardian')
    .select(['guardianid', 'name', 'relation', 'phonesealed'])
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .where('phonesealed', 'is not', null)
    .orderBy('guardianid')
    .limit(1)
    .executeTakeFirst();

/** Stores a new code. `codesealed` is for the list that staff read aloud; `codehash` checks what the guardian says. */
export const saveCode = (
  scope: Scope,
  guardianconsentid: number,
  code: { guardianid: number; codesealed: string; codehash: string; now: Date },
) =>
  scope.db
    .updateTable('guardianconsent')
    .set({ guardianid: code.guardianid, codesealed: code.codesealed, codehash: code.codehash, codetime: code.now, codetries: 0 })
    .where('guardianconsentid', '=', guardianconsentid)
    .where('status', '=', 0)
    .execute();

/** Counts a wrong code. */
export const countWrongCode = (scope: Scope, guardianconsentid: number) =>
  scope.db
    .updateTable('guardianconsent')
    .set((eb) => ({ codetries: eb('codetries', '+', 1) }))
    .where('guardianconsentid', '=', guardianconsentid)
    .execute();

/** Records the decision of guardians whose consent is open; returns the persons. The trigger of the table shows their reports. */
export const settleGuardianConsents = (
  scope: Scope,
  cuserids: readonly string[],
  decision: {
    status: 1 | 2;
    method: '01' | '02' | '03' | '04';
    verifiedby: string;
    remark?: string | undefined;
    fileid?: string | null | undefined;
    now: Date;
  },
) =>
  scope.db
    .updateTable('guardianconsent')
    .set({
      status: decision.status,
      method: decision.method,
      verifiedby: decision.verifiedby,
      verifiedtime: decision.now,
      remark: decision.remark ?? null,
      fileid: decision.fileid ?? null,
      codesealed: null,
      codehash: null,
    })
    .where('cuserid', 'in', cuserids)
    .where('status', '=', 0)
    .returning(['cuserid', 'musercode', 'kind', 'consentversion', 'guardianid'])
    .execute();
