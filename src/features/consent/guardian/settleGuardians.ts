import { requiredScopes } from '#domain/exam/consent.ts';
import type { Scope } from '#server/db/scope.ts';
import { endExcuseByGuardian, excuseByGuardian, hasPersonalRecords } from '#features/consent/guardian/guardianClass.queries.ts';
import { settleGuardianConsents } from '#features/consent/guardian/guardian.queries.ts';
import { withdrawConsent } from '#features/consent/withdrawal/withdraw.ts';

/** Records what guardians decided. A consent is stored for each scope; a refusal ends the use like a withdrawal. */
export async function settleGuardians(
  scope: Scope,
  cuserids: readonly string[],
  decision: Parameters<typeof settleGuardianConsents>[2],
): Promise<string[]> {
  const { status, method, verifiedby, fileid, now } = decision;
  const settled = await settleGuardianConsents(scope, cuserids, decision);
  const agreed = settled.filter(({ kind }) => status === 1 && kind === '01');
  if (agreed.length > 0)
    await scope.db
      .insertInto('consent')
      .values(
        agreed.flatMap(({ cuserid, musercode, consentversion, guardianid }) =>
          requiredScopes.map((consentScope) => ({
            cuserid,
            musercode,
            scope: consentScope,
            consentversion,
            subject: '02',
            guardianid,
            method,
            signaturefileid: fileid ?? null,
            agreed: 1,
            agreetime: now,
          })),
        ),
      )
      .execute();
  if (status === 1)
    await endExcuseByGuardian(
      scope,
      settled.map(({ cuserid }) => cuserid),
    );
  if (status === 2)
    for (const { cuserid } of settled) {
      await excuseByGuardian(scope, cuserid);
      // Before the first answer nothing is to be deleted, and the guardian may still agree.
      if (!(await hasPersonalRecords(scope, cuserid))) continue;
      await withdrawConsent(scope, { cuserid, source: '03', reason: '监护人不同意', createby: verifiedby, now });
    }
  return settled.map(({ cuserid }) => cuserid);
}
