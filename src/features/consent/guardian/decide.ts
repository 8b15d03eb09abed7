import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import { findConsentPerson, openGuardianConsent } from '#features/consent/guardian/guardian.queries.ts';
import { reopenGuardianConsent } from '#features/consent/guardian/guardianClass.queries.ts';

/** Opens the consent of a person's guardian for a decision, also one that was decided otherwise before. Refuses a person who needs none. */
export async function openForDecision(
  scope: Scope,
  {
    cuserid,
    musercode,
    claimed,
    now,
  }: { cuserid: string; musercode: string; claimed?: { name: string; relation: string }; now: Date },
): Promise<void> {
  const { facts, version } = await findCurrentConsent(scope, musercode);
  const person = await findConsentPerson(scope, cuserid, facts.terms.teenguardian, now);
  if (person?.duty !== '01') throw problems.wrongState({ why: '这名学生不需要监护人同意' });
  await openGuardianConsent(scope, { cuserid, musercode, kind: '01', version, claimed, now });
  await reopenGuardianConsent(scope, cuserid);
}
