import { maskPhone } from '#domain/base/mask.ts';
import { requiredScopes } from '#domain/exam/consent.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import { findConsentPerson, findGuardianConsent, findRosterGuardian } from '#features/consent/guardian/guardian.queries.ts';
import { findConsent } from '#features/respond/entry/entry.queries.ts';

/** The state of the consents of a person and the guardian. */
export interface ConsentState {
  /** the person must read the current text and agree */
  isMissing: boolean;
  /** the guardian must agree and has not; the person may answer, and the results wait */
  isGuardianOpen: boolean;
  /** the guardian refused */
  isRefused: boolean;
  /** what the guardian must do: 01 agree, 02 be informed */
  duty: '01' | '02' | null;
  /** the masked telephone of the roster's guardian; '' when the roster has none or nothing is open */
  guardianphone: string;
  reading: 'full' | 'short';
  version: string;
  consentid: number | null;
}

const OPEN = 0;
const REFUSED = 2;
const ERASED = 3;

/** Compares the consents of a person with the text that the institution asks for now. */
export async function findConsentState(
  scope: Scope,
  cuserid: string,
  { now, cipher }: Pick<Context, 'now' | 'cipher'>,
): Promise<ConsentState> {
  const bare = await scope.db.selectFrom('cuser').select('musercode').where('cuserid', '=', cuserid).executeTakeFirst();
  if (!bare) throw problems.identityInvalid();
  const { facts, version } = await findCurrentConsent(scope, bare.musercode);
  const person = await findConsentPerson(scope, cuserid, facts.terms.teenguardian, now);
  if (!person) throw problems.identityInvalid();
  const { scopes, consentid } = await findConsent(scope, cuserid, version);
  const { duty, reading } = person;
  const hasAgreed = consentid !== null && requiredScopes.every((required) => scopes.includes(required));
  const guardian = duty === '01' ? await findGuardianConsent(scope, cuserid) : undefined;
  // The guardian is asked for the same version as the person. After a deletion both begin again.
  const isAsked =
    guardian !== undefined &&
    guardian.kind === '01' &&
    guardian.consentversion === version &&
    guardian.status !== ERASED &&
    guardian.erasedtime === null;
  const isGuardianOpen = duty === '01' && (!isAsked || guardian.status === OPEN);
  const roster = isGuardianOpen ? await findRosterGuardian(scope, cuserid) : undefined;
  return {
    isMissing: !hasAgreed || (duty === '01' && !isAsked),
    isGuardianOpen,
    isRefused: guardian?.status === REFUSED && guardian.consentversion === version,
    duty,
    guardianphone: roster?.phonesealed ? maskPhone(cipher.decrypt(person.musercode, 'cuser.phone', roster.phonesealed)) : '',
    reading,
    version,
    consentid,
  };
}
