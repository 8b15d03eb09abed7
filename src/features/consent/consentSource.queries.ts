import { CompiledQuery } from 'kysely';
import type { ConsentTerms } from '#domain/exam/consentTerms.ts';
import type { Scope } from '#server/db/scope.ts';

/** An institution that can read the data, with the roles that its staff hold. From auth.consent_facts (db/schema/55_consent.sql). */
interface Holder {
  musercode: string;
  musertype: string;
  insname: string;
  codes: string[];
  roles: { rolename: string; rolekey: string; datascope: number; codes: string[] }[];
  granted: string[];
}
/** The answer of auth.consent_facts. */
export interface ConsentSource {
  musercode: string;
  insname: string;
  sector: string;
  contactname: string;
  contactphone: string;
  /** district, city and province */
  regions: string[];
  /** the institution and those above it, the nearest first */
  holders: Holder[];
}

/** Reads the facts. Every role may: they contain no person. */
export async function findConsentSource(
  read: (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>,
  musercode: string,
): Promise<ConsentSource | undefined> {
  const { rows } = await read('select auth.consent_facts($1) as source', [musercode]);
  return (rows[0] as { source: ConsentSource | null } | undefined)?.source ?? undefined;
}

/** Reads the facts in the caller's transaction. */
export const findOwnConsentSource = (scope: Scope, musercode: string) =>
  findConsentSource((text, values) => scope.db.executeQuery(CompiledQuery.raw(text, [...values])), musercode);

/** The terms that an institution has set for its consent text. */
export const findConsentTerms = async (scope: Scope, musercode: string) =>
  (await scope.db.selectFrom('muserclient').select('consentterms').where('musercode', '=', musercode).executeTakeFirst())
    ?.consentterms as Partial<ConsentTerms> | undefined;
