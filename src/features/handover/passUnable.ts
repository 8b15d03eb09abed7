import type { Scope } from '#server/db/scope.ts';
import { attempt } from '#server/db/attempt.ts';
import { activeInstitutions, runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { passWork } from '#features/handover/passWork.ts';
import { findUnableHolders } from '#features/handover/work.queries.ts';
import { notifyOfFailures, type JobFailure } from '#features/warning/alerts/jobFailures.ts';
import { findMember } from '#features/warning/handover/handover.queries.ts';

/**
 * Passes the waiting follow-ups and open bookings of staff of an institution who may not do them any more: a right was taken, the account
 * was disabled, deleted or became a shared one. Absent staff keep theirs. Returns the number of rows.
 */
export async function passWorkOfUnable(scope: Scope, cipher: FieldCipher, musercode: string, now: Date): Promise<number> {
  const unable = await findUnableHolders(scope, musercode);
  let passed = 0;
  for (const userid of new Set([...unable.followups, ...unable.bookings])) {
    const member = (await findMember(scope, userid)) ?? { userid, musercode, realname: '原负责人' };
    const kinds = (['followups', 'bookings'] as const).filter((kind) => unable[kind].includes(userid));
    const why = { reason: `${member.realname}的账号已停用，或不再有相应权限`, operator: null, operatorname: '系统', now };
    passed += await passWork({ scope, cipher, why }, member, kinds);
  }
  return passed;
}

/** Runs `passWorkOfUnable` for every institution, each in its own transaction. Returns the failures; the others went on. */
export async function passAllWorkOfUnable(services: Pick<Services, 'pools' | 'cipher'>, now: Date): Promise<JobFailure[]> {
  const failed: JobFailure[] = [];
  for (const musercode of await activeInstitutions(services.pools)) {
    try {
      await runAsSystem(services.pools, musercode, async (scope) => {
        const outcome = await attempt(scope, () => passWorkOfUnable(scope, services.cipher, musercode, now));
        if (!outcome.ok) failed.push({ musercode, error: outcome.error });
      });
    } catch (error) {
      failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  await notifyOfFailures(services, '工作移交', failed, now);
  return failed;
}
